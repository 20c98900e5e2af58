import iconv from 'iconv-lite';

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

/** What people write, and what the decoders call it. */
const ALIASES: Readonly<Record<string, string>> = {
  utf8mb4: 'utf-8',
  'x-utf-8': 'utf-8',
  'unicode-1-1-utf-7': 'utf-7',
  'x-unicode-2-0-utf-7': 'utf-7',
  'iso-2022-jp-1': 'iso-2022-jp',
  'iso-2022-jp-2': 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
};

/** What iconv-lite has whole, and ICU without its extensions. */
const EXTENDED: Readonly<Record<string, string>> = { 'euc-kr': 'cp949', big5: 'big5hkscs' };

const LABEL_MAX_CHARS = 40;
/** The standard looks for a `meta` in half of it. */
const HTML_HEAD_BYTES = 2_048;
const META = /<meta[^>]{1,300}?charset\s{0,9}=\s{0,9}["']?([\w:-]{1,40})/i;

/**
 * The text that bytes are in a charset, by what people call it. Undefined where nobody knows it, where it says nothing (us-ascii), and where it is UTF-8 and not one
 * character beyond ASCII is. Linear, never throws.
 */
export function decodeCharset(bytes: Uint8Array, label: string): string | undefined {
  const plain = label.trim().toLowerCase().replaceAll(/["']/g, '');
  const name = ALIASES[plain] ?? plain;
  if (SILENT.has(name) || name.length > LABEL_MAX_CHARS) return undefined;
  const shifted = SHIFTED.get(name);
  if (shifted) return shifted(bytes);
  const decoder = decoderOf(name);
  const rare = decoder ? EXTENDED[decoder.encoding] : iconv.encodingExists(name) ? name : undefined;
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
  return label?.toLowerCase().startsWith('utf-16') ? 'utf-8' : label; // As it could be read, it is none.
}

const UTF8 = new TextDecoder();
const WINDOWS_1252 = new TextDecoder('windows-1252');

const decoders = new Map<string, TextDecoder>();

function decoderOf(name: string): TextDecoder | undefined {
  const known = decoders.get(name);
  if (known) return known;
  try {
    const decoder = new TextDecoder(name);
    decoders.set(name, decoder);
    return decoder;
  } catch {
    return undefined; // Its labels are a closed list; iconv-lite knows UTF-7, UTF-32 and the code pages of DOS.
  }
}

/** Where an encoded word ends in ASCII and the next begins in kanji, decoders of today see an attack. */
const withoutIdleShifts = (bytes: Uint8Array): Buffer =>
  Buffer.from(Buffer.from(bytes).toString('latin1').replaceAll('\x1b(B\x1b', '\x1b'), 'latin1');

const isNoUtf8 = (text: string): boolean => text.includes('\ufffd') && !/[\u0080-\ufffc\u{10000}-\u{10ffff}]/u.test(text);

/** Charsets of seven bits that nobody decodes any more: between two marks stand the bytes of another one without their highest bits. */
const SHIFTED: ReadonlyMap<string, (bytes: Uint8Array) => string> = new Map([
  // RFC 1557: SO and SI; what designates the charset stands once.
  [
    'iso-2022-kr',
    shiftedBy('euc-kr', (text) =>
      text
        .replaceAll('\x1b$)C', '')
        .split('\x0e')
        .map((shifted, index) => (index === 0 ? shifted : upTo('\x0f', shifted))),
    ),
  ],
  // RFC 1843: `~{` and `~}`; `~~` is a tilde, one at the end of a line joins it to the next.
  [
    'hz-gb-2312',
    shiftedBy('gbk', (text) =>
      text.split('~{').map((shifted, index) => (index === 0 ? shifted : upTo('~}', shifted)).replaceAll(/~(~)|~\r?\n/g, '$1')),
    ),
  ],
]);

function shiftedBy(charset: string, pieces: (text: string) => string[]): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder(charset);
  return (bytes) => decoder.decode(Buffer.from(pieces(Buffer.from(bytes).toString('latin1')).join(''), 'latin1'));
}

/** A text whose characters have their highest bit up to the mark, which goes. */
function upTo(mark: string, text: string): string {
  const end = text.indexOf(mark);
  const shifted = end < 0 ? text : text.slice(0, end);
  const raised = shifted.replaceAll(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) | 0x80));
  return end < 0 ? raised : raised + text.slice(end + mark.length);
}
