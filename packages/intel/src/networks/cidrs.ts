import { type Cidr, formatCidr } from '@vedette/contract';
import { bigOf, type Width, type Words } from './address-words.ts';
import { readRange } from './range-entry.ts';

const versionOf = (width: Width): 4 | 6 => (width === 1 ? 4 : 6);

/** The largest network with the address in it that is wholly within the bounds, as text. */
export function networkAround(words: Words, width: Width, bounds: Uint32Array): string {
  const size = 32 * width;
  const [first, last] = [bigOf(bounds, 0, width), bigOf(bounds, 1, width)];
  const address = bigOf(words, 0, width);
  let around: Cidr = { version: versionOf(width), base: address, bits: size };
  for (let bits = size - 1; bits >= 0; bits--) {
    const shift = BigInt(size - bits);
    const base = (address >> shift) << shift;
    if (base < first || base + (1n << shift) - 1n > last) break;
    around = { version: versionOf(width), base, bits };
  }
  return formatCidr(around);
}

/** The fewest networks that are exactly this range, as texts. */
export function networksIn(first: bigint, last: bigint, width: Width): string[] {
  const size = 32 * width;
  const networks: string[] = [];
  for (let base = first; base <= last;) {
    let hostBits = base === 0n ? size : trailingZeros(base);
    while (hostBits > 0 && base + (1n << BigInt(hostBits)) - 1n > last) hostBits--;
    networks.push(formatCidr({ version: versionOf(width), base, bits: size - hostBits }));
    base += 1n << BigInt(hostBits);
  }
  return networks;
}

function trailingZeros(value: bigint): number {
  let zeros = 0;
  for (let rest = value; (rest & 1n) === 0n; rest >>= 1n) zeros++;
  return zeros;
}

/** How many addresses are in these networks: each once, however often networks overlap. */
export function totalAddresses(networks: readonly string[]): bigint {
  const ranges = networks.map((network) => {
    const range = readRange(network);
    if (!range) throw new RangeError(`not a network: ${network}`);
    return { first: bigOf(range.first, 0, range.width), last: bigOf(range.last, 0, range.width), width: range.width };
  });
  if (new Set(ranges.map(({ width }) => width)).size > 1) throw new RangeError('networks of both families have no sum');
  let total = 0n;
  let next = 0n;
  for (const { first, last } of ranges.sort((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)))) {
    const from = first > next ? first : next;
    if (last < from) continue;
    total += last - from + 1n;
    next = last + 1n;
  }
  return total;
}
