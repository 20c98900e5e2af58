// A hundred TCP ports beside nmap, in a network of its own: wall time, and whether both saw the same states. Run from the
// root, as root: node test/bench/ports.ts. One JSON line per figure. nmap connects (-sT) at the pace that port-scan keeps, 20 a second; its own pace is
// told beside.
import { join } from 'node:path';
import { SCAN_INTERVAL_MS } from '@vedette/probes/scan';
import { World } from '../lab/world.ts';
import { median } from './figures.ts';

const RUNS = 3;
const TARGET = '62.1.1.2';
const ports = Array.from({ length: 100 }, (_, index) => 1_001 + index);
const OPEN = ports.filter((_, index) => index % 10 === 0);
const SILENT = ports.filter((_, index) => index % 10 === 5);

const SET_UP = [
  'set -e',
  ...['near', 'far'].map((node) => `ip netns add ${node}; ip -n ${node} link set lo up`),
  'ip link add n1 netns near type veth peer name f1 netns far',
  'ip -n near addr add 62.1.1.1/24 dev n1; ip -n far addr add 62.1.1.2/24 dev f1; ip -n near link set n1 up; ip -n far link set f1 up',
  `ip netns exec near ping -q -c 2 -i 0.2 ${TARGET}`,
].join('\n');
const DROP = `table inet bench { chain input { type filter hook input priority 0; tcp dport { ${SILENT.join(', ')} } drop; }; }`;
const LISTEN = `for (const port of [${OPEN.join(', ')}]) require('node:net').createServer((socket) => socket.on('error', () => {}).write('hello')).listen(port, '${TARGET}')`;

const print = (figure: Record<string, unknown>) => process.stdout.write(`${JSON.stringify({ bench: 'ports', ...figure })}\n`);
const round = (value: number) => Number(value.toPrecision(3));

type States = ReadonlyMap<number, string>;
const same = (one: States, other: States): boolean => ports.every((port) => one.get(port) === other.get(port));

const world = await World.open();
try {
  await world.run(undefined, ['bash', '-c', SET_UP]);
  await world.spawn('far', [process.execPath, '-e', LISTEN]);
  await world.untilListening('far', TARGET, OPEN.at(-1)!);
  const ours = async () => {
    const job = { host: TARGET, family: 4, ports, interval_ms: SCAN_INTERVAL_MS };
    const text = await world.run('near', [
      process.execPath,
      join(import.meta.dirname, '../lab/paths/measure-here.ts'),
      'scan',
      JSON.stringify(job),
    ]);
    const scan = JSON.parse(text) as { elapsed_ms: number; ports: { port: number; state: string }[] };
    return { ms: scan.elapsed_ms, states: new Map(scan.ports.map(({ port, state }) => [port, state])) };
  };
  const nmap = async (...pace: string[]) => {
    const start = performance.now();
    const text = await world.run('near', ['nmap', '-sT', '-Pn', '-n', '-oG', '-', '-p', ports.join(','), ...pace, TARGET]);
    const ms = performance.now() - start;
    // The state that most of them have is told once.
    const usual = /Ignored State: (\w+)/.exec(text)?.[1] ?? '';
    const told = new Map([...text.matchAll(/(\d+)\/(open|closed|filtered)\/tcp/g)].map(([, port, state]) => [Number(port), state!]));
    return { ms, states: new Map(ports.map((port) => [port, told.get(port) ?? usual])) };
  };
  const compare = async (title: string) => {
    const runs: { ours: number; paced: number; usual: number; same: boolean }[] = [];
    for (let run = 0; run < RUNS; run++) {
      const [one, paced, usual] = [await ours(), await nmap('--max-rate', String(1_000 / SCAN_INTERVAL_MS)), await nmap()];
      runs.push({ ours: one.ms, paced: paced.ms, usual: usual.ms, same: same(one.states, paced.states) });
    }
    const ms = (name: 'ours' | 'paced' | 'usual') => round(median(runs.map((run) => run[name])));
    const ratio = round(median(runs.map((run) => run.ours / run.paced)));
    print({
      figure: title,
      ours_ms: ms('ours'),
      nmap_at_20_a_second_ms: ms('paced'),
      ratio,
      goal: 1,
      nmap_at_its_own_pace_ms: ms('usual'),
    });
    print({ figure: `${title}: runs with the same states`, of: RUNS, same: runs.filter((run) => run.same).length });
  };
  await compare('100 ports, ten open, the rest closed');
  await world.run('far', ['nft', DROP]);
  await compare('100 ports, ten open, ten silent, the rest closed');
} finally {
  await world.close();
}
