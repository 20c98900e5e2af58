import { parse } from 'tldts';
import { DEFANGED_DOT, dotted } from './refang.ts';

/** The URLs of a text, and the text without them, so that later searches do not match parts of URLs. */
export interface TextUrls {
  urls: string[];
  rest: string;
}

/** Where a URL begins: words may be glued to it, but sftp is another scheme. */
const SCHEME = /(?:https?|(?<!s)ftp):\/\//gi;
/** User, host and port as they occur in running text, or an IPv6 address. */
const AUTHORITY =
  /(?:[^\s/?#@<>"]{1,300}@)?(?:\[[\da-f:.]{2,45}\](?::\d{1,5})?|[^\s/?#<>"`\\|,;'()*{}[\]“”„‚‘’«»‹›「」『』【】《》〈〉、，；：！？（）…]{1,1000})/iy;
/** Path, query and fragment. Quotes, brackets that no URL has, and scripts that are written without blanks end them. */
const TAIL = /[/?#][^\s<>"`\\“”„«»‹›\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff00-\uffef…]{0,8192}/y;
/** The next of several that nothing but a mark divides. */
const NEXT_URL = /[,;|]?(?:https?|ftp):\/\//gi;
const GLUED_SCHEME = /(?:https?|ftp):$/i;
/** Marks that end a sentence, not a URL. */
const OPENING = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);
const BRACKETS = new Set('()[]{}');
const PUNCTUATION = new Set('.,;:!?\'"*~|>’”»');

/** Finds the URLs of a text that was refanged, in time linear in its length. */
export function findUrls(text: string): TextUrls {
  const urls: string[] = [];
  const rest: string[] = [];
  let done = 0;
  SCHEME.lastIndex = 0;
  for (let found = SCHEME.exec(text); found; found = SCHEME.exec(text)) {
    const end = endOfUrl(text, found.index, SCHEME.lastIndex);
    if (end === undefined) continue;
    urls.push(dotted(text.slice(found.index, end)));
    rest.push(text.slice(done, found.index));
    done = end;
    SCHEME.lastIndex = end;
  }
  rest.push(text.slice(done));
  return { urls, rest: rest.join(' ') };
}

/** Where the URL ends whose scheme stands at `start`; undefined where no host follows. */
function endOfUrl(text: string, start: number, afterScheme: number): number | undefined {
  AUTHORITY.lastIndex = afterScheme;
  const authority = AUTHORITY.exec(text)?.[0];
  if (authority === undefined) return undefined;
  const glued = GLUED_SCHEME.exec(authority);
  if (glued && glued.index > 0) return afterScheme + glued.index;
  const hostEnd = afterScheme + hostLength(authority);
  if (hostEnd < afterScheme + authority.length) return trimmed(text, afterScheme, hostEnd);
  const end = tailEnd(text, hostEnd);
  const quoted = text[start - 1] === "'" ? text.slice(hostEnd, end).indexOf("'") : -1;
  return trimmed(text, afterScheme, quoted < 0 ? end : hostEnd + quoted);
}

/** Where what follows a host ends. */
function tailEnd(text: string, hostEnd: number): number {
  TAIL.lastIndex = hostEnd;
  const tail = TAIL.exec(text)?.[0] ?? '';
  NEXT_URL.lastIndex = 1;
  const next = NEXT_URL.exec(tail);
  // One within a query is that of a redirect; one after a mark, or in a path, is another URL.
  return hostEnd + (next && /^[,;|]/.test(next[0]) ? next.index : tail.length);
}

/**
 * The length of a host name. In languages without blanks between words, the next word follows at once; it is cut off if the name ends in a
 * public suffix without it.
 */
function hostLength(authority: string): number {
  const foreign = authority.search(/[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]/);
  if (foreign <= 0) return authority.length;
  const before = dotted(authority.slice(0, foreign));
  return isKnownName(before) && !isKnownName(dotted(authority)) ? foreign : authority.length;
}

/** The end without the marks of the sentence around it; a bracket stays where the URL has its other half. */
function trimmed(text: string, start: number, end: number): number {
  let counts: Map<string, number> | undefined;
  let last = end;
  for (; last > start; last--) {
    const mark = text[last - 1]!;
    if (!BRACKETS.has(mark)) {
      if (!PUNCTUATION.has(mark)) break;
      continue;
    }
    counts ??= bracketsOf(text.slice(start, last));
    const opening = OPENING.get(mark);
    if (opening !== undefined && counts.get(mark)! <= (counts.get(opening) ?? 0)) break;
    counts.set(mark, counts.get(mark)! - 1);
  }
  return last;
}

function bracketsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [bracket] of text.matchAll(/[()[\]{}]/g)) counts.set(bracket, (counts.get(bracket) ?? 0) + 1);
  return counts;
}

