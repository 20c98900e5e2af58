import { type ArchiveEntry, type ArchiveListing, isoDos, isoSeconds, TooLarge, type Unpacked, windowsSeconds } from './archive-entry.ts';
import { LibarchiveReader } from './libarchive.ts';
import type { UnpackTime } from './unpack-time.ts';

const MARK_4 = 'Rar!\x1A\x07\0';
const MARK_5 = 'Rar!\x1A\x07\x01\0';

/** A file as its header has it. Headers are neither packed nor, mostly, encrypted: all names are seen whatever is unpacked. */
interface Header extends Omit<ArchiveEntry, 'unpack'> {
  /** Where its packed bytes are, when they are all here and not packed at all. */
  stored: Uint8Array | undefined;
}

/** The entries of a RAR, of version 1.5 to 4 or of version 5. */
export function readRar(bytes: Uint8Array, time: UnpackTime): ArchiveListing & { close(): void } {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isNew = data.toString('latin1', 0, MARK_5.length) === MARK_5;
  const headers = isNew ? headers5(data) : data.toString('latin1', 0, MARK_4.length) === MARK_4 ? headers4(data) : 'encrypted';
  const unpacker = new InOrder(bytes, time);
  const entries = function* (): Generator<ArchiveEntry> {
    if (headers === 'encrypted') return;
    let next = 0;
    for (const { stored, ...header } of headers) {
      const index = next++;
      yield {
        ...header,
        unpack(max) {
          if (header.encrypted || header.directory) return undefined;
          if (!stored) return unpacker.unpack(index, header.size, max);
          if (stored.length > max) throw new TooLarge();
          return stored;
        },
      };
    }
  };
  return { sealed: headers === 'encrypted', entries: entries(), close: () => unpacker.close() };
}

/** Unpacks entries by their number, in their order: libarchive goes through an archive once. */
class InOrder {
  readonly #bytes: Uint8Array;
  readonly #time: UnpackTime;
  #reader: LibarchiveReader | undefined;
  #next = 0;
  #over = false;

  constructor(bytes: Uint8Array, time: UnpackTime) {
    this.#bytes = bytes;
    this.#time = time;
  }

