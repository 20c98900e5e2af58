import { TooLarge } from './archive-entry.ts';
import { unpackZipEntry } from './libarchive.ts';
import type { UnpackTime } from './unpack-time.ts';

const SIGNATURE_BYTES = 32;
const HEADER_MAX_BYTES = 16 * 1024 * 1024;
const [HEADER, ENCODED_HEADER, NAMES] = [0x01, 0x17, 0x11];

/**
 * The names in a 7z, for the LC_ALL=C in which this build of libarchive lives has stars for what is not ASCII. They are found by their stars, so that nothing
 * depends on the order of either.
 */
export class StarredNames {
  /** Names by their stars, the next one last. */
  readonly #byStars = new Map<string, string[]>();

  constructor(names: readonly string[]) {
    for (const name of names.toReversed()) {
      const stars = name.replace(/[^ -~]/gu, '*');
      if (!stars.includes('*')) continue;
      const alike = this.#byStars.get(stars);
      if (alike) alike.push(name);
      else this.#byStars.set(stars, [name]);
    }
  }

  /** The full name for a name with stars; the next one if several match. */
  of(name: string): string {
    // A directory ends with a slash there.
    const bare = name.replace(/\/$/, '');
    return this.#byStars.get(bare)?.pop() ?? name;
  }
}

/** The names of a 7z, where its header is plain or packed with LZMA, as 7-Zip packs it; none where it is encrypted or of another kind. */
export async function readNames(bytes: Uint8Array, time: UnpackTime): Promise<StarredNames> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = await headerOf(data, time);
  return new StarredNames(header?.[0] === HEADER ? namesIn(header) : []);
}

async function headerOf(data: Buffer, time: UnpackTime): Promise<Buffer | undefined> {
  if (data.length < SIGNATURE_BYTES) return undefined;
  const start = SIGNATURE_BYTES + Number(data.readBigUInt64LE(12));
  const header = data.subarray(start, start + Number(data.readBigUInt64LE(20)));
  return header[0] === ENCODED_HEADER ? unpackHeader(data, header, time) : header;
}

/** One stream, one coder, LZMA: `17 06 position 1 09 size 00 07 0B 1 0 1 23 030101 5 properties 0C size 0A 1 checksum 00 00`. */
async function unpackHeader(data: Buffer, header: Buffer, time: UnpackTime): Promise<Buffer | undefined> {
  const cursor = { at: 2 };
  const position = number(header, cursor);
  if (header.toString('hex', cursor.at, cursor.at + 2) !== '0109') return undefined;
  cursor.at += 2;
  const packedSize = number(header, cursor);
  if (header.toString('hex', cursor.at, cursor.at + 11) !== '00070b0100012303010105') return undefined;
  const properties = header.subarray(cursor.at + 11, cursor.at + 16);
  cursor.at += 17;
  const size = number(header, cursor);
  if (size > HEADER_MAX_BYTES || header.toString('hex', cursor.at, cursor.at + 2) !== '0a01' || cursor.at + 6 > header.length)
    return undefined;
  const start = SIGNATURE_BYTES + position;
  // As ZIP has LZMA: a version, the length of the properties, those, and the stream (APPNOTE 5.8.8).
  const packed = Buffer.concat([Buffer.from([9, 4, 5, 0]), properties, data.subarray(start, start + packedSize)]);
  try {
    const entry = { method: 14, packed, size, crc: header.readUInt32LE(cursor.at + 2) };
    const unpacked = await unpackZipEntry(entry, { max: HEADER_MAX_BYTES, time });
    return unpacked && Buffer.from(unpacked);
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

/** The longest block that is a list of names: a type, its length, a zero, and names in UTF-16 with a NUL behind each. */
function namesIn(header: Buffer): string[] {
  for (let at = header.indexOf(NAMES); at !== -1; at = header.indexOf(NAMES, at + 1)) {
    const cursor = { at: at + 1 };
    const length = number(header, cursor);
    const block = header.subarray(cursor.at, cursor.at + length);
    // The header goes on with another block, or ends.
    const isList = length > 4 && length % 2 === 1 && block.length === length && block[0] === 0 && block.readUInt16LE(length - 2) === 0;
    if (isList && (header[cursor.at + length] ?? 0xff) <= 0x19) return block.toString('utf16le', 1, length - 2).split('\0');
  }
  return [];
}

/** The leading ones of the first byte say how many bytes follow it; the rest of it is what is highest. */
function number(data: Buffer, cursor: { at: number }): number {
  const first = data[cursor.at++] ?? 0;
  let value = 0;
  let mask = 0x80;
  let scale = 1;
  for (; mask > 0 && (first & mask) !== 0; mask >>= 1) {
    value += (data[cursor.at++] ?? 0) * scale;
    scale *= 256;
  }
  return value + (first & (mask - 1) & 0xff) * scale;
}