/** Names that are not of the Internet, but stand in mail and in examples (RFC 2606, RFC 6762, and what companies use within). */
const OTHER_TLDS = new Set(['test', 'example', 'invalid', 'local', 'lan', 'corp', 'internal', 'intranet', 'onion']);

/** Whether text is a name below a top-level domain that there is. */
export function isKnownName(name: string): boolean {
  if (name.length > 253 || !name.includes('.')) return false;
  const { publicSuffix, isIcann, isPrivate, domain } = parse(name, {
    extractHostname: false,
    validateHostname: false,
    detectIp: false,
    allowPrivateDomains: false,
  });
  return domain !== null && (isIcann === true || isPrivate === true || OTHER_TLDS.has(publicSuffix ?? ''));
}

/** Top-level domains that are endings of files, too: a path that begins with such a name is one of files. */
const FILE_TLDS = /\.(?:md|py|rs|sh|pl|ps|cc|zip|mov)$/i;
/** Marks of a URL without a scheme: the slash or the defanged dot after a name, or a leading `www.`. */
const NAMED = new RegExp(`[/${DEFANGED_DOT}]|www\\d?\\.`, 'gi');

/** URLs without a scheme (`www.example.org`, `example.org/path`) and names that were defanged. */
export interface BareNames extends TextUrls {
  /** Names, and addresses, that no path follows. */
  names: string[];
}

/** Finds what is written without a scheme, in what `findUrls` has left. Linear in its length. */
export function findBareNames(text: string): BareNames {
  const found: BareNames = { urls: [], names: [], rest: '' };
  const rest: string[] = [];
  let done = 0;
  NAMED.lastIndex = 0;
  for (let anchor = NAMED.exec(text); anchor; anchor = NAMED.exec(text)) {
    const at = portStart(text, anchor.index);
    const start = nameStart(text, at, done);
    const end = nameEnd(text, at);
    NAMED.lastIndex = Math.max(end, anchor.index + 1);
    const written = text.slice(start, end);
    if (written.length < 4 || '@/:\\='.includes(text[start - 1] ?? ' ')) continue;
    const name = dotted(written);
    const isDefanged = written !== name;
    const tail = tailEnd(text, portEnd(text, end));
    const hasTail = tail > end && text[end] !== '#';
    if (!isMeant(name, isDefanged, hasTail && /[\p{L}\d]/u.test(text[end + 1] ?? ''))) continue;
    const last = trimmed(text, start, hasTail ? tail : end);
    if (hasTail || /^www\d?\./i.test(name)) found.urls.push(`http://${dotted(text.slice(start, last))}`);
    else found.names.push(name);
    rest.push(text.slice(done, start));
    done = last;
    NAMED.lastIndex = Math.max(last, NAMED.lastIndex);
  }
  rest.push(text.slice(done));
  found.rest = rest.join(' ');
  return found;
}

/** Whether the author means a host, and not a word with a dot in it, a file or a version. */
function isMeant(name: string, isDefanged: boolean, hasPath: boolean): boolean {
  if (isDefanged) return isKnownName(name) || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name);
  if (/^www\d?\./i.test(name)) return /\.[\p{L}\d-]+\.\p{L}{2,}$/u.test(name) || isKnownName(name.slice(name.indexOf('.') + 1));
  return hasPath && isKnownName(name) && !FILE_TLDS.test(name);
}

/** The start of the port before a path; without a port, the start of the path. */
function portStart(text: string, slash: number): number {
  const port = /:\d{1,5}$/.exec(text.slice(Math.max(0, slash - 6), slash));
  return slash - (port ? port[0].length : 0);
}

function portEnd(text: string, end: number): number {
  const port = /^:\d{1,5}(?=\/)/.exec(text.slice(end, end + 7));
  return end + (port ? port[0].length : 0);
}

/** Where the name begins that has, or ends at, a character; not before `floor`. */
function nameStart(text: string, at: number, floor: number): number {
  let start = at;
  const limit = Math.max(floor, at - 253);
  while (start > limit && isOfName(text.charCodeAt(start - 1))) start--;
  while (start < at && '.-'.includes(text[start]!)) start++;
  return start;
}

function nameEnd(text: string, at: number): number {
  let end = at;
  const limit = Math.min(text.length, at + 253);
  while (end < limit && isOfName(text.charCodeAt(end))) end++;
  while (end > at && '.-'.includes(text[end - 1]!)) end--;
  return end;
}

/** Letters, digits, hyphens and dots of host names; of other scripts those that are written with blanks between words. */
export function isOfName(code: number): boolean {
  if (code < 0x80)
    return (
      (code >= 0x61 && code <= 0x7a) ||
      (code >= 0x41 && code <= 0x5a) ||
      (code >= 0x30 && code <= 0x39) ||
      code === 0x2d ||
      code === 0x2e ||
      code === 1
    );
  return (code >= 0xc0 && code < 0x2000) || (code >= 0x2c00 && code < 0x2e80);
}
