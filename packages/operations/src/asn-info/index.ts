import { ApiError } from '@vedette/contract';
import type { AsRegistration, AsType, Rir } from '@vedette/intel/ports';
import { central, type CentralContext } from '../kit/index.ts';
import { domainParts } from '@vedette/intel/names';
import { totalAddresses } from '@vedette/intel/networks';
import { ageOf, reservedAsn } from '@vedette/intel/registration';
import { type Static, Type } from 'typebox';
import { unheard } from '../shared/names/unheard.ts';
import { AsnReport } from './schema.ts';

/** The rest of ten seconds is for the report. */
const REGISTRY_MS = 8_000;
const REGISTERED: Record<AsRegistration['state'], 'yes' | 'no' | 'unknown'> = { registered: 'yes', unregistered: 'no', unknown: 'unknown' };

/** Tells who holds an autonomous system, since when, and which networks it announces. */
export const asnInfo = central({
  name: 'asn-info',
  subject: 'networks',
  summary: 'Get the holder, registration and networks of an autonomous system',
  description:
    'Queries the regional registry over RDAP. Networks, type and domain come from datasets in memory. The datasets also replace a registry that does not answer, and the report says so.',
  cost: 1,
  deadline_ms: 10_000,
  dns: { questions: 12, ms: REGISTRY_MS, unreported: true },
  contactsTarget: false,
  references: ['RFC 9083', 'RFC 9224', 'RFC 6793'],
  request: Type.Object(
    {
      asn: Type.String({
        pattern: '^[Aa][Ss](0|[1-9]\\d{0,9})$',
        description: 'Autonomous system number (32 bits), written AS<number>',
        examples: ['AS3333'],
      }),
    },
    { additionalProperties: false },
  ),
  response: AsnReport,
  examples: [{ asn: 'AS3333' }],
  read({ asn: text }) {
    const asn = Number(text.slice(2));
    const why = reservedAsn(asn);
    if (why !== undefined) throw new ApiError('invalid_parameter', `AS${asn} has no holder: ${why}`, { param: 'asn' });
    return { asn };
  },
  async run({ asn }, { networks, registries, resolver, dialler, isDenied, account, signal, today }) {
    const ways = { resolver, dialler, isDenied, account, signal, timeout_ms: REGISTRY_MS, cachedOnly: false };
    const found = await registries.autonomousSystem(asn, ways);
    const known = networks.autonomousSystem(asn);
    const delegation = networks.delegation({ asn });
    const prefixes = networks.prefixes(asn);
    if (!found.answered && !known && !delegation && !announces(prefixes)) throw unheard(found);
    const type: AsType | '' = known?.type ?? '';
    const rir: Rir | '' = found.rir || (delegation?.rir ?? '');
    const created = found.created || (found.state === 'unregistered' ? '' : (delegation?.date ?? ''));
    const [sinceCreated, sinceUpdated] = [ageOf(created, today()), ageOf(found.updated, today())];
    return {
      asn: `AS${asn}`,
      registered: registered(found, delegation),
      debug_message: [found.problem, ...missing(found, delegation, prefixes)].filter((text) => text !== '').join('; '),
      asname: found.asname || (known?.asname ?? ''),
      status: found.status || (delegation?.status ?? ''),
      org: found.org || (known?.org ?? ''),
      country_code: found.country_code || known?.country_code || (delegation?.country_code ?? ''),
      created,
      updated: found.updated,
      address: found.address,
      abuse_email: found.abuse_email,
      domain: known?.domain || domainParts(found.abuse_email.slice(found.abuse_email.indexOf('@') + 1)).root_domain,
      type,
      rir,
      days_since_created: sinceCreated?.days ?? 0,
      months_since_created: sinceCreated?.months ?? 0,
      years_since_created: sinceCreated?.years ?? 0,
      days_since_updated: sinceUpdated?.days ?? 0,
      months_since_updated: sinceUpdated?.months ?? 0,
      years_since_updated: sinceUpdated?.years ?? 0,
      routes: routesOf(prefixes ?? { ipv4: [], ipv6: [] }),
    };
  },
});

type Delegation = ReturnType<CentralContext['networks']['delegation']>;

function registered({ state }: AsRegistration, delegation: Delegation): 'yes' | 'no' | 'unknown' {
  if (state !== 'unknown' || !delegation) return REGISTERED[state];
  return delegation.status === 'allocated' || delegation.status === 'assigned' ? 'yes' : 'no';
}

const announces = (prefixes: { ipv4: readonly string[]; ipv6: readonly string[] } | undefined): boolean =>
  prefixes !== undefined && prefixes.ipv4.length + prefixes.ipv6.length > 0;

/** Notes that mark facts about our questions, which a reader could mistake for facts about the AS. */
function missing(
  { answered, created }: AsRegistration,
  delegation: Delegation,
  prefixes: ReturnType<CentralContext['networks']['prefixes']>,
): string[] {
  return [
    answered ? '' : 'the registry was not heard: what is here is from datasets',
    created === '' && delegation && delegation.date !== ''
      ? 'created is when the number was last given out, by the statistics of the registries'
      : '',
    prefixes === undefined ? 'which networks it announces is not known here' : '',
    prefixes?.exact === false && announces(prefixes) ? 'of its networks neighbours may stand as one' : '',
  ];
}

const routesOf = ({ ipv4, ipv6 }: { ipv4: readonly string[]; ipv6: readonly string[] }): Static<typeof AsnReport>['routes'] => ({
  ipv4: { total_prefixes: ipv4.length, total_ips: Number(totalAddresses(ipv4)), prefixes: [...ipv4] },
  ipv6: { total_prefixes: ipv6.length, total_ips: String(totalAddresses(ipv6)), prefixes: [...ipv6] },
});
