import { type Card, readCard } from './jcard.ts';
import { dayOf } from '../facts/dates.ts';
import { type Json, isObject, objectsOf, textOf, textsOf } from './json.ts';

/** One contact of an object, or of a contact of it (RFC 9083 §5.1). */
export interface Entity {
  roles: readonly string[];
  handle: string;
  card: Card;
  /** IANA's number of the registrar. */
  ianaId: string;
  remarks: string;
  /** The roles of the entity it is nested in; none for one of the object itself. */
  within: readonly string[];
  /** The URL of its full description. */
  self: string;
}

const ENTITIES_MAX = 200;

/** All entities of an object, each before those nested in it: abuse contacts stand inside their registrar or organisation. */
export function entitiesOf(object: Json): Entity[] {
  const found: Entity[] = [];
  const walk = (parent: Json, within: readonly string[]): void => {
    for (const entity of objectsOf(parent.entities)) {
      if (found.length >= ENTITIES_MAX) return;
      const roles = textsOf(entity.roles).map((role) => role.toLowerCase());
      found.push({
        roles,
        handle: textOf(entity.handle),
        card: readCard(entity.vcardArray),
        ianaId: ianaIdOf(entity),
        remarks: remarksOf(entity),
        within,
        self: linkOf(entity, 'self'),
      });
      walk(entity, roles);
    }
  };
  walk(object, []);
  return found;
}

export const withRole = (entities: readonly Entity[], role: string): Entity | undefined =>
  entities.find(({ roles, within }) => within.length === 0 && roles.includes(role)) ?? entities.find(({ roles }) => roles.includes(role));

const ianaIdOf = (entity: Json): string =>
  objectsOf(entity.publicIds)
    .filter(({ type }) => /iana registrar id/i.test(textOf(type)))
    .map(({ identifier }) => (typeof identifier === 'number' ? String(identifier) : textOf(identifier)))
    .find((id) => /^\d{1,6}$/.test(id)) ?? '';

/** Titles and texts of the remarks, in one line. */
const remarksOf = (object: Json): string =>
  objectsOf(object.remarks)
    .slice(0, 20)
    .flatMap(({ title, description }) => [textOf(title), ...textsOf(description).slice(0, 20)])
    .join(' ');

/** The first link of a kind that leads to RDAP over HTTP (RFC 9083 §4.2). */
export function linkOf(object: Json, rel: string): string {
  const link = objectsOf(object.links).find(
    ({ rel: found, type, href }) =>
      textOf(found).toLowerCase() === rel && /^(?:application\/rdap\+json)?$/i.test(textOf(type)) && /^https?:\/\//i.test(hrefOf(href)),
  );
  return link ? hrefOf(link.href) : '';
}
const HREF_MAX_CHARS = 2_000;
const hrefOf = (href: unknown): string => (typeof href === 'string' && href.length <= HREF_MAX_CHARS ? href.trim() : '');

/** The day of an event (RFC 9083 §4.5); of several the first that is dated. */
export function eventDay(object: Json, actions: readonly string[], now: Date, read: typeof dayOf = dayOf): string {
  const events = objectsOf(object.events);
  for (const action of actions)
    for (const { eventAction, eventDate } of events) {
      const day = textOf(eventAction).toLowerCase() === action ? read(textOf(eventDate), now) : '';
      if (day !== '') return day;
    }
  return '';
}

/** Returns the names of fields that an RFC 9537 answer declares redacted, in lower case, such as `registrant name`. */
export const redactedFields = (object: Json): string[] =>
  objectsOf(object.redacted)
    .slice(0, 100)
    .flatMap(({ name, prePath, postPath }) => {
      const named = isObject(name) ? [textOf(name.type), textOf(name.description)] : [];
      return [...named, textOf(prePath), textOf(postPath)].filter((text) => text !== '');
    })
    .map((text) => text.toLowerCase());
