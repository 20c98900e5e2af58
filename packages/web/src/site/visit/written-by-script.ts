const ALL_MAX_CHARS = 256 * 1024;
const DOCUMENTS_MAX = 4;
const ENCODED = /(?:unescape|decodeURI(?:Component)?)\(\s{0,9}["'`]([^"'`]{20,})["'`]|atob\(\s{0,9}["'`]([A-Za-z0-9+/=\s]{24,})["'`]/g;
/** Octets as strings of two figures each, as in arrays. */
const OCTETS = /(?:["'][0-9a-f]{2}["'](?:,\s?|\s)?){32,}/gi;
const FIELD = /<(?:form|input|textarea)\b/i;

/**
 * The HTML that scripts of a page write by a fixed text: as percent signs, in base64, as arrays of octets, or plainly with a form in it. Scripts are read and not run. At most
 * four documents of 256 Ki characters in all.
 */
export function writtenByScript(scripts: readonly string[]): string[] {
  const found: string[] = [];
  let left = ALL_MAX_CHARS;
  const add = (html: string): void => {
    if (found.length >= DOCUMENTS_MAX || left <= 0 || !FIELD.test(html)) return;
    found.push(html.slice(0, left));
    left -= html.length;
  };
  for (const script of scripts) {
    for (const [, percent, base64] of script.matchAll(ENCODED)) add(percent === undefined ? fromBase64(base64 ?? '') : unescaped(percent));
    add(fromOctets(script));
    const start = script.search(FIELD);
    if (start >= 0) add(script.slice(start, script.lastIndexOf('>') + 1).replaceAll(/\\(["'`/])/g, '$1'));
  }
  return found;
}

/** Text of percent signs as browsers read it, broken UTF-8 as Latin-1. */
function unescaped(text: string): string {
  const bytes = Buffer.from(
    text
      .replaceAll(/%u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16) & 0xff))
      .replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  );
  return bytes.toString('utf8');
}

const fromBase64 = (text: string): string => unescaped(Buffer.from(text, 'base64').toString('latin1'));

const fromOctets = (script: string): string =>
  Buffer.from((script.match(OCTETS) ?? []).join('').replaceAll(/[^0-9a-f]/gi, ''), 'hex').toString('latin1');
