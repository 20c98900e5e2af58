import type { AsRegistration, AsType, AutonomousSystem, Delegation, Networks, NetworkTotals, Rir } from '../ports/index.ts';

/** The known facts about the autonomous system that announces an address. Empty strings and zeros where nothing is. */
export interface SystemFacts extends NetworkTotals {
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
  type: AsType;
  rir: Rir | '';
}

const DAY_MS = 86_400_000;

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
    ...networks.totals(asn),
    type: system?.type ?? 'business',
    rir: registration?.rir || (given?.rir ?? delegation?.rir ?? ''),
  };
}

/** Whole days since a day, YYYY-MM-DD; undefined where it is not known. */
export function daysSince(day: string, today: Date): number | undefined {
  const then = Date.parse(day);
  return day === '' || Number.isNaN(then) ? undefined : Math.max(0, Math.floor((today.getTime() - then) / DAY_MS));
}
