// A trace of fifteen hops beside mtr, in a network of its own: wall time, and how often both saw the same hops. Run from the root, as root:
// node test/bench/trace.ts. One JSON line per figure. mtr waits one second at its end (-G 1), not five, and sends a round each second, as it does by
// default; with a round each 0.2 s, as ours, it is told beside.
import { join } from 'node:path';
import { World } from '../lab/world.ts';
import { median } from './figures.ts';

const ROUTERS = 14;
const PAIRS = 7;
const nodes = Array.from({ length: ROUTERS + 2 }, (_, index) => `h${index}`);
const TARGET = `62.1.${ROUTERS + 1}.2`;

/** As the operation asks for by default. */
const JOB = { host: TARGET, family: 4, protocol: 'icmp', port: 0, rounds: 3, max_hops: 30, flows: 1, interval_ms: 200, wait_ms: 1_000 };

const SET_UP = [
  'set -e',
  ...nodes.map((node) => `ip netns add ${node}; ip -n ${node} link set lo up`),
  ...nodes.slice(1).flatMap((node, index) => {
    const [near, link] = [nodes[index]!, index + 1];
    return [
      `ip link add n${link} netns ${near} type veth peer name f${link} netns ${node}`,
      `ip -n ${near} addr add 62.1.${link}.1/24 dev n${link}; ip -n ${node} addr add 62.1.${link}.2/24 dev f${link}`,
      `ip -n ${near} link set n${link} up; ip -n ${node} link set f${link} up`,
    ];
  }),
  ...nodes.map((node, index) =>
    [
      `ip netns exec ${node} sysctl -qw net.ipv4.ip_forward=1 net.ipv4.icmp_ratemask=0 'net.ipv4.ping_group_range=0 2147483647'`,
      ...(index < nodes.length - 1
        ? [`ip -n ${node} route add default via 62.1.${index + 1}.2`]
        : [`ip -n ${node} route add default via 62.1.${index}.1`]),
      ...(index > 1 && index < nodes.length - 1 ? [`ip -n ${node} route add 62.1.1.0/24 via 62.1.${index}.1`] : []),
    ].join('; '),
  ),
  `ip netns exec h0 ping -q -c 2 -i 0.2 ${TARGET}`,
].join('\n');

const print = (figure: Record<string, unknown>) => process.stdout.write(`${JSON.stringify({ bench: 'trace', ...figure })}\n`);
const round = (value: number) => Number(value.toPrecision(3));

const world = await World.open();
try {
  await world.run(undefined, ['bash', '-c', SET_UP]);
  const ours = async () => {
    const text = await world.run('h0', [
      process.execPath,
      join(import.meta.dirname, '../lab/paths/measure-here.ts'),
      'trace',
      JSON.stringify(JOB),
    ]);
    const { elapsed_ms, hops } = JSON.parse(text) as { elapsed_ms: number; hops: { answers: { ip_address: string }[] }[] };
    return { ms: elapsed_ms, hops: hops.map(({ answers }) => answers[0]!.ip_address) };
  };
  const mtr = async (interval_s: string) => {
    const start = performance.now();
    const text = await world.run('h0', ['mtr', '--json', '-n', '-c', '3', '-i', interval_s, '-G', '1', TARGET]);
    const ms = performance.now() - start;
    const { report } = JSON.parse(text) as { report: { hubs: { host: string }[] } };
    return { ms, hops: report.hubs.map(({ host }) => host) };
  };
  const pairs: { ours: number; usual: number; quick: number; same: boolean }[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const [one, usual, quick] = [await ours(), await mtr('1'), await mtr('0.2')];
    const same = one.hops.length === ROUTERS + 1 && [usual, quick].every(({ hops }) => hops.join() === one.hops.join());
    pairs.push({ ours: one.ms, usual: usual.ms, quick: quick.ms, same });
  }
  const ms = (name: 'ours' | 'usual' | 'quick') => round(median(pairs.map((pair) => pair[name])));
  const ratio = (name: 'usual' | 'quick') => round(median(pairs.map((pair) => pair.ours / pair[name])));
  print({ figure: 'wall time, mtr -c 3 -G 1', ours_ms: ms('ours'), mtr_ms: ms('usual'), ratio: ratio('usual'), goal: 0.5 });
  print({ figure: 'wall time, mtr -c 3 -i 0.2 -G 1', ours_ms: ms('ours'), mtr_ms: ms('quick'), ratio: ratio('quick'), goal: 0.5 });
  print({ figure: 'runs in which both saw the same fifteen hops', of: PAIRS, same: pairs.filter(({ same }) => same).length });
} finally {
  await world.close();
}
