import type { ParsedUrl } from '@vedette/contract';
import { judgeHostName } from '@vedette/intel/names';
import { ageOf } from '@vedette/intel/registration';
import { judgeSite, NO_PAGE, scoreTrust, signsOf, type SiteVerdict, type SiteVisit, type TrustSign } from '@vedette/web/site';
import type { CentralContext } from '../kit/index.ts';
import { evidenceOf, evidenceThere, type Findings, problemsOf, visitSite, withIcon } from '../site-trust/index.ts';
import type { JudgedHost } from './hosts.ts';

export type Visited = Awaited<ReturnType<typeof visitSite>>;

/** The share of the request's 40 s that the way takes. */
const VISIT_MS = 14_000;

export const visitUrl = ({ url, fragment, basic }: ParsedUrl, context: CentralContext): Promise<Visited> =>
  visitSite(`${url.href}${fragment}`, { total_ms: VISIT_MS, ...(basic !== undefined && { basic }) }, context);

/** The verdicts of site-trust's engine: on the way, as the first URL's; on the page, as that of the host where it is. */
export interface PageVerdict {
  way: SiteVerdict;
  page: SiteVerdict;
  /** Signs against the page, by the names of site-trust's factors. */
  signs: TrustSign[];
  /** Why the page was not seen; empty where it was. */
  unseen: string;
}

const NO_VISIT: SiteVisit = { end: 'failed', hops: [], page: NO_PAGE, isHtml: false, bytes: 0 };
const NO_ZONE: Findings['zone'] = {
  ipv4: undefined,
  ipv6: undefined,
  nameServers: undefined,
  mail: undefined,
  spoofable: undefined,
  caa: undefined,
  dnssecEnabled: undefined,
  dnssecSigned: undefined,
  cname: '',
  ns: [],
  mx: [],
  addresses: [],
  answered: true,
  problems: [],
};
const NO_ENGINES: Findings['blacklists'] = { results: [], unanswered: [], scan_time_ms: 0 };

/** Judges the page where a URL leads by site-trust's engine. */
export async function judgePage(visited: Visited, first: JudgedHost, last: JudgedHost, context: CentralContext): Promise<PageVerdict> {
  const { raw, site } = visited;
  const start = raw.hops[0]!.location;
  const isHttps = start.protocol === 'https:';
  const evidence = await evidenceOf(
    {
      ...subjectOf(first, context),
      zone: NO_ZONE,
      crawled: {
        https: isHttps ? site : NO_VISIT,
        http: isHttps ? NO_VISIT : site,
        absent: undefined,
        start,
        certified: raw.hops.find(({ tls }) => tls !== undefined),
        status: '',
        problems: [],
      },
      blacklists: NO_ENGINES,
    },
    context,
  );
  const way = judgeSite(evidence);
  const certified = raw.hops.findLast(({ tls }) => tls !== undefined);
  const led = last.domain === first.domain ? evidence : evidenceThere(evidence, { ...subjectOf(last, context), certified }, context);
  const there = await withIcon(led, context);
  const page = there === evidence ? way : judgeSite(there);
  const found = signsOf(scoreTrust(there, page).factors);
  const onWay = signsOf(scoreTrust(evidence, way).factors).filter(({ sign }) => sign === 'suspicious_redirect');
  return { way, page, signs: [...found.filter(({ sign }) => sign !== 'suspicious_redirect'), ...onWay], unseen: unseen(page, visited) };
}

/** A host as judges of sites take it. The lists know no addresses. */
function subjectOf({ host, domain, report }: JudgedHost, { names, today }: CentralContext) {
  const age = ageOf(report?.security_checks.domain_creation_date ?? '', today());
  return { host, domain, name: judgeHostName(report ? host : 'address.invalid', names), age };
}

function unseen({ landing }: SiteVerdict, { raw }: Visited): string {
  if (!landing) return problemsOf(raw)[0] ?? 'no page answered';
  if (landing.guard !== '') return `${landing.guard} answered in its place`;
  if (landing.status < 200 || landing.status >= 300) return `HTTP ${landing.status}`;
  return raw.page.truncated ? 'only its beginning was read' : '';
}
