/**
 * An address as 32-bit words, the first the highest: one for IPv4, four for IPv6. Reading one makes no garbage, unlike `parseIp` of the
 * contract, whose bigints are for those who calculate; what both accept is the same (a test compares them).
 */
export type Words = Uint32Array;

/** How many words an address of a family has. */
export type Width = 1 | 4;

/** The longest text of an address, RFC 4291 §2.2 with an IPv4 part. */
const LONGEST = 45;
const SCRATCH = new Uint8Array(LONGEST);

/** Reads an address into `words`, which has room for four. Returns the number of words filled, 0 for an invalid address. */
export function readWords(text: string, words: Words): Width | 0 {
  const length = toBytes(text, SCRATCH);
  return length < 0 ? 0 : readWordsIn(SCRATCH, words, 0, length);
}

/** The text as ASCII, in the beginning of `bytes`; says how long it is, -1 where it is something else or does not fit. */
export function toBytes(text: string, bytes: Uint8Array): number {
  if (text.length > bytes.length) return -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) return -1;
    bytes[at] = code;
  }
  return text.length;
}

/** The same of a part of bytes: a list of a million addresses need not become a million strings. */
export function readWordsIn(bytes: Uint8Array, words: Words, from: number, to: number): Width | 0 {
  if (readDottedQuad(bytes, from, to, words)) return 1;
  return readGroups(bytes, from, to, words) ? 4 : 0;
}

const DOT = 46;
const COLON = 58;
const ZERO = 48;

/** RFC 6943 §3.1.1 strict: four decimal parts, no leading zeros. */
function readDottedQuad(bytes: Uint8Array, from: number, to: number, words: Words): boolean {
  let value = 0;
  let octet = 0;
  let digits = 0;
  let dots = 0;
  if (to - from > 15) return false;
  for (let at = from; at < to; at++) {
    const code = bytes[at]!;
    if (code === DOT) {
      if (digits === 0 || ++dots > 3) return false;
      value = (value << 8) | octet;
      octet = digits = 0;
    } else {
      const digit = code - ZERO;
      if (digit < 0 || digit > 9 || (digits > 0 && octet === 0)) return false;
      octet = octet * 10 + digit;
      digits++;
      if (octet > 255) return false;
    }
  }
  if (dots !== 3 || digits === 0) return false;
  words[0] = (value << 8) | octet;
  return true;
}

const GROUPS = new Uint16Array(8);

/** RFC 4291 §2.2, without zone or brackets. */
function readGroups(bytes: Uint8Array, from: number, to: number, words: Words): boolean {
  if (to - from < 2 || to - from > LONGEST) return false;
  let count = 0;
  let gap = -1;
  let at = from;
  if (bytes[at] === COLON) {
    if (bytes[at + 1] !== COLON) return false;
    gap = 0;
    at += 2;
  }
  while (at < to) {
    let value = 0;
    const start = at;
    for (; at < to; at++) {
      const digit = hexDigit(bytes[at]!);
      if (digit < 0) break;
      value = value * 16 + digit;
    }
    const digits = at - start;
    if (digits === 0 || count > 7) return false;
    if (at < to && bytes[at] === DOT) {
      if (count > 6 || !readDottedQuad(bytes, start, to, words)) return false;
      GROUPS[count++] = words[0]! >>> 16;
      GROUPS[count++] = words[0]! & 0xffff;
      break;
    }
    if (digits > 4) return false;
    GROUPS[count++] = value;
    if (at === to) break;
    if (bytes[at] !== COLON) return false;
    at++;
    if (at === to) return false;
    if (bytes[at] === COLON) {
      if (gap >= 0) return false;
      gap = count;
      at++;
    }
  }
  return spread(count, gap, words);
}

/** Puts the groups that were read into words, with zeros where `::` stood. */
function spread(count: number, gap: number, words: Words): boolean {
  if (gap < 0 ? count !== 8 : count > 7) return false;
  const missing = 8 - count;
  for (let group = 0; group < 8; group += 2) words[group >> 1] = (groupAt(group, gap, missing) << 16) | groupAt(group + 1, gap, missing);
  return true;
}

const groupAt = (group: number, gap: number, missing: number): number => {
  if (gap < 0 || group < gap) return GROUPS[group]!;
  return group < gap + missing ? 0 : GROUPS[group - missing]!;
};

function hexDigit(code: number): number {
  if (code >= ZERO && code <= 57) return code - ZERO;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** The form of an IPv6 address that carries an IPv4 address. */
export type Carrier = 'mapped' | 'nat64' | '6to4';

/** The form of an IPv6 address that carries an IPv4 one: RFC 4291 §2.5.5.2, RFC 6052 §2.1, RFC 3056 §2. */
export function carrierOf(words: Words): Carrier | undefined {
  const [first, second, third] = [words[0]!, words[1]!, words[2]!];
  if (first === 0 && second === 0 && third === 0xffff) return 'mapped';
  if (first === 0x64ff9b && second === 0 && third === 0) return 'nat64';
  return first >>> 16 === 0x2002 ? '6to4' : undefined;
}

/** The IPv4 address in one of those. */
export const carried = (words: Words, carrier: Carrier): number =>
  carrier === '6to4' ? ((words[0]! << 16) | (words[1]! >>> 16)) >>> 0 : words[3]!;

/** The address as one number; `at` counts addresses. */
export const bigOf = (words: ArrayLike<number>, at: number, width: Width): bigint => {
  let value = 0n;
  for (let word = 0; word < width; word++) value = (value << 32n) | BigInt(words[at * width + word]!);
  return value;
};
