import type { ListDays } from '@vedette/intel/ports';
import { BEING_LOADED, type Risk, verdictOf } from '@vedette/intel/risk';
import type { UrlEvidence } from '@vedette/intel/urls';
import { NO_INFO } from '@vedette/web/site';
import type { Static } from 'typebox';
import { hostBlacklists } from '../shared/names/blacklist-block.ts';
import { coverageOf, engineSources, type Source, unheardShare } from '../shared/names/coverage.ts';
import { domainPartsOf, shownTarget, urlParts } from '../shared/pages/url-parts.ts';
import { CERTIFICATE_LIST, headersOf, problemsOf } from '../site-trust/index.ts';
import type { judgeUrl } from './checks.ts';
import type { ServedFile } from './file.ts';
import type { JudgedHost } from './hosts.ts';
import type { UrlQuery } from './query.ts';
import type { UrlListings } from './listings.ts';
import type { PageVerdict, Visited } from './page.ts';
import type { UrlReputationReport } from './schema.ts';

interface Judged {
  query: UrlQuery;
  visited: Visited;
  /** The first one first, the one where the way ends last. */
  hosts: readonly JudgedHost[];
  listings: UrlListings;
  verdict: PageVerdict;
  judged: ReturnType<typeof judgeUrl>;
  file: ServedFile;
  risk: Risk;
  unseen: UrlEvidence['unseen'];
  canonical: string;
  lists: ListDays;
}

/** The gaps of the evidence, in words; empty without one. A domain that many people visit needs no age. */
export function unseenOf({
  query,
  hosts,
  listings,
  verdict,
  lists,
}: Pick<Judged, 'query' | 'hosts' | 'listings' | 'verdict' | 'lists'>): UrlEvidence['unseen'] {
  const undated = hosts.filter(({ report }) => report && report.security_checks.website_popularity === 'low' && !isDated(report));
  const age = undated.length === 0 ? '' : query.withAge ? `no age is known of ${undated[0]!.domain}` : 'the age was not asked for';
  const { results, unanswered } = listings.check;
  const isAwaiting = lists.isAwaited(CERTIFICATE_LIST) || hosts.some(({ risk: { coverage } }) => awaitsOne(coverage));
  return { page: verdict.unseen, age, lists: results.length + unanswered.length === 0 ? 1 : unheardShare(listings.check, isAwaiting) };
}

const awaitsOne = ({ missing }: JudgedHost['risk']['coverage']): boolean => missing.some(({ reason }) => reason === BEING_LOADED);

const isDated = ({ security_checks }: NonNullable<JudgedHost['report']>): boolean => (security_checks.domain_creation_date ?? '') !== '';

/** Writes the report: nothing is judged here. */
export function reportOf(judged: Judged): Static<typeof UrlReputationReport> {
  const { query, visited, hosts, listings, verdict, file, risk, unseen, canonical } = judged;
  const { raw, site } = visited;
  const [first] = hosts as [JudgedHost];
  const answer = site.hops.findLast(({ status }) => status > 0);
  const head = raw.hops.findLast((hop) => hop.head !== undefined)?.head;
  const led = raw.hops.findLast(({ redirect }) => redirect !== undefined)?.redirect?.to ?? '';
  const end = raw.hops.at(-1)!;
  const coverage = coverageOf(sourcesOf(judged));
  return {
    url: query.requestedUrl,
    unwrapped_url: query.unwrapped,
    canonical_url: canonical,
    final_url: raw.hops.length === 1 ? shownTarget(query.start) : end.shown,
    url_parts: urlParts(query.start.url),
    domain_parts: domainPartsOf(query.start.url),
    url_blacklist: hostBlacklists(listings.check),
    domain_blacklist: first.blacklists,
    server_details: first.server,
    redirection: { found: led !== '', external: judged.judged.checks.is_external_redirect, url: led },
    hops: raw.hops.map((hop, at) => ({
      url: at === 0 ? shownTarget(query.start) : hop.shown,
      host: hop.target?.host ?? '',
      status_code: hop.head?.status ?? 0,
      listed_by: [...(listings.byHop[at] ?? [])],
      host_risk: hosts.find(({ host }) => host === hop.target?.host)?.risk.result ?? 0,
      error: hop.failure?.message ?? '',
    })),
    html_info: verdict.page.landing?.page.info ?? NO_INFO,
    response_headers: {
      ...headersOf(answer),
      code: answer?.status ?? 0,
      status: head ? `${head.version} ${head.status} ${head.statusMessage}`.trim() : '',
    },
    file_type: file,
    security_checks: { ...judged.judged.checks, http_status_code: answer?.status ?? 0, ...(query.withAge && ageOf(first)) },
    verdict: verdictOf(risk.result, coverage, isSeen(judged)),
    risk_score: { ...risk, coverage },
    not_checked: judged.judged.notChecked,
    problems: [
      ...problemsOf(raw),
      ...[verdict.unseen === '' ? '' : `the page was not seen: ${verdict.unseen}`, unseen.age].filter((text) => text !== ''),
    ],
  };
}

/** Whether the page, ages and lists of URLs were seen. */
const isSeen = ({ unseen }: Judged): boolean => unseen.page === '' && unseen.age === '' && unseen.lists < 1;

/** The sources: lists of URLs, the page, ages, and what the reports on the hosts are made of. */
function sourcesOf({ hosts, listings, unseen, lists }: Judged): Source[] {
  const ofHosts = new Map<string, string>();
  for (const { blacklists } of hosts) for (const { name } of Object.values(blacklists.engines)) ofHosts.set(name, '');
  for (const { risk } of hosts) for (const { name, reason } of risk.coverage.missing) ofHosts.set(name, reason);
  ofHosts.delete('registration');
  return [
    ...engineSources(listings.check),
    { name: 'page', problem: unseen.page },
    { name: 'registration', problem: unseen.age },
    // Off without a key, and then no source.
    ...(lists.isAwaited(CERTIFICATE_LIST) ? [{ name: 'certificate_list', problem: BEING_LOADED }] : []),
    ...Array.from(ofHosts, ([name, problem]) => ({ name, problem })),
  ];
}

function ageOf({ report }: JudgedHost) {
  const checks = report?.security_checks;
  return {
    is_domain_recent: checks?.is_domain_recent ?? ('unknown' as const),
    is_domain_very_recent: checks?.is_domain_very_recent ?? ('unknown' as const),
    domain_creation_date: checks?.domain_creation_date ?? '',
    domain_age_in_days: checks?.domain_age_in_days ?? 0,
    domain_age_in_months: checks?.domain_age_in_months ?? 0,
    domain_age_in_years: checks?.domain_age_in_years ?? 0,
  };
}
