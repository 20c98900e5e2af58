import { ApiError, type ParsedHost } from '@vedette/contract';
import type { AsRegistration, BlacklistCheck, ListDays, Networks } from '@vedette/intel/ports';
import { central, type CentralContext, Flag } from '../kit/index.ts';
import {
  addressRisk,
  daysSince,
  judgeAddress,
  LISTS_OF,
  NETWORK_LISTS,
  type ReverseDns,
  reverseDns,
  systemFacts,
} from '@vedette/intel/addresses';
import { countryOf } from '@vedette/intel/countries';
import { BEING_LOADED, verdictOf } from '@vedette/intel/risk';
import { reverseName } from '@vedette/probes/dns';
import { Type } from 'typebox';
import { addressBlacklists, BLACKLIST_PARAMETERS, excludedEngines, refuseBlind } from '../shared/names/blacklist-block.ts';
import { awaitedNetworks, coverageOf, engineSources, type Source, staleness, unheardShare } from '../shared/names/coverage.ts';
import { unlessRefused } from '../shared/names/unless-refused.ts';
import { IpReport } from './schema.ts';

/** Once a day for each autonomous system; then its answer is kept. */
const REGISTRY_MS = 1_500;
/** The name, and the addresses of that name. */
const REVERSE_DNS = { questions: 4, ms: 250 };
/** Facts that only the registry knows. */
const UNREGISTERED = ['asn.updated', 'asn.address', 'asn.abuse_email'];
const REFUSED: ReverseDns = { state: 'failed', names: [], error: 'The reverse DNS is being asked too often; try again later' };

interface Query {
  target: ParsedHost;
  exclude: readonly string[];
  key: string | undefined;
  reverse: boolean;
}

/** Judges an address by blacklists, by datasets in memory and by its reverse DNS. Never contacts it. */
export const ipReputation = central({
  name: 'ip-reputation',
  subject: 'networks',
  summary: 'Describe an IP address and rate its risk',
  description:
    'Queries DNS blacklists and the reverse DNS, for at most half a second. The registry of the autonomous system is queried once a day, for at most 1.5 seconds. All other data is in memory. The address itself is not contacted. With `disable_reverse_dns` the report does not wait for the reverse DNS and the registry. It then takes less than 500 ms, and less without slow engines. Many requests at once wait up to 4 s for their turn at the blacklists.',
  cost: 1,
  deadline_ms: 10_000,
  dns: { questions: 150, ms: 9_000, optional: ({ reverse }: Query) => !reverse },
  contactsTarget: false,
  references: ['RFC 5782', 'RFC 6890'],
  request: Type.Object(
    {
      ip: Type.String({
        minLength: 2,
        maxLength: 45,
        description: 'A public IPv4 or IPv6 address, written whole: no octal or short forms, no zone',
        examples: ['8.8.8.8'],
      }),
      ...BLACKLIST_PARAMETERS,
      disable_reverse_dns: Flag(false, 'Ask neither for the name of the address nor the registry of its autonomous system'),
    },
    { additionalProperties: false },
  ),
  response: IpReport,
  bulk: 'ip',
  targets: { ip: 'address' },
  examples: [{ ip: '8.8.8.8' }],
  read: ({ exclude_engines: exclude, blocklist_key: key, disable_reverse_dns: bare }, { ip }): Query => ({
    target: ip,
    exclude: excludedEngines(exclude),
    key,
    reverse: !bare,
  }),
  async run({ target: { kind, host: address }, exclude, key, reverse: asksReverse }, context) {
    const { networks, lists, blacklists, resolver, signal } = context;
    const origin = networks.origin(address);
    const [check, reverse, registration] = await Promise.all([
      blacklists.address(address, { exclude, key, resolver, signal }),
      asksReverse ? askReverse(address, context) : undefined,
      asksReverse && origin ? askRegistry(origin.asn, context) : undefined,
    ]);
    refuseBlind(check);
    if (!registration?.answered) refuseUnheard(check, reverse);
    const system = origin && networks.autonomousSystem(origin.asn);
    const delegation = networks.delegation({ address });
    const place = networks.place(address);
    const marks = networks.marks(address);
    const traits = judgeAddress({ address, networks, marks, origin, system, delegation, reverse, check });
    const today = context.today();
    const facts = systemFacts({ networks, route: origin?.route ?? '', asn: origin?.asn ?? 0, system, delegation, registration, today });
    const isAwaiting = WEIGHING_LISTS.some((list) => lists.isAwaited(list));
    const risk = addressRisk({
      traits,
      detections: check.results.filter(({ detected }) => detected),
      asAgeDays: daysSince(facts.created, today),
      nameless: reverse?.state === 'none',
      unheard: unheardShare(check, isAwaiting),
    });
    const coverage = coverageOf([
      ...engineSources(check),
      ...(reverse ? [{ name: 'reverse_dns', problem: reverse.error }] : []),
      ...(asksReverse && origin ? [{ name: 'registry', problem: registration ? '' : 'no registry has answered' }] : []),
      ...listSources(traits.missing.fields, networks, lists),
      ...awaitedNetworks(lists),
    ]);
    return {
      ip: address,
      version: kind === 'ipv4' ? ('IPv4' as const) : ('IPv6' as const),
      blacklists: addressBlacklists(check),
      information: {
        ...nameOf(reverse),
        ...countryOf(place.country_code),
        ...place,
        isp: origin?.org ?? '',
        related_service_name: traits.service.name,
        related_service_domain: traits.service.domain,
        related_service_type: traits.service.type,
        cloud_provider: traits.cloud.name,
        cloud_provider_domain: traits.cloud.domain,
        cloudvendor_service: traits.cloudvendor_service,
        edge_service: traits.edge.name,
        edge_service_domain: traits.edge.domain,
        ...traits.uses,
        asn: facts.asn,
      },
      asn: { ...facts, org: facts.org === '' ? (origin?.org ?? '') : facts.org },
      anonymity: traits.anonymity,
      verdict: verdictOf(risk.result, coverage),
      risk_score: { ...risk, coverage },
      data_missing: [...traits.missing.lists],
      data_stale: STALE_LISTS.flatMap((list) => {
        const as_of = networks.hasList(list) ? lists.staleSince(list) : '';
        return as_of === '' ? [] : [{ list, as_of }];
      }),
      unknown: [
        ...(reverse?.state === 'failed' ? ['reverse_dns'] : []),
        ...(origin && !registration ? UNREGISTERED : []),
        ...traits.missing.fields,
      ],
    };
  },
});

