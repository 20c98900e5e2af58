import type { Landing } from './visit/main-visit.ts';
import type { NetworkSign } from '@vedette/intel/addresses';
import type { Factor } from '@vedette/intel/risk';
import type { SiteCheck, SiteVerdict } from './checks.ts';
import type { SiteEvidence } from './evidence.ts';
import { TRAPS } from './traps/index.ts';

/** Points that a factor adds to 100 or takes from it; docs/scores.md explains them. */
export const TRUST_MODIFIERS = {
  no_valid_https: -25,
  http_not_redirected: -8,
  very_recent: -25,
  recent: -12,
  older_than_2_years: 3,
  older_than_10_years: 6,
  abused_tld: -8,
  spoofable_mail: -6,
  dmarc_enforced: 3,
  free_email_of_a_shop: -10,
  high_discounts: -15,
  fake_socials: -12,
  heuristic_pattern: -15,
  risky_geo_location: -5,
  missing_csp: -1,
  missing_hsts: -1,
  missing_content_type_options: -1,
  missing_frame_options: -1,
  missing_referrer_policy: -1,
  version_exposed: -1,
  directory_listing: -8,
  empty_page: -10,
  noindex: -3,
  http_client_error: -15,
  http_server_error: -15,
  external_redirect: -4,
  suspicious_redirect: -15,
  redirect_to_search_engine: -15,
  suspicious_domain: -15,
  names_of_forgers: -15,
  odd_names: -8,
  certificate_of_listed_names: -20,
  self_signed_brand: -10,
  new_certificate: -5,
  brand_certificate: 3,
  low_confidence_detection: -8,
  dnssec: 1,
  caa: 1,
  popular: 12,
  rather_popular: 5,
  page_not_seen: -5,
  tor_exit: -10,
} as const satisfies Record<string, number>;
export type TrustModifier = keyof typeof TRUST_MODIFIERS;

/** The most that a site of which this is known is trusted, whatever else speaks for it. */
export const TRUST_CAPS = {
  detections: 10,
  sinkholed: 15,
  defaced: 15,
  credential_trap_and_imitation: 20,
  suspended: 25,
  one_detection: 30,
  imitation_and_recent: 30,
  drop_network: 30,
  not_accessible: 35,
  bad_certificate: 40,
  paste_and_run: TRAPS.paste_and_run.cap,
  smuggled_program: TRAPS.smuggled_program.cap,
  fake_alert: TRAPS.fake_alert.cap,
  wallet_phrase: TRAPS.wallet_phrase.cap,
  secret_sink: TRAPS.secret_sink.cap,
  credential_trap: TRAPS.credential_trap.cap,
  posing_page: TRAPS.posing_page.cap,
  criminal_system: 40,
  parked: 50,
  page_not_seen: 60,
  age_not_known: 75,
} as const satisfies Record<string, number>;
export type TrustCap = keyof typeof TRUST_CAPS;

/** The points that a site can have less where no engine was heard; where a part was not heard, as large a part of them. */
export const UNHEARD_POINTS = 80;

/** The least that a site has which many people visit, unless a cap applies. */
export const POPULAR_FLOOR = 60;

/** Caps without harm: the page was not seen, or is not the owner's. */
const NO_HARM: ReadonlySet<TrustCap> = new Set(['suspended', 'not_accessible', 'parked', 'page_not_seen', 'age_not_known']);

export interface Trust {
  /** 0 to 100, trusted. */
  result: number;
  /** The factors that raised or lowered it: 100 and all effects add up to the result. */
  factors: Factor[];
  /** 0 to 100: what speaks against the site, without the caps for what was not seen. */
  risk: number;
}

const DAYS_OF_YEAR = 365.25;
const NO_SIGNS = { forgeries: '', oddNames: '', listed: { names: '', share: 0 }, claim: '', owner: undefined };

/**
 * 100, and points for whatever speaks for the site or against it, clamped, then the floor of the popular, then the caps. Checks without a
 * result do not count by themselves, but no site is trusted beyond what was seen of it: an unseen page, an unknown age and engines that were not
 * heard have caps.
 */
