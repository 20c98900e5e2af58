import { ApiError, type ParsedUrl } from '@vedette/contract';
import { canonicalText, canonicalUrl, urlRisk, urlShape } from '@vedette/intel/urls';
import { Type } from 'typebox';
import { central, type CentralContext, Flag, HttpUrl } from '../kit/index.ts';
import { BLACKLIST_PARAMETERS, excludedEngines } from '../shared/names/blacklist-block.ts';
import { refusedTarget } from '../shared/names/refused-target.ts';
import { unwrapRequested } from '../shared/pages/unwrapped.ts';
import { judgeUrl } from './checks.ts';
import { isProgram, maskOf, servedFile } from './file.ts';
import { hostRisk, type HostQuery, judgeHost, type JudgedHost } from './hosts.ts';
import { judgeListings } from './listings.ts';
import { judgePage, type Visited, visitUrl } from './page.ts';
import type { UrlQuery } from './query.ts';
import { reportOf, unseenOf } from './report.ts';
import { UrlReputationReport } from './schema.ts';

/** Judges a URL: by lists of URLs, by how it is written, by each host on its way, and by the page where it leads. */
export const urlReputation = central({
  name: 'url-reputation',
  subject: 'web',
  summary: 'Rate the risk of a URL and of the page where it leads',
  description:
    'Unwraps links of mail gateways and follows redirects like a browser without scripts. Lists of single URLs judge every hop, domain-reputation or ip-reputation its host, and site-trust the page. Nothing else of the site is requested but the icon of a page that asks for a password or the like. docs/url-reputation.md explains the checks, docs/scores.md the score.',
  cost: { base: 5, of: ({ withAge }: UrlQuery) => (withAge ? 6 : 5), note: '1 more with `include_domain_age`' },
  deadline_ms: 40_000,
  dns: { questions: 900, ms: 34_000, optional: ({ start }: UrlQuery) => start.kind !== 'name' },
  references: ['Safe Browsing v5: URLs and Hashing', 'RFC 3986', 'RFC 5782', 'RFC 9110', 'UTS 39'],
  request: Type.Object(
    {
      url: HttpUrl(),
      ...BLACKLIST_PARAMETERS,
      include_domain_age: Flag(false, 'Ask the registry when the domains of the first and the last host were registered; one credit more'),
    },
    { additionalProperties: false },
  ),
  response: UrlReputationReport,
  bulk: 'url',
  targets: { url: 'url' },
  examples: [{ url: 'https://example.org/' }, { url: 'https://example.org/', include_domain_age: true }],
  read({ url, exclude_engines: exclude, blocklist_key: key, include_domain_age: withAge }, { url: target }): UrlQuery {
    return { ...unwrapRequested(url, target), exclude: excludedEngines(exclude), key, withAge };
  },
  async run(query, context) {
    const { start } = query;
    const ask = hostAsker(query, context);
    const [visited, first] = await Promise.all([visitUrl(start, context), ask(start, true)]);
    await refuseForbidden(visited, start, context);
    const hosts = await judgeWay(visited, ask, first);
    const last = hosts.at(-1)!;
    const listings = judgeListings(visited, query, context);
    const verdict = await judgePage(visited, first, last, context);
    if (verdict.unseen !== '' && listings.check.results.length === 0 && first.blacklists.engines_count === 0)
      throw new ApiError('upstream_failed', `no list was heard, and the page was not seen: ${verdict.unseen}`, { retryAfterS: 5 });
    const shape = urlShape(query.written, start, context.names);
    const file = servedFile(visited.raw.hops.at(-1)!, visited.raw.page);
    const { landing } = verdict.page;
    const seen = verdict.unseen === '' && landing !== undefined;
    const end = visited.raw.hops.findLast(({ head }) => head !== undefined);
    const judged = judgeUrl({
      shape,
      ends: [first, last],
      hosts,
      urlListed: listings.detections.length > 0,
      landing: landing?.guard === '' ? landing : undefined,
      way: verdict.way,
      page: verdict.page,
      secure: end && end.location.protocol === 'https:' && end.tls?.certificate.valid === true,
      file,
    });
    const unseen = unseenOf({ query, hosts: [first, last], listings, verdict, lists: context.lists });
    const risk = urlRisk({
      shape,
      detections: listings.detections,
      hosts: hosts.map((host) => hostRisk(host, host !== last && seen)),
      page: verdict.signs,
      asksForSecrets: landing?.page.forms.some(({ hasPassword, hasCard }) => hasPassword || hasCard) ?? false,
      masked: maskOf(file),
      isProgram: isProgram(file),
      unseen,
    });
    const canonical = canonicalUrl(start.url.href);
    return reportOf({
      query,
      visited,
      hosts,
      listings,
      verdict,
      judged,
      file,
      risk,
      unseen,
      canonical: canonical ? canonicalText(canonical) : start.url.href,
      lists: context.lists,
    });
  },
});

type Ask = (host: Pick<ParsedUrl, 'host' | 'kind'>, isEnd: boolean) => Promise<JudgedHost>;

/** Judges each host once. Only the ages of both ends are asked of a registry, and only where the client wants them. */
function hostAsker({ exclude, key, withAge }: UrlQuery, context: CentralContext): Ask {
  const query = (isEnd: boolean): HostQuery => ({ exclude, key, age: withAge && isEnd ? 'asked' : 'cached' });
  return ({ host, kind }, isEnd) => judgeHost({ host, kind }, query(isEnd), context);
}

/** Refuses a URL that may not be contacted, as only its DNS or the unwrapped link has told. */
async function refuseForbidden({ raw }: Visited, start: ParsedUrl, context: CentralContext): Promise<void> {
  const failure = raw.hops[0]!.failure;
  if (failure?.code === 'blocked_policy' || failure?.code === 'blocked_private_address')
    throw await refusedTarget(failure, start.host, context);
}

/** The hosts of the way, each once: the first one first, and last the one where it ends. */
async function judgeWay({ raw }: Visited, ask: Ask, first: JudgedHost): Promise<JudgedHost[]> {
  const targets = new Map(raw.hops.flatMap(({ target }) => (target ? [[target.host, target] as const] : [])));
  const end = raw.hops.findLast(({ target }) => target !== undefined)?.target?.host ?? first.host;
  const others = Array.from(targets.values()).filter(({ host }) => host !== first.host);
  const judged = await Promise.all(others.map((target) => ask(target, target.host === end)));
  const all = [first, ...judged];
  const last = all.find(({ host }) => host === end) ?? first;
  return [...all.filter((host) => host !== last), last];
}
