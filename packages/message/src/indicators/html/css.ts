import { URL_MAX_CHARS } from '../urls.ts';

const URLS_MAX = 10_000;

/** The text before a URL: `url(`, and `@import` with a string. */
const BEFORE_URL = /url\(|@import(?=[\s"'])/gi;
// oxlint-disable-next-line no-control-regex -- CSS's own white space
const BLANK = /[\u0000-\u0020]*/y;
/** A code point in hex, which white space may end, or any other character (CSS Syntax §4.3.7). */
const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|(.)|\r?\n)/gis;

/** The URLs of a style sheet or a `style` attribute, in their order, as they stand there with escapes undone. */
export function cssUrls(css: string): string[] {
  const urls: string[] = [];
  BEFORE_URL.lastIndex = 0;
  for (let found = BEFORE_URL.exec(css); found && urls.length < URLS_MAX; found = BEFORE_URL.exec(css)) {
    BLANK.lastIndex = BEFORE_URL.lastIndex;
    BLANK.exec(css);
    const start = BLANK.lastIndex;
    const quote = css[start];
    const isQuoted = quote === '"' || quote === "'";
    if (!isQuoted && found[0].startsWith('@')) continue; // `@import url(…)`: the other alternative finds it
    const first = isQuoted ? start + 1 : start;
    const end = endOf(css, first, isQuoted ? quote : ')');
    const url = unescaped(css.slice(first, end)).trim();
    if (url !== '') urls.push(url);
    BEFORE_URL.lastIndex = end;
  }
  return urls;
}

/** Where a value ends: at its end mark that has no backslash before it, or at the end of the line where it has quotes. */
function endOf(css: string, start: number, mark: string): number {
  const limit = Math.min(css.length, start + URL_MAX_CHARS);
  for (let at = start; at < limit; at++) {
    if (css[at] === '\\') at++;
    else if (css[at] === mark || css[at] === '\n') return at;
  }
  return limit;
}

const unescaped = (text: string): string =>
  text.includes('\\')
    ? text.replace(ESCAPE, (_all, hex: string | undefined, character: string | undefined) =>
        hex === undefined ? (character ?? '') : characterOf(hex),
      )
    : text;

function characterOf(hex: string): string {
  const code = Number.parseInt(hex, 16);
  return code === 0 || code > 0x10_ffff ? '\ufffd' : String.fromCodePoint(code);
}
