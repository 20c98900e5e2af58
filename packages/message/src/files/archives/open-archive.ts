import { type ArchiveEntry, type ArchiveListing, isoSeconds, TooLarge, type Unpacked } from './archive-entry.ts';
import { gunzip, unzstd } from './inflate.ts';
import type { FileKind } from '../kinds.ts';
import { LibarchiveReader, otherMethods, unpackStream } from './libarchive.ts';
import type { ArchiveBudget } from './quota.ts';
import { readRar } from './rar.ts';
import { readNames, type StarredNames } from './seven-zip.ts';
import type { UnpackTime } from './unpack-time.ts';
import { isTar, readTar } from './tar.ts';
import { readZip } from './zip.ts';

export interface OpenArchive extends ArchiveListing {
  /** Every entry is unpacked on the way to the next one: where one is not unpacked, the rest is not asked for. */
  inSequence: boolean;
  close(): void;
}

/** Kinds that are opened by libarchive; other kinds are recognised, but their entries are not read. */
const BY_LIBARCHIVE = new Set<FileKind>(['cab', 'lha', 'cpio', 'ar', 'iso', 'compress', 'lzip']);
const STREAMS = { gzip: true, bzip2: true, xz: true, zstd: true };
type StreamKind = keyof typeof STREAMS;

const isStream = (kind: FileKind): kind is StreamKind => kind in STREAMS;

/** Opens an archive of a kind; undefined where that kind is not opened, or nothing can be read. `budget` pays for what has to be unpacked to see it. */
export async function openArchive(
  file: { kind: FileKind; name: string; content: Uint8Array },
  budget: ArchiveBudget,
): Promise<OpenArchive | undefined> {
  const { kind, content } = file;
  const { time } = budget.quota;
  const plain = (entries: Iterable<ArchiveEntry>): OpenArchive => ({ sealed: false, entries, inSequence: false, close: () => undefined });
  if (kind === 'zip') {
    const entries = readZip(content, otherMethods(time));
    return entries ? plain(entries) : openInSequence(content, time);
  }
  if (kind === 'rar') return { ...readRar(content, time), inSequence: false };
  if (kind === 'tar') return plain(readTar(content));
  if (isStream(kind)) return plain(await streamEntries(kind, file, budget));
  if (kind === '7z') return openInSequence(content, time, await readNames(content, time));
  return BY_LIBARCHIVE.has(kind) ? openInSequence(content, time) : undefined;
}

/** `names` are those that the archive has, where libarchive gives stars for what is not ASCII. */
async function openInSequence(content: Uint8Array, time: UnpackTime, names?: StarredNames): Promise<OpenArchive> {
  const reader = await LibarchiveReader.open(content, time);
  const first = reader.next();
  const entries = function* (): Generator<ArchiveEntry> {
    for (let entry = first; entry; entry = reader.next()) yield names ? { ...entry, name: names.of(entry.name) } : entry;
  };
  return { sealed: !first && reader.encrypted, entries: entries(), inSequence: true, close: () => reader.close() };
}

/** The entries of a compressed stream: the files of a tar, else the one compressed file. */
async function streamEntries(
  kind: StreamKind,
  file: { name: string; content: Uint8Array },
  budget: ArchiveBudget,
): Promise<Iterable<ArchiveEntry>> {
  const only: ArchiveEntry = {
    ...(kind === 'gzip' ? gzipHeader(file.content) : { size: 0, modified: '' }),
    name: (kind === 'gzip' && gzipName(file.content)) || file.name.replace(/^.*[/\\]/, '').replace(/\.(?:gz|gzip|bz2?|xz|zst|z)$/i, ''),
    encrypted: false,
    directory: false,
    unpack: () => undefined,
  };
  let unpacked: Unpacked;
  try {
    unpacked = await unpackAny(kind, file.content, budget, only.size);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    budget.spend(budget.left);
    budget.exceeded();
  }
  if (!unpacked) return [only];
  budget.spend(unpacked.length);
  if (isTar(unpacked)) return readTar(unpacked);
  return [{ ...only, size: unpacked.length, unpack: () => unpacked }];
}

async function unpackAny(kind: StreamKind, content: Uint8Array, { left: max, quota }: ArchiveBudget, expected: number): Promise<Unpacked> {
  if (kind === 'gzip') return gunzip(content, max, expected);
  if (kind === 'zstd') return unzstd(content, max, expected);
  return unpackStream(kind, content, { max, time: quota.time });
}

/** The file's time and size by gzip (RFC 1952 §2.3); the size is at the end of the stream. */
function gzipHeader(content: Uint8Array): Pick<ArchiveEntry, 'size' | 'modified'> {
  const data = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (data.length < 18) return { size: 0, modified: '' };
  return { size: data.readUInt32LE(data.length - 4), modified: isoSeconds(data.readUInt32LE(4)) };
}

/** FNAME, in latin1 by the standard and in UTF-8 in fact; empty where it is not noted. */
function gzipName(content: Uint8Array): string {
  const flags = content[3] ?? 0;
  if ((flags & 0x08) === 0) return '';
  const data = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const start = (flags & 0x04) !== 0 && data.length > 12 ? 12 + data.readUInt16LE(10) : 10;
  const end = data.indexOf(0, start);
  return end === -1 || end - start > 4_096 ? '' : data.toString('utf8', start, end).replace(/^.*[/\\]/, '');
}
