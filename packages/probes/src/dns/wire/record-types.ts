import type { RecordData, RecordType } from '@vedette/contract';
import { MalformedMessage } from './name.ts';
import type { Reader } from './reader.ts';
import { readServiceParams } from './svcb.ts';
import { decodeText } from './text.ts';

/** Where names stand in RDATA: after `before` octets, `count` of them. */
export interface NameLayout {
  before: number | ((rdata: Reader) => number);
  count: number;
  /** Names are in lower case in the canonical form (RFC 4034 §6.2, less NSEC by RFC 6840 §5.1). */
  lowerCase: boolean;
}

interface RecordFormat<T extends RecordType> {
  code: number;
  names?: NameLayout;
  /** Reads RDATA to its end. */
  decode(rdata: Reader): RecordData[T];
}

const names = (before: NameLayout['before'], count = 1): NameLayout => ({ before, count, lowerCase: true });
const NAMES_AS_SENT = { lowerCase: false, count: 1 } as const;
const ONE_NAME = { names: names(0), decode: (rdata: Reader) => rdata.name() };

/** Every type that we decode: its number (IANA "Resource Record (RR) TYPEs"), where its names are, and what its RDATA says. */
export const RECORD_FORMATS: { [T in RecordType]: RecordFormat<T> } = {
  A: { code: 1, decode: (rdata) => rdata.ipv4() },
  NS: { code: 2, ...ONE_NAME },
  CNAME: { code: 5, ...ONE_NAME },
  SOA: {
    code: 6,
    names: names(0, 2),
    decode: (rdata) => ({
      mname: rdata.name(),
      rname: rdata.name(),
      serial: rdata.u32(),
      refresh: rdata.u32(),
      retry: rdata.u32(),
      expire: rdata.u32(),
      minimum: rdata.u32(),
    }),
  },
  PTR: { code: 12, ...ONE_NAME },
  MX: { code: 15, names: names(2), decode: (rdata) => ({ preference: rdata.u16(), exchange: rdata.name() }) },
  TXT: { code: 16, decode: (rdata) => readWhile(rdata, () => rdata.characterString()) },
  AAAA: { code: 28, decode: (rdata) => rdata.ipv6() },
  SRV: {
    code: 33,
    names: names(6),
    decode: (rdata) => ({ priority: rdata.u16(), weight: rdata.u16(), port: rdata.u16(), target: rdata.name() }),
  },
  LOC: { code: 29, decode: readLocation },
  NAPTR: {
    code: 35,
    names: names(naptrPrefix),
    decode: (rdata) => ({
      order: rdata.u16(),
      preference: rdata.u16(),
      flags: decodeText(rdata.characterString()),
      services: decodeText(rdata.characterString()),
      regexp: decodeText(rdata.characterString()),
      replacement: rdata.name(),
    }),
  },
  DNAME: { code: 39, ...ONE_NAME },
  DS: {
    code: 43,
    decode: (rdata) => ({ keyTag: rdata.u16(), algorithm: rdata.u8(), digestType: rdata.u8(), digest: rdata.rest() }),
  },
  SSHFP: { code: 44, decode: (rdata) => ({ algorithm: rdata.u8(), fingerprintType: rdata.u8(), fingerprint: rdata.rest() }) },
  RRSIG: {
    code: 46,
    names: names(18),
    decode: (rdata) => ({
      typeCovered: typeName(rdata.u16()),
      algorithm: rdata.u8(),
      labels: rdata.u8(),
      originalTtl: rdata.u32(),
      expiration: rdata.u32(),
      inception: rdata.u32(),
      keyTag: rdata.u16(),
      signerName: rdata.name(),
      signature: rdata.rest(),
    }),
  },
  NSEC: {
    code: 47,
    names: { before: 0, ...NAMES_AS_SENT },
    decode: (rdata) => ({ nextName: rdata.name(), types: readTypeBitmaps(rdata) }),
  },
  DNSKEY: {
    code: 48,
    decode: (rdata) => ({ flags: rdata.u16(), protocol: rdata.u8(), algorithm: rdata.u8(), publicKey: rdata.rest() }),
  },
  NSEC3: {
    code: 50,
    decode: (rdata) => ({
      hashAlgorithm: rdata.u8(),
      optOut: (rdata.u8() & 1) === 1,
      iterations: rdata.u16(),
      salt: rdata.characterString(),
      nextHash: rdata.characterString(),
      types: readTypeBitmaps(rdata),
    }),
  },
  NSEC3PARAM: {
    code: 51,
    decode: (rdata) => ({ hashAlgorithm: rdata.u8(), flags: rdata.u8(), iterations: rdata.u16(), salt: rdata.characterString() }),
  },
  TLSA: {
    code: 52,
    decode: (rdata) => ({ usage: rdata.u8(), selector: rdata.u8(), matchingType: rdata.u8(), certificate: rdata.rest() }),
  },
  SVCB: { code: 64, names: { before: 2, ...NAMES_AS_SENT }, decode: readServiceBinding },
  HTTPS: { code: 65, names: { before: 2, ...NAMES_AS_SENT }, decode: readServiceBinding },
  URI: { code: 256, decode: (rdata) => ({ priority: rdata.u16(), weight: rdata.u16(), target: decodeText(rdata.rest()) }) },
  CAA: {
    code: 257,
    decode: (rdata) => ({ flags: rdata.u8(), tag: decodeText(rdata.characterString()), value: decodeText(rdata.rest()) }),
  },
};

