import { hash } from 'node:crypto';
import type { EmlReport } from '../report/index.ts';
import { isActive } from './documents/active-content.ts';
import { type ArchiveEntry, TooLarge, type Unpacked } from './archives/archive-entry.ts';
import { CompoundFile } from './documents/compound-file.ts';
import { isActiveText, isArchiveExtension, isDocumentExtension, isRiskyExtension } from './extensions.ts';
import { extensionOf, shownName } from './file-name.ts';
import { type FileKind, traitsOf } from './kinds.ts';
import { otherMethods } from './archives/libarchive.ts';
import { kindByMagic } from './magic.ts';
import { type Contained, judgeCompound } from './documents/office.ts';
import { openArchive } from './archives/open-archive.ts';
import { isPackage, judgePackage } from './package.ts';
import { isPdfSealed } from './documents/pdf.ts';
import { ArchiveBudget, type FileQuota } from './archives/quota.ts';
import { readTnef } from './documents/tnef.ts';
import { readZip } from './archives/zip.ts';

type AttachedFile = EmlReport['attachments']['files'][number];
export type ExtractedFile = AttachedFile['extracted_files'][number];

/** The fields of a file in the report, attached or extracted. */
export type FileFields = Omit<ExtractedFile, 'last_modified_at' | 'depth'>;

export interface Extracted extends ExtractedFile {
  kind: FileKind;
  /** The text of a small file of text: to look for URLs in. */
  content?: Uint8Array;
}

export interface Described extends FileFields {
  kind: FileKind;
  /** The files in it, in its order; the path of a file in a nested archive leads through that archive. */
  extracted: Extracted[];
}

export interface FileToDescribe {
  /** Its name in the message; empty without one. */
  name: string;
  /** The media type of the message, in lower case without parameters. */
  type: string;
  content: Uint8Array;
  /** The quota of the whole message. */
  quota: FileQuota;
}

/** Archives in archives are opened, what is in them is not. */
const ARCHIVE_LEVELS = 2;
const LOOKED_AT_MAX = 16;
/** Parts of one document, which are passed over by their names. */
const PARTS_MAX = 20_000;

/** Kinds that anything may hide in, so that the name's word counts too. */
const VAGUE = new Set<FileKind>(['unknown', 'empty', 'text', 'html', 'xml', 'ole']);
const TEXTS = new Set<FileKind>(['text', 'html', 'svg', 'xml', 'calendar', 'vcard', 'eml', 'internet-shortcut', 'script']);
const KEPT_MAX_BYTES = 256 * 1024;

/** Describes a file by its name and content, with the files in it. Never throws: an unreadable file is described by its name. */
export async function describeFile({ name, type, content, quota }: FileToDescribe): Promise<Described> {
  const contained = await judge(name, content, quota);
  const described: Described = { ...fileFields(name, content, contained, type), kind: contained.kind, extracted: [] };
  const opening: Opening = { budget: quota.archive(content.length), quota, found: described.extracted, path: '', levels: ARCHIVE_LEVELS };
  if (contained.kind === 'tnef') {
    for (const file of readTnef(content).files) await addExtracted({ ...file, unpacked: file.content, size: file.content.length }, opening);
    return described;
  }
  await openFile({ name, content, contained, fields: described }, opening);
  return described;
}

interface Opening {
  budget: ArchiveBudget;
  quota: FileQuota;
  /** Where what is extracted is listed. */
  found: Extracted[];
  /** The archive within the one that is attached, with a slash; empty for that one itself. */
  path: string;
  /** Archives that may still be opened, one in the other. */
  levels: number;
}

interface FileToOpen {
  name: string;
  content: Uint8Array;
  contained: Contained;
  /** Learn what opening it shows. */
  fields: FileFields;
}

/** Lists what is in a file that is an archive, or in a document and no part of it. */
async function openFile({ name, content, contained, fields }: FileToOpen, opening: Opening): Promise<void> {
  const { kind, isPart } = isPackage(contained.kind) ? asZip(name, contained) : contained;
  const archive = await openArchive({ name, kind, content }, opening.budget);
  if (!archive) return;
  const entries = isPart === undefined ? archive.entries : strangers(archive.entries, isPart, opening.quota);
  let encrypted = archive.sealed;
  let looked = 0;
  try {
    for (const entry of entries) {
      fields.is_archive = true;
      // The innermost archive is only tested for encryption, and a few entries are enough for that.
      const isInnermost = opening.levels === 0;
      if (isInnermost ? ++looked > LOOKED_AT_MAX : !opening.quota.entry()) break;
      encrypted ||= entry.encrypted;
      if (isInnermost && !entry.directory) opening.quota.limits.add('depth');
      if (isInnermost && (encrypted || archive.inSequence)) break;
      if (isInnermost || entry.directory) continue;
      const unpacked = await unpack(entry, opening.budget);
      if (!(await addExtracted({ ...entry, ...unpacked }, opening))) break;
      if (unpacked.isTooLarge && archive.inSequence) break;
    }
  } finally {
    archive.close();
    fields.is_archive_encrypted ||= encrypted;
  }
}

