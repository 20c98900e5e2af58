import { domainToUnicode } from 'node:url';

/** A URL in three parts, as an address bar tells them apart by colour. */
export interface DisplayUrl {
  /** The scheme, with its `://`. */
  scheme: string;
  /** The host, with its port. */
  host: string;
  /** Path, query and fragment. */
  rest: string;
}

const CHARS_MAX = 2_000;

/** Scripts whose letters look like no other's. */
const DISTINCT = [
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々]+$/u,
  /^[\p{sc=Hangul}\p{sc=Han}]+$/u,
  /^[\p{sc=Han}\p{sc=Bopomofo}]+$/u,
  /^[\p{sc=Arabic}\p{M}]+$/u,
  /^[\p{sc=Hebrew}\p{M}]+$/u,
  /^[\p{sc=Thai}\p{M}]+$/u,
  /^[\p{sc=Devanagari}\p{M}]+$/u,
];
/** Latin with the marks of European languages; all further Latin letters are used to imitate these. */
const LATIN = /^[a-zà-öø-ÿāăąćċčďđēėęěğģħīįķĺļľłńņňőœŕřśşšţťūůűųźżžșț]+$/u;
/** Scripts with letters that look like Latin ones: shown where the top-level domain is of that script too. */
const ALIKE = [/^\p{sc=Cyrillic}+$/u, /^\p{sc=Greek}+$/u, /^\p{sc=Armenian}+$/u, /^\p{sc=Georgian}+$/u];

/** A URL as an address bar may show it: labels of a host that could pass for others stand in their ASCII form, and nothing hides or turns round what follows. */
export function displayUrl(url: string): DisplayUrl {
  const whole = new URL(url);
  // As browsers do, too: what stands before the @ passes for the host.
  whole.username = '';
  whole.password = '';
  const { protocol, host, hostname, href } = whole;
  const scheme = `${protocol}//`;
  const port = host.slice(hostname.length);
  // A path in another alphabet stays percent-encoded, as it is sent, so that it cannot look like a part of the host.
  const rest = href.slice(href.indexOf(host, scheme.length) + host.length);
  return { scheme, host: hostShown(hostname) + port, rest: rest.slice(0, CHARS_MAX) };
}

function hostShown(hostname: string): string {
  if (!hostname.includes('xn--')) return hostname;
  const ascii = hostname.split('.');
  const unicode = ascii.map((label) => (label.startsWith('xn--') ? domainToUnicode(label) : label));
  const top = lettersOf(unicode.at(-1)!);
  return ascii.map((label, index) => (canBeShown(unicode[index]!, top) ? unicode[index]! : label)).join('.');
}

const lettersOf = (label: string): string => label.normalize('NFC').replace(/[0-9-]/g, '');

function canBeShown(label: string, top: string): boolean {
  const letters = lettersOf(label);
  return (
    letters === '' ||
    LATIN.test(letters) ||
    DISTINCT.some((script) => script.test(letters)) ||
    ALIKE.some((script) => script.test(letters) && script.test(top))
  );
}
