import {
  elsewhere,
  findCommerce,
  isTurnedAway,
  lastAnswer,
  mainVisit,
  NO_INFO,
  PLATFORMS,
  type scoreTrust,
  type SiteEvidence,
  type SiteHop,
  type SiteVerdict,
} from '@vedette/web/site';
import type { ListDays } from '@vedette/intel/ports';
import { BEING_LOADED, verdictOf } from '@vedette/intel/risk';
import type { Static } from 'typebox';
import { hostBlacklists } from '../shared/names/blacklist-block.ts';
import { awaitedNetworks, coverageOf, engineSources, type Source } from '../shared/names/coverage.ts';
import { type KnownAge, whyUndated } from '../shared/names/domain-age.ts';
import { byHostname, type serverDetails } from '../shared/names/server-details.ts';
import { urlParts } from '../shared/pages/url-parts.ts';
import type { Crawl } from './crawl.ts';
import { CERTIFICATE_LIST, type Findings, SINKHOLE_LISTS } from './evidence.ts';
import type { SiteTrustReport } from './schema.ts';

interface Judged extends Omit<Findings, 'name' | 'domain'> {
  registration: KnownAge;
  evidence: SiteEvidence;
  verdict: SiteVerdict;
  trust: ReturnType<typeof scoreTrust>;
  server: Awaited<ReturnType<typeof serverDetails>>;
  lists: ListDays;
}

/** How many characters of a header are told, and how many headers. */
const HEADER_MAX_CHARS = 4_096;
const HEADERS_MAX = 100;

/** Writes the report: nothing is judged here. */
export function reportOf({
  host,
  zone,
  crawled,
  blacklists,
  registration,
  age,
  evidence,
  verdict,
  trust,
  server,
  lists,
}: Judged): Static<typeof SiteTrustReport> {
  const { landing, checks, notChecked } = verdict;
  const visit = mainVisit(evidence);
  const answer = lastAnswer(visit);
  const commerce = landing && findCommerce(landing.fields, landing.headers.cookies, landing.page);
  const { certificate } = evidence;
  const ofServers = [...zone.mx, ...zone.ns].map(({ country_code }) => country_code).filter((code) => code !== '');
  const unchecked = [...notChecked, ...(evidence.age ? [] : AGE_CHECKS)];
  const coverage = coverageOf([...engineSources(blacklists), ...sourcesOf({ zone, crawled, registration, evidence, verdict, lists })]);
  const led = visit.hops.findLast(({ next }) => next !== '')?.next;
  return {
    host,
    dns_records: { ns: [...zone.ns], mx: [...zone.mx], cname: zone.cname },
    domain_blacklist: hostBlacklists(blacklists),
    ecommerce_platform: {
      ...Object.fromEntries(PLATFORMS.map((platform) => [`is_${platform}`, commerce?.platforms.has(platform) ?? false])),
      is_other: commerce?.other ?? false,
    },
    geo_location: { countries: [...new Set([...(evidence.countries ?? []), ...ofServers])] },
    html_info: landing?.page.info ?? NO_INFO,
    redirection: {
      found: led !== undefined,
      external: led !== undefined && elsewhere(led, evidence.domain) !== '',
      url: led ?? '',
    },
    response_headers: { ...headersOf(answer), code: answer?.status ?? 0, status: crawled.status },
    security_checks: {
      ...checks,
      http_status_code: answer?.status ?? 0,
      ssl_type: certificate?.type ?? '',
      ssl_issuer_organization: certificate?.issuerOrganization ?? '',
      ssl_issuer_country: certificate?.issuerCountry ?? '',
      ssl_subject_organization: certificate?.subjectOrganization ?? '',
      ssl_subject_common_name: certificate?.subjectCommonName ?? '',
      ssl_subject_country: certificate?.subjectCountry ?? '',
      ssl_subject_hosts: [...(certificate?.hosts ?? [])],
      is_domain_recent: yesOrNo(evidence.age?.recent),
      is_domain_very_recent: yesOrNo(evidence.age?.veryRecent),
      domain_creation_date: registration.created,
      domain_age_in_days: age?.days ?? 0,
      domain_age_in_months: age?.months ?? 0,
      domain_age_in_years: age?.years ?? 0,
    },
    server_details: byHostname(server),
    verdict: verdictOf(trust.risk, coverage, isSeen(evidence, verdict)),
    trust_score: { result: trust.result, factors: trust.factors, coverage },
    url_parts: urlParts(crawled.start),
    not_checked: unchecked,
    problems: [
      ...zone.problems,
      ...crawled.problems,
      ...(landing && landing.guard !== ''
        ? [`${landing.url.slice(0, 200)}: we were turned away by ${landing.guard}, and have not seen the page`]
        : []),
      ...(age
        ? [registration.problem].filter((problem) => problem !== '')
        : [`the age of the domain is not known: ${whyUndated(registration)}`]),
    ],
  };
}