/** Windows opens a package that is called .zip as a folder, whatever is in it. Programs and apps are not opened under their own names: that they run is told. */
function asZip(name: string, { kind, isPart }: Contained): Pick<Contained, 'kind' | 'isPart'> {
  if (isArchiveExtension(extensionOf(name))) return { kind: 'zip' };
  return isPart === undefined ? { kind } : { kind: 'zip', isPart };
}

/** The entries of a document that are not parts of it. */
function* strangers(entries: Iterable<ArchiveEntry>, isPart: (name: string) => boolean, quota: FileQuota): Generator<ArchiveEntry> {
  let parts = 0;
  for (const entry of entries) {
    if (!entry.directory && !isPart(entry.name)) yield entry;
    else if (++parts > PARTS_MAX) {
      quota.limits.add('archive_entries');
      return;
    }
  }
}

/** Unpacks an entry within the budget. */
async function unpack(entry: ArchiveEntry, budget: ArchiveBudget): Promise<{ unpacked: Unpacked; isTooLarge: boolean }> {
  const max = budget.left;
  try {
    const unpacked = await entry.unpack(max);
    budget.spend(unpacked?.length ?? 0);
    return { unpacked, isTooLarge: false };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    budget.spend(max);
    budget.exceeded();
    return { unpacked: undefined, isTooLarge: true };
  }
}

/** Lists one file out of another, and what is in it; false where no more may be listed. */
async function addExtracted(
  file: { name: string; modified: string; size: number; unpacked: Unpacked },
  opening: Opening,
): Promise<boolean> {
  const { quota, found, path, levels } = opening;
  if (!quota.file()) return false;
  const name = `${path}${file.name}`;
  const { unpacked } = file;
  const contained: Contained = unpacked ? await judge(name, unpacked, quota) : { kind: 'unknown', encrypted: false, risky: false };
  const fields = unpacked ? fileFields(name, unpacked, contained, '') : unreadFields(name, file.size);
  const extracted: Extracted = { ...fields, depth: ARCHIVE_LEVELS - levels + 1, last_modified_at: file.modified, kind: contained.kind };
  found.push(extracted);
  if (!unpacked) return true;
  if (TEXTS.has(contained.kind) && unpacked.length <= KEPT_MAX_BYTES && quota.keep(unpacked.length)) extracted.content = unpacked;
  await openFile({ name, content: unpacked, contained, fields: extracted }, { ...opening, path: `${name}/`, levels: levels - 1 });
  return true;
}

/**
 * Returns the kind of a file by its content. The name matters for ZIP only: programs open a file named `.zip` by the directory at its end,
 * whatever comes before its first entry. They also do so with a file of an unknown kind.
 */
async function judge(name: string, content: Uint8Array, { time }: FileQuota): Promise<Contained> {
  const kind = kindByMagic(content);
  if (kind === 'ole') return judgeCompound(new CompoundFile(content));
  if (kind === 'zip') return judgePackage(readZip(content, otherMethods(time)) ?? []);
  const entries = kind === 'unknown' || extensionOf(name) === 'zip' ? readZip(content, otherMethods(time)) : undefined;
  if (entries) return judgePackage(entries);
  return { kind, encrypted: kind === 'pdf' && isPdfSealed(content), risky: false };
}

function fileFields(name: string, content: Uint8Array, { kind, encrypted, risky }: Contained, type: string): FileFields {
  const traits = traitsOf(kind);
  const extension = extensionOf(name) || traits.extension;
  const mayBeActive = kind === 'html' || kind === 'svg' || isActiveText(extension) || type === 'text/html' || type === 'image/svg+xml';
  return {
    name: shownName(name),
    extension,
    md5_hash: hash('md5', content),
    sha256_hash: hash('sha256', content),
    size: content.length,
    is_risky_extension: risky || traits.risky === true || isRiskyExtension(extension) || (mayBeActive && isActive(content)),
    is_document: traits.document ?? (VAGUE.has(kind) && isDocumentExtension(extension)),
    is_archive: traits.archive ?? ((kind === 'unknown' || isPackage(kind)) && isArchiveExtension(extension)),
    is_archive_encrypted: encrypted,
  };
}

/** The fields of an unreadable file, by its name. */
function unreadFields(name: string, size: number): FileFields {
  const extension = extensionOf(name);
  return {
    name: shownName(name),
    extension,
    md5_hash: '',
    sha256_hash: '',
    size,
    is_risky_extension: isRiskyExtension(extension) || isActiveText(extension),
    is_document: isDocumentExtension(extension),
    is_archive: isArchiveExtension(extension),
    is_archive_encrypted: false,
  };
}
