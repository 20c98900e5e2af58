import iconv from 'iconv-lite';
import { type ArchiveEntry, isoDos, isoSeconds, TooLarge, type Unpacked, windowsSeconds } from './archive-entry.ts';
import { inflateRaw, unzstd } from './inflate.ts';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = Buffer.from('PK\x05\x06', 'latin1');
const ZIP64_END = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
/** Ends of directories that are tried before one is given up: anything may stand after the real one. */
const ENDS_MAX = 64;
/** Archives one behind the other: tools show one or another of them, so all are shown here. */
const CONCATENATED_MAX = 8;

const ENCRYPTED = 0x0001;
const UTF8 = 0x0800;
const MASKED = 0x2000;
const AES = 99;

/** How another unpacks a method that node:zlib has not. */
export type UnpackOther = (entry: ZipEntry, max: number) => Promise<Unpacked>;

/** An entry of the central directory (APPNOTE 4.3.12). */
export interface ZipEntry extends ArchiveEntry {
  method: number;
  crc: number;
  /** The bytes as they are packed. */
  packed: Uint8Array;
}

interface Directory {
  start: number;
  end: number;
  /** Where the archive begins, which is not where its file begins when something stands before it. */
  origin: number;
}

/** The entries of a ZIP by its central directory, as Windows reads it; undefined where it has none. */
export function readZip(bytes: Uint8Array, unpackOther: UnpackOther): Iterable<ZipEntry> | undefined {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const last = findDirectory(data);
  if (!last) return undefined;
  const directories = [last];
  // Something that begins as a ZIP and stands before the archive is an archive again.
  while (directories[0]!.origin > END_BYTES && data.readUInt32LE(0) === LOCAL && directories.length < CONCATENATED_MAX) {
    const before = findDirectory(data.subarray(0, directories[0]!.origin));
    if (!before) break;
    directories.unshift(before);
  }
  return entriesOf(data, directories, unpackOther);
}

function* entriesOf(data: Buffer, directories: readonly Directory[], unpackOther: UnpackOther): Generator<ZipEntry> {
  for (const { start, end, origin } of directories) {
    let at = start;
    // The declared number of entries is ignored, since all programs show the entries that follow.
    while (at + CENTRAL_BYTES <= end && data.readUInt32LE(at) === CENTRAL) {
      const next = at + CENTRAL_BYTES + data.readUInt16LE(at + 28) + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
      if (next > end) break;
      yield readEntry(data, at, origin, unpackOther);
      at = next;
    }
  }
}

/** The last end of a directory before which a directory stands. */
function findDirectory(data: Buffer): Directory | undefined {
  let from = data.length;
  for (let tried = 0; tried < ENDS_MAX && from > 0; tried++) {
    const at = data.lastIndexOf(END, from - 1);
    if (at === -1) return undefined;
    from = at;
    const found = at + END_BYTES <= data.length ? directoryBefore(data, at) : undefined;
    if (found) return found;
  }
  return undefined;
}

function directoryBefore(data: Buffer, end: number): Directory | undefined {
  let [size, offset] = [data.readUInt32LE(end + 12), data.readUInt32LE(end + 16)];
  let stop = end;
  if (end >= 20 && data.readUInt32LE(end - 20) === ZIP64_LOCATOR) {
    const at = Number(data.readBigUInt64LE(end - 12));
    // It mostly stands right before its locator, whatever precedes the archive.
    const zip64 = [at, end - 76].find((start) => start >= 0 && start + 56 <= end && data.readUInt32LE(start) === ZIP64_END);
    if (zip64 !== undefined) {
      stop = zip64;
      size = Number(data.readBigUInt64LE(zip64 + 40));
      offset = Number(data.readBigUInt64LE(zip64 + 48));
    }
  }
  const isDirectory = (start: number): boolean => start >= 0 && start + CENTRAL_BYTES <= stop && data.readUInt32LE(start) === CENTRAL;
  if (isDirectory(stop - size)) return { start: stop - size, end: stop, origin: Math.max(0, stop - size - offset) };
  if (isDirectory(offset)) return { start: offset, end: stop, origin: 0 };
  // One without entries.
  return size === 0 && stop === end ? { start: end, end, origin: Math.max(0, end - offset) } : undefined;
}