/** The fields that weigh in the risk, by whether a list of each is loaded. */
const listSources = (unknown: readonly string[], networks: Pick<Networks, 'hasList'>, { staleSince, isAwaited }: ListDays): Source[] =>
  WEIGHING.map((name) => {
    if (LISTS_OF[name].some(isAwaited)) return { name, problem: BEING_LOADED };
    if (unknown.includes(name)) return { name, problem: 'no list of it is loaded' };
    // The newest of its lists speaks for the field.
    const days = LISTS_OF[name].filter((list) => networks.hasList(list)).map(staleSince);
    return { name, problem: days.includes('') ? '' : staleness(days.toSorted().at(-1)!) };
  });
const STALE_LISTS = [...new Set(Object.values(LISTS_OF).flat())].toSorted();
const WEIGHING = ['is_bogon', 'is_hosting', 'is_proxy', 'is_relay', 'is_tor', 'is_vpn'] as const satisfies (keyof typeof LISTS_OF)[];
const WEIGHING_LISTS = [...WEIGHING.flatMap((name): readonly string[] => LISTS_OF[name]), ...NETWORK_LISTS];

/**
 * When no engine was to be asked and the DNS is silent, no source has answered. A question that our pacing left out does not count as a
 * failure.
 */
function refuseUnheard({ results }: BlacklistCheck, reverse: ReverseDns | undefined): void {
  if (results.length === 0 && reverse?.state === 'failed' && reverse !== REFUSED)
    throw new ApiError('upstream_failed', `no source answered: ${reverse.error}`, { retryAfterS: 5 });
}

async function askReverse(address: string, { resolver, signal }: CentralContext): Promise<ReverseDns> {
  using share = resolver.share(REVERSE_DNS);
  return (await unlessRefused(reverseDns(address, reverseName(address)!, { resolver: share, signal }))) ?? REFUSED;
}

/** Undefined where the registry has not answered, now or within a day. */
async function askRegistry(asn: number, context: CentralContext): Promise<AsRegistration | undefined> {
  const { registries, resolver, dialler, isDenied, account, signal } = context;
  const ways = { resolver, dialler, isDenied, account, signal, timeout_ms: REGISTRY_MS, cachedOnly: false };
  const found = await unlessRefused(registries.autonomousSystem(asn, ways));
  return found?.answered ? found : undefined;
}

function nameOf(reverse: ReverseDns | undefined) {
  const first = reverse?.names[0];
  return {
    reverse_dns: first?.name ?? '',
    reverse_dns_confirmed: first?.leadsBack === 'yes',
    reverse_dns_error: reverse?.error ?? '',
  };
}
