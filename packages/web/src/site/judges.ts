import { classifyIp, parseIp } from '@vedette/contract';
import { type Ipv4Traits, judgeIpv4 } from '@vedette/intel/names';
import type { SiteDns, SiteEvidence } from './evidence.ts';
import type { HeaderFacts } from './headers.ts';
import { isParked, speaksForItself } from './parking/signs.ts';
import { isScamShop } from './shop/patterns.ts';
import { hasOwnNotFoundPage, hasOwnText, saysSeized } from './shop/signatures.ts';
import type { FoundTrap } from './traps/index.ts';
import { guardOf } from './visit/guards.ts';
import { elsewhere, type Landing, lastAnswer, mainVisit } from './visit/main-visit.ts';
import { suspicionOf } from './visit/redirects.ts';

/** The result of a check by the evidence; undefined if the evidence is not sufficient. */
export type Judge = (evidence: SiteEvidence, landing: Landing | undefined, traps: readonly FoundTrap[]) => boolean | undefined;

/** A check of the answer, even if it comes from a guard. */
export const onAnswer =
  (judge: (landing: Landing) => boolean): Judge =>
  (_evidence, landing) =>
    landing && judge(landing);
/** A check of the site's own page: a guard's page in its place gives no result. */
export const onPage =
  (judge: (landing: Landing, evidence: SiteEvidence) => boolean | undefined): Judge =>
  (evidence, landing) =>
    landing?.guard === '' ? judge(landing, evidence) : undefined;
export const onHeaders = (judge: (headers: HeaderFacts) => boolean): Judge => onPage(({ headers }) => judge(headers));
export const onStatus = (judge: (status: number) => boolean): Judge => onAnswer(({ status }) => judge(status));
export const onDns =
  (judge: (dns: SiteDns) => boolean | undefined): Judge =>
  ({ dns }) =>
    judge(dns);
export const onIpv4 = (judge: (traits: Ipv4Traits) => boolean): Judge => onDns(({ ipv4 }) => ipv4 && judge(judgeIpv4(ipv4)));
export const onName =
  (judge: (name: SiteEvidence['name']) => boolean): Judge =>
  ({ name }) =>
    judge(name);
export const inCountry =
  (...codes: string[]): Judge =>
  ({ countries }) =>
    countries?.some((country) => codes.includes(country));

export const isOk = ({ status }: Landing): boolean => status >= 200 && status < 300;
const TEXT_MIN_CHARS = 30;

export const isEmptyPage: Judge = onPage(
  (landing) =>
    isOk(landing) &&
    (landing.bytes === 0 ||
      (landing.isHtml && landing.page.text.length < TEXT_MIN_CHARS && !landing.page.showsMore && landing.page.forms.length === 0)),
);

export const hasOwn404: Judge = ({ absent }) => {
  const answer = absent && lastAnswer(absent);
  if (!absent || !answer || guardOf({ ...answer, page: absent.page }) !== '') return undefined;
  return hasOwnNotFoundPage({ ...answer, page: absent.page });
};

export function isPublic(address: string): boolean {
  const ip = parseIp(address);
  return ip !== undefined && classifyIp(ip) === 'public';
}

/** FATF's list of "high-risk jurisdictions subject to a call for action". */
export const RISKY_COUNTRIES = ['IR', 'KP', 'MM'] as const;

// Lists of addresses and of name servers age, and servers change hands: where a site speaks for itself they are not believed.
export const isSinkholed: Judge = ({ lists }, landing) => {
  if (landing && saysSeized(landing)) return true;
  if (lists.sinkhole === true) return !(landing && isOk(landing) && landing.elsewhere === '' && hasOwnText(landing));
  return landing || lists.sinkhole === false ? false : undefined;
};
export const isParkedSite: Judge = ({ lists, domain }, landing) => {
  if (landing && isParked(landing, { domain, elsewhere: landing.elsewhere })) return true;
  if (lists.parked === true) return !(landing && speaksForItself(landing));
  return landing || lists.parked === false ? false : undefined;
};
export const isSuspiciousRedirect: Judge = (evidence) => {
  const { hops } = mainVisit(evidence);
  return (
    lastAnswer(mainVisit(evidence)) &&
    suspicionOf(hops, evidence.domain, { shortener: evidence.isShortener, parked: evidence.isParkedName }) !== ''
  );
};
/** Over https the site itself answered, and every certificate on the way through it holds. Undefined for a site that does not answer. */
export const isValidHttps: Judge = ({ https, http, domain }) => {
  if (!lastAnswer(https) && !lastAnswer(http) && !https.hops.some(({ secure }) => secure === false)) return undefined;
  const own = https.hops.filter(({ url }) => url.startsWith('https:') && elsewhere(url, domain) === '');
  return own[0]?.status !== 0 && own.every(({ secure, status }) => status === 0 || secure === true) && lastAnswer(https) !== undefined;
};
export const isHeuristicPattern: Judge = (evidence, landing, traps) =>
  landing?.guard === '' ? traps.length > 0 || isScamShop(landing, evidence) : undefined;
