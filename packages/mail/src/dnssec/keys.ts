import { createHash, createPublicKey, type JsonWebKeyInput, type KeyObject, verify } from 'node:crypto';
import type { DnsRecordOf, RecordData } from '@vedette/contract';
import { type Name, nameToWire } from './names.ts';

export type Dnskey = DnsRecordOf<'DNSKEY'>;
type Ds = RecordData['DS'];

type Jwk = JsonWebKeyInput['key'];

interface SigningAlgorithm {
  mnemonic: string;
  /** Digest that the signature is over; null where the scheme hashes by itself. */
  digest: 'sha256' | 'sha384' | 'sha512' | null;
  signatureBytes?: number;
  toJwk(publicKey: Buffer): Jwk | undefined;
}

const RSA_MAX_BYTES = 512; // RFC 3110 §2 ends at 4096 bits
const RSA_MIN_BYTES = 64; // RFC 5702 §2.1
const RSA_EXPONENT_MAX_BYTES = 8;

/** RFC 3110 §2: exponent length in one octet or, after a zero, in two; exponent; modulus. */
function rsaJwk(publicKey: Buffer): Jwk | undefined {
  if (publicKey.length < 3) return undefined;
  const long = publicKey[0] === 0;
  const start = long ? 3 : 1;
  const end = start + (long ? publicKey.readUInt16BE(1) : publicKey[0]!);
  const modulus = publicKey.subarray(end);
  if (end - start < 1 || end - start > RSA_EXPONENT_MAX_BYTES) return undefined;
  if (modulus.length < RSA_MIN_BYTES || modulus.length > RSA_MAX_BYTES) return undefined;
  return { kty: 'RSA', e: publicKey.toString('base64url', start, end), n: modulus.toString('base64url') };
}

const ecJwk = (crv: string, coordinateBytes: number) => (publicKey: Buffer) =>
  publicKey.length === 2 * coordinateBytes
    ? { kty: 'EC', crv, x: publicKey.toString('base64url', 0, coordinateBytes), y: publicKey.toString('base64url', coordinateBytes) }
    : undefined;

const edwardsJwk = (crv: string, bytes: number) => (publicKey: Buffer) =>
  publicKey.length === bytes ? { kty: 'OKP', crv, x: publicKey.toString('base64url') } : undefined;

/**
 * The algorithms that we validate. RSA/MD5, DSA, GOST and SHA-1 (5, 7) count as unsupported: a zone that has nothing
 * else is insecure, as RFC 9905 §2 wants of those who run validators.
 */
const ALGORITHMS: ReadonlyMap<number, SigningAlgorithm> = new Map<number, SigningAlgorithm>([
  [8, { mnemonic: 'RSASHA256', digest: 'sha256', toJwk: rsaJwk }], // RFC 5702
  [10, { mnemonic: 'RSASHA512', digest: 'sha512', toJwk: rsaJwk }],
  [13, { mnemonic: 'ECDSAP256SHA256', digest: 'sha256', signatureBytes: 64, toJwk: ecJwk('P-256', 32) }], // RFC 6605
  [14, { mnemonic: 'ECDSAP384SHA384', digest: 'sha384', signatureBytes: 96, toJwk: ecJwk('P-384', 48) }],
  [15, { mnemonic: 'ED25519', digest: null, signatureBytes: 64, toJwk: edwardsJwk('Ed25519', 32) }], // RFC 8080
  [16, { mnemonic: 'ED448', digest: null, signatureBytes: 114, toJwk: edwardsJwk('Ed448', 57) }],
]);

export const supportsAlgorithm = (algorithm: number): boolean => ALGORITHMS.has(algorithm);

/** `8 (RSASHA256)`, or the bare number. */
export const algorithmText = (algorithm: number): string => {
  const known = ALGORITHMS.get(algorithm);
  return known ? `${algorithm} (${known.mnemonic})` : String(algorithm);
};

const ZONE_KEY = 0x0100;
const REVOKED = 0x0080;

/** Why the key may not sign zone data (RFC 4034 §2.1.1–2.1.2, RFC 5011 §2.1); undefined when it may. */
export function unfitnessOfKey({ data }: Dnskey): string | undefined {
  if ((data.flags & REVOKED) !== 0) return 'is revoked';
  if ((data.flags & ZONE_KEY) === 0) return 'lacks the flag of a zone key';
  return data.protocol === 3 ? undefined : `has protocol ${data.protocol} instead of 3`;
}

/** The key as it was before it was revoked or lost its flag: that may be the one which a DS names. */
export function asZoneKey(key: Dnskey): Dnskey {
  const rdata = Buffer.from(key.rdata);
  rdata.writeUInt16BE((key.data.flags | ZONE_KEY) & ~REVOKED);
  return { ...key, rdata };
}

/** RFC 4034 appendix B. */
export function keyTag(rdata: Uint8Array): number {
  let sum = 0;
  for (const [i, octet] of rdata.entries()) sum += i % 2 === 0 ? octet << 8 : octet;
  return (sum + (sum >>> 16)) & 0xffff;
}

const keyObjects = new WeakMap<Dnskey, KeyObject | null>();

/** The key for node:crypto; null if the octets are not a key of its algorithm. */
function keyObject(key: Dnskey, algorithm: SigningAlgorithm): KeyObject | null {
  const known = keyObjects.get(key);
  if (known !== undefined) return known;
  const jwk = algorithm.toJwk(Buffer.from(key.data.publicKey));
  let object: KeyObject | null = null;
  try {
    if (jwk) object = createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    // Not a point of the curve, an even modulus …: no key, so it verifies nothing.
  }
  keyObjects.set(key, object);
  return object;
}

/** Whether `key` made `signature` over `bytes`. False too for a malformed key or signature. */
export function verifies(key: Dnskey, bytes: Uint8Array, signature: Uint8Array): boolean {
  const algorithm = ALGORITHMS.get(key.data.algorithm);
  if (!algorithm || (algorithm.signatureBytes ?? signature.length) !== signature.length) return false;
  const object = keyObject(key, algorithm);
  if (!object) return false;
  try {
    return verify(algorithm.digest, bytes, { key: object, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false; // OpenSSL throws on some keys that it accepted when they were read
  }
}

const DIGESTS: ReadonlyMap<number, 'sha1' | 'sha256' | 'sha384'> = new Map([
  [1, 'sha1'], // RFC 4034 §5.1.3
  [2, 'sha256'], // RFC 4509
  [4, 'sha384'], // RFC 6605 §2
]);

/** Whether the DS record names this key of the zone `owner` (RFC 4034 §5.1.4). */
export function dsMatches(ds: Ds, owner: Name, key: Dnskey): boolean {
  const digest = DIGESTS.get(ds.digestType);
  if (!digest || ds.algorithm !== key.data.algorithm || ds.keyTag !== keyTag(key.rdata)) return false;
  return createHash(digest).update(nameToWire(owner)).update(key.rdata).digest().equals(ds.digest);
}

/** The DS records that count: supported ones, SHA-1 only where there is nothing stronger (RFC 4509 §3). */
export function usableDs(dsSet: readonly Ds[]): Ds[] {
  const supported = dsSet.filter((ds) => supportsAlgorithm(ds.algorithm) && DIGESTS.has(ds.digestType));
  const strong = supported.filter((ds) => ds.digestType !== 1);
  return strong.length > 0 ? strong : supported;
}
