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

/** 32 octets each that are no public key of Ed25519, in hex: what does not decode (RFC 8032 §5.1.3), and all points of small order. */
export const ED25519_NON_KEYS = {
  'no point: y = 2': `02${'00'.repeat(31)}`,
  'y = p, which is 0 written otherwise': `ed${'ff'.repeat(30)}7f`,
  'y = p + 1, which is 1 written otherwise': `ee${'ff'.repeat(30)}7f`,
  'y = 2²⁵⁵ - 1': `${'ff'.repeat(31)}7f`,
  'x = 0 with a sign': `01${'00'.repeat(30)}80`,
  'order 1': `01${'00'.repeat(31)}`,
  'order 2': `ec${'ff'.repeat(30)}7f`,
  'order 4': '00'.repeat(32),
  'order 4, the other one': `${'00'.repeat(31)}80`,
  'order 8': '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'order 8, negative': '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'order 8, the other pair': 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'order 8, the other pair, negative': 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
} as const satisfies Record<string, string>;
