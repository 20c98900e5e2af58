import type { Contained } from './office.ts';
import type { FileKind } from './kinds.ts';
import type { ZipEntry } from './zip.ts';

/** So many entries say of what kind a ZIP is; no package begins with more of something else. */
const LOOKED_AT_MAX = 2_000;
const MANIFEST_MAX_BYTES = 1024 * 1024;

/** Kinds by an entry that only they have, the first that fits. */
const BY_ENTRY: readonly (readonly [FileKind, string])[] = [
  ['docx', 'word/document.xml'],
  ['docx', 'word/document2.xml'],
  ['xlsx', 'xl/workbook.xml'],
  ['xlsx', 'xl/workbook.bin'],
  ['pptx', 'ppt/presentation.xml'],
  ['vsdx', 'visio/document.xml'],
  ['xps', 'fixeddocseq.fdseq'],
  ['xps', 'fixeddocumentsequence.fdseq'],
  ['iwork', 'index/document.iwa'],
  ['iwork', 'index.zip'],
  ['apk', 'androidmanifest.xml'],
  ['appx', 'appxmanifest.xml'],
  ['appx', 'appxmetadata/appxbundlemanifest.xml'],
  ['jar', 'meta-inf/manifest.mf'],
];

/** Kinds by the media type that is the first entry (ODF 1.3 part 2 §3.3, EPUB OCF §4.3). */
const BY_MEDIA_TYPE: readonly (readonly [FileKind, string])[] = [
  ['odt', 'application/vnd.oasis.opendocument.text'],
  ['ods', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['odp', 'application/vnd.oasis.opendocument.presentation'],
  ['odf', 'application/vnd.oasis.opendocument.'],
  ['epub', 'application/epub+zip'],
];

/** Macros of Office and of OpenDocument, and sheets of Excel 4 macros. */
const MACROS = /(?:^|\/)vbaproject\.bin$|^xl\/macrosheets\/|^basic\/.*\/[^/]*\.xml$|^scripts\/(?:python|javascript|beanshell)\//;

/** Tells of which kind a ZIP is; `zip` where it is no package of something else. */
export async function judgePackage(entries: Iterable<ZipEntry>): Promise<Contained> {
  const names = new Set<string>();
  let [mediaType, manifest] = ['', ''];
  for (const entry of entries) {
    // Office takes either slash and any case.
    const name = entry.name.replaceAll('\\', '/').toLowerCase();
    if (name === 'mimetype' && names.size === 0) mediaType = await textOf(entry, 256);
    if (name === 'meta-inf/manifest.xml' && mediaType !== '') manifest = await textOf(entry, MANIFEST_MAX_BYTES);
    names.add(name);
    if (names.size >= LOOKED_AT_MAX) break;
  }
  const kind =
    BY_MEDIA_TYPE.find(([, type]) => mediaType.startsWith(type))?.[0] ?? BY_ENTRY.find(([, name]) => names.has(name))?.[0] ?? 'zip';
  return {
    kind,
    // Of an encrypted OpenDocument the manifest is plain: each file's key is derived as it says, or that of the one package within.
    encrypted: /[:<]encryption-data\b|"encrypted-package"/.test(manifest),
    risky: kind !== 'zip' && [...names].some((name) => MACROS.test(name)),
  };
}

async function textOf(entry: ZipEntry, max: number): Promise<string> {
  try {
    return Buffer.from((await entry.unpack(max)) ?? []).toString('latin1');
  } catch {
    return '';
  }
}
