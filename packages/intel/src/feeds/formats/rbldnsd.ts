import { parseIp } from '@vedette/contract';
import { FeedRefused } from '../refusal.ts';
import type { Row } from './row.ts';

const DEFAULT_CODE = '127.0.0.2';
const ROWS_AT_ONCE = 1000;

type Range = readonly [first: number, last: number];

/** The sizes of blocks in which ip4set keeps addresses, the smallest first. It answers by the smallest block that has an address. */
const BLOCKS = [2 ** 0, 2 ** 8, 2 ** 16, 2 ** 24];

/**
 * Reads a zone as rbldnsd(8) has it, of the kinds ip4set, ip4trie, ip6trie and dnset: the label of an entry is its A record. Exclusions (`!`) take
 * out what others list in blocks of their size or larger, wherever they stand, so rows come once the file is read. Test entries are left out. Throws `FeedRefused` for a file of several zones.
 */
export async function* rbldnsd(found: AsyncIterable<readonly string[]>): AsyncIterable<readonly Row[]> {
  const entries: [entry: string, code: string][] = [];
  const excluded = new Set<string>();
  const holes: Range[] = [];
  let code = DEFAULT_CODE;
  for await (const lines of found)
    for (const line of lines) {
      if (line.startsWith('$DATASET')) throw new FeedRefused('format', 'a file of several zones');
      if (/^[#;$]/.test(line)) continue;
      if (line.startsWith(':')) {
        code = codeOf(line) ?? code;
        continue;
      }
      const [, not, entry = '', value = ''] = /^(!?)\s*(\S+)\s*(.*)$/.exec(line) ?? [];
      if (not !== '!') {
        if (!isTest(entry)) entries.push([entry, codeOf(value) ?? code]);
        continue;
      }
      const hole = ipv4Range(entry);
      if (hole) holes.push(hole);
      else excluded.add(bareName(entry));
    }
  const gaps = gapsOf(
    entries.flatMap(([entry]) => [ipv4Range(entry)].filter((range) => range !== undefined)),
    holes,
  );
  let rows: Row[] = [];
  for (const [entry, said] of entries) {
    const range = ipv4Range(entry);
    if (range) {
      const parts = inBlocks(range).flatMap((blocks, size) => blocks.flatMap((part) => outside(part, gaps[size]!)));
      rows.push(...joined(parts).map((part) => [written(part), said]));
    } else if (/^[\d./-]+$/.test(entry)) rows.push(['', said]); // rbldnsd skips it, too
    else if (!excluded.has(bareName(entry))) rows.push([entry.includes(':') ? wholeIpv6(entry) : bareName(entry), said]);
    if (rows.length < ROWS_AT_ONCE) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

/** Ranges where listings do not count, for each size of blocks: exclusions of this size, and whatever smaller blocks say. */
function gapsOf(listed: readonly Range[], excluded: readonly Range[]): Range[][] {
  const holes = BLOCKS.map((): Range[] => []);
  const smaller = BLOCKS.map((): Range[] => []);
  const add = (range: Range, isExclusion: boolean): void =>
    inBlocks(range).forEach((blocks, size) => {
      if (isExclusion) holes[size]!.push(...blocks);
      for (const larger of smaller.slice(size + 1)) larger.push(...blocks);
    });
  for (const range of listed) add(range, false);
  for (const range of excluded) add(range, true);
  return holes.map((own, size) => joined([...own, ...smaller[size]!]));
}

/** The blocks that a range is kept in, by their size, as ranges: the largest in its middle, smaller ones around them. */
function inBlocks([first, last]: Range): Range[][] {
  const blocks = BLOCKS.map((): Range[] => []);
  const split = (from: number, to: number, size: number): void => {
    if (from > to) return;
    const block = BLOCKS[size]!;
    const start = Math.ceil(from / block) * block;
    const end = Math.floor((to + 1) / block) * block - 1;
    if (size === 0 || start <= end) blocks[size]!.push([start, end]);
    else return split(from, to, size - 1);
    split(from, start - 1, size - 1);
    split(end + 1, to, size - 1);
  };
  split(first, last, BLOCKS.length - 1);
  return blocks;
}

/** `:127.0.0.3:text`, or `:3:text` for short. */
function codeOf(value: string): string | undefined {
  const [, code] = /^:([\d.]+)(?::|$)/.exec(value) ?? [];
  if (code === undefined) return undefined;
  return code.includes('.') ? code : `127.0.0.${code}`;
}

/** The entries by which a zone is tried (RFC 5782 §5). */
const isTest = (entry: string): boolean =>
  /^(127\.|test$|invalid$)/i.test(entry) || (entry.startsWith('::') && parseIp(entry)?.version === 4);

const bareName = (entry: string): string => entry.toLowerCase().replace(/^\*?\./, '');

/** rbldnsd leaves out the end of a network: `2001:db8/32`. */
const wholeIpv6 = (entry: string): string =>
  entry.includes('::') || entry.split(':').length > 7 ? entry : entry.replace(/(?=\/|$)/, '::');

/** `192.0.2.1`, `192.0.2` (a prefix), `192.0.2.0/24`, `192.0.2.1-9` and `192.0.2.1-192.0.3.4`. Undefined for all else. */
function ipv4Range(entry: string): Range | undefined {
  const network = /^([\d.]+)\/(\d{1,2})$/.exec(entry);
  if (network) {
    const first = ipv4(network[1]!, 0);
    const size = 2 ** (32 - Number(network[2]));
    // Bits behind the length make rbldnsd skip the entry.
    return first === undefined || size < 1 || first % size !== 0 ? undefined : [first, first + size - 1];
  }
  const [, from, to] = /^([\d.]+)(?:-([\d.]+))?$/.exec(entry) ?? [];
  if (from === undefined) return undefined;
  const start = from.split('.');
  const end = to?.split('.') ?? start;
  const first = ipv4(from, 0);
  // The end may be written by its last octets alone.
  const last = ipv4([...start.slice(0, Math.max(0, start.length - end.length)), ...end].join('.'), 255);
  return first === undefined || last === undefined || first > last ? undefined : [first, last];
}

/** An address whose last octets may be missing. */
function ipv4(text: string, rest: 0 | 255): number | undefined {
  const octets = text.split('.');
  if (octets.length > 4 || octets.some((octet) => !/^\d{1,3}$/.test(octet) || Number(octet) > 255)) return undefined;
  return [0, 1, 2, 3].reduce((value, at) => value * 256 + Number(octets[at] ?? rest), 0);
}

/** Disjoint ranges, in order. */
function joined(ranges: readonly Range[]): Range[] {
  const all: [number, number][] = [];
  for (const [first, last] of ranges.toSorted(([a], [b]) => a - b)) {
    const before = all.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else all.push([first, last]);
  }
  return all;
}

/** The parts of a range outside of the holes, which are disjoint and in order. */
function outside([first, last]: Range, holes: readonly Range[]): Range[] {
  const parts: Range[] = [];
  let [at, high] = [0, holes.length];
  while (at < high) {
    const middle = (at + high) >> 1;
    if (holes[middle]![1] < first) at = middle + 1;
    else high = middle;
  }
  let from = first;
  for (; at < holes.length && holes[at]![0] <= last; at++) {
    const [start, end] = holes[at]!;
    if (start > from) parts.push([from, start - 1]);
    from = end + 1;
  }
  if (from <= last) parts.push([from, last]);
  return parts;
}

const dotted = (value: number): string => [24, 16, 8, 0].map((bits) => Math.floor(value / 2 ** bits) % 256).join('.');
const written = ([first, last]: Range): string => (first === last ? dotted(first) : `${dotted(first)}-${dotted(last)}`);
