import type { DomainRegistration } from '../ports/index.ts';
import { emailTraces, isPrivacyService, isRedacted, told } from './facts/privacy.ts';

/** A zone has up to thirteen; some list more. */
export const NAMESERVERS_MAX = 32;

/** What one server says of a domain. Of the owner's address only what is kept of it. */
export interface DomainReading extends Omit<DomainRegistration, 'state' | 'answered' | 'problem' | 'retry_after_s'> {
  /** The registry keeps the name for itself. */
  reserved: boolean;
  /** Whether it says anything of the owner, or that it does not. */
  told: boolean;
  /** Where the registrar's own answer is; empty where there is none. */
  related: string;
}

export const noDomainReading: DomainReading = {
  reserved: false,
  told: false,
  related: '',
  created: '',
  updated: '',
  expires: '',
  registrar: '',
  registrar_url: '',
  registrar_abuse_email: '',
  registrar_iana_id: '',
  owner_organization: '',
  owner_country: '',
  owner_state_province: '',
  owner_email_hash: '',
  owner_email_domain: '',
  owner_private_person: false,
  hidden: false,
  dnssec: 'unknown',
  nameservers: [],
};

/** An owner as written. */
export interface WrittenOwner {
  organization: string;
  name: string;
  email: string;
  country: string;
  region: string;
  /** The registry says that it is a person. */
  individual: boolean;
}

/** What a report may say of an owner: what stands in place of data is none, and of an address its traces are left. */
export function ownerOf({ organization, name, email, country, region, individual }: WrittenOwner) {
  const hidden = [organization, name, email, region].some(isRedacted) || [organization, name].some(isPrivacyService);
  const organizationTold = told(organization);
  return {
    owner_organization: organizationTold,
    owner_country: told(country),
    owner_state_province: told(region),
    ...emailTraces(told(email)),
    owner_private_person: !hidden && organizationTold === '' && (individual || told(name) !== ''),
    hidden,
  };
}

/** One answer out of two: the registry knows dates, delegation and registrar, the registrar its customer and where abuse is reported. */
export function mergeReadings(registry: DomainReading, registrar: DomainReading): DomainReading {
  const owner = registrar.told ? registrar : registry;
  const first = <K extends keyof DomainReading>(key: K): DomainReading[K] => registry[key] || registrar[key];
  return {
    ...owner,
    reserved: registry.reserved,
    related: registry.related,
    created: first('created'),
    updated: first('updated'),
    expires: first('expires'),
    registrar: first('registrar'),
    registrar_iana_id: first('registrar_iana_id'),
    registrar_url: registrar.registrar_url || registry.registrar_url,
    registrar_abuse_email: registrar.registrar_abuse_email || registry.registrar_abuse_email,
    dnssec: registry.dnssec === 'unknown' ? registrar.dnssec : registry.dnssec,
    nameservers: registry.nameservers.length > 0 ? registry.nameservers : registrar.nameservers,
  };
}
