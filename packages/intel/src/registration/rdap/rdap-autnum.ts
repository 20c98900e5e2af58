import type { AsRegistration, Rir } from '../../ports/index.ts';
import { isObject, textOf, textsOf } from './json.ts';
import { emailDomain, withoutPlaceholder } from '../facts/privacy.ts';
import { entitiesOf, type Entity, eventDay, withRole } from './rdap.ts';

/** The data of one server about an autonomous system. */
export interface AutnumReading extends Omit<AsRegistration, 'state' | 'answered' | 'problem' | 'retry_after_s'> {
  /** Where its abuse contact is described, if not here; empty otherwise. */
  abuseLink: string;
}

/** Registries answer for an unassigned AS with the block that they were given themselves. */
const HOLDERS_BLOCK_MAX = 2_048;

/** WHOIS servers as `port43` names them, and RDAP servers: whose answer it is. A national registry counts where the answer is its own. */
const RIR_OF: [pattern: RegExp, rir: Rir][] = [
  [/(?:^|\.)nic\.ad\.jp$/, 'JPNIC'],
  [/(?:^|\.)arin\.net$/, 'ARIN'],
  [/(?:^|\.)ripe\.net$/, 'RIPE'],
  [/(?:^|\.)apnic\.net$/, 'APNIC'],
  [/(?:^|\.)(?:lacnic\.net|registro\.br|nic\.br)$/, 'LACNIC'],
  [/(?:^|\.)afrinic\.net$/, 'AFRINIC'],
];

/** Reads what a server says of an AS (RFC 9083 §5.5). Undefined where the answer is about something else. `hosts`: who answered. */
export function readRdapAutnum(json: unknown, asn: number, hosts: readonly string[], now: Date): AutnumReading | undefined {
  if (!isObject(json) || textOf(json.objectClassName).toLowerCase() !== 'autnum') return undefined;
  const first = numberOf(json.startAutnum);
  const last = numberOf(json.endAutnum ?? json.startAutnum);
  if (first === undefined || last === undefined || asn < first || asn > last || last - first > HOLDERS_BLOCK_MAX) return undefined;
  const entities = entitiesOf(json);
  const holder = holderOf(entities);
  const abuse = abuseOf(entities);
  const org =
    holder?.card.kind === 'individual' && holder.card.organization === '' ? '' : holder?.card.organization || holder?.card.name || '';
  return {
    asname: textOf(json.name),
    org: withoutPlaceholder(org),
    country_code: countryCode(textOf(json.country)) || countryCode(holder?.card.country ?? ''),
    status: textOf(textsOf(json.status).join(', ')).toLowerCase(),
    created: eventDay(json, ['registration'], now),
    updated: eventDay(json, ['last changed'], now),
    address: withoutPlaceholder(holder?.card.address ?? ''),
    abuse_email: abuse.email,
    abuseLink: abuse.link,
    rir: [textOf(json.port43).toLowerCase(), ...hosts].map(rirOf).find((rir) => rir !== '') ?? '',
  };
}

/** Returns the address of an abuse contact that has its own object (RFC 9083 §5.1); empty without one. */
export function readAbuseEntity(json: unknown): string {
  if (!isObject(json)) return '';
  return abuseOf(entitiesOf({ entities: [{ ...json, roles: ['abuse'] }] })).email;
}

const rirOf = (host: string): Rir | '' => RIR_OF.find(([pattern]) => pattern.test(host))?.[1] ?? '';

const holderOf = (entities: readonly Entity[]): Entity | undefined =>
  withRole(
    entities.filter(({ card }) => !card.isEmpty),
    'registrant',
  ) ?? entities.find(({ card }) => card.kind === 'org' && !card.isEmpty);

function abuseOf(entities: readonly Entity[]): { email: string; link: string } {
  const contacts = entities.filter(({ roles }) => roles.includes('abuse'));
  const email = contacts.map(({ card }) => card.email).find((address) => emailDomain(address) !== '') ?? '';
  return { email, link: email === '' ? (contacts.find(({ self }) => self !== '')?.self ?? '') : '' };
}

/** Some servers write their numbers as texts. */
const numberOf = (value: unknown): number | undefined => (/^\d{1,10}$/.test(String(value)) ? Number(value) : undefined);

const countryCode = (text: string): string => (/^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : '');
