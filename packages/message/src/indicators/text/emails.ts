import { parseHost } from '@vedette/contract';
import { dotted } from './refang.ts';
import { isKnownName, isOfName } from './text-urls.ts';

const LOCAL_MAX_CHARS = 64; // RFC 5321 §4.5.3.1.1
const DOMAIN_MAX_CHARS = 253;
/** Lines of header fields whose identifiers look like addresses, as bounces and forwards quote them (RFC 5322 §3.6.4). */
const IDENTIFIERS =
  /(?:^|\n)[>\s]{0,10}(?:[\w-]{0,40}message-id|in-reply-to|references|content-id|thread-index|list-id|x-[\w-]{1,40}-id)\s{0,3}:[^\n]*$/i;
const LINE_MAX_CHARS = 300;

/** Finds the addresses of a text without URLs, in lower case, their domains in A-labels. Linear in its length. */
export function findEmails(text: string, found: (email: string) => void): void {
  const domains = new Map<string, string | undefined>();
  let floor = 0;
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const end = domainEnd(text, at + 1);
    if (end - at < 4) continue;
    const start = localStart(text, at, floor);
    floor = at + 1;
    if (start === at || (text[start - 1] === '/' && text[start - 2] === '/')) continue;
    const written = text.slice(at + 1, end);
    if (!domains.has(written)) domains.set(written, domainOf(written));
    const domain = domains.get(written);
    if (domain === undefined) continue;
    const local = text.slice(start, at).toLowerCase();
    // A user of a shell, as in `git@example.org:path`.
    if (local === 'git' && text[end] === ':') continue;
    if (!IDENTIFIERS.test(text.slice(Math.max(0, start - LINE_MAX_CHARS), start))) found(`${dotted(local)}@${domain}`);
  }
}

/** An address that stands alone, in the same form; undefined for other text. */
export function readEmail(written: string): string | undefined {
  const text = written.trim();
  const at = text.lastIndexOf('@');
  if (at < 1 || at > 4 * LOCAL_MAX_CHARS || text.length - at > 1_000) return undefined;
  const host = parseHost(text.slice(at + 1));
  return host?.kind === 'name' ? `${text.slice(0, at).toLowerCase()}@${host.host}` : undefined;
}

function domainOf(written: string): string | undefined {
  const name = dotted(written);
  const foreign = name.search(/[^\0-\x7f]/); // oxlint-disable-line no-control-regex -- ASCII
  const known = isKnownName(name) ? name : foreign > 0 && isKnownName(name.slice(0, foreign)) ? name.slice(0, foreign) : undefined;
  const host = known === undefined ? undefined : parseHost(known);
  return host?.kind === 'name' ? host.host : undefined;
}

function domainEnd(text: string, start: number): number {
  let end = start;
  const limit = Math.min(text.length, start + DOMAIN_MAX_CHARS);
  while (end < limit && isOfName(text.charCodeAt(end))) end++;
  while (end > start && '.-'.includes(text[end - 1]!)) end--;
  return end;
}

/** ASCII alone: in running text of other scripts the word before stands there, too. */
const OF_LOCAL_PART = new Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.!#$%&'*+-/=?^_`{|}~\u0001");
/** Marks of the text around it, though an address might begin with some of them. */
const NOT_FIRST = new Set(".!#$%&'*+-/=?^`{|}~");

function localStart(text: string, at: number, floor: number): number {
  let start = at;
  const limit = Math.max(floor, at - LOCAL_MAX_CHARS);
  while (start > limit && OF_LOCAL_PART.has(text[start - 1]!)) start--;
  while (start < at && NOT_FIRST.has(text[start]!)) start++;
  // A value, as in `email=ann@example.org` or `mailto:ann@example.org`.
  start += text.slice(start, at).search(/[^=/|]*$/);
  return text[at - 1] === '.' ? at : start;
}
