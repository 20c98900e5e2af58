import type { Fields } from '../headers.ts';
import type { PageFacts } from '../visit/page-facts.ts';

/** An answer as signatures see it. */
export interface SignedPage {
  url: string;
  status: number;
  fields: Fields;
  page: PageFacts;
}

/** Notices say one thing, and an article that quotes one goes on: so much text a page may have whose title or heading is one. */
const NOTICE_MAX_CHARS = 1_200;
/** A notice without such a title; whatever has more says it in passing, as a bank warns of letters that say so. */
const BARE_NOTICE_MAX_CHARS = 500;
/** A defacement boasts in a few lines. */
const DEFACEMENT_MAX_CHARS = 1_500;
const SUSPENDED_PATH = /\/(?:cgi-sys\/suspendedpage\.cgi|suspended\.page(?:\/|$)|suspendedpage(?:\.\w+)?$|account-?suspended(?:\.\w+)?$)/i;
const SUSPENDED =
  /\b(?:account|web\s?site|site|domain|hosting(?: account)?|(?:this|your) service|store|shop)\b[^.!?]{0,60}\b(?:has been|was|is)\s+(?:temporarily |currently |administratively )*(?:suspended|deactivated|disabled by (?:the |its )?(?:host|provider|administrator))\b|^\W*account suspended\b|\bbandwidth limit exceeded\b|\bcontact your hosting provider for more information\b|\b(?:konto|website|webseite|seite|domain)\b[^.!?]{0,40}\b(?:wurde|ist)\b[^.!?]{0,20}\bgesperrt\b|\b(?:compte|site|domaine|h[ée]bergement)\b[^.!?]{0,40}\b(?:a [ée]t[ée]|est)\b[^.!?]{0,20}\bsuspendu|\b(?:cuenta|sitio|dominio)\b[^.!?]{0,40}\bha sido\b[^.!?]{0,10}\bsuspendid[oa]\b/iu;
const STORE_UNAVAILABLE =
  /\b(?:this (?:store|shop) (?:is|does)(?: currently)? (?:unavailable|not exist)|sorry, this (?:store|shop) is currently unavailable)/i;
const PAYMENT_REQUIRED = 402;
/** The status of Apache's mod_bandwidth and cPanel; it is not in any standard. */
const BANDWIDTH_EXCEEDED = 509;

/** Whether the host shows its own notice in the site's place. */
export function isSuspended({ url, status, page }: SignedPage): boolean {
  if (SUSPENDED_PATH.test(pathOf(url)) || status === BANDWIDTH_EXCEEDED) return true;
  return gives(SUSPENDED, page, NOTICE_MAX_CHARS) || (status === PAYMENT_REQUIRED && gives(STORE_UNAVAILABLE, page, NOTICE_MAX_CHARS));
}

/** Whether the page is a notice of such words, and little else. */
export function gives(words: RegExp, { info, headings, text, forms }: PageFacts, maxChars: number): boolean {
  if (text.length > maxChars) return false;
  if ([info.title, ...headings].some((name) => words.test(name))) return true;
  return text.length <= BARE_NOTICE_MAX_CHARS && forms.length === 0 && words.test(text);
}

/**
 * The boast at the beginning of a title or heading: newspapers have the same words further on, and an article below. Plain `owned by` needs a
 * victim in front, since a bakery is owned by a family.
 */
const DEFACED =
  /^\W*(?:h[a4]ck[e3]d|d[e3]f[a4]c[e3]d|0wn[e3]d|[o0]wn3d|pwn[e3]d)\s+(?:by|bai|#by)\b(?!\s+(?:design|nature|default|accident|mistake)\b)|^\W*(?:site|website|server|page|system|you(?:r (?:site|website|server|security))?)\s+(?:has been |have been |was |is |got )?(?:h[a4]ck[e3]d|d[e3]f[a4]c[e3]d|[o0]wn[e3]d|pwn[e3]d|r[o0]{2}t[e3]d|stamped)\s+by\b|^\W*(?:h[a4]ck[e3]d|d[e3]f[a4]c[e3]d|pwn[e3]d)\W*$/iu;

/** Whether an intruder has replaced the site by a boast. */
export const isDefaced = ({ page }: SignedPage): boolean =>
  page.text.length <= DEFACEMENT_MAX_CHARS &&
  page.forms.length === 0 &&
  [page.info.title, ...page.headings].some((text) => DEFACED.test(text));

/** Apache, nginx, Caddy and lighttpd; IIS; Python's http.server; Jetty and Tomcat. */
export function isDirectoryListing({ status, page: { info, headings, text, links } }: SignedPage): boolean {
  if (status !== 200) return false;
  const names = [info.title, ...headings];
  if (/\[To Parent Directory\]/.test(text)) return true;
  if (names.some((name) => /^Directory(?: listing for|:) \//i.test(name))) return true;
  // An article may have such a title; a listing has it twice, or a way up.
  const titled = names.filter((name) => /^Index of \/\S*$/i.test(name)).length;
  return (
    titled >= 2 ||
    (titled === 1 &&
      (links.some(({ href, label }) => href === '../' || /^Parent Directory$/i.test(label)) || /\bLast modified\b/i.test(text)))
  );
}

const SEIZED =
  /\bth(?:is|e|ese) (?:web\s?site|site|domains?(?: name)?)s?\b[^.!?]{0,80}\b(?:has|have) been seized\b|\bseized by (?:the )?(?:fbi|federal bureau|u\.?s\.? |united states|europol|interpol|law enforcement|homeland|department of justice|national crime agency|bundeskriminalamt)/i;
const SINKHOLE = /\bsinkhole(?:d)? by\b|\bthis (?:domain|host) (?:is|has been) (?:a )?sinkhole/i;

/** Whether the answer says that the name was seized or sinkholed. */
export function saysSeized({ fields, page }: SignedPage): boolean {
  if (fields.some(([name]) => name === 'x-sinkhole' || name === 'x-sinkholed-domain')) return true;
  return gives(SEIZED, page, NOTICE_MAX_CHARS) || gives(SINKHOLE, page, NOTICE_MAX_CHARS);
}

/** Whether the page says more than one that stands where a name is sinkholed. */
export const hasOwnText = ({ page }: SignedPage): boolean => page.text.length > NOTICE_MAX_CHARS;

/** The servers' default pages for 404. */
const DEFAULT_404 =
  /^(?:404 not found(?: nginx(?:\/[\d.]+)?(?: \([^)]*\))?| openresty(?:\/[\d.]+)?| apache.*| caddy| tengine.*)?|not found(?: the requested url(?: \/?\S*)? was not found on this server\.?.*)?|404 page not found|cannot get \/\S*|404 - file or directory not found\..*|http status 404 .{0,10}not found.*|error 404:? not found|file not found\.?|nothing here|no such page|404)$/is;

/** Whether the site has a page of its own for what is not there. A cut answer is judged by what came. */
export function hasOwnNotFoundPage({ status, page }: SignedPage): boolean {
  if (status !== 404 && status !== 410) return false;
  if (page.text.trim() === '' && !page.showsMore) return false;
  return (
    !DEFAULT_404.test(page.text.trim()) &&
    !/(?:Additionally, a 404 Not Found error was encountered|Apache\/[\d.]+ .{0,60} Server at .{1,255} Port \d+$)/i.test(page.text)
  );
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '');