export function scoreTrust(evidence: SiteEvidence, verdict: SiteVerdict): Trust {
  const factors: Factor[] = [];
  let sum = 100;
  for (const [factor, detail, share] of modifiersOf(evidence, verdict)) {
    const points = Math.round(TRUST_MODIFIERS[factor] * share);
    if (points === 0) continue;
    factors.push({ factor, effect: points, weight: Math.abs(points) / 100, detail });
    sum += points;
  }
  const within = Math.min(100, Math.max(0, sum));
  if (within !== sum)
    factors.push({ factor: 'within_0_and_100', effect: within - sum, weight: 0, detail: 'there is no more, and no less' });
  let result = within;
  if (result < POPULAR_FLOOR && verdict.checks.is_website_popular) {
    factors.push({ factor: 'popular_floor', effect: POPULAR_FLOOR - result, weight: 0, detail: 'one of the most visited domains' });
    result = POPULAR_FLOOR;
  }
  const caps = capsOf(evidence, verdict).toSorted((a, b) => TRUST_CAPS[a[0]] - TRUST_CAPS[b[0]]);
  const risk = 100 - Math.min(result, ...caps.flatMap(([cap]) => (NO_HARM.has(cap) ? [] : [TRUST_CAPS[cap]])));
  for (const [factor, detail] of caps) {
    const cap = TRUST_CAPS[factor];
    factors.push({ factor: `cap_${factor}`, effect: Math.min(0, cap - result), weight: 0, detail });
    result = Math.min(result, cap);
  }
  const most = 100 - Math.ceil(UNHEARD_POINTS * evidence.unheard);
  if (most < result) {
    const detail = `${Math.round(100 * evidence.unheard)}% of the engines were not heard`;
    factors.push({ factor: 'unheard', effect: most - result, weight: 0, detail });
    result = most;
  }
  return { result, factors, risk };
}

/** What counts, with its detail, and as how large a part of its points. */
function modifiersOf(evidence: SiteEvidence, { checks, notChecked, landing }: SiteVerdict): [TrustModifier, string, share: number][] {
  const unknown = new Set(notChecked);
  const holds = (check: SiteCheck): boolean => !unknown.has(check) && checks[check];
  const fails = (check: SiteCheck): boolean => !unknown.has(check) && !checks[check];
  const { age, name, detections, certificate } = evidence;
  const { forgeries, oddNames, listed, claim, owner } = certificate?.signs ?? NO_SIGNS;
  // New certificates are ordinary: it counts beside other signs alone.
  const isNewBeside =
    certificate?.isFresh === true &&
    (age?.recent === true ||
      holds('is_heuristic_pattern') ||
      holds('is_suspicious_domain') ||
      forgeries !== '' ||
      oddNames !== '' ||
      listed.share >= 0.5);
  const signOf = networkSign(evidence);
  const aged = age && `the domain is ${age.days} days old`;
  const found: [TrustModifier, boolean, (string | undefined)?, number?][] = [
    ['no_valid_https', fails('is_valid_https')],
    ['http_not_redirected', fails('is_http_redirected_to_https') && holds('is_valid_https')],
    ['very_recent', age?.veryRecent === true, aged],
    ['recent', age?.recent === true && !age.veryRecent, aged],
    ['older_than_2_years', age !== undefined && age.days > 2 * DAYS_OF_YEAR && age.days <= 10 * DAYS_OF_YEAR, aged],
    ['older_than_10_years', age !== undefined && age.days > 10 * DAYS_OF_YEAR, aged],
    ['abused_tld', holds('is_most_abused_tld')],
    ['spoofable_mail', holds('is_email_spoofable')],
    ['dmarc_enforced', holds('is_dmarc_enforced')],
    ['free_email_of_a_shop', holds('is_free_email') && holds('is_ecommerce_platform')],
    ['high_discounts', holds('is_high_discounts')],
    ['fake_socials', holds('is_fake_socials')],
    ['heuristic_pattern', holds('is_heuristic_pattern')],
    ['risky_geo_location', holds('is_risky_geo_location')],
    ['missing_csp', fails('is_csp_header')],
    ['missing_hsts', fails('is_hsts_header') && holds('is_valid_https')],
    ['missing_content_type_options', fails('is_content_type_options_header')],
    ['missing_frame_options', fails('is_frame_options_header')],
    ['missing_referrer_policy', fails('is_referrer_policy_header')],
    [
      'version_exposed',
      holds('is_server_header_exposing_version') || holds('is_powered_by_header_exposed') || holds('is_aspnet_version_header_exposed'),
    ],
    ['directory_listing', holds('is_directory_listing')],
    ['empty_page', holds('is_empty_page_content')],
    ['noindex', holds('is_robots_noindex')],
    ['http_client_error', holds('is_http_client_error') && !isGuarded(landing), `HTTP ${landing?.status ?? 0}`],
    ['http_server_error', holds('is_http_server_error') && landing?.guard === '', `HTTP ${landing?.status ?? 0}`],
    ['external_redirect', holds('is_external_redirect') && !holds('is_suspicious_redirect'), landing?.elsewhere],
    ['suspicious_redirect', holds('is_suspicious_redirect')],
    ['redirect_to_search_engine', holds('is_redirect_to_search_engine')],
    ['suspicious_domain', holds('is_suspicious_domain'), name.homoglyph || name.typosquat || 'it is named like a file'],
    ['names_of_forgers', forgeries !== '', `its certificate is for ${forgeries} too`],
    ['odd_names', oddNames !== '' && forgeries === '', `its certificate is for ${oddNames} too`],
    ['certificate_of_listed_names', listed.share > 0, `its certificate is for ${listed.names} too`, listed.share],
    ['self_signed_brand', claim !== '', `its certificate says that it is of "${claim}", and is signed by itself`],
    ['new_certificate', isNewBeside, 'its certificate is less than two days old'],
    [
      'brand_certificate',
      owner !== undefined,
      `${certificate?.issuerOrganization} certifies that it is of ${certificate?.subjectOrganization}`,
    ],
    ['low_confidence_detection', detections !== undefined && detections.high === 0 && detections.all > 0],
    ['dnssec', holds('is_dnssec_signed')],
    ['caa', holds('is_caa_configured')],
    ['popular', holds('is_website_popular')],
    ['rather_popular', evidence.has.ranks && name.popularity === 'medium'],
    ['tor_exit', signOf('tor_exit') !== undefined, signOf('tor_exit')],
    // It counts as much as all headers that a neglected page lacks, so that hiding a page is not an advantage.
    ['page_not_seen', landing !== undefined && landing.guard !== '', landing?.guard],
  ];
  return found.flatMap(([factor, applies, detail, share]) =>
    applies ? [[factor, detail ?? '', share ?? 1] as [TrustModifier, string, number]] : [],
  );
}

