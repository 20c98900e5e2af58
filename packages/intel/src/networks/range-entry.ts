import { carried, carrierOf, readWords, type Width, type Words } from './address-words.ts';
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

/**
 * Reads what lists hold: `192.0.2.0/24`, `192.0.2.7`, `192.0.2.0-192.0.2.127` (blanks around the hyphen or none), and the same of IPv6. An
 * IPv4-mapped one is what it stands for. Bits behind a network's length are ignored, as writers of lists leave them in. Undefined for
 * anything else.
 */
export function readRange(entry: string): Range | undefined {
  const slash = entry.indexOf('/');
  const hyphen = entry.indexOf('-');
  if (slash < 0 && hyphen < 0) return readAddress(entry);
  if (slash >= 0 && hyphen >= 0) return undefined;
  return slash >= 0 ? readNetwork(entry, slash) : readPair(entry, hyphen);
}

function readAddress(entry: string): Range | undefined {
  const width = readWords(entry, first);
  if (width === 0) return undefined;
  last.set(first);
  return unmapped({ width, first, last, bits: 32 * width });
}

function readNetwork(entry: string, slash: number): Range | undefined {
  const width = readWords(entry, first, 0, slash);
  const bits = readLength(entry, slash + 1);
  if (width === 0 || bits < 0 || bits > 32 * width) return undefined;
  if (width === 4 && carrierOf(first) === 'mapped' && bits < MAPPED_BITS) return undefined;
  last.set(first);
  closeNetwork(first, last, bits, width);
  return unmapped({ width, first, last, bits });
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

function readPair(entry: string, hyphen: number): Range | undefined {
  const width = readWords(entry.slice(0, hyphen).trimEnd(), first);
  if (width === 0 || readWords(entry.slice(hyphen + 1).trimStart(), last) !== width) return undefined;
  if (compareWords(first, 0, last, 0, width) > 0) return undefined;
  if (width === 4 && (carrierOf(first) === 'mapped') !== (carrierOf(last) === 'mapped')) return undefined;
  return unmapped({ width, first, last, bits: -1 });
}

function readLength(entry: string, from: number): number {
  const digits = entry.length - from;
  if (digits < 1 || digits > 3) return -1;
  let bits = 0;
  for (let at = from; at < entry.length; at++) {
    const digit = entry.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return -1;
    bits = bits * 10 + digit;
  }
  return bits;
}

function unmapped(range: Range): Range {
  if (range.width === 1 || carrierOf(range.first) !== 'mapped') return range;
  range.first[0] = carried(range.first, 'mapped');
  range.last[0] = carried(range.last, 'mapped');
  return { ...range, width: 1, bits: range.bits < 0 ? -1 : range.bits - MAPPED_BITS };
}
