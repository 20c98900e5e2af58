import { type Cidr, formatCidr, parseIp } from '@vedette/contract';
import { bigOf, type Width, type Words } from './address-words.ts';
import { type Range, readRange } from './range-entry.ts';

const V4_BITS = 32;
const V6_BITS = 128;

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
  if (width === 1) return networksIn4(Number(first), Number(last));
  const networks: string[] = [];
  for (let base = first; base <= last;) {
    // No larger than what is left of the range, nor than what the base is aligned to.
    const hostBits = Math.min(base === 0n ? V6_BITS : trailingZeros(base), (last - base + 1n).toString(2).length - 1);
    networks.push(formatCidr({ version: 6, base, bits: V6_BITS - hostBits }));
    base += 1n << BigInt(hostBits);
  }
  return networks;
}

/** The fewest networks that are exactly this range. */
export function networksOf({ width, first, last, bits }: Range): string[] {
  const from = bigOf(first, 0, width);
  return bits < 0 ? networksIn(from, bigOf(last, 0, width), width) : [formatCidr({ version: versionOf(width), base: from, bits })];
}

/** All networks with the address in them, the smallest first; none for an invalid address. */
export function networksOver(address: string): string[] {
  const ip = parseIp(address);
  if (!ip) return [];
  const size = ip.version === 4 ? V4_BITS : V6_BITS;
  return Array.from({ length: size + 1 }, (_, hostBits) => {
    const shift = BigInt(hostBits);
    return formatCidr({ version: ip.version, base: (ip.value >> shift) << shift, bits: size - hostBits });
  });
}

/** The same with numbers: the largest systems have ten thousand networks, which took tens of milliseconds with bigints. */
function networksIn4(first: number, last: number): string[] {
  const networks: string[] = [];
  for (let base = first; base <= last;) {
    const left = last - base + 1;
    const hostBits = Math.min(trailingZeros32(base), left > 0xffff_ffff ? V4_BITS : 31 - Math.clz32(left));
    networks.push(formatCidr({ version: 4, base: BigInt(base), bits: V4_BITS - hostBits }));
    base += 2 ** hostBits;
  }
  return networks;
}

const trailingZeros32 = (value: number): number => (value === 0 ? V4_BITS : 31 - Math.clz32(value & -value));

/** How many zero bits end a value that is not zero. */
function trailingZeros(value: bigint): number {
  let zeros = 0;
  let rest = value;
  for (; BigInt.asUintN(32, rest) === 0n; rest >>= 32n) zeros += 32;
  return zeros + trailingZeros32(Number(BigInt.asUintN(32, rest)));
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
