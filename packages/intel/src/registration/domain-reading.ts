import type { DomainRegistration } from '../ports/index.ts';
import { emailTraces, isPrivacyService, isRedacted, withoutPlaceholder } from './facts/privacy.ts';

/** A zone has up to thirteen; some list more. */
export const NAMESERVERS_MAX = 32;

/** The data of one server about a domain. The owner's address is reduced to its digest and domain. */
export interface DomainReading extends Omit<DomainRegistration, 'state' | 'answered' | 'problem' | 'retry_after_s'> {
  /** The registry keeps the name for itself. */
  reserved: boolean;
  /** Whether it says anything of the owner, or that it does not. */
  describesOwner: boolean;
  /** The URL of the registrar's own answer; empty without one. */
  related: string;
}

export const noDomainReading: DomainReading = {
  reserved: false,
  describesOwner: false,
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

/** Returns the reportable data of an owner: placeholders are dropped, and an email address is reduced to its traces. */
export function ownerOf({ organization, name, email, country, region, individual }: WrittenOwner) {
  const hidden = [organization, name, email, region].some(isRedacted) || [organization, name].some(isPrivacyService);
  const owner_organization = withoutPlaceholder(organization);
  return {
    owner_organization,
    owner_country: withoutPlaceholder(country),
    owner_state_province: withoutPlaceholder(region),
    ...emailTraces(withoutPlaceholder(email)),
    owner_private_person: !hidden && owner_organization === '' && (individual || withoutPlaceholder(name) !== ''),
    hidden,
  };
}

/** One answer out of two: the registry knows dates, delegation and registrar, the registrar its customer and where abuse is reported. */
export function mergeReadings(registry: DomainReading, registrar: DomainReading): DomainReading {
  const owner = registrar.describesOwner ? registrar : registry;
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
