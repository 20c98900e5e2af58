import type { FileKind } from './kinds.ts';
import { isTar } from './archives/tar.ts';

/** How a kind of file begins: bytes as latin1, at an offset. The first that fits counts. */
const SIGNATURES: readonly (readonly [FileKind, string, number?])[] = [
  ['zip', 'PK\x03\x04'],
  ['zip', 'PK\x05\x06'],
  // Parts of one that was meant to be split.
  ['zip', 'PK\x07\x08PK'],
  ['zip', 'PK00PK'],
  ['ole', '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'],
  ['7z', '7z\xBC\xAF\x27\x1C'],
  ['rar', 'Rar!\x1A\x07'],
  ['gzip', '\x1F\x8B\x08'],
  ['xz', '\xFD7zXZ\0'],
  ['zstd', '\x28\xB5\x2F\xFD'],
  ['compress', '\x1F\x9D'],
  ['lz4', '\x04\x22\x4D\x18'],
  ['lzip', 'LZIP\x01'],
  ['cab', 'MSCF\0\0\0\0'],
  ['arj', '\x60\xEA'],
  ['ace', '**ACE**', 7],
  ['lha', '-lh', 2],
  ['lha', '-lz', 2],
  ['cpio', '070701'],
  ['cpio', '070702'],
  ['cpio', '070707'],
  ['deb', '!<arch>\ndebian-binary'],
  ['ar', '!<arch>\n'],
  ['xar', 'xar!\0'],
  ['wim', 'MSWIM\0\0\0'],
  ['rpm', '\xED\xAB\xEE\xDB'],
  ['iso', 'CD001', 32_769],
  ['iso', 'BEA01', 32_769],
  ['vhdx', 'vhdxfile'],
  ['vhd', 'conectix'],
  ['tar', 'ustar', 257],
  ['elf', '\x7FELF'],
  ['mach-o', '\xFE\xED\xFA\xCE'],
  ['mach-o', '\xFE\xED\xFA\xCF'],
  ['mach-o', '\xCE\xFA\xED\xFE'],
  ['mach-o', '\xCF\xFA\xED\xFE'],
  ['dex', 'dex\n03'],
  ['browser-extension', 'Cr24'],
  ['flash', 'FWS'],
  ['flash', 'CWS'],
  ['flash', 'ZWS'],
  ['wasm', '\0asm'],
  ['encoded-script', '#@~^'],
  ['shortcut', 'L\0\0\0\x01\x14\x02\0'],
  ['help', 'ITSF\x03\0\0\0'],
  ['access', '\0\x01\0\0Standard Jet DB'],
  ['access', '\0\x01\0\0Standard ACE DB'],
  ['onenote', '\xE4\x52\x5C\x7B\x8C\xD8\xA7\x4D\xAE\xB1\x53\x78\xD0\x29\x96\xD3'],
  ['postscript', '%!PS'],
  ['rtf', '{\\rt'],
  ['tnef', '\x78\x9F\x3E\x22'],
  ['pgp-message', '-----BEGIN PGP '],
  ['sqlite', 'SQLite format 3\0'],
  ['png', '\x89PNG\r\n\x1A\n'],
  ['jpeg', '\xFF\xD8\xFF'],
  ['gif', 'GIF87a'],
  ['gif', 'GIF89a'],
  ['tiff', 'II*\0'],
  ['tiff', 'MM\0*'],
  ['icon', '\0\0\x01\0'],
  ['webp', 'WEBP', 8],
  ['wav', 'WAVE', 8],
  ['avi', 'AVI ', 8],
  ['heif', 'ftyphei', 4],
  ['heif', 'ftypmif', 4],
  ['heif', 'ftypavif', 4],
  ['mp4', 'ftyp', 4],
  ['mp3', 'ID3'],
  ['ogg', 'OggS'],
  ['flac', 'fLaC'],
  ['matroska', '\x1A\x45\xDF\xA3'],
  ['font', 'wOFF'],
  ['font', 'wOF2'],
  ['font', 'OTTO\0'],
  ['font', '\0\x01\0\0\0'],
];

/** A block of bzip2, and the end of an empty stream. */
const BZIP2_BLOCKS = new Set(['1AY&SY', '\x17rE8P\x90']);

const HEAD_BYTES = 1_024;
const BY_START = SIGNATURES.filter(([, , at]) => at === undefined);
const BY_OFFSET = SIGNATURES.filter(([, , at]) => at !== undefined);

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', start, end);

