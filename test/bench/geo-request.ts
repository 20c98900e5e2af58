/**
 * A geo-request of a name that nobody asked about before, beside curl from the same region, in the lab. The gateway stands beside the region's agent,
 * as far from everything else. Each name is below a public suffix, so its owner is another one and is asked whether they agree.
 */
import { Lab } from '../lab/lab.ts';
import { WEB_HOSTS } from '../lab/plan.ts';
import { System } from '../lab/system.ts';
import { WORLD_DIR } from '../lab/world.ts';
import { NAMES_OF_MANY_OWNERS } from '../lab/zones.ts';
import { moveCore } from './far-core.ts';
import { median } from './figures.ts';

const TURNS = Number(process.env['TURNS'] ?? 15);
const REGION = 'us-ash';

const lab = await Lab.open();
try {
  const system = await System.start(lab, { regions: [REGION] });
  await moveCore(lab, REGION);
  let names = 0;
  const fresh = () => `http://n${++names}.${NAMES_OF_MANY_OWNERS}/`;
  const curl = async (url: string) => {
    const { stdout, stderr } = await lab.exec(REGION, ['curl', '-sS', '-o', '/dev/null', '-w', '%{time_total}', url]);
    if (stderr !== '') throw new Error(stderr);
    return Number(stdout) * 1000;
  };
  const ours = async (url: string) => {
    const { body, elapsed_ms } = await system.post('geo-request', { url, locations: [REGION] });
    if (body.locations?.[0]?.request_output?.remote_addr !== WEB_HOSTS.plain.v4) throw new Error(JSON.stringify(body));
    return elapsed_ms;
  };
  for (let warm = 0; warm < 5; warm++) await Promise.all([curl(fresh()), ours(fresh())]);
  for (const minimising of [true, false]) {
    // RFC 9156: a resolver that reveals a name label by label asks for a text at `_probe-optout.` twice more than for an address.
    const option = ['set_option', 'qname-minimisation:', minimising ? 'yes' : 'no'];
    await lab.world.run('core', ['unbound-control', '-c', `${WORLD_DIR}/dns/unbound-core.conf`, ...option]);
    const turns: { curl: number; ours: number }[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const before = turn % 2 === 0 ? await curl(fresh()) : undefined;
      const mine = await ours(fresh());
      turns.push({ curl: before ?? (await curl(fresh())), ours: mine });
    }
    const middle = (of: (turn: (typeof turns)[number]) => number) => Number(median(turns.map(of)).toPrecision(3));
    const figures = {
      curl_ms: middle((turn) => turn.curl),
      ours_ms: middle((turn) => turn.ours),
      ratio: middle((turn) => turn.ours / turn.curl),
    };
    process.stdout.write(`${JSON.stringify({ bench: 'geo-request', region: REGION, turns: TURNS, minimising, ...figures })}\n`);
  }
} finally {
  await lab.close();
}
