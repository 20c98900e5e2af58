import { generateKeyPairSync, type KeyObject } from 'node:crypto';

const rsa = (modulusLength: number, publicExponent = 65_537): KeyObject =>
  generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey;
const der = (key: KeyObject, type: 'spki' | 'pkcs1'): string => key.export({ format: 'der', type: type as 'spki' }).toString('base64');

const rsa2048 = rsa(2048);
const ed25519 = generateKeyPairSync('ed25519').publicKey;

/** Public keys as `p=` has them. */
export const KEYS = {
  rsa2048: der(rsa2048, 'spki'),
  rsa2048Pkcs1: der(rsa2048, 'pkcs1'),
  rsa1024: der(rsa(1024), 'spki'),
  rsa512: der(rsa(512), 'pkcs1'),
  ed25519: ed25519.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
  ed25519Spki: der(ed25519, 'spki'),
  p256: der(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey, 'spki'),
  /** RSAPublicKey with a modulus of 1024 bits and the exponent 1: every signature is its own message. */
  exponent1: Buffer.concat([
    Buffer.from('308187028181', 'hex'),
    Buffer.from([0]),
    Buffer.alloc(128, 0xc5),
    Buffer.from('020101', 'hex'),
  ]).toString('base64'),
};
