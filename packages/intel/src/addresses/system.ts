import type { AsRegistration, AsType, AutonomousSystem, Delegation, Networks, Rir } from '../ports/index.ts';
import { BoundedMap } from '@vedette/contract';
import { totalAddresses } from '../networks/index.ts';

/** The known facts about the autonomous system that announces an address. Empty strings and zeros where nothing is. */
export interface SystemFacts {
  asn: string;
  asname: string;
  route: string;
  status: string;
  org: string;
  country_code: string;
  created: string;
  updated: string;
  address: string;
  abuse_email: string;
  domain: string;
  days_since_created: number;
  days_since_updated: number;
  total_ipv4_prefixes: number;
  total_ipv4_ips: number;
  total_ipv6_prefixes: number;
  type: AsType;
  rir: Rir | '';
}

type Totals = Pick<SystemFacts, 'total_ipv4_prefixes' | 'total_ipv4_ips' | 'total_ipv6_prefixes'>;

const DAY_MS = 86_400_000;
const NO_TOTALS: Totals = { total_ipv4_prefixes: 0, total_ipv4_ips: 0, total_ipv6_prefixes: 0 };
/** Counting the thousands of networks of a large one takes longer than all else; they change with the datasets, once a day. */
const TOTALS_MS = 600_000;
const SYSTEMS_MAX = 2_000;
const counted = new WeakMap<Networks, BoundedMap<number, { at: number; totals: Totals }>>();

export interface SystemEvidence {
  networks: Networks;
  /** The address's own. */
  route: string;
  asn: number;
  system: AutonomousSystem | undefined;
  /** That of the address, which tells the registry where nothing is known of the system. */
  delegation: Delegation | undefined;
  /** The registry's answer, if it was asked and has answered. */
  registration: AsRegistration | undefined;
  today: Date;
}

/** Puts together what the registry said and what is known in memory. */
export function systemFacts({ networks, route, asn, system, delegation, registration, today }: SystemEvidence): SystemFacts {
  const given = asn === 0 ? undefined : networks.delegation({ asn });
  const created = registration?.created || (given?.date ?? '');
  const updated = registration?.updated ?? '';
  return {
    asn: asn === 0 ? '' : `AS${asn}`,
    asname: registration?.asname || (system?.asname ?? ''),
    route: route === '' ? (delegation?.block ?? '') : route,
    status: registration?.status || (given?.status ?? ''),
    org: registration?.org || (system?.org ?? ''),
    country_code: registration?.country_code || system?.country_code || (given?.country_code ?? ''),
    created,
    updated,
    address: registration?.address ?? '',
    abuse_email: registration?.abuse_email ?? '',
    domain: system?.domain ?? '',
    days_since_created: daysSince(created, today) ?? 0,
    days_since_updated: daysSince(updated, today) ?? 0,
    ...(asn === 0 ? NO_TOTALS : totalsOf(networks, asn, today.getTime())),
    type: system?.type ?? 'business',
    rir: registration?.rir || (given?.rir ?? delegation?.rir ?? ''),
  };
}

/** Whole days since a day, YYYY-MM-DD; undefined where it is not known. */
export function daysSince(day: string, today: Date): number | undefined {
  const then = Date.parse(day);
  return day === '' || Number.isNaN(then) ? undefined : Math.max(0, Math.floor((today.getTime() - then) / DAY_MS));
}

function totalsOf(networks: Networks, asn: number, at: number): Totals {
  const known = counted.get(networks) ?? new BoundedMap<number, { at: number; totals: Totals }>(SYSTEMS_MAX);
  counted.set(networks, known);
  const before = known.get(asn);
  if (before && at - before.at < TOTALS_MS) return before.totals;
  const prefixes = networks.prefixes(asn);
  const totals = prefixes
    ? {
        total_ipv4_prefixes: prefixes.ipv4.length,
        total_ipv4_ips: Number(totalAddresses(prefixes.ipv4)),
        total_ipv6_prefixes: prefixes.ipv6.length,
      }
    : NO_TOTALS;
  known.set(asn, { at, totals });
  return totals;
}
