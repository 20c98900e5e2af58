import { ApiError, judgeAll, type Lookup, lookUp } from '@vedette/contract';
import type { BlacklistCheck } from '@vedette/intel/ports';
import { central, type CentralContext, Flag } from '../kit/index.ts';
import { networkSigns } from '@vedette/intel/addresses';
import { domainRisk, HOST_FIELDS, hostCategories, judgeHostName, judgeIpv4, riskyCategory } from '@vedette/intel/names';
import { ageOf, isRecent, isVeryRecent } from '@vedette/intel/registration';
import { verdictOf } from '@vedette/intel/risk';
import { Type } from 'typebox';
import { BLACKLIST_PARAMETERS, excludedEngines, hostBlacklists, refuseBlind } from '../shared/names/blacklist-block.ts';
import { awaitedNetworks, coverageOf, engineSources, unheardShare } from '../shared/names/coverage.ts';
import { askRegistry, type KnownAge, whyUndated } from '../shared/names/domain-age.ts';
import { serverDetails } from '../shared/names/server-details.ts';
import { unlessRefused } from '../shared/names/unless-refused.ts';
import { DomainReport } from './schema.ts';

/** A registry that takes longer is not waited for. */
const REGISTRY_MS = 7_000;

interface Query {
  host: string;
  exclude: readonly string[];
  key: string | undefined;
  age: 'no' | 'asked' | 'cached';
}

/** Judges a host name by blacklists, by the name itself, its addresses and its registration. Never contacts the host. */
export const domainReputation = central({
  name: 'domain-reputation',
  subject: 'domains',
  summary: 'Describe a domain or a host and rate its risk',
  description:
    'Queries DNS blacklists and the DNS, and with `include_domain_age` the registry. All other data is in memory. The host itself is not contacted. For addresses, use ip-reputation.',
  cost: { base: 1, of: ({ age }: Query) => (age === 'no' ? 1 : 2), note: '1 more with `include_domain_age`' },
  deadline_ms: 10_000,
  dns: { questions: 120, ms: 9_000 },
  contactsTarget: false,
  references: ['RFC 5782', 'UTS 39', 'RFC 9082'],
  request: Type.Object(
    {
      host: Type.String({
        minLength: 1,
        maxLength: 1024,
        description: 'A domain or a host name. IDN is welcome, one trailing dot allowed; no address',
        examples: ['example.org'],
      }),
      ...BLACKLIST_PARAMETERS,
      include_domain_age: Flag(false, 'Tell when the domain was registered; one credit more'),
      domain_age_cache_only: Flag(false, 'Take its age from the cache or not at all, which is faster; only with include_domain_age'),
    },
    { additionalProperties: false },
  ),
  response: DomainReport,
  bulk: 'host',
  targets: { host: 'name' },
  examples: [{ host: 'example.org' }, { host: 'example.org', include_domain_age: true }],
  read({ exclude_engines: exclude, blocklist_key: key, include_domain_age: withAge, domain_age_cache_only: cached }, { host }): Query {
    if (cached && !withAge)
      throw new ApiError('parameter_conflict', 'domain_age_cache_only requires include_domain_age', { param: 'domain_age_cache_only' });
    const age = !withAge ? 'no' : cached ? 'cached' : 'asked';
    return { host: host.host, exclude: excludedEngines(exclude), key, age };
  },
  async run({ host, exclude, key, age: wanted }, context) {
    const { blacklists, names, lists, resolver, signal, today } = context;
    const traits = judgeHostName(host, names);
    const [check, addresses, registration] = await Promise.all([
      blacklists.host(host, { exclude, key, resolver, signal }),
      askAddresses(host, context),
      wanted === 'no' ? undefined : askAge(traits.registered, wanted === 'cached', context),
    ]);
    refuseAllSilent(check, addresses.errors);
    const detections = check.results.filter(({ detected }) => detected);
    const categories = hostCategories(host, names);
    const ipv4 = judgeIpv4(addresses.ipv4);
    const checks = judgeAll(HOST_FIELDS, { traits, ipv4, listed: detections.length > 0, category: riskyCategory(categories) });
    const age = ageChecks(registration, today());
    const isKnown = registration !== undefined && age.is_domain_recent !== 'unknown';
    const awaited = awaitedNetworks(lists);
    const risk = domainRisk({
      traits,
      categories,
      ipv4: addresses.errors.length > 0 ? undefined : ipv4,
      hasIpv6: addresses.ipv6.length > 0,
      networks: networkSigns([...addresses.ipv4, ...addresses.ipv6], context.networks),
      detections,
      age: isKnown
        ? { recent: age.is_domain_recent === 'yes', veryRecent: age.is_domain_very_recent === 'yes', created: age.domain_creation_date }
        : undefined,
      unheard: unheardShare(check, awaited.length > 0),
    });
    const coverage = coverageOf([
      ...engineSources(check),
      { name: 'addresses', problem: addresses.errors[0] ?? '' },
      ...(registration ? [{ name: 'registration', problem: isKnown ? '' : whyUndated(registration) }] : []),
      ...awaited,
    ]);
    // A domain that many people visit needs no age.
    const isDated = registration === undefined || isKnown || traits.popularity !== 'low';
    const isSeen = addresses.errors.length === 0 && isDated;
    return {
      host,
      blacklists: hostBlacklists(check),
      server_details: await serverDetails(addresses.server, context),
      category: categories,
      security_checks: {
        ...checks,
        detections_count: Object.entries(checks).filter(([name, holds]) => holds && !GOOD_SIGNS.has(name)).length,
        website_popularity: traits.popularity,
        ...(registration && age),
      },
      domain_parts: traits.parts,
      verdict: verdictOf(risk.result, coverage, isSeen),
      risk_score: { ...risk, coverage },
      dns_errors: addresses.errors,
    };
  },
});

