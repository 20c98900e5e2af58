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

/** A body without its Content-Encoding, as far as it was requested and could be unpacked. */
export interface Unpacked {
  bytes: Uint8Array;
  /** There was more. */
  truncated: boolean;
  /** The bytes are not what the coding says; `bytes` is what came before. */
  broken: boolean;
}

/** A body that was cut off unpacks as far as it came. */
const flush = (): ZlibOptions => ({ finishFlush: constants.Z_SYNC_FLUSH });

const UNPACKERS = new Map<string, (packed: Uint8Array) => Transform>([
  ['gzip', () => createGunzip(flush())],
  ['x-gzip', () => createGunzip(flush())],
  ['deflate', (packed) => (hasZlibHeader(packed) ? createInflate(flush()) : createInflateRaw(flush()))],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  // The window that RFC 9659 asks of every decoder: larger ones cost memory.
  ['zstd', () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush, params: { [constants.ZSTD_d_windowLogMax]: 23 } })],
]);

/** The accepted codings of pages: every coding that `unpackUpTo` knows. */
export const PAGE_CODINGS = 'gzip, deflate, br, zstd';

/** Half of the servers that say deflate mean the format without the header that RFC 9110 §8.4.1.2 asks for. */
const hasZlibHeader = ([first = 0, second = 0]: Uint8Array): boolean => (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;

/** Servers that code a page twice exist, by mistake; of more there are none. */
const CODINGS_MAX = 2;
/** Pages unpack to ten times what was sent, some to a hundred times: beyond that it is a bomb, and only its beginning is unpacked. */
const RATIO_MAX = 250;
/** This much is always unpacked: a short page may well repeat one word. */
const RATIO_FREE_BYTES = 64 * 1024;

/**
 * Removes the content codings, named in the order in which they were applied (RFC 9110 §8.4), up to `maxBytes` of what comes out, and up
 * to 250 times what was sent. Bytes in a coding that is not known, and in more than two, are broken.
 */
export async function unpackUpTo(codings: readonly string[], packed: Uint8Array, maxBytes: number): Promise<Unpacked> {
  if (packed.length === 0 || codings.length === 0)
    return { bytes: packed.subarray(0, maxBytes), truncated: packed.length > maxBytes, broken: false };
  if (codings.length > CODINGS_MAX) return { bytes: new Uint8Array(), truncated: false, broken: true };
  const max = Math.min(maxBytes, Math.max(RATIO_FREE_BYTES, packed.length * RATIO_MAX));
  let unpacked: Unpacked = { bytes: packed, truncated: false, broken: false };
  for (const coding of codings.toReversed()) {
    const { bytes, truncated, broken } = await unpack(coding, unpacked.bytes, max);
    unpacked = { bytes, truncated: truncated || unpacked.truncated, broken: broken && !unpacked.truncated };
    if (broken) break;
  }
  return unpacked;
}

async function unpack(coding: string, packed: Uint8Array, maxBytes: number): Promise<Unpacked> {
  const unpacker = UNPACKERS.get(coding)?.(packed);
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