/** Finds what the networks of a site's addresses say of it. A tenant has no choice of networks. */
const networkSign =
  ({ networks, isFreeHost }: SiteEvidence) =>
  (factor: NetworkSign['factor']): string | undefined =>
    isFreeHost ? undefined : networks.find((sign) => sign.factor === factor)?.detail;

/** Whether sites turn away robots with this status. */
export const isTurnedAway = (status: number): boolean => [401, 403, 405, 406, 429].includes(status);

/** Whether the site or its guard turned us away as a stranger without scripts: that says nothing against the site, and its page was not seen. */
const isGuarded = (landing: Landing | undefined): boolean =>
  landing !== undefined && (landing.guard !== '' || isTurnedAway(landing.status));

function capsOf(evidence: SiteEvidence, { checks, notChecked, landing, traps }: SiteVerdict): [TrustCap, string][] {
  const { detections, name, age, certificate } = evidence;
  const signOf = networkSign(evidence);
  const high = detections?.high ?? 0;
  const accessible = checks.is_website_accessible || notChecked.includes('is_website_accessible');
  const found: [TrustCap, boolean, (string | undefined)?][] = [
    ['detections', high >= 2, `${high} engines list it`],
    ['one_detection', high === 1, 'an engine lists it'],
    ['sinkholed', checks.is_sinkholed_domain],
    ['defaced', checks.is_defaced_heuristic],
    [
      'credential_trap_and_imitation',
      traps.some(([trap]) => trap === 'credential_trap') && checks.is_suspicious_domain,
      name.homoglyph || name.typosquat,
    ],
    ...traps.map(([trap, found]): [TrustCap, boolean, string] => [trap, true, found]),
    ['suspended', checks.is_suspended_site],
    ['imitation_and_recent', name.homoglyph !== '' && age?.recent === true, name.homoglyph],
    ['drop_network', signOf('drop_network') !== undefined, signOf('drop_network')],
    ['criminal_system', signOf('criminal_system') !== undefined, signOf('criminal_system')],
    ['not_accessible', !accessible],
    ['bad_certificate', checks.is_ssl_expired || checks.is_ssl_revoked || checks.is_ssl_blacklisted, certificate?.subjectCommonName],
    ['parked', checks.is_parked_site],
    // Many visitors have known it for a while.
    ['age_not_known', age === undefined && name.popularity === 'low'],
    ['page_not_seen', isGuarded(landing), landing?.guard || `HTTP ${landing?.status ?? 0}`],
  ];
  return found.flatMap(([factor, applies, detail]) => (applies ? [[factor, detail ?? ''] as [TrustCap, string]] : []));
}
