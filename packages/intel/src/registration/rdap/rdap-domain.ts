import { comingDayOf } from '../facts/dates.ts';
import { type DomainReading, noDomainReading, NAMESERVERS_MAX, ownerOf } from '../domain-reading.ts';
import { isObject, objectsOf, textOf, textsOf } from './json.ts';
import { emailDomain } from '../facts/privacy.ts';
import { entitiesOf, type Entity, eventDay, linkOf, redactedFields, withRole } from './rdap.ts';

/** Reads what a server says of a domain (RFC 9083 §5.3). Undefined where the answer is about something else. */
export function readRdapDomain(json: unknown, name: string, now: Date): DomainReading | undefined {
  if (!isObject(json) || !isAbout(json, name)) return undefined;
  const entities = entitiesOf(json);
  const registrar = withRole(entities, 'registrar');
  const abuse =
    entities.find(({ roles, within }) => roles.includes('abuse') && within.includes('registrar')) ?? withRole(entities, 'abuse');
  const registrant = withRole(entities, 'registrant');
  const statuses = textsOf(json.status).map((status) => status.toLowerCase());
  const created = eventDay(json, ['registration', 'reregistration'], now);
  return {
    ...noDomainReading,
    // A name that the registry keeps for itself has neither (RFC 8056 §2).
    reserved: statuses.includes('reserved') && created === '' && !registrar,
    created,
    updated: eventDay(json, ['last changed'], now),
    expires: eventDay(json, ['expiration'], now, comingDayOf),
    registrar: registrar?.card.name || registrar?.card.organization || registrar?.handle || '',
    registrar_url: registrar ? urlOf(json, registrar) : '',
    registrar_abuse_email: abuse && emailDomain(abuse.card.email) !== '' ? abuse.card.email : '',
    registrar_iana_id: registrar?.ianaId ?? '',
    ...ownership(json, registrant),
    dnssec: dnssecOf(json.secureDNS),
    nameservers: objectsOf(json.nameservers)
      .slice(0, NAMESERVERS_MAX)
      .flatMap(({ ldhName }) => textOf(ldhName).toLowerCase().replace(/\.$/, '') || []),
    related: linkOf(json, 'related'),
  };
}

function isAbout({ objectClassName, ldhName, unicodeName }: Readonly<Record<string, unknown>>, name: string): boolean {
  const named = textOf(ldhName) || textOf(unicodeName);
  if (textOf(objectClassName).toLowerCase() !== 'domain' || named === '') return false;
  const url = `http://${named.replace(/\.$/, '')}/`;
  return URL.canParse(url) && new URL(url).hostname === name;
}

function ownership(json: Readonly<Record<string, unknown>>, registrant: Entity | undefined): Partial<DomainReading> {
  const left = redactedFields(json).some((field) => /registrant|role=='registrant'|roles\[0\]=='registrant'/.test(field));
  if (!registrant) return { hidden: left };
  const { card, remarks } = registrant;
  const owner = ownerOf({
    organization: card.organization || (card.kind === 'org' ? card.name : ''),
    name: card.kind === 'org' ? '' : card.name,
    email: card.email,
    country: card.country,
    region: card.region,
    individual: card.kind === 'individual',
  });
  const hidden = owner.hidden || left || card.isEmpty || /redacted for privacy|data policy/i.test(remarks);
  return { ...owner, describesOwner: !card.isEmpty || left, hidden, owner_private_person: owner.owner_private_person && !hidden };
}

/** The registrar's own page: of its entity, as a link that is about it and not RDAP, or of its card. */
function urlOf(json: Readonly<Record<string, unknown>>, registrar: Entity): string {
  const entity = objectsOf(json.entities).find(
    ({ handle, roles }) => textOf(handle) === registrar.handle && textsOf(roles).includes('registrar'),
  );
  const links = objectsOf(entity?.links).filter(({ type }) => !/rdap\+json/i.test(textOf(type)));
  const about =
    links.find(({ rel }) => textOf(rel).toLowerCase() === 'about') ?? links.find(({ type }) => /text\/html/i.test(textOf(type)));
  const href = textOf(about?.href);
  return /^https?:\/\/\S+$/i.test(href) ? href : '';
}

/** DENIC sends keys, and no `delegationSigned`. */
function dnssecOf(secureDNS: unknown): DomainReading['dnssec'] {
  if (!isObject(secureDNS)) return 'unknown';
  const { delegationSigned, dsData, keyData } = secureDNS;
  if (typeof delegationSigned === 'boolean') return delegationSigned ? 'signed' : 'unsigned';
  return objectsOf(dsData).length + objectsOf(keyData).length > 0 ? 'signed' : 'unknown';
}
