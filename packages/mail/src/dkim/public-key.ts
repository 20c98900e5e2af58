import { createPublicKey, type KeyObject, type PublicKeyInput } from 'node:crypto';
import { pointProblem } from './ed25519-point.ts';

/** A key that signatures can be verified with. `bits` is the size of the RSA modulus; 256 for Ed25519. */
export interface DkimPublicKey {
  type: 'rsa' | 'ed25519';
  bits: number;
}

const ED25519_OCTETS = 32;
const RSA_BITS_MAX = 16_384; // OpenSSL verifies no larger ones
const RSA_EXPONENT_MIN = 3n;

/**
 * Reads the decoded `p=` value: for RSA a SubjectPublicKeyInfo or, as RFC 6376 §3.6.1 words it, a bare RSAPublicKey; for
 * Ed25519 the 32 octets themselves (RFC 8463 §4.2). Returns what is wrong with it otherwise.
 */
export function readPublicKey(type: DkimPublicKey['type'], octets: Buffer): DkimPublicKey | string {
  return type === 'ed25519' ? readEd25519(octets) : readRsa(octets);
}

function readEd25519(octets: Buffer): DkimPublicKey | string {
  if (octets.length === ED25519_OCTETS) return pointProblem(octets) ?? { type: 'ed25519', bits: 256 };
  if (parse({ key: octets, format: 'der', type: 'spki' })?.asymmetricKeyType === 'ed25519')
    return 'the Ed25519 key is wrapped in a SubjectPublicKeyInfo; publish its last 32 octets alone (RFC 8463 §4.2)';
  return `an Ed25519 key has ${ED25519_OCTETS} octets, this one ${octets.length}`;
}

function readRsa(octets: Buffer): DkimPublicKey | string {
  if (octets.length === ED25519_OCTETS) return 'this looks like an Ed25519 key; add k=ed25519';
  const key = parse({ key: octets, format: 'der', type: 'spki' }) ?? parse({ key: octets, format: 'der', type: 'pkcs1' });
  if (!key) return 'p= is not a public key in DER';
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType !== 'rsa') return `p= holds a key of type ${key.asymmetricKeyType ?? 'unknown'}, not RSA`;
  if (publicExponent < RSA_EXPONENT_MIN || publicExponent % 2n === 0n)
    return `an RSA key with the exponent ${publicExponent} protects nothing`;
  if (modulusLength > RSA_BITS_MAX) return `an RSA key of ${modulusLength} bits is larger than verifiers take`;
  return { type: 'rsa', bits: modulusLength };
}

function parse(input: PublicKeyInput): KeyObject | undefined {
  try {
    return createPublicKey(input);
  } catch {
    return undefined; // OpenSSL's word that these octets are no such key
  }
}