/** Whether the owner's page answered, and its domain has an age or many visitors. */
const isSeen = ({ age, name }: SiteEvidence, { landing, checks }: SiteVerdict): boolean =>
  landing !== undefined &&
  landing.guard === '' &&
  landing.status >= 200 &&
  landing.status < 300 &&
  !checks.is_parked_site &&
  !checks.is_suspended_site &&
  (age !== undefined || name.popularity !== 'low');

const AGE_CHECKS = ['is_domain_recent', 'is_domain_very_recent'];

/** The sources beside the engines, and what kept each from answering. */
function sourcesOf({
  zone,
  crawled,
  registration,
  evidence: { certificate, age, has, lists },
  verdict: { landing },
  lists: days,
}: Pick<Judged, 'zone' | 'crawled' | 'registration' | 'evidence' | 'verdict' | 'lists'>): Source[] {
  const isTold = (...values: readonly unknown[]): string => (values.includes(undefined) ? 'the DNS did not answer' : '');
  const isLoaded = (loaded: boolean, ...of: readonly string[]): string =>
    loaded ? '' : of.some(days.isAwaited) ? BEING_LOADED : 'the list is not loaded';
  return [
    { name: 'page', problem: unseen(landing, crawled) },
    { name: 'addresses', problem: isTold(zone.ipv4, zone.ipv6) },
    { name: 'name_servers', problem: isTold(zone.nameServers) },
    { name: 'mail', problem: isTold(zone.mail?.unknown.size === 0 ? zone.mail : undefined) },
    { name: 'caa', problem: isTold(zone.caa) },
    { name: 'dnssec', problem: isTold(zone.dnssecEnabled, zone.dnssecSigned) },
    { name: 'registration', problem: age ? '' : whyUndated(registration) },
    ...(certificate?.valid === true
      ? [{ name: 'revocation', problem: certificate.revoked === undefined ? 'no list of the issuer could be read' : '' }]
      : []),
    { name: 'certificate_list', problem: isLoaded(certificate === undefined || certificate.blacklisted !== undefined, CERTIFICATE_LIST) },
    { name: 'abused_tlds', problem: isLoaded(has.abusedTlds) },
    { name: 'popularity', problem: isLoaded(has.ranks) },
    { name: 'sinkholes', problem: isLoaded(lists.sinkhole !== undefined, ...SINKHOLE_LISTS) },
    { name: 'parking', problem: isLoaded(lists.parked !== undefined) },
    ...awaitedNetworks(days),
  ];
}

function unseen(landing: SiteVerdict['landing'], { problems }: Crawl): string {
  if (landing === undefined) return problems[0] ?? 'no page answered';
  if (landing.guard !== '') return `${landing.guard} answered in its place`;
  return isTurnedAway(landing.status) ? `HTTP ${landing.status}` : '';
}

/** The contract has yes and no: what is not known is neither. */
const yesOrNo = (isSo: boolean | undefined): string => (isSo === undefined ? '' : isSo ? 'yes' : 'no');

/** Values of one name joined by commas, as RFC 9110 §5.2 has it; cookies too, as the contract's form of headers has no lists. */
export function headersOf(answer: SiteHop | undefined): Record<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of answer?.fields ?? []) {
    const before = joined.get(name);
    if (before === undefined && joined.size >= HEADERS_MAX) continue;
    joined.set(name, (before === undefined ? value : `${before}, ${value}`).slice(0, HEADER_MAX_CHARS));
  }
  return Object.fromEntries(joined);
}