interface Addresses {
  ipv4: string[];
  ipv6: string[];
  /** The one that server details are of: a public IPv4 address first. */
  server: string;
  /** Questions without an answer. */
  errors: string[];
}

const NO_ADDRESSES: Addresses = {
  ipv4: [],
  ipv6: [],
  server: '',
  errors: ['The name is being asked for too often; try again later'],
};

async function askAddresses(host: string, ports: CentralContext): Promise<Addresses> {
  const a = await unlessRefused(lookUp(ports, host, 'A'));
  if (!a) return NO_ADDRESSES;
  const ipv4 = dataOf(a);
  // The other family is asked for only where it is to be told: the contract's checks are about IPv4.
  const aaaa = ipv4.length > 0 ? undefined : await unlessRefused(lookUp(ports, host, 'AAAA'));
  const ipv6 = aaaa ? dataOf(aaaa) : [];
  const server = ipv4.find((address) => judgeIpv4([address]).valid) ?? ipv4[0] ?? ipv6[0] ?? '';
  const errors = [a.error, aaaa?.error ?? ''].filter((error) => error !== '');
  return { ipv4, ipv6, server, errors };
}

const dataOf = (lookup: Lookup<'A'> | Lookup<'AAAA'>): string[] => lookup.records.map(({ data }) => data);

const OF_NO_REGISTRY: KnownAge = {
  state: 'unknown',
  created: '',
  problem: 'No registry knows its age: it is a public suffix, or a name that the owner of one gave away',
};

const askAge = async (domain: string, cachedOnly: boolean, context: CentralContext): Promise<KnownAge> =>
  domain === '' ? OF_NO_REGISTRY : await askRegistry(domain, { timeout_ms: REGISTRY_MS, cachedOnly }, context);

/** A report from memory alone would be a clean bill of health without any check. */
function refuseAllSilent(check: BlacklistCheck, dnsErrors: readonly string[]): void {
  refuseBlind(check);
  if (check.results.length === 0 && dnsErrors.length > 0)
    throw new ApiError('upstream_failed', `no source answered: ${dnsErrors[0]}`, { retryAfterS: 5 });
}

/** Checks that say that all is well. */
const GOOD_SIGNS: ReadonlySet<string> = new Set(['is_domain_ipv4_assigned', 'is_domain_ipv4_valid'] satisfies (keyof typeof HOST_FIELDS)[]);

function ageChecks(registration: KnownAge | undefined, now: Date) {
  const { created = '', problem = '' } = registration ?? {};
  const age = ageOf(created, now);
  const yesOrNo = (isSo: boolean | undefined) => (isSo === undefined ? ('unknown' as const) : isSo ? ('yes' as const) : ('no' as const));
  return {
    is_domain_recent: yesOrNo(age && isRecent(age)),
    is_domain_very_recent: yesOrNo(age && isVeryRecent(age)),
    domain_creation_date: age ? created : '',
    domain_age_in_days: age?.days ?? 0,
    domain_age_in_months: age?.months ?? 0,
    domain_age_in_years: age?.years ?? 0,
    domain_age_problem: age || !registration ? problem : whyUndated(registration),
  };
}
