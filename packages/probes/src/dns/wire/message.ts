import type { DnsAnswer, DnsRecord } from '@vedette/contract';
import { isUpper, MalformedMessage } from './name.ts';
import { NameReader } from './name-reader.ts';
import { Reader } from './reader.ts';
import { nameLayout, type NameLayout, RECORD_FORMATS, recordType } from './record-types.ts';
import { decodeText } from './text.ts';

type ExtendedErrors = NonNullable<DnsAnswer['extendedErrors']>;

export const HEADER_OCTETS = 12;
const CLASS_IN = 1;
const TYPE_OPT = 41;
/** Fits any path's MTU (DNS flag day 2020). */
const EDNS_UDP_OCTETS = 1232;
const OPT_OCTETS = 11;
const NO_OPTIONS = Buffer.alloc(0);
const OPTION_EXTENDED_ERROR = 15;
const MAX_EXTENDED_ERRORS = 8;
const MAX_ERROR_OCTETS = 256;

const QR = 0x8000;
const OPCODE = 0x7800;
const AA = 0x0400;
const TC = 0x0200;
const RD = 0x0100;
const AD = 0x0020;
const CD = 0x0010;
const DO = 0x8000; // in the OPT record's flags, RFC 3225

export interface Query {
  /** Wire form, see `encodeName`. */
  name: Buffer;
  type: number;
  /** IN where nothing is said. */
  class?: number;
  recursionDesired: boolean;
  checkingDisabled: boolean;
  dnssec: boolean;
  /** No flag but those that are named: as tools without DNSSEC ask. */
  plain?: boolean;
  authenticData?: boolean;
  /** Options of the OPT record, as they stand in it. */
  options?: Buffer;
}

export interface QueryMessage {
  octets: Buffer;
  /** Where the question ends; it begins after the header. */
  questionEnd: number;
}

/** A query with id 0, to be stamped before it is sent. AD asks for the AD bit in the answer (RFC 6840 §5.7). */
export function encodeQuery(query: Query, edns: boolean): QueryMessage {
  const questionEnd = HEADER_OCTETS + query.name.length + 4;
  const options = query.options ?? NO_OPTIONS;
  const octets = Buffer.allocUnsafe(edns ? questionEnd + OPT_OCTETS + options.length : questionEnd);
  octets.fill(0, 0, HEADER_OCTETS);
  octets.writeUInt16BE(
    (query.recursionDesired ? RD : 0) |
      (query.checkingDisabled ? CD : 0) |
      ((query.plain ? query.authenticData : !query.checkingDisabled) ? AD : 0),
    2,
  );
  octets[5] = 1; // QDCOUNT
  octets.set(query.name, HEADER_OCTETS);
  octets.writeUInt16BE(query.type, questionEnd - 4);
  octets.writeUInt16BE(query.class ?? CLASS_IN, questionEnd - 2);
  if (edns) {
    octets[11] = 1; // ARCOUNT
    octets.fill(0, questionEnd);
    octets[questionEnd + 2] = TYPE_OPT;
    octets.writeUInt16BE(EDNS_UDP_OCTETS, questionEnd + 3);
    if (query.dnssec) octets.writeUInt16BE(DO, questionEnd + 7);
    octets.writeUInt16BE(options.length, questionEnd + 9);
    octets.set(options, questionEnd + OPT_OCTETS);
  }
  return { octets, questionEnd };
}

export type Message = Pick<DnsAnswer, 'aa' | 'ad' | 'rcode' | 'extendedErrors' | 'answers' | 'authorities' | 'additionals'> & {
  /** The options of the OPT record, as they stand in it, where they are wanted. */
  options?: Buffer;
};

export const isResponse = (message: Buffer): boolean => message.length >= HEADER_OCTETS && (message.readUInt16BE(2) & (QR | OPCODE)) === QR;

/** Whether there is more than fitted; what is there may end anywhere. */
export const isTruncated = (message: Buffer): boolean => (message.readUInt16BE(2) & TC) !== 0;

/** Whether a response repeats the question of a query: to the letter, in all but case, or not at all. */
export function matchQuestion({ octets, questionEnd }: QueryMessage, response: Buffer): 'exact' | 'case' | 'no' {
  // Servers that could not read the query send its header back alone.
  if (response.length === HEADER_OCTETS && response.readUInt16BE(4) === 0 && UNREADABLE.has(response[3]! & 0xf)) return 'exact';
  if (response.length < questionEnd || response.readUInt16BE(4) !== 1) return 'no';
  if (octets.compare(response, HEADER_OCTETS, questionEnd, HEADER_OCTETS, questionEnd) === 0) return 'exact';
  const nameEnd = questionEnd - 4;
  const fold = (message: Buffer) =>
    message.toString('latin1', HEADER_OCTETS, nameEnd).toLowerCase() + message.toString('latin1', nameEnd, questionEnd);
  return fold(octets) === fold(response) ? 'case' : 'no';
}
const UNREADABLE = new Set([1, 4]); // FORMERR, NOTIMP

/**
 * Decodes a response. Records of classes other than the one asked for are left out, as is OPT, whose part of the rcode (RFC 6891 §6.1.3) is put in place.
 * Throws `MalformedMessage` when counts, names or RDATA do not hold what they promise; octets after the last record are ignored.
 */
