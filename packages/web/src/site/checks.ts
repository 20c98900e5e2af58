import { guardOf } from './visit/guards.ts';
import { classifyIp, parseIp } from '@vedette/contract';
import { type Ipv4Traits, judgeIpv4 } from '@vedette/intel/names';
import { findCommerce } from './shop/commerce.ts';
import { hasFakeSocials } from './shop/contacts.ts';
import type { SiteDns, SiteEvidence } from './evidence.ts';
import { forbidsIndexing, type HeaderFacts } from './headers.ts';
import { elsewhere, landingOf, type Landing, lastAnswer, leadsToHttps, mainVisit } from './visit/main-visit.ts';
import { hasFreeMail, hasHighDiscounts, isCredentialTrap, isScamShop } from './shop/patterns.ts';
import { isSearchEngine, suspicionOf } from './visit/redirects.ts';
import { hasOwnNotFoundPage, hasOwnText, isDefaced, isDirectoryListing, isParked, isSuspended, saysSeized } from './shop/signatures.ts';

/** What a check makes of the evidence; undefined where it cannot be judged by what is there. */
type Judge = (evidence: SiteEvidence, landing: Landing | undefined) => boolean | undefined;

/** A check of what anybody is answered. */
const onAnswer =
  (judge: (landing: Landing) => boolean): Judge =>
  (_evidence, landing) =>
    landing && judge(landing);
/** A check of what a visitor gets: what a guard shows us in its place says nothing of it. */
const onPage =
  (judge: (landing: Landing, evidence: SiteEvidence) => boolean | undefined): Judge =>
  (evidence, landing) =>
    landing?.guard === '' ? judge(landing, evidence) : undefined;
const onHeaders = (judge: (headers: HeaderFacts) => boolean): Judge => onPage(({ headers }) => judge(headers));
const onStatus = (judge: (status: number) => boolean): Judge => onAnswer(({ status }) => judge(status));
const onDns =
  (judge: (dns: SiteDns) => boolean | undefined): Judge =>
  ({ dns }) =>
    judge(dns);
const onIpv4 = (judge: (traits: Ipv4Traits) => boolean): Judge => onDns(({ ipv4 }) => ipv4 && judge(judgeIpv4(ipv4)));
const onName =
  (judge: (name: SiteEvidence['name']) => boolean): Judge =>
  ({ name }) =>
    judge(name);
const inCountry =
  (...codes: string[]): Judge =>
  ({ countries }) =>
    countries?.some((country) => codes.includes(country));

const isOk = ({ status }: Landing): boolean => status >= 200 && status < 300;
const TEXT_MIN_CHARS = 30;

function isPublic(address: string): boolean {
  const ip = parseIp(address);
  return ip !== undefined && classifyIp(ip) === 'public';
}

/** FATF's list of "high-risk jurisdictions subject to a call for action". */
const RISKY_COUNTRIES = ['IR', 'KP', 'MM'] as const;

// Lists of addresses and of name servers age, and servers change hands: where a site speaks for itself they are not believed.
const isOwnPage = (landing: Landing, kind: 'sinkhole' | 'parked'): boolean =>
  isOk(landing) && landing.elsewhere === '' && hasOwnText(landing, kind);
const isSinkholed: Judge = ({ lists }, landing) => {
  if (landing && saysSeized(landing)) return true;
  if (lists.sinkhole === true) return !(landing && isOwnPage(landing, 'sinkhole'));
  return landing || lists.sinkhole === false ? false : undefined;
};
const isParkedSite: Judge = ({ lists }, landing) => {
  if (landing && isParked(landing, landing.elsewhere)) return true;
  if (lists.parked === true) return !(landing && isOwnPage(landing, 'parked'));
  return landing || lists.parked === false ? false : undefined;
};
const isSuspiciousRedirect: Judge = (evidence) => {
  const { hops } = mainVisit(evidence);
  return (
    lastAnswer(mainVisit(evidence)) &&
    suspicionOf(hops, evidence.domain, { shortener: evidence.isShortener, parked: evidence.isParkedName }) !== ''
  );
};
/** Over https the site itself answered, and every certificate on the way through it holds. Of a site that answers nobody this is not known. */
const isValidHttps: Judge = ({ https, http, domain }) => {
  if (!lastAnswer(https) && !lastAnswer(http) && !https.hops.some(({ secure }) => secure === false)) return undefined;
  const own = https.hops.filter(({ url }) => url.startsWith('https:') && elsewhere(url, domain) === '');
  return own[0]?.status !== 0 && own.every(({ secure, status }) => status === 0 || secure === true) && lastAnswer(https) !== undefined;
};
const isHeuristicPattern: Judge = onPage((landing, evidence) => isCredentialTrap(landing, evidence) || isScamShop(landing, evidence));

