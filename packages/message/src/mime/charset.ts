import { BoundedMap } from '@vedette/contract';
import iconv from 'iconv-lite';
import { decodeUtf7, eucOfKorean, gbOfHz, withoutIdleShifts } from './seven-bit.ts';

/** Labels that say nothing of what the bytes are. */
const SILENT = new Set([
  '',
  'us-ascii',
  'ascii',
  'ansi_x3.4-1968',
  'iso646-us',
  'unknown-8bit',
  'x-unknown',
  'unknown',
  'default',
  'binary',
  '8bit',
  '7bit',
]);

/** Common labels, and the decoders' names for them. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['utf8mb4', 'utf-8'],
  ['x-utf-8', 'utf-8'],
  ['unicode-1-1-utf-7', 'utf-7'],
  ['x-unicode-2-0-utf-7', 'utf-7'],
  ['iso-2022-jp-1', 'iso-2022-jp'],
  ['iso-2022-jp-2', 'iso-2022-jp'],
  ['iso-2022-jp-ms', 'iso-2022-jp'],
  ['cp50220', 'iso-2022-jp'],
  ['cp50221', 'iso-2022-jp'],
  ['cp932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
]);

/** Charsets that ICU has only without their extensions, by iconv-lite's full version. */
const EXTENDED: Readonly<Record<string, string>> = { 'euc-kr': 'cp949', big5: 'big5hkscs' };

const LABEL_MAX_CHARS = 40;
const DECODERS_MAX = 500;
/** The standard looks for a `meta` in half of it. */
const HTML_HEAD_BYTES = 2_048;
const META = /<meta[^>]{1,300}?charset\s{0,9}=\s{0,9}["']?([\w:-]{1,40})/i;

/**
 * Decodes bytes by the label of their charset. Undefined if the charset is unknown, if it says nothing (us-ascii), and if it is UTF-8 with
 * invalid bytes and without a valid character beyond ASCII. Linear, never throws.
 */
export function decodeCharset(bytes: Uint8Array, label: string): string | undefined {
  const plain = label.trim().toLowerCase().replaceAll(/["']/g, '');
  const name = ALIASES.get(plain) ?? plain;
  if (SILENT.has(name) || name.length > LABEL_MAX_CHARS) return undefined;
  const sevenBit = SEVEN_BIT.get(name);
  if (sevenBit) return sevenBit(bytes);
  const decoder = decoderOf(name);
  const rare = decoder ? EXTENDED[decoder.encoding] : isKnown(name) ? name : undefined;
  if (rare !== undefined) return iconv.decode(Buffer.from(bytes), rare);
  const text = decoder?.decode(decoder.encoding === 'iso-2022-jp' ? withoutIdleShifts(bytes) : bytes);
  return text === undefined || (decoder?.encoding === 'utf-8' && isNoUtf8(text)) ? undefined : text;
}

/** The text by the charset that is declared; where that says nothing, UTF-8 if it is that, else windows-1252. */
export function decodeText(bytes: Uint8Array, label = ''): string {
  const text = decodeCharset(bytes, label);
  if (text !== undefined) return text;
  const guess = UTF8.decode(bytes);
  return guess.includes('\ufffd') ? WINDOWS_1252.decode(bytes) : guess;
}

/** The charset that a byte order mark tells, which is right whatever is declared (WHATWG Encoding §6). */
export function charsetOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

/** The charset that an HTML's `meta` tells. */
export function charsetOfHtml(bytes: Uint8Array): string | undefined {
  const label = META.exec(Buffer.from(bytes.subarray(0, HTML_HEAD_BYTES)).toString('latin1'))?.[1];
  return label?.toLowerCase().startsWith('utf-16') ? 'utf-8' : label; // The label itself was readable, so it is not UTF-16.
}

const UTF8 = new TextDecoder();
const WINDOWS_1252 = new TextDecoder('windows-1252');

/** Labels of the WHATWG's Encoding that iconv-lite does not have. */
const OF_BROWSERS = new Set(
  'unicode20utf8 x-unicode20utf8 csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i sun_eu_greek csiso88598e visual csiso88598i logical csisolatin9 koi koi8 x-mac-roman dos-874 x-cp1250 x-cp1251 x-cp1252 x-cp1253 x-cp1254 x-cp1255 x-cp1256 x-cp1257 x-cp1258 x-mac-cyrillic x-mac-ukrainian cseucpkdfmtjapanese x-euc-jp csiso2022jp iso-2022-jp unicodefffe csunicode iso-10646-ucs-2 unicode unicodefeff x-user-defined'.split(
    ' ',
  ),
);

/** Whether iconv-lite has it, by what its names are made of. To ask for one that it does not have throws, a hundred times as slow. */
function isKnown(name: string): boolean {
  if (!iconv.encodings) iconv.encodingExists('utf-8'); // loads their names
  return Object.hasOwn(iconv.encodings ?? {}, name.replaceAll(/:\d{4}$|[^0-9a-z]/g, ''));
}

/** Decoders by requested name; null for charsets that only iconv-lite has: UTF-32 and the code pages of DOS. */
const decoders = new BoundedMap<string, TextDecoder | null>(DECODERS_MAX);

function decoderOf(name: string): TextDecoder | undefined {
  const kept = decoders.get(name);
  if (kept !== undefined || !(OF_BROWSERS.has(name) || isKnown(name))) return kept ?? undefined;
  let decoder: TextDecoder | null;
  try {
    decoder = new TextDecoder(name);
  } catch {
    decoder = null;
  }
  decoders.set(name, decoder);
  return decoder ?? undefined;
}

const isNoUtf8 = (text: string): boolean => text.includes('\ufffd') && !/[\u0080-\ufffc\u{10000}-\u{10ffff}]/u.test(text);

const EUC_KR = new TextDecoder('euc-kr');
const GBK = new TextDecoder('gbk');

const SEVEN_BIT: ReadonlyMap<string, (bytes: Uint8Array) => string> = new Map([
  ['utf-7', decodeUtf7],
  ['iso-2022-kr', (bytes) => EUC_KR.decode(eucOfKorean(bytes))],
  ['hz-gb-2312', (bytes) => GBK.decode(gbOfHz(bytes))],
]);
