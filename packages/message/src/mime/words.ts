import { decodeCharset, decodeText } from './charset.ts';
import { decodeBase64, decodeQuotedPrintable } from './transfer.ts';

// A question mark in its text is against RFC 2047 §4.2 and is seen; one that ends or begins a word is not of the text.
const WORD = /=\?([^?\s]{1,100})\?([bq])\?([^?]*(?:(?<!=)\?(?!=)[^?]*){0,8})\?=/gi;

/** Far more than an ordinary field has; encoded words beyond stay as written. */
const WORDS_MAX = 2_000;

/**
 * The text of a field on one line with its encoded words decoded (RFC 2047). Words side by side in one charset are decoded together, as a character may begin in one
 * and end in the next. Bytes beyond ASCII that nothing encodes are UTF-8 where they can be, else of `charset`. Linear, never throws.
 */
export function decodeWords(raw: string, charset = ''): string {
  const line = unfolded(raw);
  const text = new WordText(charset);
  let from = 0;
  for (const { 0: word, 1: label, 2: method, 3: content, index } of line.matchAll(WORD).take(WORDS_MAX)) {
    text.plain(line.slice(from, index), true);
    text.word(label!.split('*', 1)[0]!.toLowerCase(), method!.toLowerCase(), content!);
    from = index + word.length;
  }
  text.plain(line.slice(from), false);
  return text.read();
}

/** The value on one line (RFC 5322 §2.2.3), without white space around it, and without NUL, which RFC 5321 forbids and some programs do not see. */
export const unfolded = (raw: string): string =>
  raw
    .replaceAll(/[\r\n]+(?=[ \t])|\0/g, '')
    .replaceAll(/[\r\n]+/g, ' ')
    .trim();

class WordText {
  readonly #charset: string;
  #text = '';
  #run: { charset: string; bytes: Buffer[] } | undefined;

  /** `charset`: of bytes that nothing encodes. */
  constructor(charset: string) {
    this.#charset = charset;
  }

  /** White space between two words is not of the text (§6.2). */
  plain(text: string, wordFollows: boolean): void {
    if (this.#run && wordFollows && /^[ \t]*$/.test(text)) return;
    this.#flush();
    this.#text += decodePlain(text, this.#charset);
  }

  word(charset: string, method: string, content: string): void {
    if (this.#run?.charset !== charset) this.#flush();
    this.#run ??= { charset, bytes: [] };
    this.#run.bytes.push(method === 'b' ? decodeBase64(content) : decodeQuotedPrintable(content.replaceAll('_', '=20')));
  }

  read(): string {
    this.#flush();
    return this.#text;
  }

  #flush(): void {
    if (this.#run) this.#text += decodeText(Buffer.concat(this.#run.bytes), this.#run.charset).replaceAll(/[\r\n]+/g, ' ');
    this.#run = undefined;
  }
}

function decodePlain(text: string, charset: string): string {
  if (!/[\x80-\xff]/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  const utf8 = bytes.toString();
  return utf8.includes('\ufffd') ? (decodeCharset(bytes, charset) ?? decodeText(bytes)) : utf8;
}
