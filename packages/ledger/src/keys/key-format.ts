import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `vdt_<16 base32 id>_<32 base32 secret><6 base32 checksum>`, lower case (RFC 4648 §6 without padding). */
const KEY = /^(vdt_([a-z2-7]{16})_([a-z2-7]{32}))([a-z2-7]{6})$/;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const ID_BYTES = 10;
const SECRET_BYTES = 20;
/** The checksum holds the low 30 bits of CRC-32. */
const CHECKSUM_CHARS = 6;

export interface ApiKey {
  id: string;
  /** The whole text, as the client sends it. Shown once, never stored. */
  text: string;
  secret: string;
}

/** A new random key: 80 bits of id, 160 bits of secret. */
export function generateKey(): ApiKey {
  const id = base32(randomBytes(ID_BYTES));
  const secret = base32(randomBytes(SECRET_BYTES));
  const body = `vdt_${id}_${secret}`;
  return { id, secret, text: body + checksum(body) };
}

/** Splits a key. Undefined when it is not well formed: the checksum finds typos without a query. */
export function parseKey(text: string): ApiKey | undefined {
  const [, body, id, secret, sum] = KEY.exec(text) ?? [];
  return body !== undefined && sum === checksum(body) ? { id: id!, secret: secret!, text } : undefined;
}

/** The stored form of a secret. Its 160 random bits need neither salt nor a slow hash. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Compares in constant time. Both are SHA-256 hashes, so that their lengths say nothing. */
export const sameHash = (a: Buffer, b: Buffer): boolean => timingSafeEqual(a, b);

function checksum(body: string): string {
  let value = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_CHARS; i++, value >>>= 5) text += ALPHABET[value & 31];
  return text;
}

/** RFC 4648 §6 in lower case; the length is a multiple of 5 bytes, so the text needs no padding. */
function base32(bytes: Buffer): string {
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  let text = '';
  for (let left = (bytes.length * 8) / 5; left > 0; left--, bits >>= 5n) text = ALPHABET[Number(bits & 31n)] + text;
  return text;
}
