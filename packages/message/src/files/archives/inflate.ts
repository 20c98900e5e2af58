import { gunzipSync, inflateRawSync, type ZlibOptions, zstdDecompressSync } from 'node:zlib';
import { TooLarge } from './archive-entry.ts';

const MEGABYTE = 1024 * 1024;

type Inflate = (bytes: Uint8Array, options: ZlibOptions) => Buffer;

/** Unpacks `bytes` to at most `max` bytes; `expected` is the size that they declare. Undefined if they are damaged. Throws `TooLarge`. */
function unpackWith(inflate: Inflate, bytes: Uint8Array, max: number, expected: number): Buffer | undefined {
  if (max < 1) throw new TooLarge();
  try {
    // A chunk too large costs nothing but its allocation, many small ones cost a call each.
    return inflate(bytes, { maxOutputLength: max, chunkSize: Math.min(Math.max(expected + 1, 1_024), MEGABYTE) });
  } catch (error) {
    if (error instanceof RangeError) throw new TooLarge('', { cause: error });
    return undefined;
  }
}

export const inflateRaw = (bytes: Uint8Array, max: number, expected: number) => unpackWith(inflateRawSync, bytes, max, expected);
export const gunzip = (bytes: Uint8Array, max: number, expected: number) => unpackWith(gunzipSync, bytes, max, expected);
export const unzstd = (bytes: Uint8Array, max: number, expected: number) =>
  unpackWith(
    (packed, { maxOutputLength, chunkSize }) => zstdDecompressSync(packed, { maxOutputLength: maxOutputLength!, chunkSize: chunkSize! }),
    bytes,
    max,
    expected,
  );
