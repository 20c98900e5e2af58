import { type BaseBlock, Constructed, fromBER, ObjectIdentifier, Sequence, Set as DerSet } from 'asn1js';

/** A value of DER (X.690), read as far as certificates need it. */
export interface Der {
  /** Its tag in the context class, as in `[0]`; undefined for the universal class. */
  context: number | undefined;
  /** Its tag in the universal class; -1 for the others. */
  universal: number;
  children: readonly Der[];
  /** The contents, without tag and length. */
  contents: Uint8Array;
  /** The value as encoded, tag and length included. */
  encoded: Uint8Array;
}

export const TAG = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  oid: 6,
  ia5String: 22,
  utcTime: 23,
  generalizedTime: 24,
} as const;
const BMP_STRING = 30;

const CONTEXT_CLASS = 3;
const UNIVERSAL_CLASS = 1;

/** Limit on the values in a certificate, which has some hundreds: each costs microseconds. */
const NODES_MAX = 2_000;

/** Reads one value. Undefined when it is malformed, more than 100 deep, or has more than `maxNodes` values inside. */
export function parseDer(bytes: Uint8Array, maxNodes = NODES_MAX): Der | undefined {
  const block = decode(bytes, maxNodes);
  return block && derOf(block);
}

function decode(bytes: Uint8Array, maxNodes: number): BaseBlock | undefined {
  try {
    const { result, offset } = fromBER(bytes, { maxNodes });
    return offset === -1 || result.error !== '' ? undefined : result;
  } catch {
    return undefined; // asn1js throws at strings and times that are not what their tag says, and at nothing else
  }
}

function derOf(block: BaseBlock): Der {
  const { tagClass, tagNumber } = block.idBlock;
  const encoded = block.valueBeforeDecodeView;
  const isList = block instanceof Constructed || block instanceof Sequence || block instanceof DerSet;
  return {
    context: tagClass === CONTEXT_CLASS ? tagNumber : undefined,
    universal: tagClass === UNIVERSAL_CLASS ? tagNumber : -1,
    children: isList ? block.valueBlock.value.map(derOf) : [],
    contents: encoded.subarray(encoded.length - block.lenBlock.length),
    encoded,
  };
}

/** Encodes a value, with a length of up to four octets. */
export function encodeDer(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const octets: number[] = [];
  for (let left = content.length; left > 0; left = Math.floor(left / 256)) octets.unshift(left % 256);
  const head = content.length < 0x80 ? [tag, content.length] : [tag, 0x80 | octets.length, ...octets];
  return Buffer.concat([Buffer.from(head), content]);
}

/** An object identifier in dotted form; empty for other values. */
export function oidOf(der: Der | undefined): string {
  if (der?.universal !== TAG.oid) return '';
  const block = decode(der.encoded, 1);
  return block instanceof ObjectIdentifier ? block.valueBlock.toString() : '';
}

/** The text of any string type: UTF-8 where it is, else Latin-1; BMPString as UTF-16. */
export function stringOf({ universal, contents }: Der): string {
  const bytes = Buffer.from(contents.buffer, contents.byteOffset, contents.length);
  if (universal === BMP_STRING && bytes.length % 2 === 0) return Buffer.from(bytes).swap16().toString('utf16le');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}

/** The value inside `[n]`, or the tagged value itself where the tag is implicit. */
export const tagged = ({ children }: Der, context: number): Der | undefined => children.find((child) => child.context === context);

/** Whether an extension is marked so, of a certificate or a revocation list: { extnID, critical DEFAULT FALSE, extnValue } (RFC 5280 §4.1). */
export const isCritical = ({ children: [, critical] }: Der): boolean => critical?.universal === TAG.boolean && critical.contents[0] !== 0;

/** UTCTime and GeneralizedTime in the form that RFC 5280 §4.1.2.5 asks for. */
export function dateOf(der: Der): Date | undefined {
  if (der.universal !== TAG.utcTime && der.universal !== TAG.generalizedTime) return undefined;
  const text = stringOf(der);
  const century = der.universal === TAG.generalizedTime ? '' : Number(text.slice(0, 2)) < 50 ? '20' : '19';
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + text);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second] = match;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** Where a value stands in octets: for what is too long to be read value by value. */
export interface Span {
  /** The first octet, class and form included. */
  tag: number;
  /** Its first octet, tag and length included. */
  from: number;
  /** Contents. */
  start: number;
  end: number;
}

/** The value that begins at `at`, of at most `end` octets; undefined when it is missing or longer. */
export function spanAt(bytes: Uint8Array, at: number, end = bytes.length): Span | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
  const lengthOctets = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || lengthOctets > 4) return undefined; // DER has no endless lengths, and we no such memory
  let length = lengthOctets === 0 ? first : 0;
  for (let i = 0; i < lengthOctets; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
  const start = at + 2 + lengthOctets;
  return start + length > end ? undefined : { tag, from: at, start, end: start + length };
}

/** The octets of a span. */
export const derAt = (bytes: Uint8Array, { from, end }: Span): Der | undefined => parseDer(bytes.subarray(from, end));
