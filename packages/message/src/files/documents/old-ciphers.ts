import { hash } from 'node:crypto';

/** MD5 of the parts, one after the other. */
export const md5 = (...parts: Uint8Array[]): Buffer => hash('md5', Buffer.concat(parts), 'buffer');

/** RC4, which OpenSSL keeps back by now; documents that are old enough are encrypted with it. */
export function rc4(key: Uint8Array, input: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  for (let [i, j] = [0, 0]; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 0xff;
    [state[i], state[j]] = [state[j]!, state[i]!];
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    input.map((byte) => {
      i = (i + 1) & 0xff;
      j = (j + state[i]!) & 0xff;
      [state[i], state[j]] = [state[j]!, state[i]!];
      return byte ^ state[(state[i]! + state[j]!) & 0xff]!;
    }),
  );
}