  async unpack(index: number, size: number, max: number): Promise<Unpacked> {
    if (this.#over) return undefined;
    this.#reader ??= await LibarchiveReader.open(this.#bytes, this.#time);
    let entry: ArchiveEntry | undefined;
    for (; this.#next <= index; this.#next++) entry = this.#reader.next();
    if (entry?.size !== size) {
      // It cannot read it, or reads something else.
      this.#over = true;
      return undefined;
    }
    try {
      return await entry.unpack(max);
    } catch (error) {
      // To go on it would have to unpack all the rest of this one.
      this.#over = true;
      throw error;
    }
  }

  close(): void {
    this.#reader?.close();
  }
}

/** Headers of RAR 1.5 to 4 (technote.txt). */
function headers4(data: Buffer): Iterable<Header> | 'encrypted' {
  const main = MARK_4.length;
  if (main + 7 > data.length) return [];
  if (data[main + 2] === 0x73 && (data.readUInt16LE(main + 3) & 0x0080) !== 0) return 'encrypted';
  return walk4(data, main);
}

function* walk4(data: Buffer, first: number): Generator<Header> {
  for (let at = first; at + 7 <= data.length;) {
    const [type, flags, size] = [data[at + 2]!, data.readUInt16LE(at + 3), data.readUInt16LE(at + 5)];
    if (size < 7 || at + size > data.length || type === 0x7b) return;
    const isFile = type === 0x74 && size >= 32;
    const high = isFile && (flags & 0x0100) !== 0 && size >= 40;
    const packed = (flags & 0x8000) !== 0 && size >= 11 ? data.readUInt32LE(at + 7) + (high ? data.readUInt32LE(at + 32) * 2 ** 32 : 0) : 0;
    const next = at + size + packed;
    if (isFile) yield header4(data, { at, flags, end: at + size, next, high });
    at = next;
  }
}

function header4(
  data: Buffer,
  { at, flags, end, next, high }: { at: number; flags: number; end: number; next: number; high: boolean },
): Header {
  const nameStart = at + 32 + (high ? 8 : 0);
  const rawName = data.subarray(nameStart, Math.min(end, nameStart + data.readUInt16LE(at + 26)));
  const encrypted = (flags & 0x0004) !== 0;
  const isWhole = (flags & 0x0003) === 0 && next <= data.length;
  return {
    name: ((flags & 0x0200) !== 0 ? unicodeName4(rawName) : rawName.toString('utf8')).replaceAll('\\', '/'),
    size: data.readUInt32LE(at + 11) + (high ? data.readUInt32LE(at + 36) * 2 ** 32 : 0),
    modified: isoDos(data.readUInt16LE(at + 22), data.readUInt16LE(at + 20)),
    encrypted,
    directory: (flags & 0x00e0) === 0x00e0,
    stored: data[at + 25] === 0x30 && isWhole && !encrypted ? data.subarray(end, next) : undefined,
  };
}

/** A name of bytes, a NUL, and how to make UTF-16 of them. */
function unicodeName4(raw: Buffer): string {
  const nul = raw.indexOf(0);
  if (nul === -1) return raw.toString('utf8');
  const [narrow, code] = [raw.subarray(0, nul), raw.subarray(nul + 1)];
  const units: number[] = [];
  const high = (code[0] ?? 0) << 8;
  let [flags, left] = [0, 0];
  for (let at = 1; at < code.length;) {
    if (left === 0) {
      flags = code[at++]!;
      left = 8;
    }
    left -= 2;
    const kind = (flags >> left) & 3;
    if (kind === 0) units.push(code[at++] ?? 0);
    else if (kind === 1) units.push((code[at++] ?? 0) | high);
    else if (kind === 2) {
      units.push((code[at] ?? 0) | ((code[at + 1] ?? 0) << 8));
      at += 2;
    } else {
      const length = code[at++] ?? 0;
      const isShifted = (length & 0x80) !== 0;
      const shift = isShifted ? (code[at++] ?? 0) : 0;
      for (let count = (length & 0x7f) + 2; count > 0 && units.length < narrow.length; count--)
        units.push(isShifted ? ((narrow[units.length]! + shift) & 0xff) | high : narrow[units.length]!);
    }
  }
  return Buffer.from(Uint16Array.from(units).buffer).toString('utf16le');
}

/** Headers of RAR 5 (https://www.rarlab.com/technote.htm). */
function headers5(data: Buffer): Iterable<Header> | 'encrypted' {
  const first = new Fields(data, MARK_5.length + 4);
  first.number();
  return first.number() === 4 ? 'encrypted' : walk5(data);
}

function* walk5(data: Buffer): Generator<Header> {
  for (let at = MARK_5.length; at + 7 <= data.length;) {
    const fields = new Fields(data, at + 4);
    const size = fields.number();
    const end = fields.at + size;
    if (size === 0 || end > data.length) return;
    const [type, flags] = [fields.number(), fields.number()];
    const extra = (flags & 1) !== 0 ? fields.number() : 0;
    const packed = (flags & 2) !== 0 ? fields.number() : 0;
    if (type === 5) return;
    const next = end + packed;
    const isWhole = (flags & 0x18) === 0 && next <= data.length;
    if (type === 2) yield header5(fields, { data, end, extra, content: isWhole ? data.subarray(end, next) : undefined });
    at = next;
  }
}

function header5(
  fields: Fields,
  { data, end, extra, content }: { data: Buffer; end: number; extra: number; content: Uint8Array | undefined },
): Header {
  const flags = fields.number();
  const size = fields.number();
  fields.number();
  let modified = (flags & 2) !== 0 ? isoSeconds(fields.uint32()) : '';
  if ((flags & 4) !== 0) fields.uint32();
  const packing = fields.number();
  fields.number();
  const nameLength = fields.number();
  const name = data.toString('utf8', fields.at, Math.min(end, fields.at + nameLength));
  let encrypted = false;
  for (const record = new Fields(data, Math.max(fields.at, end - extra)); record.at < end;) {
    const length = record.number();
    const stop = record.at + length;
    if (length === 0 || stop > end) break;
    const type = record.number();
    if (type === 1) encrypted = true;
    if (type === 3) modified = time5(record) || modified;
    record.at = stop;
  }
  const stored = ((packing >> 7) & 7) === 0 && !encrypted ? content : undefined;
  return { name, size, modified, encrypted, directory: (flags & 1) !== 0, stored };
}

/** The record of high-precision times. */
function time5(record: Fields): string {
  const flags = record.number();
  if ((flags & 2) === 0) return '';
  return isoSeconds((flags & 1) !== 0 ? record.uint32() : windowsSeconds(record.uint64()));
}

/** The numbers of RAR 5, one after the other; zeros behind the end. */
class Fields {
  readonly #data: Buffer;
  at: number;

  constructor(data: Buffer, at: number) {
    this.#data = data;
    this.at = at;
  }

  /** Seven bits a byte, the lowest first; at most ten bytes. */
  number(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 70; scale *= 128) {
      const byte = this.#data[this.at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if ((byte & 0x80) === 0) break;
    }
    return value;
  }

  uint32(): number {
    this.at += 4;
    return this.at <= this.#data.length ? this.#data.readUInt32LE(this.at - 4) : 0;
  }

  uint64(): bigint {
    this.at += 8;
    return this.at <= this.#data.length ? this.#data.readBigUInt64LE(this.at - 8) : 0n;
  }
}
