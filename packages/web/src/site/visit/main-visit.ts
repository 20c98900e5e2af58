import type { SiteEvidence, SiteHop, SiteVisit } from '../evidence.ts';
import { type HeaderFacts, readHeaders } from '../headers.ts';
import type { PageFacts } from './page-facts.ts';
import { guardOf } from './guards.ts';
import { registrableOf } from '../registrable-of.ts';
import type { SignedPage } from '../shop/signatures.ts';

/** The last hop of a visit that was answered. */
export const lastAnswer = ({ hops }: SiteVisit): SiteHop | undefined => hops.findLast(({ status }) => status > 0);

/** Whether the plain visit was sent on to https. */
export const leadsToHttps = ({ hops }: SiteVisit): boolean => hops.some(({ next }) => next.startsWith('https:'));

/**
 * The visit that the site is judged by: that over https, if it was answered. For a site without https, a shared server shows another
 * customer's site over https, with an invalid certificate. In that case the plain visit counts, unless it leads to https itself.
 */
export function mainVisit({ https, http }: Pick<SiteEvidence, 'https' | 'http'>): SiteVisit {
  if (lastAnswer(https) === undefined) return http;
  const isOthers = https.hops[0]?.secure === false && lastAnswer(http) !== undefined && !leadsToHttps(http);
  return isOthers ? http : https;
}

/** The final page that a visitor sees. */
export interface Landing extends SignedPage {
  page: PageFacts;
  headers: HeaderFacts;
  isHtml: boolean;
  bytes: number;
  /** The registrable domain that it is at, where that is another than the site's; empty where it stayed. */
  elsewhere: string;
  /** The guard that refused us in the site's place; empty for the site's own page. */
  guard: string;
}

/** The page that the site shows; undefined where it shows none. */
export function landingOf(evidence: Pick<SiteEvidence, 'https' | 'http' | 'domain'>): Landing | undefined {
  const visit = mainVisit(evidence);
  const answer = visit.hops.at(-1);
  if (visit.end !== 'page' || !answer || answer.status === 0) return undefined;
  const { url, status, fields } = answer;
  return {
    url,
    status,
    fields,
    page: visit.page,
    headers: readHeaders(fields, visit.page),
    isHtml: visit.isHtml,
    bytes: visit.bytes,
    elsewhere: elsewhere(url, evidence.domain),
    guard: guardOf({ url, status, fields, page: visit.page }),
  };
}

/** The registrable domain of a URL, where it is not this one; empty else. */
export function elsewhere(url: string, domain: string): string {
  const other = URL.canParse(url) ? registrableOf(new URL(url).hostname) : domain;
  return other === domain ? '' : other;
}
