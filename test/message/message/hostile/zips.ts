import { constants, crc32, deflateRawSync } from 'node:zlib';
import { joined } from './shapes.ts';

/** One entry as the two headers of a ZIP state it (APPNOTE 4.3.7, 4.3.12), true or not. */
export interface ZipEntry {
  name: string | Uint8Array;
  /** What is stored, as it stands in the file. */
  data: Uint8Array;
  /** 0 is stored, 8 deflated, 9 deflate64, 12 bzip2, 99 AES. */
  method?: number;
  flags?: number;
  crc?: number;
  /** What the headers say where they lie. */
  compressed?: number;
  size?: number;
  /** Of the local header, where it is another one's. */
  offset?: number;
  extra?: Uint8Array;
}

const nameOf = ({ name }: ZipEntry): Buffer => Buffer.from(name);

/** What both headers have from the version on. */
const common = (entry: ZipEntry): Buffer => {
  const bytes = Buffer.alloc(26);
  bytes.writeUInt16LE(20, 0);
  bytes.writeUInt16LE(entry.flags ?? 0, 2);
  bytes.writeUInt16LE(entry.method ?? 0, 4);
  bytes.writeUInt32LE(0x5b_64_52_41, 6);
  bytes.writeUInt32LE((entry.crc ?? crc32(entry.data)) >>> 0, 10);
  bytes.writeUInt32LE(entry.compressed ?? entry.data.length, 14);
  bytes.writeUInt32LE(entry.size ?? entry.data.length, 18);
  bytes.writeUInt16LE(nameOf(entry).length, 22);
  bytes.writeUInt16LE(entry.extra?.length ?? 0, 24);
  return bytes;
};

const localHeader = (entry: ZipEntry): Buffer => joined('PK\u0003\u0004', common(entry), nameOf(entry), entry.extra ?? '');

export const centralHeader = (entry: ZipEntry, offset: number): Buffer => {
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return joined('PK\u0001\u0002\u0014\0', common(entry), rest, nameOf(entry), entry.extra ?? '');
};

/** The end of the central directory (APPNOTE 4.3.16), true or not. */
export const endRecord = (entries: number, size: number, offset: number): Buffer => {
  const bytes = Buffer.alloc(22);
  bytes.write('PK\u0005\u0006', 'latin1');
  bytes.writeUInt16LE(Math.min(entries, 0xff_ff), 8);
  bytes.writeUInt16LE(Math.min(entries, 0xff_ff), 10);
  bytes.writeUInt32LE(size >>> 0, 12);
  bytes.writeUInt32LE(offset >>> 0, 16);
  return bytes;
};

export const zip = (entries: readonly ZipEntry[]): Buffer => {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    if (entry.offset === undefined) files.push(localHeader(entry), Buffer.from(entry.data));
    directory.push(centralHeader(entry, entry.offset ?? offset));
    if (entry.offset === undefined) offset += 30 + nameOf(entry).length + (entry.extra?.length ?? 0) + entry.data.length;
  }
  const central = Buffer.concat(directory);
  return joined(...files, central, endRecord(entries.length, central.length, offset));
};

const MEGABYTE = Buffer.alloc(1_000_000);
/** Ends with a full flush, so that it may stand as often as one likes (RFC 1951 §3.2.4). */
const DEFLATED_MEGABYTE = deflateRawSync(MEGABYTE, { level: 9, finishFlush: constants.Z_FULL_FLUSH });

/** A stream of deflate that is that many megabytes of zeros when it is read, at a thousandth of them. */
const zeros = (megabytes: number): { data: Buffer; size: number; crc: number } => {
  let crc = 0;
  for (let done = 0; done < megabytes; done++) crc = crc32(MEGABYTE, crc);
  const last = Buffer.from([3, 0]);
  return { data: joined(Buffer.alloc(DEFLATED_MEGABYTE.length * megabytes, DEFLATED_MEGABYTE), last), size: megabytes * 1_000_000, crc };
};

/** The same as gzip has it (RFC 1952). */
export const zeroGzip = (megabytes: number): Buffer => {
  const { data, size, crc } = zeros(megabytes);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(size >>> 0, 4);
  return joined(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), data, trailer);
};

/** An entry of zeros. */
export const zeroEntry = (name: string, megabytes: number): ZipEntry => ({ name, method: 8, ...zeros(megabytes) });

/**
 * Overlapping entries, each of which begins with a stored block that holds the header of the next, and the last of which is a bomb (Fifield 2019, "A better
 * zip bomb"): every entry is right by itself, and all share the bytes of the bomb.
 */
export const overlapping = (count: number, megabytes: number): Buffer => {
  const bomb = zeros(megabytes);
  let tail = joined(localHeader({ name: 'z', method: 8, ...bomb }), bomb.data);
  const entries: { entry: ZipEntry; fromEnd: number }[] = [{ entry: { name: 'z', method: 8, ...bomb }, fromEnd: tail.length }];
  const heads: Buffer[] = [];
  let length = tail.length;
  let headerLength = 31;
  let size = bomb.size;
  let compressed = bomb.data.length;
  for (let index = 1; index < count; index++) {
    const quote = Buffer.from([0, headerLength & 0xff, headerLength >> 8, ~headerLength & 0xff, (~headerLength >> 8) & 0xff]);
    size += headerLength;
    compressed += 5 + headerLength;
    const entry: ZipEntry = { name: `f${index}`, method: 8, crc: 0, compressed, size, data: new Uint8Array() };
    const header = localHeader(entry);
    heads.push(quote, header);
    length += 5 + header.length;
    headerLength = header.length;
    entries.push({ entry, fromEnd: length });
  }
  tail = joined(...heads.toReversed(), tail);
  const central = joined(...entries.map(({ entry, fromEnd }) => centralHeader(entry, length - fromEnd)));
  return joined(tail, central, endRecord(count, central.length, length));
};
