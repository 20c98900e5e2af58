import { type ArchiveEntry, isoSeconds, TooLarge } from './archive-entry.ts';

const BLOCK = 512;
/** Longer names and pax records are cut off; their rest is not needed. */
const EXTENSION_BYTES_MAX = 64 * 1024;

/** The fields of the records before an entry (POSIX pax, GNU). */
interface Extensions {
  path?: string;
  size?: number;
  mtime?: number;
}

/** Whether a file begins with a header of tar, of whatever age: its checksum holds. */
export function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= BLOCK && bytes[0] !== 0 && checksumHolds(view(bytes), 0);
}

/** The entries of a tar (POSIX ustar and pax, GNU, V7); what they unpack to is a view of it. */
export function* readTar(bytes: Uint8Array): Generator<ArchiveEntry> {
  const data = view(bytes);
  let extensions: Extensions = {};
  for (let at = 0; at + BLOCK <= data.length;) {
    if (!checksumHolds(data, at)) return;
    const size = extensions.size ?? number(data, at + 124, 12);
    const start = at + BLOCK;
    const type = String.fromCharCode(data[at + 156]!);
    at = start + Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'x' || type === 'L') {
      Object.assign(extensions, readExtension(data.subarray(start, start + Math.min(size, EXTENSION_BYTES_MAX)), type));
      continue;
    }
    if (isFile(type) || type === '5') yield entryOf(data, start, size, type, extensions);
    extensions = {};
  }
}

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Ordinary ones, those of V7, and contiguous ones; hard links have no content of their own. */
const isFile = (type: string): boolean => type === '0' || type === '\0' || type === '7';

function entryOf(data: Buffer, start: number, size: number, type: string, { path, mtime }: Extensions): ArchiveEntry {
  const header = start - BLOCK;
  const prefix = data.toString('latin1', header + 257, header + 262) === 'ustar' ? text(data, header + 345, 155) : '';
  const name = path ?? [prefix, text(data, header, 100)].filter((part) => part !== '').join('/');
  return {
    name,
    size: type === '5' ? 0 : size,
    modified: isoSeconds(mtime ?? number(data, header + 136, 12)),
    encrypted: false,
    directory: type === '5' || name.endsWith('/'),
    unpack(max) {
      if (start + size > data.length) return undefined;
      if (size > max) throw new TooLarge();
      return data.subarray(start, start + size);
    },
  };
}

function readExtension(record: Buffer, type: string): Extensions {
  if (type === 'L') return { path: text(record, 0, record.length) };
  const found: Extensions = {};
  // Lines of "length keyword=value\n", whose length counts all of it.
  for (let at = 0; at < record.length;) {
    const blank = record.indexOf(' ', at);
    const length = blank === -1 ? 0 : Number(record.toString('latin1', at, Math.min(blank, at + 8)));
    if (!(length > 0)) break;
    const line = record.toString('utf8', blank + 1, at + length - 1);
    const [keyword, value] = [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)];
    if (keyword === 'path') found.path = value;
    if (keyword === 'size' && /^\d{1,15}$/.test(value)) found.size = Number(value);
    if (keyword === 'mtime') found.mtime = Number(value);
    at += length;
  }
  return found;
}

/** Up to the first NUL. */
function text(data: Buffer, at: number, length: number): string {
  const end = data.subarray(at, at + length).indexOf(0);
  return data.toString('utf8', at, end === -1 ? at + length : at + end);
}

/** Reads octal digits, or a binary number if the high bit is set (GNU); 0 for other bytes, so that the walk never goes back. */
function number(data: Buffer, at: number, length: number): number {
  if ((data[at]! & 0x80) !== 0) return Number(data.readBigUInt64BE(at + length - 8));
  const digits = /^[\0 ]*([0-7]+)/.exec(data.toString('latin1', at, at + length))?.[1] ?? '0';
  return Number.parseInt(digits, 8);
}

/** The sum of the header's bytes, with blanks where the sum stands. */
function checksumHolds(data: Buffer, at: number): boolean {
  let sum = 8 * 0x20;
  for (let i = 0; i < BLOCK; i++) if (i < 148 || i >= 156) sum += data[at + i]!;
  // Zeros, which end an archive, are of no sum.
  return sum > 8 * 0x20 && sum === number(data, at + 148, 8);
}
