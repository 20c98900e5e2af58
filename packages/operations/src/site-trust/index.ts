import { ApiError } from '@vedette/contract';
import type { BlacklistCheck } from '@vedette/intel/ports';
import { central, type CentralContext, Host } from '../kit/index.ts';
import { judgeHostName } from '@vedette/intel/names';
import { ageOf } from '@vedette/intel/registration';
import { judgeSite, scoreTrust } from '@vedette/web/site';
import { Type } from 'typebox';
import { refuseBlind } from '../shared/names/blacklist-block.ts';
import { askRegistry, type KnownAge } from '../shared/names/domain-age.ts';
import { serverDetails } from '../shared/names/server-details.ts';
import { withoutWww } from '../shared/pages/url-parts.ts';
import { type Crawl, crawl } from './crawl.ts';
import { evidenceOf } from './evidence.ts';
import { withIcon } from './icon.ts';
import { reportOf } from './report.ts';
import { SiteTrustReport } from './schema.ts';
import { openedName, readSiteDns, SITE_DNS } from './site-dns.ts';

export { problemsOf, visitSite } from './crawl.ts';
export { CERTIFICATE_LIST, evidenceOf, evidenceThere, type Findings, listedOf } from './evidence.ts';
export { withIcon } from './icon.ts';
export { headersOf } from './report.ts';
export { SITE_FIELDS } from './schema.ts';
export { nameServers, openedName } from './site-dns.ts';

/** Beside the crawl, which takes up to 23 s. */
const REGISTRY_MS = 15_000;

/** Judges a site by one bounded crawl, the DNS, its certificate, its registration and lists. */
export const siteTrust = central({
  name: 'site-trust',
  subject: 'web',
  summary: 'How far a site can be trusted',
  description:
    'Visits the site over https and http, follows redirects like a browser without scripts, and requests one page that does not exist. A page that asks for a password or the like is asked for its icon, too. docs/site-trust.md defines each check, docs/scores.md the score. A report on a name with an inner address is free.',
  cost: 10,
  deadline_ms: 30_000,
  dns: { questions: SITE_DNS.all, ms: 22_000 },
  references: ['RFC 6797', 'RFC 8659', 'RFC 9110', 'RFC 9989', 'Content Security Policy Level 3'],
  request: Type.Object(
    { host: Host({ description: 'Domain name of the site; www. in front is left out' }) },
    { additionalProperties: false },
  ),
  response: SiteTrustReport,
  bulk: 'host',
  targets: { host: 'name' },
  examples: [{ host: 'example.org' }],
  read: (_request, { host }) => ({ host: withoutWww(host.host) }),
  async run({ host }, context) {
    const name = judgeHostName(host, context.names);
    const domain = name.tenant === '' ? host : name.tenant;
    // Only this comes first: a slow DNS takes nothing from the time of the crawl.
    const { opened, address } = await openedName(host, context);
    const [zone, crawled, server, blacklists, registration] = await Promise.all([
      readSiteDns({ host, opened, domain }, context),
      crawl(opened, domain, context),
      serverDetails(address, context),
      readBlacklists(host, context),
      // For a subdomain of a hosting provider, the registry knows only the provider.
      name.registered === '' ? OF_A_TENANT : askRegistry(name.registered, { timeout_ms: REGISTRY_MS, cachedOnly: false }, context),
    ]);
    if (leadsInwards(crawled)) context.waivePrice();
    if (!zone.answered) throw new ApiError('upstream_failed', 'the DNS answered none of the queries', { retryAfterS: 5 });
    const age = ageOf(registration.created, context.today());
    const evidence = await withIcon(await evidenceOf({ host, domain, name, zone, crawled, blacklists, age }, context), context);
    const verdict = judgeSite(evidence);
    return reportOf({
      host,
      zone,
      crawled,
      blacklists,
      registration,
      age,
      evidence,
      verdict,
      server,
      lists: context.lists,
      trust: scoreTrust(evidence, verdict),
    });
  },
});

const OF_A_TENANT: KnownAge = { state: 'unknown', created: '', problem: 'The registry knows only the domain that the host is a tenant of' };

/** Whether the name leads to an inner address, beside others or not: then it is not visited. */
const leadsInwards = ({ https, http }: Crawl): boolean => [https, http].every(({ hops }) => hops[0]?.refusal === 'blocked_private_address');

/** A client excludes no engine here. */
async function readBlacklists(host: string, { blacklists, resolver, signal }: CentralContext): Promise<BlacklistCheck> {
  const check = await blacklists.host(host, { resolver, signal, exclude: [], key: undefined });
  refuseBlind(check);
  return check;
}
