import type { ParsedUrl } from '@vedette/contract';
import { judgeHostName } from '@vedette/intel/names';
import { ageOf } from '@vedette/intel/registration';
import { judgeSite, NO_PAGE, scoreTrust, type SiteVerdict, type SiteVisit, TRUST_CAPS } from '@vedette/web/site';
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
  signs: { sign: string; detail: string; weight: number }[];
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

/** Caps of trust that say what was not seen, or nothing against a page: the host's lists and age are counted with the host. */
const NO_SIGNS: ReadonlySet<string> = new Set(
  'detections one_detection not_accessible bad_certificate suspended parked page_not_seen age_not_known imitation_and_recent'
    .split(' ')
    .map((cap) => `cap_${cap}`),
);
/** Points of trust that are signs against a page, and what each weighs. */
const POINTS: Readonly<Record<string, number>> = {
  suspicious_redirect: 0.25,
  heuristic_pattern: 0.4,
  names_of_forgers: 0.35,
  self_signed_brand: 0.2,
  odd_names: 0.15,
  new_certificate: 0.1,
  high_discounts: 0.1,
  fake_socials: 0.1,
  redirect_to_search_engine: 0.05,
};

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

/** The signs against a page: of what caps its trust only the lowest cap, since it is one page, and points, but for what the cap says. */
function signsOf(factors: ReturnType<typeof scoreTrust>['factors']): PageVerdict['signs'] {
  const caps = factors.flatMap(({ factor, detail }) => {
    const sign = factor.replace(/^cap_/, '');
    return factor === sign || NO_SIGNS.has(factor) ? [] : [{ sign, detail, weight: 1 - capOf(sign) / 100 }];
  });
  const [heaviest] = caps.toSorted((a, b) => b.weight - a.weight);
  const points = factors.flatMap(({ factor: sign, effect, detail }) => {
    const weight = POINTS[sign];
    return weight === undefined || effect >= 0 || (heaviest && sign === 'heuristic_pattern') ? [] : [{ sign, detail, weight }];
  });
  return heaviest ? [heaviest, ...points] : points;
}

const capOf = (cap: string): number => Object.entries(TRUST_CAPS).find(([name]) => name === cap)?.[1] ?? 100;

function unseen({ landing }: SiteVerdict, { raw }: Visited): string {
  if (!landing) return problemsOf(raw)[0] ?? 'no page answered';
  if (landing.guard !== '') return `${landing.guard} answered in its place`;
  if (landing.status < 200 || landing.status >= 300) return `HTTP ${landing.status}`;
  return raw.page.truncated ? 'only its beginning was read' : '';
}