function readEntry(data: Buffer, at: number, origin: number, unpackOther: UnpackOther): ZipEntry {
  const [flags, method] = [data.readUInt16LE(at + 8), data.readUInt16LE(at + 10)];
  const nameEnd = at + CENTRAL_BYTES + data.readUInt16LE(at + 28);
  const rawName = data.subarray(at + CENTRAL_BYTES, nameEnd);
  const extra = readExtra(data.subarray(nameEnd, nameEnd + data.readUInt16LE(at + 30)), {
    size: data.readUInt32LE(at + 24),
    packedSize: data.readUInt32LE(at + 20),
    offset: data.readUInt32LE(at + 42),
  });
  const name = extra.name ?? entryName(rawName, (flags & UTF8) !== 0);
  const entry: ZipEntry = {
    name,
    size: extra.size,
    modified: extra.modified || isoDos(data.readUInt16LE(at + 14), data.readUInt16LE(at + 12)),
    encrypted: (flags & (ENCRYPTED | MASKED)) !== 0 || method === AES || extra.aes,
    directory: /[/\\]$/.test(name),
    method,
    crc: data.readUInt32LE(at + 16),
    get packed() {
      return packedBytes(data, origin + extra.offset, extra.packedSize);
    },
    unpack: (max) => (entry.encrypted ? undefined : unpackEntry(entry, max, unpackOther)),
  };
  return entry;
}

function unpackEntry(entry: ZipEntry, max: number, unpackOther: UnpackOther): Unpacked | Promise<Unpacked> {
  const { packed, method, size } = entry;
  if (packed.length === 0) return size === 0 ? packed : undefined;
  if (method === 0) {
    if (packed.length > max) throw new TooLarge();
    return packed;
  }
  if (method === 8) return inflateRaw(packed, max, size);
  if (method === 93) return unzstd(packed, max, size);
  return unpackOther(entry, max);
}

/** The bytes behind the local header; empty if they are missing or cut off. */
function packedBytes(data: Buffer, local: number, size: number): Buffer {
  const none = data.subarray(0, 0);
  if (local + 30 > data.length || data.readUInt32LE(local) !== LOCAL) return none;
  const start = local + 30 + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28);
  return start + size <= data.length ? data.subarray(start, start + size) : none;
}

/** The values of an entry's extra fields; their times are in UTC. */
interface Extra {
  size: number;
  packedSize: number;
  offset: number;
  modified: string;
  aes: boolean;
  name: string | undefined;
}

function readExtra(data: Buffer, sizes: Pick<Extra, 'size' | 'packedSize' | 'offset'>): Extra {
  const extra: Extra = { ...sizes, modified: '', aes: false, name: undefined };
  for (let at = 0; at + 4 <= data.length;) {
    const [id, start] = [data.readUInt16LE(at), at + 4];
    const field = data.subarray(start, start + data.readUInt16LE(at + 2));
    at = start + data.readUInt16LE(at + 2);
    if (id === 0x0001) readZip64(field, extra);
    else if (id === 0x9901) extra.aes = true;
    else if (id === 0x5455 && field.length >= 5 && (field[0]! & 1) === 1) extra.modified = isoSeconds(field.readInt32LE(1));
    else if (id === 0x000a && field.length >= 32 && field.readUInt16LE(4) === 1)
      extra.modified ||= isoSeconds(windowsSeconds(field.readBigUInt64LE(8)));
    else if (id === 0x7075 && field.length > 5) extra.name = field.toString('utf8', 5);
  }
  return extra;
}

/** Reads the values of these three that do not fit into 32 bits, in this order (APPNOTE 4.5.3). */
function readZip64(field: Buffer, extra: Extra): void {
  let at = 0;
  for (const name of ['size', 'packedSize', 'offset'] as const)
    if (extra[name] === 0xffffffff && at + 8 <= field.length) {
      extra[name] = Number(field.readBigUInt64LE(at));
      at += 8;
    }
}

/** UTF-8 where it says so or is so, else the code page of MS-DOS (APPNOTE appendix D). */
function entryName(raw: Buffer, isUtf8: boolean): string {
  const text = raw.toString('utf8');
  return isUtf8 || !text.includes('\uFFFD') ? text : iconv.decode(raw, 'cp437');
}
