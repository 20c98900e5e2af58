import { FeedRefused } from '../refusal.ts';

const END_OF_DIRECTORY = 0x06054b50;
const END_BYTES = 22;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

/**
 * The one file of a zip archive (APPNOTE 6.3.10), as it is packed. Sizes and offsets are those of the directory at the end: what local
 * heads say may be left out by who writes a stream. Throws `FeedRefused` for archives of several files, encrypted archives, and other
 * formats.
 */
export function zipped(archive: Uint8Array): { bytes: Uint8Array; stored: boolean } {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length);
  const end = endOfDirectory(bytes);
  const files = bytes.readUInt16LE(end + 10);
  if (files !== 1) throw new FeedRefused('format', `a zip archive of ${files} files, and there is one`);
  const entry = bytes.readUInt32LE(end + 16);
  if (entry + 46 > bytes.length || bytes.readUInt32LE(entry) !== ENTRY)
    throw new FeedRefused('format', 'a zip archive without its directory');
  const method = bytes.readUInt16LE(entry + 10);
  if (bytes.readUInt16LE(entry + 8) & ENCRYPTED || (method !== STORED && method !== DEFLATED))
    throw new FeedRefused('format', 'a zip archive that cannot be unpacked');
  const size = bytes.readUInt32LE(entry + 20);
  const local = bytes.readUInt32LE(entry + 42);
  if (local + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(local) !== LOCAL)
    throw new FeedRefused('format', 'a zip archive without its file');
  const from = local + LOCAL_BYTES + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  if (from + size > end) throw new FeedRefused('format', 'a zip archive that was cut off');
  return { bytes: bytes.subarray(from, from + size), stored: method === STORED };
}

/** The record stands at the end, before a comment of up to 64 KB. */
function endOfDirectory(bytes: Buffer): number {
  for (let at = bytes.length - END_BYTES; at >= Math.max(0, bytes.length - END_BYTES - 65_535); at--)
    if (bytes.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  throw new FeedRefused('format', 'no zip archive');
}