/** Every boolean of `security_checks`, as docs/site-trust.md defines them: each a function of the evidence and of what a visitor gets. */
export const SITE_CHECKS = {
  is_suspended_site: onPage(isSuspended),
  is_most_abused_tld: ({ has, name }) => (has.abusedTlds ? name.abusedTld : undefined),
  is_robots_noindex: onPage(({ headers, page }) => headers.noIndex || forbidsIndexing(page.info.robots)),
  is_website_accessible: (_evidence, landing) => landing !== undefined,
  is_empty_page_content: onPage(
    (landing) =>
      isOk(landing) &&
      (landing.bytes === 0 ||
        (landing.isHtml && landing.page.text.length < TEXT_MIN_CHARS && !landing.page.showsMore && landing.page.forms.length === 0)),
  ),
  is_redirect_to_search_engine: onAnswer(({ url, elsewhere: other }) => other !== '' && isSearchEngine(url)),
  is_suspicious_redirect: isSuspiciousRedirect,
  is_http_status_error: onStatus((status) => status >= 400),
  is_http_server_error: onStatus((status) => status >= 500),
  is_http_client_error: onStatus((status) => status >= 400 && status < 500),
  is_empty_page_title: onPage((landing) => isOk(landing) && landing.isHtml && landing.page.info.title === ''),
  is_ipv6_enabled: onDns(({ ipv6 }) => ipv6?.some(isPublic)),
  is_domain_blacklisted: ({ detections }) => detections && detections.all > 0,
  is_suspicious_domain: onName(({ homoglyph, typosquat, clickable }) => homoglyph !== '' || typosquat !== '' || clickable),
  is_sinkholed_domain: isSinkholed,
  is_http_redirected_to_https: ({ http }) => (lastAnswer(http) ? leadsToHttps(http) : undefined),
  is_directory_listing: onPage(isDirectoryListing),
  is_domain_ipv4_assigned: onIpv4((ipv4) => ipv4.assigned),
  is_domain_ipv4_private: onIpv4((ipv4) => ipv4.private),
  is_domain_ipv4_loopback: onIpv4((ipv4) => ipv4.loopback),
  is_domain_ipv4_reserved: onIpv4((ipv4) => ipv4.reserved),
  is_domain_ipv4_valid: onIpv4((ipv4) => ipv4.valid),
  is_uncommon_host_length: onName(({ uncommonLength }) => uncommonLength),
  is_uncommon_dash_char_count: onName(({ uncommonDashes }) => uncommonDashes),
  is_uncommon_dot_char_count: onName(({ uncommonDots }) => uncommonDots),
  is_email_configured: onDns(({ mail }) => (mail && !mail.unknown.has('exchangers') ? mail.exchangers.length > 0 : undefined)),
  is_email_spoofable: onDns(({ spoofable }) => spoofable),
  is_dmarc_configured: onDns(({ mail }) => (mail && !mail.unknown.has('dmarc') ? mail.dmarc !== '' : undefined)),
  is_dmarc_enforced: onDns(({ mail }) => (mail && !mail.unknown.has('dmarc') ? mail.dmarcEnforced : undefined)),
  is_caa_configured: onDns(({ caa }) => caa),
  is_external_redirect: onAnswer(({ elsewhere: other }) => other !== ''),
  is_custom_404_configured: ({ absent }) => {
    const answer = absent && lastAnswer(absent);
    if (!absent || !answer || guardOf({ ...answer, page: absent.page }) !== '') return undefined;
    return hasOwnNotFoundPage({ ...answer, page: absent.page });
  },
  is_valid_https: isValidHttps,
  is_ssl_blacklisted: ({ certificate }) => certificate?.blacklisted,
  is_ssl_expired: ({ certificate }) => certificate?.expired,
  is_ssl_revoked: ({ certificate }) => certificate?.revoked,
  is_hsts_header: onPage(
    ({ headers, url }, { https }) => headers.hsts && url.startsWith('https:') && https.hops.every(({ secure }) => secure !== false),
  ),
  is_referrer_policy_header: onHeaders(({ referrerPolicy }) => referrerPolicy !== ''),
  is_unsafe_url_in_referrer_policy_header: onHeaders(({ referrerPolicy }) => referrerPolicy === 'unsafe-url'),
  is_csp_header: onHeaders(({ csp }) => csp.isSet),
  is_unsafe_eval_in_csp_header: onHeaders(({ csp }) => csp.unsafeEval),
  is_unsafe_inline_in_csp_header: onHeaders(({ csp }) => csp.unsafeInline),
  is_content_type_options_header: onHeaders(({ contentTypeOptions }) => contentTypeOptions),
  is_frame_options_header: onHeaders(({ frameOptions }) => frameOptions),
  is_xss_protection_header: onHeaders(({ xssProtection }) => xssProtection),
  is_permissions_policy_header: onHeaders(({ permissionsPolicy }) => permissionsPolicy),
  is_set_cookie_header: onHeaders(({ cookies }) => cookies.length > 0),
  is_secure_on_all_cookies: onHeaders(({ cookies }) => cookies.length > 0 && cookies.every(({ secure }) => secure)),
  is_server_header_exposing_version: onHeaders(({ serverVersion }) => serverVersion),
  is_powered_by_header_exposed: onHeaders(({ poweredBy }) => poweredBy),
  is_aspnet_version_header_exposed: onHeaders(({ aspNetVersion }) => aspNetVersion),
  is_dnssec_enabled: onDns(({ dnssecEnabled }) => dnssecEnabled),
  is_dnssec_signed: onDns(({ dnssecSigned }) => dnssecSigned),
  is_defaced_heuristic: onPage(isDefaced),
  is_website_popular: ({ has, name }) => (has.ranks || name.popularity === 'high' ? name.popularity === 'high' : undefined),
  is_ecommerce_platform: onPage(({ fields, headers, page }) => {
    const { platforms, other } = findCommerce(fields, headers.cookies, page);
    return other || platforms.size > 0;
  }),
  is_high_discounts: onPage(hasHighDiscounts),
  is_fake_socials: onPage(({ page }) => hasFakeSocials(page)),
  is_heuristic_pattern: isHeuristicPattern,
  is_free_email: onPage(hasFreeMail),
  is_risky_geo_location: inCountry(...RISKY_COUNTRIES),
  is_china_country: inCountry('CN'),
  is_nigeria_country: inCountry('NG'),
  is_parked_site: isParkedSite,
} as const satisfies Record<string, Judge>;

export type SiteCheck = keyof typeof SITE_CHECKS;

export interface SiteVerdict {
  checks: Record<SiteCheck, boolean>;
  /** Those that the evidence does not reach: their `false` says nothing. */
  notChecked: readonly SiteCheck[];
  /** What a visitor gets; undefined where the site shows no page. */
  landing: Landing | undefined;
}

/** Makes every check. */
export function judgeSite(evidence: SiteEvidence): SiteVerdict {
  const landing = landingOf(evidence);
  const judged = (Object.keys(SITE_CHECKS) as SiteCheck[]).map((name) => [name, SITE_CHECKS[name](evidence, landing)] as const);
  return {
    checks: Object.fromEntries(judged.map(([name, holds]) => [name, holds ?? false])) as Record<SiteCheck, boolean>,
    notChecked: judged.flatMap(([name, holds]) => (holds === undefined ? [name] : [])),
    landing,
  };
}
