const ALL_MAX_CHARS = 256 * 1024;
const DOCUMENTS_MAX = 4;
const ENCODED = /(?:unescape|decodeURI(?:Component)?)\(\s{0,9}["'`]([^"'`]{20,})["'`]|atob\(\s{0,9}["'`]([A-Za-z0-9+/=\s]{24,})["'`]/g;
/** Octets as strings of two figures each, as in arrays. */
const OCTETS = /(?:["'][0-9a-f]{2}["'](?:,\s?|\s)?){32,}/gi;
const FIELD = /<(?:form|input|textarea)\b/i;

/** HTML that a script writes. */
interface Written {
  html: string;
  /** It stands in the page in a code. */
  isEncoded: boolean;
}

/**
 * The HTML that scripts of a page write by a fixed text: as percent signs or in base64, of which all parts are one document, as arrays of octets, or plainly with a form in it. Scripts are read and not run. At most
 * four documents of 256 Ki characters in all.
 */
export function writtenByScript(scripts: readonly string[]): Written[] {
  const found: Written[] = [];
  let left = ALL_MAX_CHARS;
  const add = (html: string, isEncoded: boolean): void => {
    if (found.length >= DOCUMENTS_MAX || left <= 0 || !FIELD.test(html)) return;
    found.push({ html: html.slice(0, left), isEncoded });
    left -= html.length;
  };
  add(scripts.flatMap((script) => encodedIn(script).filter((html) => html.includes('<'))).join(''), true);
  for (const script of scripts) {
    add(fromOctets(script), true);
    const start = script.search(FIELD);
    if (start >= 0) add(script.slice(start, script.lastIndexOf('>') + 1).replaceAll(/\\(["'`/])/g, '$1'), false);
  }
  return found;
}

const encodedIn = (script: string): string[] =>
  [...script.matchAll(ENCODED)].map(([, percent, base64]) => (percent === undefined ? fromBase64(base64 ?? '') : unescaped(percent)));

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