export function decodeMessage(octets: Buffer, ofClass = CLASS_IN, keepsOptions = false): Message {
  const names = new NameReader(octets);
  const reader = new Reader(octets, 0, names);
  reader.u16();
  const flags = reader.u16();
  const counts = [reader.u16(), reader.u16(), reader.u16(), reader.u16()] as const;
  let questionName = '';
  for (let i = 0; i < counts[0]; i++) {
    questionName = reader.name();
    reader.u32();
  }
  let rcode = flags & 0xf;
  let extendedErrors: ExtendedErrors = [];
  let options: Buffer | undefined;
  const section = (count: number): DnsRecord[] => {
    const records: DnsRecord[] = [];
    for (let i = 0; i < count; i++) {
      const name = ownerName(reader, questionName);
      const code = reader.u16();
      const recordClass = reader.u16();
      const ttl = reader.u32();
      const length = reader.u16();
      const start = reader.at;
      reader.take(length);
      if (code === TYPE_OPT) {
        rcode |= (ttl >>> 24) << 4;
        options = octets.subarray(start, start + length);
        extendedErrors = extendedErrorsOf(options);
      }
      // RFC 2181 §8: a TTL with the top bit set counts as 0.
      else if (recordClass === ofClass)
        records.push(decodeRecord(new Reader(octets.subarray(0, start + length), start, names), name, code, ttl > 0x7fffffff ? 0 : ttl));
    }
    return records;
  };
  const answers = section(counts[1]);
  const authorities = section(counts[2]);
  const additionals = section(counts[3]);
  return {
    aa: (flags & AA) !== 0,
    ad: (flags & AD) !== 0,
    rcode: RCODES[rcode] ?? `RCODE${rcode}`,
    ...(extendedErrors.length > 0 && { extendedErrors }),
    ...(keepsOptions && options && { options }),
    answers,
    authorities,
    additionals,
  };
}

/** The names of a response's flags, in their order. */
export const flagsOf = (message: Buffer): string[] =>
  FLAGS.filter(([, bit]) => (message.readUInt16BE(2) & bit) !== 0).map(([name]) => name);
const FLAGS: readonly [name: string, bit: number][] = [
  ['aa', AA],
  ['tc', TC],
  ['rd', 0x0100],
  ['ra', 0x0080],
  ['ad', AD],
  ['cd', CD],
];

/** The options of an OPT record (RFC 6891 §6.1.2) that are extended errors (RFC 8914 §2). One that has lost its code says nothing. */
function extendedErrorsOf(options: Buffer): ExtendedErrors {
  const errors: ExtendedErrors = [];
  for (let at = 0; at + 4 <= options.length && errors.length < MAX_EXTENDED_ERRORS;) {
    const value = options.subarray(at + 4, at + 4 + options.readUInt16BE(at + 2));
    if (options.readUInt16BE(at) === OPTION_EXTENDED_ERROR && value.length >= 2) {
      const text = value.subarray(2, 2 + MAX_ERROR_OCTETS);
      errors.push({ code: value.readUInt16BE(), text: decodeText(text.at(-1) === 0 ? text.subarray(0, -1) : text) });
    }
    at += 4 + options.readUInt16BE(at + 2);
  }
  return errors;
}

/** Most owner names are a pointer to the question's. */
function ownerName(reader: Reader, questionName: string): string {
  const { octets, at } = reader;
  if (questionName === '' || octets[at] !== 0xc0 || octets[at + 1] !== HEADER_OCTETS) return reader.name();
  reader.at = at + 2;
  return questionName;
}

/** Reads the RDATA that the reader holds to its end: names may point anywhere before them, but nothing behind the RDATA belongs to it. */
function decodeRecord(fields: Reader, name: string, code: number, ttl: number): DnsRecord {
  const { octets, at: start } = fields;
  const layout = nameLayout(code);
  const rdata = layout ? expandNames(fields, layout) : octets.subarray(start);
  const type = recordType(code);
  if (type === undefined) return { name, type: `TYPE${code}`, ttl, rdata, data: undefined };
  fields.at = start;
  const data = RECORD_FORMATS[type].decode(fields);
  if (fields.left > 0) throw new MalformedMessage(`RDATA of ${type} is too long`);
  return { name, type, ttl, rdata, data } as DnsRecord;
}

function expandNames(rdata: Reader, { before, count, lowerCase }: NameLayout): Buffer {
  const start = rdata.at;
  const head = typeof before === 'number' ? before : before(rdata);
  rdata.at = start;
  const parts = [rdata.take(head)];
  let namesEnd = head;
  for (let i = 0; i < count; i++) {
    const { wire } = rdata.messageName();
    parts.push(wire);
    namesEnd += wire.length;
  }
  parts.push(rdata.rest());
  const expanded = Buffer.concat(parts);
  if (lowerCase) for (let i = head; i < namesEnd; i++) if (isUpper(expanded[i]!)) expanded[i]! |= 0x20;
  return expanded;
}

// IANA "DNS RCODEs".
const RCODES: Record<number, string> = {
  0: 'NOERROR',
  1: 'FORMERR',
  2: 'SERVFAIL',
  3: 'NXDOMAIN',
  4: 'NOTIMP',
  5: 'REFUSED',
  6: 'YXDOMAIN',
  7: 'YXRRSET',
  8: 'NXRRSET',
  9: 'NOTAUTH',
  10: 'NOTZONE',
  11: 'DSOTYPENI',
  16: 'BADVERS',
  23: 'BADCOOKIE',
};
