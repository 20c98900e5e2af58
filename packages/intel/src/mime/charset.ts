import iconv from 'iconv-lite';

/** Labels that say nothing of what the bytes are. */
const SILENT = new Set([
  '',
  'us-ascii',
  'ascii',
  'ansi_x3.4-1968',
  'unknown-8bit',
  'x-unknown',
  'unknown',
  'default',
  'binary',
  '8bit',
  '7bit',
  'none',
]);
/** What people write, and what the decoders call it. */
const ALIASES: Readonly<Record<string, string>> = {
  utf8mb4: 'utf-8',
  'x-utf-8': 'utf-8',
  'x-gbk': 'gbk',
  'x-mac-roman': 'macintosh',
  'unicode-1-1-utf-7': 'utf-7',
  'x-unicode-2-0-utf-7': 'utf-7',
  'cp-850': 'cp850',
  'ks_c_5601-1987': 'euc-kr',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp932: 'shift_jis',
  cp950: 'big5',
};

const decoders = new Map<string, TextDecoder | undefined>();

/** The text that bytes are in a charset of RFC 2978, by what people call it; undefined where nobody knows the charset, or it says nothing (us-ascii). Never throws. */
export function decodeCharset(bytes: Uint8Array, label: string): string | undefined {
  const plain = label.trim().toLowerCase();
  const name = ALIASES[plain] ?? plain;
  if (SILENT.has(name)) return undefined;
  const decoder = decoderOf(name);
  const text = decoder ? decoder.decode(bytes) : decodeRare(bytes, name);
  return decoder?.encoding === 'utf-8' && text !== undefined && isNoUtf8(text) ? undefined : text;
}

/** By the charset that is declared; where that says nothing or is wrong UTF-8 if it is valid, else windows-1252. */
export const decodeText = (bytes: Uint8Array, label = ''): string => decodeCharset(bytes, label) ?? guessText(bytes);

function guessText(bytes: Uint8Array): string {
  const text = UTF8.decode(bytes);
  return text.includes('\ufffd') ? WINDOWS_1252.decode(bytes) : text;
}

const UTF8 = new TextDecoder();
const WINDOWS_1252 = new TextDecoder('windows-1252');

function decoderOf(name: string): TextDecoder | undefined {
  if (decoders.has(name)) return decoders.get(name);
  let decoder: TextDecoder | undefined;
  try {
    decoder = new TextDecoder(name);
  } catch {
    decoder = undefined;
  }
  if (name.length <= 40 && decoders.size < 200) decoders.set(name, decoder);
  return decoder;
}

/** Charsets that browsers do not know: UTF-7, UTF-32, code pages of DOS. */
const decodeRare = (bytes: Uint8Array, name: string): string | undefined =>
  name.length <= 40 && iconv.encodingExists(name)
    ? iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), name)
    : undefined;

/** Whether what was said to be UTF-8 has not one character beyond ASCII that is right. */
const isNoUtf8 = (text: string): boolean => text.includes('\ufffd') && !/[\u0080-\ufffc\u{10000}-\u{10ffff}]/u.test(text);
