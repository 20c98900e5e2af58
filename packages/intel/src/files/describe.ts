import { hash } from 'node:crypto';
import type { EmlReport } from '@vedette/contract';
import { isActiveText, isArchiveExtension, isDocumentExtension, isRiskyExtension } from './extensions.ts';
import { extensionOf, shownName } from './file-name.ts';
import { type FileKind, traitsOf } from './kinds.ts';
import { kindByMagic } from './magic.ts';
import type { FileQuota } from './quota.ts';

type AttachedFile = EmlReport['attachments']['files'][number];
type ExtractedFile = AttachedFile['extracted_files'][number];

/** What stands in the report of a file, attached or extracted. */
export type FileFields = Omit<ExtractedFile, 'last_modified_at'>;

export interface Extracted extends ExtractedFile {
  kind: FileKind;
  /** Of text, where it is small: to look for URLs in. */
  content?: Uint8Array;
}

export interface Described extends FileFields {
  kind: FileKind;
  /** What is in it, in its order; of what is in archives in it, the path leads through them. */
  extracted: Extracted[];
}

export interface FileToDescribe {
  /** As the message calls it; empty where it does not. */
  name: string;
  /** The media type of the message, in lower case without parameters. */
  type: string;
  content: Uint8Array;
  /** Of the whole message. */
  quota: FileQuota;
}

/** What a file is by its name and its content, and what is in it. Never throws: what cannot be read is described by its name. */
export async function describeFile({ name, content }: FileToDescribe): Promise<Described> {
  const kind = kindByMagic(content);
  return { ...fileFields(name, content, kind), kind, extracted: [] };
}

function fileFields(name: string, content: Uint8Array, kind: FileKind): FileFields {
  const traits = traitsOf(kind);
  const extension = extensionOf(name) || traits.extension;
  return {
    name: shownName(name),
    extension,
    md5_hash: hash('md5', content),
    sha256_hash: hash('sha256', content),
    size: content.length,
    is_risky_extension: traits.risky === true || isRiskyExtension(extension) || isActiveText(extension),
    is_document: traits.document === true || isDocumentExtension(extension),
    is_archive: traits.archive === true || isArchiveExtension(extension),
    is_archive_encrypted: false,
  };
}