/** Types of RFC 4034 §6.2 that we do not decode, but whose RDATA may hold compressed names. */
const UNDECODED_NAMES: Record<number, NameLayout> = {
  3: names(0), // MD
  4: names(0), // MF
  7: names(0), // MB
  8: names(0), // MG
  9: names(0), // MR
  14: names(0, 2), // MINFO
  17: names(0, 2), // RP
  18: names(2), // AFSDB
  21: names(2), // RT
  24: names(18), // SIG
  26: names(2, 2), // PX
  30: names(0), // NXT
  36: names(2), // KX
};

const NAMES_BY_CODE = new Map<number, RecordType>();
for (const [name, { code }] of Object.entries(RECORD_FORMATS)) NAMES_BY_CODE.set(code, name as RecordType);

/** The type that we decode under this number. */
export const recordType = (code: number): RecordType | undefined => NAMES_BY_CODE.get(code);

/** The type's name, or `TYPE123` (RFC 3597 §5). */
const typeName = (code: number): string => recordType(code) ?? `TYPE${code}`;

/** The number of a type's name or of `TYPE123`. Undefined for anything else. */
export function typeCode(name: string): number | undefined {
  if (Object.hasOwn(RECORD_FORMATS, name)) return RECORD_FORMATS[name as RecordType].code;
  const code = Number(/^TYPE(\d{1,5})$/.exec(name)?.[1] ?? Number.NaN);
  return code <= 0xffff ? code : undefined;
}

/** Where the names are in the RDATA of this type; undefined when there are none. */
export function nameLayout(code: number): NameLayout | undefined {
  const type = recordType(code);
  return type ? RECORD_FORMATS[type].names : UNDECODED_NAMES[code];
}

function readServiceBinding(rdata: Reader): RecordData['SVCB'] {
  return { priority: rdata.u16(), target: rdata.name(), params: readServiceParams(rdata) };
}

function readWhile<T>(rdata: Reader, read: () => T): T[] {
  const items: T[] = [];
  while (rdata.left > 0) items.push(read());
  return items;
}

/** RFC 4034 §4.1.2: windows in ascending order, each a bitmap of up to 32 octets. */
function readTypeBitmaps(rdata: Reader): string[] {
  const types: string[] = [];
  let last = -1;
  while (rdata.left > 0) {
    const window = rdata.u8();
    const bitmap = rdata.characterString();
    if (window <= last || bitmap.length === 0 || bitmap.length > 32) throw new MalformedMessage('a bad type bitmap');
    last = window;
    for (let bit = 0; bit < bitmap.length * 8; bit++)
      if ((bitmap[bit >> 3]! >> (7 - (bit & 7))) & 1) types.push(typeName((window << 8) | bit));
  }
  return types;
}

/** Order, preference, then flags, services and regexp (RFC 3403 §4.1). */
function naptrPrefix(rdata: Reader): number {
  const from = rdata.at;
  rdata.take(4);
  for (let i = 0; i < 3; i++) rdata.characterString();
  return rdata.at - from;
}

const ANGLE_ORIGIN = 2 ** 31;
const ALTITUDE_ORIGIN_CM = 10_000_000;

/** RFC 1876 §2. */
function readLocation(rdata: Reader): RecordData['LOC'] {
  if (rdata.u8() !== 0) throw new MalformedMessage('a LOC record of an unknown version');
  const [size, horizontalPrecision, verticalPrecision] = [readCentimetres(rdata), readCentimetres(rdata), readCentimetres(rdata)];
  return {
    latitude: rdata.u32() - ANGLE_ORIGIN,
    longitude: rdata.u32() - ANGLE_ORIGIN,
    altitude: rdata.u32() - ALTITUDE_ORIGIN_CM,
    size,
    horizontalPrecision,
    verticalPrecision,
  };
}

/** A digit and a power of ten, in one octet. */
function readCentimetres(rdata: Reader): number {
  const octet = rdata.u8();
  const [digit, exponent] = [octet >> 4, octet & 0xf];
  if (digit > 9 || exponent > 9) throw new MalformedMessage('a LOC record with digits beyond 9');
  return digit * 10 ** exponent;
}
