import { carried, carrierOf, readWordsIn, toBytes, type Width, type Words } from './address-words.ts';
import { compareWords } from './intervals.ts';

/** A range of addresses that was read: first and last, of one family. The next one overwrites it. */
export interface Range {
  width: Width;
  first: Words;
  last: Words;
  /** Leading bits that all of them share, where it was written as a network or an address; -1 for a range. */
  bits: number;
}

const first = new Uint32Array(4);
const last = new Uint32Array(4);
const MAPPED_BITS = 96;
/** Two addresses, a hyphen, and blanks. */
const SCRATCH = new Uint8Array(128);

const [TAB, SPACE, HYPHEN, SLASH, ZERO] = [9, 32, 45, 47, 48];

/**
 * Reads what lists hold: `192.0.2.0/24`, `192.0.2.7`, `192.0.2.0-192.0.2.127` (blanks around the hyphen or none), and the same of IPv6. An
 * IPv4-mapped one is what it stands for. Bits behind a network's length are ignored, as writers of lists leave them in. Undefined for
 * anything else.
 */
export function readRange(entry: string): Range | undefined {
  const length = toBytes(entry, SCRATCH);
  return length < 0 ? undefined : readRangeIn(SCRATCH, 0, length);
}

/** The same of a part of bytes. */
export function readRangeIn(bytes: Uint8Array, from: number, to: number): Range | undefined {
  // A length has three digits at the most: most entries need not be looked through for what they are.
  for (let at = to - 1; at >= from && at > to - 5; at--) if (bytes[at] === SLASH) return readNetwork(bytes, from, at, to);
  return readAddress(bytes, from, to) ?? readPair(bytes, from, to);
}

function readAddress(bytes: Uint8Array, from: number, to: number): Range | undefined {
  const width = readWordsIn(bytes, first, from, to);
  if (width === 0) return undefined;
  for (let word = 0; word < width; word++) last[word] = first[word]!;
  return unmapped(width, 32 * width);
}

function readNetwork(bytes: Uint8Array, from: number, slash: number, to: number): Range | undefined {
  const width = readWordsIn(bytes, first, from, slash);
  const bits = readLength(bytes, slash + 1, to);
  if (width === 0 || bits < 0 || bits > 32 * width) return undefined;
  if (width === 4 && carrierOf(first) === 'mapped' && bits < MAPPED_BITS) return undefined;
  for (let word = 0; word < width; word++) last[word] = first[word]!;
  closeNetwork(first, last, bits, width);
  return unmapped(width, bits);
}

/** First and last address of the network of so many bits. */
export function closeNetwork(first: Words, last: Words, bits: number, width: Width): void {
  for (let word = 0; word < width; word++) {
    const inside = Math.min(32, Math.max(0, bits - 32 * word));
    const mask = inside === 0 ? 0 : -1 << (32 - inside);
    first[word]! &= mask;
    last[word]! |= ~mask;
  }
}

function readPair(bytes: Uint8Array, from: number, to: number): Range | undefined {
  let hyphen = from;
  while (hyphen < to && bytes[hyphen] !== HYPHEN) hyphen++;
  let [end, start] = [hyphen, hyphen + 1];
  while (end > from && isBlank(bytes[end - 1])) end--;
  while (start < to && isBlank(bytes[start])) start++;
  const width = readWordsIn(bytes, first, from, end);
  if (width === 0 || readWordsIn(bytes, last, start, to) !== width) return undefined;
  if (compareWords(first, 0, last, 0, width) > 0) return undefined;
  if (width === 4 && (carrierOf(first) === 'mapped') !== (carrierOf(last) === 'mapped')) return undefined;
  return unmapped(width, -1);
}

const isBlank = (code: number | undefined): boolean => code === SPACE || code === TAB;

function readLength(bytes: Uint8Array, from: number, to: number): number {
  if (to - from < 1 || to - from > 3) return -1;
  let bits = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit < 0 || digit > 9) return -1;
    bits = bits * 10 + digit;
  }
  return bits;
}

/** Returns the range in `first` and `last`; a range of IPv4-mapped addresses becomes one of IPv4. */
function unmapped(width: Width, bits: number): Range {
  if (width === 1 || carrierOf(first) !== 'mapped') return { width, first, last, bits };
  first[0] = carried(first, 'mapped');
  last[0] = carried(last, 'mapped');
  return { width: 1, first, last, bits: bits < 0 ? -1 : bits - MAPPED_BITS };
}
