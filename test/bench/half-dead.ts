/**
 * geo-requests of hosts of which a half is dead, beside curl from the same region, in the lab: one family, or one of two IPv4 addresses. curl begins with
 * the family that the machine sorts first: IPv6, or IPv4 as a geo-request does. It gives a silent address half of its time before the next one of the family.
 */
import { Lab } from '../lab/lab.ts';
import { HALF_DEAD, WEB_HOSTS } from '../lab/plan.ts';
import { System } from '../lab/system.ts';
import { median } from './figures.ts';

const TURNS = Number(process.env['TURNS'] ?? 9);
const REGION = 'us-ash';
const CASES = [
  ['IPv4, IPv6', undefined, WEB_HOSTS.web.name, ''],
  ['silent IPv4, IPv6', 'silence', WEB_HOSTS.web.name, WEB_HOSTS.web.v4],
  ['refusing IPv4, IPv6', 'reset', WEB_HOSTS.web.name, WEB_HOSTS.web.v4],
  ['IPv4, silent IPv6', 'silence', WEB_HOSTS.web.name, WEB_HOSTS.web.v6],
  ['silent and living IPv4', 'silence', HALF_DEAD.name, HALF_DEAD.dead],
  ['refusing and living IPv4', 'reset', HALF_DEAD.name, HALF_DEAD.dead],
] as const;
/** What gai.conf(5) says of the order; without a line it is RFC 6724's. */
const ORDERS = { IPv6: '', IPv4: 'precedence ::ffff:0:0/96 100' };

const lab = await Lab.open();
try {
  const system = await System.start(lab, { regions: [REGION] });
  const compare = async (curl_begins_with: keyof typeof ORDERS, [host, how, name, dead]: (typeof CASES)[number]) => {
    await lab.world.run(undefined, ['sh', '-c', `echo '${ORDERS[curl_begins_with]}' >/etc/netns/${REGION}/gai.conf`]);
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
    const heal = how && (await lab.faults.cutFromHost(REGION, dead, how));
    for (let warm = 0; warm < 2; warm++) await Promise.all([curl(), ours()]);
    const turns: { curl: number; ours: number }[] = [];
    for (let turn = 0; turn < TURNS; turn++) turns.push({ curl: await curl(), ours: await ours() });
    await heal?.();
    const middle = (of: (turn: (typeof turns)[number]) => number) => Number(median(turns.map(of)).toPrecision(3));
    const figures = { curl_ms: middle(({ curl: ms }) => ms), ours_ms: middle(({ ours: ms }) => ms) };
    const ratio = middle((turn) => turn.ours / turn.curl);
    process.stdout.write(
      `${JSON.stringify({ bench: 'half-dead', host, region: REGION, turns: TURNS, curl_begins_with, ...figures, ratio })}\n`,
    );
  };
  for (const order of ['IPv6', 'IPv4'] as const) for (const one of CASES) await compare(order, one);
} finally {
  await lab.close();
}
