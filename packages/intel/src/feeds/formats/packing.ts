import { createGunzip, createInflateRaw } from 'node:zlib';
import type { Feed } from '../feed.ts';
import { FeedRefused } from '../refusal.ts';
import { zipped } from './zip.ts';

/** How much is handed on at once. */
const PORTION_BYTES = 65_536;
/** Text of lists packs to a tenth or so, archives of small files to less: a file that unpacks to more than this many times its size is rejected. */
const RATIO_MAX = 100;
const BLOCK_BYTES = 512;
/** A file of an archive is small: a network's prefixes. */
const MEMBER_MAX_BYTES = 4_194_304;

type Chunks = AsyncIterable<Uint8Array>;

/** The files of a feed's file: itself, what is packed into it, or those of an archive that are asked for. Throws `FeedRefused`. */
export async function* unpacked(body: Uint8Array, feed: Pick<Feed, 'packing' | 'member' | 'max_unpacked_bytes'>): AsyncIterable<Chunks> {
  const most = Math.min(feed.max_unpacked_bytes ?? Infinity, body.length * RATIO_MAX);
  const { packing, member = '' } = feed;
  if (packing === undefined) yield portions(body);
  else if (packing === 'zip') yield inflated(body, most, 'zip');
  else if (packing === 'gzip') yield inflated(body, most, 'gzip');
  else yield* members(inflated(body, most, 'gzip'), member);
}

async function* portions(body: Uint8Array): Chunks {
  for (let from = 0; from < body.length; from += PORTION_BYTES) yield body.subarray(from, from + PORTION_BYTES);
}

/** Unpacks as it is read, so that a bomb is noticed when it has grown too large, and not when it has gone off. */
async function* inflated(body: Uint8Array, most: number, packing: 'zip' | 'gzip'): Chunks {
  const packed = packing === 'zip' ? zipped(body) : { bytes: body, stored: false };
  if (packed.stored) return yield* portions(packed.bytes);
  const stream = packing === 'zip' ? createInflateRaw() : createGunzip();
  stream.end(packed.bytes);
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) throw new FeedRefused('too_large', `it unpacks to more than ${most} bytes`);
      yield chunk;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    throw new FeedRefused('format', `it cannot be unpacked: ${error.message}`, { cause: error });
  } finally {
    stream.destroy();
  }
}

const isZlibError = (error: unknown): error is Error => error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

/** The regular files of a tar archive (POSIX ustar, GNU) whose names end in `wanted`. One at a time is held. */
async function* members(archive: Chunks, wanted: string): AsyncIterable<Chunks> {
  const read = reader(archive);
  for (;;) {
    const head = await read(BLOCK_BYTES);
    if (head === undefined) throw new FeedRefused('format', 'the archive has no end');
    if (head.every((byte) => byte === 0)) return;
    const text = (from: number, length: number): string => head.toString('latin1', from, from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12).trim() || '0', 8);
    if (!head.toString('latin1', 257, 262).startsWith('ustar') || !Number.isSafeInteger(size) || size < 0)
      throw new FeedRefused('format', 'no tar archive');
    if (size > MEMBER_MAX_BYTES) throw new FeedRefused('too_large', `a file of the archive has ${size} bytes`);
    const content = await read(Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES);
    if (content === undefined) throw new FeedRefused('format', 'the archive ends within a file');
    const isFile = head[156] === 0 || head[156] === 0x30;
    if (isFile && text(0, 100).endsWith(wanted)) yield portions(content.subarray(0, size));
  }
}

/** Returns a function that reads a number of bytes; undefined if fewer are left. */
function reader(source: Chunks): (length: number) => Promise<Buffer | undefined> {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return async (length) => {
    const parts: Buffer[] = [rest];
    let size = rest.length;
    while (size < length) {
      const { done, value } = await chunks.next();
      if (done) return undefined;
      parts.push(Buffer.from(value.buffer, value.byteOffset, value.length));
      size += value.length;
    }
    const all = parts.length === 1 ? rest : Buffer.concat(parts, size);
    rest = all.subarray(length);
    return all.subarray(0, length);
  };
}
