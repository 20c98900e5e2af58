import { hash } from 'node:crypto';
import type { CompoundFile } from './compound-file.ts';
import type { FileKind } from '../kinds.ts';
import { md5, rc4 } from './old-ciphers.ts';

/** The content of a container. */
export interface Contained {
  kind: FileKind;
  /** A document that asks for a password where it is opened. */
  encrypted: boolean;
  /** Macros, of whatever age. */
  risky: boolean;
  /** Whether an entry of that name, as it is written, is a part of the document; only of a document that is a ZIP. */
  isPart?: (name: string) => boolean;
}

/** How the class identifiers of packages, patches and transforms of the Windows Installer begin, {000C1084-0000-0000-C000-000000000046} and its like. */
const INSTALLERS = new Set(['84100c00', '86100c00', '82100c00']);

/** Kinds of compound files by what stands at their root, the first that fits. */
const BY_NAME: readonly (readonly [FileKind, string])[] = [
  ['encrypted-office', 'EncryptedPackage'],
  ['doc', 'WordDocument'],
  ['xls', 'Workbook'],
  ['xls', 'Book'],
  ['ppt', 'PowerPoint Document'],
  ['msg', '__properties_version1.0'],
  ['visio', 'VisioDocument'],
  ['publisher', 'Quill'],
  ['hwp', 'HwpSummaryInformation'],
  ['hwp', '\x05HwpSummaryInformation'],
];

/** Tells of which kind a compound file is, whether it asks for a password and has macros. */
export function judgeCompound(file: CompoundFile): Contained {
  const isInstaller = INSTALLERS.has(file.classId.slice(0, 8)) && file.classId.endsWith('c000000000000046');
  const kind = isInstaller ? 'msi' : (BY_NAME.find(([, name]) => file.root.has(name))?.[0] ?? 'ole');
  const sheets = kind === 'xls' ? readWorkbook(file) : undefined;
  const encrypted =
    kind === 'encrypted-office' ||
    (kind === 'doc' && isWordEncrypted(file)) ||
    (kind === 'ppt' && isShowEncrypted(file)) ||
    (sheets?.filePass !== undefined && !opensByItself(sheets.filePass));
  return { kind, encrypted, risky: file.has('_VBA_PROJECT') || (sheets?.hasMacroSheet ?? false) };
}

/** FibBase.fEncrypted ([MS-DOC] 2.5.2). */
function isWordEncrypted(file: CompoundFile): boolean {
  const fib = file.stream('WordDocument', 12);
  return fib.length === 12 && (fib.readUInt16LE(10) & 0x0100) !== 0;
}

/** CurrentUserAtom.headerToken ([MS-PPT] 2.3.2). */
function isShowEncrypted(file: CompoundFile): boolean {
  const user = file.stream('Current User', 16);
  return file.root.has('EncryptedSummary') || (user.length === 16 && user.readUInt32LE(12) === 0xf3d1c4df);
}

/** The part of a workbook's globals that names its sheets. */
const GLOBALS_MAX_BYTES = 1024 * 1024;
const [FILE_PASS, BOUND_SHEET, END] = [0x002f, 0x0085, 0x000a];

interface Workbook {
  /** The record that says how it is encrypted. */
  filePass?: Buffer;
  /** A sheet of Excel 4 macros. */
  hasMacroSheet: boolean;
}

/** The records of a workbook's globals ([MS-XLS] 2.4); those before the record of encryption, and its headers, are plain. */
function readWorkbook(file: CompoundFile): Workbook {
  const data = file.stream(file.root.has('Workbook') ? 'Workbook' : 'Book', GLOBALS_MAX_BYTES);
  const workbook: Workbook = { hasMacroSheet: false };
  for (let at = 0; at + 4 <= data.length;) {
    const [type, start, end] = [data.readUInt16LE(at), at + 4, at + 4 + data.readUInt16LE(at + 2)];
    if (type === END) break;
    if (type === FILE_PASS) workbook.filePass = data.subarray(start, end);
    // In encrypted workbooks only the offset of a sheet is plain.
    if (type === BOUND_SHEET && !workbook.filePass && data[start + 5] === 1) workbook.hasMacroSheet = true;
    at = end;
  }
  return workbook;
}

/** Excel tries this password before it asks for one: it is what workbooks have whose structure alone is protected. */
const DEFAULT_PASSWORD = Buffer.from('VelvetSweatshop', 'utf16le');
/** Key and verifier of that password in XOR obfuscation ([MS-OFFCRYPTO] 2.3.7). */
const DEFAULT_XOR = '59b30a9a';

function opensByItself(filePass: Buffer): boolean {
  if (filePass.length < 6) return false;
  if (filePass.readUInt16LE(0) === 0) return filePass.toString('hex', 2, 6) === DEFAULT_XOR;
  return filePass.readUInt16LE(2) === 1 ? opensRc4(filePass.subarray(6)) : opensCryptoApi(filePass.subarray(6));
}

const sha1 = (...parts: Uint8Array[]): Buffer => hash('sha1', Buffer.concat(parts), 'buffer');
const FIRST_BLOCK = Buffer.alloc(4);

/** [MS-OFFCRYPTO] 2.3.6.2: salt, verifier and the verifier's hash, 16 bytes each. */
function opensRc4(header: Buffer): boolean {
  if (header.length < 48) return false;
  const salted = Buffer.concat([md5(DEFAULT_PASSWORD).subarray(0, 5), header.subarray(0, 16)]);
  const key = md5(md5(...Array.from({ length: 16 }, () => salted)).subarray(0, 5), FIRST_BLOCK);
  const plain = rc4(key, header.subarray(16, 48));
  return md5(plain.subarray(0, 16)).equals(plain.subarray(16));
}

/** [MS-OFFCRYPTO] 2.3.5: a header of its own length, the salt and its length, the verifier, its hash and that one's length. */
function opensCryptoApi(info: Buffer): boolean {
  if (info.length < 8) return false;
  const verifier = info.subarray(8 + info.readUInt32LE(4));
  if (verifier.length < 60 || info.length < 28) return false;
  const key = sha1(sha1(verifier.subarray(4, 20), DEFAULT_PASSWORD), FIRST_BLOCK).subarray(0, 16);
  const bits = info.readUInt32LE(8 + 16) || 40;
  const used = Buffer.concat([key.subarray(0, Math.min(16, Math.max(5, bits / 8))), Buffer.alloc(16)]).subarray(
    0,
    bits <= 40 ? 16 : Math.min(16, bits / 8),
  );
  const plain = rc4(used, Buffer.concat([verifier.subarray(20, 36), verifier.subarray(40, 60)]));
  return sha1(plain.subarray(0, 16)).equals(plain.subarray(16));
}
