import { type Field, field, flag } from '@vedette/contract';
import { HOST_FIELDS } from '@vedette/intel/names';
import type { SiteEvidence } from './evidence.ts';
import { forbidsIndexing } from './headers.ts';
import {
  hasOwn404,
  inCountry,
  isEmptyPage,
  isHeuristicPattern,
  isOk,
  isParkedSite,
  isPublic,
  isSinkholed,
  isSuspiciousRedirect,
  isValidHttps,
  type Judge,
  onAnswer,
  onDns,
  onHeaders,
  onIpv4,
  onName,
  onPage,
  onStatus,
  RISKY_COUNTRIES,
} from './judges.ts';
import { findCommerce } from './shop/commerce.ts';
import { hasFakeSocials } from './shop/contacts.ts';
import { hasFreeMail, hasHighDiscounts } from './shop/patterns.ts';
import { isDefaced, isDirectoryListing, isSuspended } from './shop/signatures.ts';
import { type FoundTrap, trapsOf } from './traps/index.ts';
import { type Landing, landingOf, lastAnswer, leadsToHttps } from './visit/main-visit.ts';
import { isSearchEngine } from './visit/redirects.ts';

/** A check of a site: its field of `security_checks`, and the function that decides it. */
interface Check extends Field {
  judge: Judge;
}
const check = (description: string, note: string, judge: Judge): Check => ({ ...field(flag(description), note), judge });

