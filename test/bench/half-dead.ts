/**
 * geo-requests of hosts of which a half is dead, beside curl from the same region, in the lab: one family, or one of two IPv4 addresses. curl begins with
 * IPv6, and gives a silent address half of its time before the next one of the family.
 */
import { Lab } from '../lab/lab.ts';
import { HALF_DEAD, WEB_HOSTS } from '../lab/plan.ts';
import { System } from '../lab/system.ts';
import { median } from './figures.ts';

const TURNS = Number(process.env['TURNS'] ?? 9);
const REGION = 'us-ash';
const CASES = [
  ['silent IPv4, IPv6', 'silence', WEB_HOSTS.web.name, WEB_HOSTS.web.v4],
  ['refusing IPv4, IPv6', 'reset', WEB_HOSTS.web.name, WEB_HOSTS.web.v4],
  ['IPv4, silent IPv6', 'silence', WEB_HOSTS.web.name, WEB_HOSTS.web.v6],
  ['silent and living IPv4', 'silence', HALF_DEAD.name, HALF_DEAD.dead],
  ['refusing and living IPv4', 'reset', HALF_DEAD.name, HALF_DEAD.dead],
] as const;

const lab = await Lab.open();
try {
  const system = await System.start(lab, { regions: [REGION] });
  for (const [host, how, name, dead] of CASES) {
    const url = `http://${name}/`;
    const curl = async () => {
      const { stdout, stderr } = await lab.exec(REGION, ['curl', '-sS', '-m', '8', '-o', '/dev/null', '-w', '%{time_total}', url]);
      if (stderr !== '') throw new Error(stderr);
      return Number(stdout) * 1000;
    };
    const ours = async () => {
      const { body, elapsed_ms } = await system.post('geo-request', { url, locations: [REGION] });
      if (body.locations?.[0]?.error !== '') throw new Error(JSON.stringify(body));
      return elapsed_ms;
    };
    const heal = await lab.faults.cutFromHost(REGION, dead, how);
    for (let warm = 0; warm < 2; warm++) await Promise.all([curl(), ours()]);
    const turns: { curl: number; ours: number }[] = [];
    for (let turn = 0; turn < TURNS; turn++) turns.push({ curl: await curl(), ours: await ours() });
    await heal();
    const middle = (of: (turn: (typeof turns)[number]) => number) => Number(median(turns.map(of)).toPrecision(3));
    const figures = { curl_ms: middle(({ curl: ms }) => ms), ours_ms: middle(({ ours: ms }) => ms) };
    const ratio = middle((turn) => turn.ours / turn.curl);
    process.stdout.write(`${JSON.stringify({ bench: 'half-dead', host, region: REGION, turns: TURNS, ...figures, ratio })}\n`);
  }
} finally {
  await lab.close();
}
