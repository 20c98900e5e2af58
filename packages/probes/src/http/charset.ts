import { setImmediate } from 'node:timers/promises';

/** How far into a page its own word on its charset is looked for (WHATWG HTML, "prescan a byte stream", step 1). */
const PRESCAN_BYTES = 1024;
/** Reading as something else than UTF-8 is slow, and the beginning shows as much. */
const GUESS_BYTES = 64 * 1024;
const STEP_BYTES = 256 * 1024;
const META_CHARSET = /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([\w:.+-]{1,40})/i;
const XML_ENCODING = /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w:.+-]{1,40})["']/i;
const COMMENTS = /<!--[^]*?(?:-->|$)/g;
const HEADER_CHARSET = /;\s*charset\s*=\s*"?([\w:.+-]{1,40})/i;
const HTML_LANG = /<html\s[^>]{0,500}?lang\s*=\s*["']?([a-z]{2}(?:-[a-z]{2,4})?)/i;

/** Charsets, by language, of pages that declare none and are not UTF-8 (WHATWG HTML, "determining the character encoding", step 9). */
const CHARSETS_OF: ReadonlyMap<string, readonly string[]> = new Map([
  ['ar', ['windows-1256']],
  ['be', ['windows-1251']],
  ['bg', ['windows-1251']],
  ['cs', ['windows-1250']],
  ['el', ['iso-8859-7']],
  ['et', ['windows-1257']],
  ['fa', ['windows-1256']],
  ['he', ['windows-1255']],
  ['hr', ['windows-1250']],
  ['hu', ['iso-8859-2']],
  // EUC-JP first: hardly any text in Shift_JIS can be read in it.
  ['ja', ['euc-jp', 'shift_jis']],
  ['ko', ['euc-kr']],
  ['lt', ['windows-1257']],
  ['lv', ['windows-1257']],
  ['pl', ['iso-8859-2']],
  ['ru', ['windows-1251']],
  ['sk', ['windows-1250']],
  ['sl', ['iso-8859-2']],
  ['sr', ['windows-1251']],
  ['th', ['windows-874']],
  ['tr', ['windows-1254']],
  ['uk', ['windows-1251']],
  ['vi', ['windows-1258']],
  ['zh', ['gb18030']],
  ['zh-hant', ['big5']],
  ['zh-hk', ['big5']],
  ['zh-tw', ['big5']],
]);

const BYTE_ORDER_MARKS: readonly [label: string, ...mark: number[]][] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16be', 0xfe, 0xff],
  ['utf-16le', 0xff, 0xfe],
];

/**
 * The text of a page as browsers read it: by its byte order mark, else the charset of its Content-Type, else that of its own `meta`, else as
 * UTF-8 where it is, else as pages of its language are, else as windows-1252. An unknown charset counts as none. Some of the older ones take 20 ns a byte, so that others may do
 * something in between.
 */
export async function decodeText(bytes: Uint8Array, contentType: string): Promise<string> {
  const decoder = decoderFor(bytes, contentType);
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += STEP_BYTES) {
    if (at > 0) await setImmediate();
    parts.push(decoder.decode(bytes.subarray(at, at + STEP_BYTES), { stream: true }));
  }
  return parts.join('') + decoder.decode();
}

function decoderFor(bytes: Uint8Array, contentType: string): TextDecoder {
  const marked = BYTE_ORDER_MARKS.find(([, ...mark]) => mark.every((octet, i) => bytes[i] === octet))?.[0];
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PRESCAN_BYTES)).toString('latin1');
  const markup = beginning.replace(COMMENTS, '');
  const own = META_CHARSET.exec(markup)?.[1] ?? XML_ENCODING.exec(beginning)?.[1];
  return (
    decoderOf(marked) ??
    decoderOf(HEADER_CHARSET.exec(contentType)?.[1]) ??
    // A declaration that is readable as ASCII cannot be in UTF-16 (WHATWG HTML, same place, step 15).
    decoderOf(own !== undefined && /^utf-?16/i.test(own) ? 'utf-8' : own) ??
    decoderOf(guess(bytes, HTML_LANG.exec(markup)?.[1] ?? '')) ??
    new TextDecoder('windows-1252')
  );
}

/** UTF-8 where it is, since hardly anything else is by chance; else what pages of the language are in, as far as it can be read so. */
function guess(bytes: Uint8Array, lang: string): string | undefined {
  if (canRead(bytes, 'utf-8')) return 'utf-8';
  const language = lang.toLowerCase();
  const candidates = CHARSETS_OF.get(language) ?? CHARSETS_OF.get(language.slice(0, 2)) ?? [];
  return candidates.find((label) => canRead(bytes.subarray(0, GUESS_BYTES), label));
}

function decoderOf(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined; // a RangeError: nobody's label
  }
}

/** A body that was cut off may end within a character. */
function canRead(bytes: Uint8Array, label: string): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