/** Every boolean of `security_checks`. */
export const SITE_CHECKS = {
  is_suspended_site: check(
    'The hosting provider shows its suspension notice in place of the site',
    'The path of such a notice (`/cgi-sys/suspendedpage.cgi`), status 509, or its words (English, German, French, Spanish): in the title or a heading of a page of up to 1,200 characters, or in the text of one of up to 500 without a form. With status 402 also a shop that is unavailable. "This Account has been suspended."; not an article about it, nor "our summer programme has been suspended"',
    onPage(isSuspended),
  ),
  is_most_abused_tld: { ...HOST_FIELDS.is_most_abused_tld, judge: ({ has, name }) => (has.abusedTlds ? name.abusedTld : undefined) },
  is_robots_noindex: check(
    'The page asks search engines not to index it',
    '`noindex` or `none` in `meta` robots, or in X-Robots-Tag for all robots. `<meta name=robots content="NOINDEX">`; not `X-Robots-Tag: otherbot: noindex`',
    onPage(({ headers, page }) => headers.noIndex || forbidsIndexing(page.info.robots)),
  ),
  is_website_accessible: check(
    'The main visit ended with an answer, whatever its status',
    'A 403 counts; a redirect loop and a refused connection do not',
    (_evidence, landing) => landing !== undefined,
  ),
  is_empty_page_content: check(
    'The page answered with a 2xx status and shows nothing',
    'No body, or HTML with fewer than 30 readable characters and no form, script, picture, frame, video or drawing. `<body> </body>`; not `<div id="root"></div><script src=…>`',
    isEmptyPage,
  ),
  is_redirect_to_search_engine: check(
    'The site redirects to the front page of a search engine',
    'Only across registrable domains. → `https://www.google.com/`; not → `https://www.google.com/maps/…`',
    onAnswer(({ url, elsewhere: other }) => other !== '' && isSearchEngine(url)),
  ),
  is_suspicious_redirect: check(
    'A redirect leads away from the domain in a way that is typical of abuse',
    'A hop outside the domain goes to an IP address, an inner address, a parked name or a link shortener (`url-shorteners`, but not those of one firm, such as `youtu.be`), or its query carries a URL of a third party. Return addresses of log-ins and banners (`redirect_uri`, `continue`, `return` …) do not count. `https://t.example/go?to=https://casino.example`',
    isSuspiciousRedirect,
  ),
  is_http_status_error: check(
    'The status of the page is 400 or higher',
    '`404`, `503`',
    onStatus((status) => status >= 400),
  ),
  is_http_server_error: check(
    'The status of the page is 500 or higher',
    '`503`; not `404`',
    onStatus((status) => status >= 500),
  ),
  is_http_client_error: check(
    'The status of the page is between 400 and 499',
    '`404`; not `500`',
    onStatus((status) => status >= 400 && status < 500),
  ),
  is_empty_page_title: check(
    'The page is HTML with a 2xx status, and its title is missing or blank',
    'A page without `<title>`; not a PDF',
    onPage((landing) => isOk(landing) && landing.isHtml && landing.page.info.title === ''),
  ),
  is_ipv6_enabled: check(
    'The host has a public IPv6 address',
    '`2600::1`; not `fd00::1`',
    onDns(({ ipv6 }) => ipv6?.some(isPublic)),
  ),
  is_domain_blacklisted: { ...HOST_FIELDS.is_domain_blacklisted, judge: ({ detections }) => detections && detections.all > 0 },
  is_suspicious_domain: check(
    'The host name imitates a brand, or reads like a file name',
    'It is homoglyph, slip or clickable by [domain-reputation](domain-reputation.md). `paypa1.example`, `invoice-pdf.example`; the best-known domains imitate nobody',
    onName(({ homoglyph, typosquat, clickable }) => homoglyph !== '' || typosquat !== '' || clickable),
  ),
  is_sinkholed_domain: check(
    'The name was taken over because of abuse, and leads to a sinkhole or a seizure notice',
    'X-Sinkhole or X-Sinkholed-Domain is sent, or a notice (as above) says so. Or an address (other than of a content delivery network) or a name server is on `sinkholes` or `sinkhole-ns`, unless the site itself answers 2xx with more than 1,200 characters of text. "This website has been seized by the FBI"; not a newspaper that quotes it',
    isSinkholed,
  ),
  is_http_redirected_to_https: check(
    'The site redirects from http to https',
    'Not checked where http does not answer. `http://a.example/` → `https://www.a.example/`',
    ({ http }) => (lastAnswer(http) ? leadsToHttps(http) : undefined),
  ),
  is_directory_listing: check(
    'The page is a list of files that the web server generated',
    'Status 200 and a listing of Apache, nginx, Caddy, IIS or Python: "Index of /" in title and heading, or in one of them with "Last modified" or a link to the parent. Not "Index of first lines"',
    onPage(isDirectoryListing),
  ),
  is_domain_ipv4_assigned: { ...HOST_FIELDS.is_domain_ipv4_assigned, judge: onIpv4((ipv4) => ipv4.assigned) },
  is_domain_ipv4_private: { ...HOST_FIELDS.is_domain_ipv4_private, judge: onIpv4((ipv4) => ipv4.private) },
  is_domain_ipv4_loopback: { ...HOST_FIELDS.is_domain_ipv4_loopback, judge: onIpv4((ipv4) => ipv4.loopback) },
  is_domain_ipv4_reserved: { ...HOST_FIELDS.is_domain_ipv4_reserved, judge: onIpv4((ipv4) => ipv4.reserved) },
  is_domain_ipv4_valid: { ...HOST_FIELDS.is_domain_ipv4_valid, judge: onIpv4((ipv4) => ipv4.valid) },
  is_uncommon_host_length: { ...HOST_FIELDS.is_uncommon_host_length, judge: onName(({ uncommonLength }) => uncommonLength) },
  is_uncommon_dash_char_count: { ...HOST_FIELDS.is_uncommon_dash_char_count, judge: onName(({ uncommonDashes }) => uncommonDashes) },
  is_uncommon_dot_char_count: { ...HOST_FIELDS.is_uncommon_dot_char_count, judge: onName(({ uncommonDots }) => uncommonDots) },
  is_email_configured: check(
    'The domain has an MX record that accepts mail',
    '`MX 10 mx.example.`; not the null MX, `MX 0 .` (RFC 7505)',
    onDns(({ mail }) => (mail && !mail.unknown.has('exchangers') ? mail.exchangers.length > 0 : undefined)),
  ),
  is_email_spoofable: check(
    'The domain has no enforced DMARC policy, so receivers may accept mail that others send in its name',
    'As `is_spoofable` of [email-verify](email-verify.md). `p=none`; not checked where SPF or DMARC was not answered',
    onDns(({ spoofable }) => spoofable),
  ),
  is_dmarc_configured: check(
    'A DMARC record applies to the domain',
    'Found by tree walk (RFC 9989). `v=DMARC1; p=none`',
    onDns(({ mail }) => (mail && !mail.unknown.has('dmarc') ? mail.dmarc !== '' : undefined)),
  ),
  is_dmarc_enforced: check(
    'The DMARC policy of the domain is `quarantine` or `reject`, and not in test mode',
    'Not `p=none`, nor `t=y`',
    onDns(({ mail }) => (mail && !mail.unknown.has('dmarc') ? mail.dmarcEnforced : undefined)),
  ),
  is_caa_configured: check(
    'The host or a name above it has a CAA record set (RFC 8659 §3)',
    'A record at `example.org` covers `shop.example.org`',
    onDns(({ caa }) => caa),
  ),
  is_external_redirect: check(
    'The page is on another registrable domain than the site',
    'Tenants of shared hosts count as domains. `a.example` → `b.example`; not → `www.a.example`',
    onAnswer(({ elsewhere: other }) => other !== ''),
  ),
  is_custom_404_configured: check(
    'The site has an error page of its own for unknown paths',
    'Status 404 or 410, and not the text that a server shows by default. Not a redirect to the front page with 200, nor nginx\'s "404 Not Found"',
    hasOwn404,
  ),
  is_valid_https: check(
    'The site answers over https, and every certificate on its domain is valid',
    'Each https hop within the domain is trusted, current and for its name. Not where `www.` has an expired certificate behind the redirect; not checked where nothing answers',
    isValidHttps,
  ),
  is_ssl_blacklisted: check(
    'The certificate of the site is on a blacklist',
    'The list `sslbl` has `<SHA-1 of the certificate>.sslbl.abuse.ch`, as the feed of that name makes it. Not another certificate of the same name',
    ({ certificate }) => certificate?.blacklisted,
  ),
  is_ssl_expired: check(
    'The certificate of the site has expired',
    'Not a self-signed one that is current',
    ({ certificate }) => certificate?.expired,
  ),
  is_ssl_revoked: check(
    "The issuer of the site's certificate has revoked it",
    'By a stapled response, a list (of up to 30 MB) or a responder, signed and current. Without any of them it is not checked',
    ({ certificate }) => certificate?.revoked,
  ),
  is_hsts_header: check(
    'The page sends Strict-Transport-Security over valid https, with a max-age above 0',
    'Of several headers the first counts. Not `max-age=0`, not over http',
    onPage(({ headers, url }, { https }) => headers.hsts && url.startsWith('https:') && https.hops.every(({ secure }) => secure !== false)),
  ),
  is_referrer_policy_header: check(
    'The page sets a referrer policy',
    'Referrer-Policy, or `meta` referrer, has a known token. Not `Referrer-Policy: whatever`',
    onHeaders(({ referrerPolicy }) => referrerPolicy !== ''),
  ),
  is_unsafe_url_in_referrer_policy_header: check(
    'The referrer policy of the page is `unsafe-url`',
    'The last known token counts. `no-referrer, unsafe-url`; not `unsafe-url, strict-origin`',
    onHeaders(({ referrerPolicy }) => referrerPolicy === 'unsafe-url'),
  ),
  is_csp_header: check(
    'The page sets a Content-Security-Policy',
    'By header or `meta`, with a directive. Not Content-Security-Policy-Report-Only',
    onHeaders(({ csp }) => csp.isSet),
  ),
  is_unsafe_eval_in_csp_header: check(
    'The Content-Security-Policy of the page allows scripts to use eval',
    "All policies with `script-src`, else `default-src`, have `'unsafe-eval'`. Not where a second policy forbids it, nor `'wasm-unsafe-eval'`",
    onHeaders(({ csp }) => csp.unsafeEval),
  ),
  is_unsafe_inline_in_csp_header: check(
    'The Content-Security-Policy of the page allows any inline script',
    "All policies with `script-src`, else `default-src`, have `'unsafe-inline'` without a nonce, a digest or `'strict-dynamic'`. Not `style-src 'unsafe-inline'`",
    onHeaders(({ csp }) => csp.unsafeInline),
  ),
  is_content_type_options_header: check(
    'The page sends X-Content-Type-Options with the value `nosniff`',
    '`NoSniff`; not `sniff`',
    onHeaders(({ contentTypeOptions }) => contentTypeOptions),
  ),
  is_frame_options_header: check(
    'The page limits which sites may frame it',
    'X-Frame-Options is DENY or SAMEORIGIN, or a Content-Security-Policy header has `frame-ancestors` other than everybody. Not `frame-ancestors *`, nor one in `meta`',
    onHeaders(({ frameOptions }) => frameOptions),
  ),
  is_xss_protection_header: check(
    'The page sends X-XSS-Protection',
    'Its value begins with 0 or 1. `0`, `1; mode=block`; not `block`',
    onHeaders(({ xssProtection }) => xssProtection),
  ),
  is_permissions_policy_header: check(
    'The page sends a Permissions-Policy that names a feature',
    'Not Feature-Policy',
    onHeaders(({ permissionsPolicy }) => permissionsPolicy),
  ),
  is_set_cookie_header: check(
    'The page sets a cookie by header',
    '`Set-Cookie: a=b`; not a cookie that a script would set',
    onHeaders(({ cookies }) => cookies.length > 0),
  ),
  is_secure_on_all_cookies: check(
    'The page sets cookies by header, and all of them are Secure',
    'Not `a=secure`; not without cookies',
    onHeaders(({ cookies }) => cookies.length > 0 && cookies.every(({ secure }) => secure)),
  ),
  is_server_header_exposing_version: check(
    'The Server header of the page shows a version',
    'After a slash. `nginx/1.18.0`; not `cloudflare`',
    onHeaders(({ serverVersion }) => serverVersion),
  ),
  is_powered_by_header_exposed: check(
    'The page sends X-Powered-By',
    '`PHP/8.1.2`',
    onHeaders(({ poweredBy }) => poweredBy),
  ),
  is_aspnet_version_header_exposed: check(
    'The page sends X-AspNet-Version or X-AspNetMvc-Version',
    '`4.0.30319`; not `X-Powered-By: ASP.NET`',
    onHeaders(({ aspNetVersion }) => aspNetVersion),
  ),
  is_dnssec_enabled: check(
    'The delegation of the zone is signed: the parent has a DS record and the zone has keys',
    'Not keys without a DS record',
    onDns(({ dnssecEnabled }) => dnssecEnabled),
  ),
  is_dnssec_signed: check(
    'The A records of the host verify up to a DNSSEC trust anchor',
    'Not checked where the proof cannot be fetched',
    onDns(({ dnssecSigned }) => dnssecSigned),
  ),
  is_defaced_heuristic: check(
    'A boast of intruders stands in place of the site',
    'The title or a heading begins with "hacked by", "defaced by", "pwned by" or the same in figures, or says that the site or you were; the page has up to 1,500 characters and no form. "H4ck3d by …"; not "City website hacked by students", nor "Owned by the Miller family"',
    onPage(isDefaced),
  ),
  is_website_popular: check(
    'The registrable domain is among the 50,000 most popular',
    'By rank, or because most people know it; never a tenant of a shared host. Not rank 50,001',
    ({ has, name }) => (has.ranks || name.popularity === 'high' ? name.popularity === 'high' : undefined),
  ),
  is_ecommerce_platform: check(
    'The site is a shop',
    "A shop system is found; or the page has marked-up products or three prices, a link to a cart, and a link to a checkout or three prices. Not a text that names WooCommerce, nor a picture from Shopify's servers",
    onPage(({ fields, headers, page }) => {
      const { platforms, other } = findCommerce(fields, headers.cookies, page);
      return other || platforms.size > 0;
    }),
  ),
  is_high_discounts: check(
    'Half of the products on the page are reduced by 60 % or more',
    'At least five products with a reduction. `<del>$100</del> <ins>$29</ins>` five times; not "up to 70 % off" alone, nor `40–70 %`, nor what is saved or what 100 g cost',
    onPage(hasHighDiscounts),
  ),
  is_fake_socials: check(
    'The page shows icons of two social networks or more, and none leads to a profile',
    "They lead to the network's front page or to `#`. Buttons that share or log in do not count. `https://www.facebook.com/` and `https://x.com/`; not `facebook.com/sharer`",
    onPage(({ page }) => hasFakeSocials(page)),
  ),
  is_heuristic_pattern: check(
    'The page looks like a fake shop, or is a trap: it collects secrets, has commands pasted and run, or raises a false alarm',
    'A shop on a recent domain with two of: free mailbox, no address or telephone, fake icons, high discounts. Or a trap, as the page on site-trust has them. "PayPal: log in"; not a forum that names PayPal beside its own log-in',
    isHeuristicPattern,
  ),
  is_free_email: check(
    'The page gives a contact address at a free mail provider, and none at its own domain',
    '`choir@gmail.com`; not beside `office@choir.example`',
    onPage(hasFreeMail),
  ),
  is_risky_geo_location: check(
    "An address of the host is in a country of the FATF's call for action: Iran, North Korea or Myanmar",
    'IR, KP, MM; not KR',
    inCountry(...RISKY_COUNTRIES),
  ),
  is_china_country: check('An address of the host is in China', 'CN; not HK, TW', inCountry('CN')),
  is_nigeria_country: check('An address of the host is in Nigeria', 'NG; not NE', inCountry('NG')),
  is_parked_site: check(
    'The domain is parked: it is for sale, or shows nothing but advertisements',
    'The signs of [parked-domain](parked-domain.md): a key for ad blockers, code of a parking service, a redirect to a market for domains, or a notice or an offer of the name: in the title or a heading of a page of up to 2,500 characters, or in the text of one of up to 500 without a form. Or an address or a name server is on `parking` or `parking-ns`, unless the site itself answers 2xx with more than 2,500 characters of text. "This domain is for sale"; not "our house is for sale". Beyond the contract',
    isParkedSite,
  ),
} satisfies Record<string, Check>;

export type SiteCheck = keyof typeof SITE_CHECKS;

export interface SiteVerdict {
  checks: Record<SiteCheck, boolean>;
  /** Checks that the evidence does not reach: their `false` says nothing. */
  notChecked: readonly SiteCheck[];
  /** The final page that a visitor sees; undefined if the site shows no page. */
  landing: Landing | undefined;
  traps: readonly FoundTrap[];
}

/** Makes every check. */
export function judgeSite(evidence: SiteEvidence): SiteVerdict {
  const landing = landingOf(evidence);
  const traps = trapsOf(landing, evidence);
  const judged = (Object.keys(SITE_CHECKS) as SiteCheck[]).map(
    (name) => [name, SITE_CHECKS[name].judge(evidence, landing, traps)] as const,
  );
  return {
    checks: Object.fromEntries(judged.map(([name, holds]) => [name, holds ?? false])) as Record<SiteCheck, boolean>,
    notChecked: judged.flatMap(([name, holds]) => (holds === undefined ? [name] : [])),
    landing,
    traps,
  };
}
