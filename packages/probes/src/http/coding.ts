import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  type ZlibOptions,
} from 'node:zlib';

/** What is left of a body once its Content-Encoding is removed, as far as it was wanted and could be unpacked. */
export interface Unpacked {
  bytes: Uint8Array;
  /** There was more. */
  truncated: boolean;
  /** The bytes are not what the coding says; `bytes` is what came before. */
  broken: boolean;
}

/** A body that was cut off unpacks as far as it came. */
const FLUSH: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH };

const UNPACKERS = new Map<string, (packed: Uint8Array) => Transform>([
  ['gzip', () => createGunzip(FLUSH)],
  ['x-gzip', () => createGunzip(FLUSH)],
  ['deflate', (packed) => (hasZlibHeader(packed) ? createInflate(FLUSH) : createInflateRaw(FLUSH))],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ['zstd', () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })],
]);

/** What pages may be asked for in: every coding that `unpackUpTo` knows. */
export const PAGE_CODINGS = 'gzip, deflate, br, zstd';

/** Half of the servers that say deflate mean the format without the header that RFC 9110 §8.4.1.2 asks for. */
const hasZlibHeader = ([first = 0, second = 0]: Uint8Array): boolean => (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;

/**
 * Removes one content coding, up to `maxBytes` of what comes out: of a bomb no more is ever unpacked. Bytes in a coding that is not known,
 * and in several at once (no server needs them, and each multiplies what a bomb comes to), are broken.
 */
export async function unpackUpTo(codings: readonly string[], packed: Uint8Array, maxBytes: number): Promise<Unpacked> {
  const [coding, ...others] = codings;
  if (coding === undefined || packed.length === 0)
    return { bytes: packed.subarray(0, maxBytes), truncated: packed.length > maxBytes, broken: false };
  const unpacker = others.length === 0 ? UNPACKERS.get(coding)?.(packed) : undefined;
  if (!unpacker) return { bytes: new Uint8Array(), truncated: false, broken: true };
  const chunks: Uint8Array[] = [];
  let length = 0;
  let broken = false;
  unpacker.end(packed);
  try {
    for await (const chunk of unpacker as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break; // which destroys the stream
    }
  } catch {
    broken = true; // zlib's word that the bytes are not what they are said to be
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), truncated: length > maxBytes, broken };
}
