import { countryOf } from '../facts/country.ts';
import { type Json, isObject, textOf, textsOf } from './json.ts';

/** The parts of a contact that we read (RFC 7095). Empty where it is not told. */
export interface Card {
  /** Whether there is anything in it. */
  isEmpty: boolean;
  kind: string;
  name: string;
  organization: string;
  email: string;
  /** Where the address is a page with a form (`contact-uri`, RFC 8605). */
  contactUri: string;
  country: string;
  region: string;
  /** All parts of it in one line. */
  address: string;
}

const PROPERTIES_MAX = 100;
/** Members of `adr` (RFC 6350 §6.3.1): box, extended, street, locality, region, code, country. */
const [REGION, COUNTRY, ADDRESS_PARTS] = [4, 6, 7];

interface Property {
  parameters: Json;
  values: unknown[];
}

/** Reads `vcardArray`; whatever is not as RFC 7095 has it is not there. */
export function readCard(vcardArray: unknown): Card {
  const properties = propertiesOf(vcardArray);
  const first = (name: string): Property | undefined => properties.get(name)?.[0];
  const text = (name: string): string => textsOf(first(name)?.values[0])[0] ?? '';
  const address = first('adr');
  const parts = Array.isArray(address?.values[0]) ? address.values[0].slice(0, ADDRESS_PARTS).map((part) => textsOf(part).join(', ')) : [];
  const label = textOf(typeof address?.parameters.label === 'string' ? address.parameters.label.replace(/\n/g, ', ') : '');
  const country = textOf(address?.parameters.cc) || (parts[COUNTRY] ?? '');
  const card = {
    kind: text('kind').toLowerCase(),
    name: text('fn'),
    organization: text('org'),
    email: text('email').replace(/^mailto:/i, ''),
    contactUri: httpUrl(text('contact-uri')) || httpUrl(text('email')),
    country: countryOf(country),
    region: parts[REGION] ?? '',
    address: label || textOf(parts.filter((part) => part !== '').join(', ')),
  };
  return { ...card, isEmpty: [card.name, card.organization, card.email, card.contactUri, card.address].every((part) => part === '') };
}

const httpUrl = (text: string): string => (/^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? text : '');

function propertiesOf(vcardArray: unknown): Map<string, Property[]> {
  const found = new Map<string, Property[]>();
  const list: unknown = Array.isArray(vcardArray) && vcardArray[0] === 'vcard' ? vcardArray[1] : undefined;
  if (!Array.isArray(list)) return found;
  for (const property of list.slice(0, PROPERTIES_MAX)) {
    if (!Array.isArray(property) || typeof property[0] !== 'string') continue;
    const [name, parameters, , ...values] = property as [string, ...unknown[]];
    const key = name.toLowerCase();
    const all = found.get(key) ?? [];
    all.push({ parameters: isObject(parameters) ? parameters : {}, values });
    found.set(key, all);
  }
  return found;
}