/**
 * The kind of a file by its first bytes; `zip` and `ole` hold many kinds, which the containers themselves tell. `unknown` is binary data of
 * an unknown kind, `text` has no control characters.
 */
export function kindByMagic(bytes: Uint8Array): FileKind {
  if (bytes.length === 0) return 'empty';
  const head = latin1(bytes, 0, HEAD_BYTES);
  if (head.startsWith('MZ')) return isProgram(bytes, head) ? 'exe' : textKind(head);
  if (head.startsWith('\xCA\xFE\xBA\xBE')) return head.charCodeAt(4) === 0 && head.charCodeAt(7) < 0x20 ? 'mach-o' : 'java-class';
  if (/^BZh[1-9]/.test(head) && BZIP2_BLOCKS.has(head.slice(4, 10))) return 'bzip2';
  if (head.startsWith('BM') && head.startsWith('\0\0\0\0', 6)) return 'bmp';
  const found = BY_START.find(([, magic]) => head.startsWith(magic));
  if (found) return found[0];
  for (const [kind, magic, at = 0] of BY_OFFSET) if (latin1(bytes, at, at + magic.length) === magic) return kind;
  if (latin1(bytes, bytes.length - 512, bytes.length - 508) === 'koly') return 'dmg';
  if (latin1(bytes, bytes.length - 512, bytes.length - 504) === 'conectix') return 'vhd';
  // Acrobat takes a PDF whose header stands within its first 1,024 bytes.
  if (head.includes('%PDF-')) return 'pdf';
  return isTar(bytes) ? 'tar' : textKind(head);
}

/** A PE has its own header; what is older still has bytes that no text has. */
function isProgram(bytes: Uint8Array, head: string): boolean {
  if (bytes.length >= 0x40) {
    const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).readUInt32LE(0x3c);
    if (/^(?:PE|NE|LE|LX)/.test(latin1(bytes, at, at + 2))) return true;
  }
  return !isText(head);
}

/** No text in an encoding of bytes has these; UTF-16 says so by its byte order mark. */
function isText(head: string): boolean {
  for (let at = 0; at < head.length; at++) {
    const code = head.charCodeAt(at);
    // Escape begins the shifts of ISO-2022.
    if (code < 0x20 && code !== 0x1b && (code < 0x09 || code > 0x0d)) return false;
  }
  return true;
}

const TEXTS: readonly (readonly [FileKind, RegExp])[] = [
  ['script', /^#!/],
  ['html', /^<(?:!doctype html|html|head|body|script|iframe|meta|title|style|table|div|center|form|svg:svg)[\s>/]/],
  ['svg', /^<svg[\s>]/],
  ['calendar', /^begin:vcalendar\b/],
  ['vcard', /^begin:vcard\b/],
  ['internet-shortcut', /^\[internetshortcut\]/],
  ['registry', /^(?:windows registry editor|regedit4)/],
  [
    'eml',
    /^(?:received|return-path|from|to|subject|date|message-id|mime-version|delivered-to|x-[a-z-]+|dkim-signature|content-type):[^\n]*\n(?:[a-z-]+:|[ \t])/,
  ],
];

function textKind(head: string): FileKind {
  const text = decodedHead(head);
  if (text === undefined) return 'unknown';
  let start = text.trimStart().toLowerCase();
  // The prolog before a root element does not tell the kind.
  const xml = start.startsWith('<?xml');
  for (let prolog = prologEnd(start); prolog > 0; prolog = prologEnd(start)) start = start.slice(prolog).trimStart();
  for (const [kind, pattern] of TEXTS) if (pattern.test(start)) return kind;
  if (start.startsWith('<!doctype svg')) return 'svg';
  return xml ? 'xml' : 'text';
}

/** The end of a comment or a processing instruction at the start of a text; 0 without one. */
function prologEnd(text: string): number {
  const end = text.startsWith('<?') ? '?>' : text.startsWith('<!--') ? '-->' : '';
  const at = end === '' ? -1 : text.indexOf(end);
  return at === -1 ? 0 : at + end.length;
}

/** The head as text, with UTF-16 decoded after its byte order mark; undefined for binary data. */
function decodedHead(head: string): string | undefined {
  if (head.startsWith('\xFF\xFE')) return Buffer.from(head.slice(2), 'latin1').toString('utf16le');
  if (head.startsWith('\xFE\xFF') && head.length % 2 === 0) return Buffer.from(head.slice(2), 'latin1').swap16().toString('utf16le');
  if (!isText(head)) return undefined;
  return head.startsWith('\xEF\xBB\xBF') ? head.slice(3) : head;
}
