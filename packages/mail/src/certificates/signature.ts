import { type KeyObject, verify } from 'node:crypto';
import { type Der, oidOf } from './der.ts';

/** Hash and kind of key of a signature, by its object identifier. */
const SIGNATURES: ReadonlyMap<string, { hash: string; key: string }> = new Map([
  ['1.2.840.113549.1.1.11', { hash: 'sha256', key: 'rsa' }],
  ['1.2.840.113549.1.1.12', { hash: 'sha384', key: 'rsa' }],
  ['1.2.840.113549.1.1.13', { hash: 'sha512', key: 'rsa' }],
  ['1.2.840.10045.4.3.2', { hash: 'sha256', key: 'ec' }],
  ['1.2.840.10045.4.3.3', { hash: 'sha384', key: 'ec' }],
  ['1.2.840.10045.4.3.4', { hash: 'sha512', key: 'ec' }],
]);

/** A list or a response that an authority has signed. */
export interface Signed {
  /** Octets that the signature is of. */
  tbs: Uint8Array;
  /** AlgorithmIdentifier. */
  algorithm: Der;
  /** Contents of the BIT STRING. */
  signature: Uint8Array;
}

/** Why a signature does not count; empty where it does. The hash of megabytes is computed beside the event loop. */
export function signatureFault({ tbs, algorithm, signature }: Signed, key: KeyObject): Promise<string> {
  const kind = SIGNATURES.get(oidOf(algorithm.children[0]));
  if (!kind || kind.key !== key.asymmetricKeyType) return Promise.resolve('it is signed in a way that is not supported');
  return new Promise((resolve) => {
    // The first octet of a BIT STRING counts its unused bits.
    verify(kind.hash, tbs, key, signature.subarray(1), (error, holds) => resolve(!error && holds ? '' : 'its signature does not verify'));
  });
}
