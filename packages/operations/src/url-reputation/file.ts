import { headerValues, type Hop, type Page } from '@vedette/probes/http';
import { type FileKind, kindByMagic } from '@vedette/message/files';
import { looksLikeHtml } from '../shared/pages/looks-like-html.ts';

/** The file at the end of the way, by its name, its type and its first bytes. */
export interface ServedFile {
  /** Extension of the last URL's path, in lower case; empty without one. */
  extension: string;
  /** Media type of the answer, without parameters. */
  headers: string;
  /** The kind by the first bytes; empty without an answer. */
  signature: FileKind | 'apk' | '';
}

const EXTENSION = /\.([a-z0-9]{1,10})$/i;
const PROGRAMS: ReadonlySet<string> = new Set(['exe', 'elf', 'apk', 'mach-o', 'dex']);
/** Extensions and media types of files that do not run. */
const HARMLESS = /^(?:pdf|docx?|xlsx?|pptx?|txt|csv|rtf|odt|ods|jpe?g|png|gif|webp|svg|bmp|ico|mp3|mp4|avi|mov|html?|php|css|json|xml)$/;
const HARMLESS_TYPE = /^(?:image|audio|video|text)\/|^application\/(?:pdf|msword|json|xml|rtf|vnd\.(?:openxmlformats|oasis|ms-))/;

export function servedFile({ location, head }: Hop, page: Page): ServedFile {
  const extension = EXTENSION.exec(location.pathname.split('/').at(-1) ?? '')?.[1]?.toLowerCase() ?? '';
  if (!head) return { extension, headers: '', signature: '' };
  const type = (headerValues(head, 'content-type')[0] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return { extension, headers: type, signature: looksLikeHtml(head, page) ? htmlOr(page.body) : kindOf(page.body) };
}

/** A page is HTML whatever it begins with, unless it begins as a program. */
function htmlOr(body: Uint8Array): ServedFile['signature'] {
  const kind = kindOf(body);
  return PROGRAMS.has(kind) ? kind : 'html';
}

/** An archive with a manifest of Android is a package of it. */
function kindOf(body: Uint8Array): FileKind | 'apk' {
  const kind = kindByMagic(body);
  return kind === 'zip' && Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('AndroidManifest.xml') ? 'apk' : kind;
}

export const isProgram = ({ signature }: ServedFile): boolean => PROGRAMS.has(signature);

/** The disguise of a program, such as `exe as .pdf`; empty for a program that is named as one, and for other files. */
export function maskOf(file: ServedFile): string {
  if (!isProgram(file)) return '';
  if (HARMLESS.test(file.extension)) return `${file.signature} as .${file.extension}`;
  return HARMLESS_TYPE.test(file.headers) ? `${file.signature} as ${file.headers}` : '';
}
