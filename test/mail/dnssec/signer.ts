import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { DnsAnswer, DnsRecord, DnsRecordOf, RecordData, RecordType } from '@vedette/contract';
import { keyTag } from '../../../packages/mail/src/dnssec/keys.ts';
import { lastLabels, nameOf, nameToWire } from '../../../packages/mail/src/dnssec/names.ts';

export const NOW = 1_800_000_000;
const TYPE_CODES: Record<string, number> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  TLSA: 52,
};

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const u32 = (value: number): Buffer => Buffer.from([value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]);

/** RDATA of the types that the tests sign. */
const RDATA: { [T in RecordType]?: (data: RecordData[T]) => Buffer } = {
  A: (address) => Buffer.from(address.split('.').map(Number)),
  CNAME: (target) => nameToWire(nameOf(target)),
  TXT: (strings) => Buffer.concat(strings.map((text) => Buffer.concat([Buffer.from([text.length]), text]))),
  DS: ({ keyTag: tag, algorithm, digestType, digest }) => Buffer.concat([u16(tag), Buffer.from([algorithm, digestType]), digest]),
  DNSKEY: ({ flags, protocol, algorithm, publicKey }) => Buffer.concat([u16(flags), Buffer.from([protocol, algorithm]), publicKey]),
  TLSA: ({ usage, selector, matchingType, certificate }) => Buffer.concat([Buffer.from([usage, selector, matchingType]), certificate]),
  NSEC: ({ nextName, types }) => Buffer.concat([nameToWire(nameOf(nextName)), bitmap(types)]),
  NSEC3: ({ hashAlgorithm, optOut, iterations, salt, nextHash, types }) =>
    Buffer.concat([
      Buffer.from([hashAlgorithm, Number(optOut)]),
      u16(iterations),
      Buffer.from([salt.length]),
      salt,
      Buffer.from([nextHash.length]),
      nextHash,
      bitmap(types),
    ]),
};

/** RFC 4034 §4.1.2, window 0 alone. */
function bitmap(types: readonly string[]): Buffer {
  const bits = Buffer.alloc(32);
  for (const type of types) bits[TYPE_CODES[type]! >> 3]! |= 0x80 >> (TYPE_CODES[type]! & 7);
  return Buffer.concat([Buffer.from([0, 32]), bits]);
}

export const record = <T extends RecordType>(name: string, type: T, data: RecordData[T]): DnsRecordOf<T> => ({
  name,
  type,
  ttl: 300,
  data,
  rdata: (RDATA[type] as (data: RecordData[T]) => Buffer)(data),
});

/** A zone's Ed25519 key. */
export class Signer {
  readonly #privateKey: KeyObject;
  readonly zone: string;
  readonly dnskey: DnsRecordOf<'DNSKEY'>;

  constructor(zone: string, flags = 257) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.#privateKey = privateKey;
    this.zone = zone;
    const octets = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url');
    this.dnskey = record(zone, 'DNSKEY', { flags, protocol: 3, algorithm: 15, publicKey: octets });
  }

  /** The records and their signature; `change` alters the RRSIG before it is made. */
  sign(records: readonly DnsRecord[], change: Partial<RecordData['RRSIG']> = {}): DnsRecord[] {
    const { name, type } = records[0]!;
    const owner = nameOf(name);
    const data: RecordData['RRSIG'] = {
      typeCovered: type,
      algorithm: 15,
      labels: owner[0] === '*' ? owner.length - 1 : owner.length,
      originalTtl: 300,
      expiration: NOW + 3600,
      inception: NOW - 3600,
      keyTag: keyTag(this.dnskey.rdata),
      signerName: this.zone,
      signature: new Uint8Array(),
      ...change,
    };
    const head = Buffer.concat([
      u16(TYPE_CODES[type]!),
      Buffer.from([data.algorithm, data.labels]),
      u32(data.originalTtl),
      u32(data.expiration),
      u32(data.inception),
      u16(data.keyTag),
      nameToWire(nameOf(data.signerName)),
    ]);
    const counted = owner[0] === '*' ? owner.length - 1 : owner.length;
    const signedOwner = nameToWire(data.labels < counted ? ['*', ...lastLabels(owner, data.labels)] : owner);
    const body = records
      .map(({ rdata }) => rdata)
      .sort((a, b) => Buffer.compare(a, b))
      .flatMap((rdata) => [signedOwner, u16(TYPE_CODES[type]!), u16(1), u32(data.originalTtl), u16(rdata.length), rdata]);
    const signature = sign(null, Buffer.concat([head, ...body]), this.#privateKey);
    const rrsig = { name, type: 'RRSIG', ttl: 300, data: { ...data, signature }, rdata: Buffer.concat([head, signature]) } as DnsRecord;
    return [...records, rrsig];
  }
}

/** An answer as our engine gives it. */
export const answerOf = (parts: Partial<Pick<DnsAnswer, 'rcode' | 'answers' | 'authorities'>>): DnsAnswer => ({
  rcode: 'NOERROR',
  aa: false,
  ad: false,
  answers: [],
  authorities: [],
  additionals: [],
  server: '192.0.2.53:53',
  rtt_ms: 1,
  tries: 1,
  transport: 'udp',
  cached: false,
  ...parts,
});

/** What the parent of a zone says of its key. */
export const dsOf = ({ dnskey, zone }: Signer): RecordData['DS'] => ({
  keyTag: keyTag(dnskey.rdata),
  algorithm: 15,
  digestType: 2,
  digest: createHash('sha256')
    .update(nameToWire(nameOf(zone)))
    .update(dnskey.rdata)
    .digest(),
});
