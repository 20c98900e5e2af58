import { ApiError, isId, nearest, shown } from '@vedette/contract';
import type { LocationEntry } from '@vedette/operations/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { KNOWN_PLACES } from './known-places.ts';

export interface Place extends LocationEntry {
  latitude: number;
  longitude: number;
}

/** The content of VEDETTE_LOCATIONS_FILE: places by location id, and the ids used when a request names none. */
export interface Catalogue {
  /** The place of any id; empty strings where nothing is known. */
  place(id: string): Place;
  /** The configured ids; empty without a file. */
  ids: readonly string[];
  defaults: readonly string[];
}

const CONTINENTS: Record<string, string> = {
  AF: 'Africa',
  AN: 'Antarctica',
  AS: 'Asia',
  EU: 'Europe',
  NA: 'North America',
  OC: 'Oceania',
  SA: 'South America',
};
const COUNTRY_NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

const FilePlace = Type.Object({
  continent: Type.String({ pattern: '^(AF|AN|AS|EU|NA|OC|SA)$' }),
  country: Type.String({ pattern: '^[A-Z]{2}$' }),
  city: Type.String({ maxLength: 100 }),
  lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  lon: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
});
const isFilePlace = Compile(FilePlace);

const place = (continent: string, country: string, city: string, latitude: number, longitude: number): Place => ({
  continent_code: continent,
  continent_name: CONTINENTS[continent] ?? '',
  country_code: country,
  country_name: country === '' ? '' : (COUNTRY_NAMES.of(country) ?? ''),
  city_name: city,
  latitude,
  longitude,
});
const NOWHERE = place('', '', '', 0, 0);

const BUILT_IN = new Map(
  KNOWN_PLACES.flatMap(([ids, continent, country, city, latitude, longitude]) =>
    ids.split(' ').map((id) => [id, place(continent, country, city, latitude, longitude)] as const),
  ),
);

/**
 * Reads the text of VEDETTE_LOCATIONS_FILE: `{"eu-fra": {"continent": "EU", "country": "DE", "city": "Frankfurt", "lat": 50.1, "lon": 8.7}, …}`
 * with an optional `"default": ["eu-fra"]`; the places may also stand under `"locations"`. Throws with what is wrong.
 */
export function readCatalogue(text: string | undefined): Catalogue {
  const own = new Map<string, Place>();
  let defaults: string[] = [];
  if (text !== undefined) {
    const { default: wanted, locations, ...rest }: { default?: string[]; locations?: object } = JSON.parse(text);
    for (const [id, value] of Object.entries<unknown>(locations ?? rest)) {
      if (!isId(id)) throw new Error(`location id ${JSON.stringify(id)}: letters, digits, - and _ only`);
      if (!isFilePlace.Check(value)) throw new Error(`location ${id}: wants continent, country, city, lat, lon`);
      own.set(id, place(value.continent, value.country, value.city, value.lat ?? 0, value.lon ?? 0));
    }
    if (wanted !== undefined && !Array.isArray(wanted)) throw new Error('"default" wants a list of location ids');
    defaults = [...new Set(wanted ?? own.keys())];
    const unknown = defaults.filter((id) => !own.has(id));
    if (unknown.length > 0) throw new Error(`"default" names unknown locations: ${unknown.join(', ')}`);
  }
  return { place: (id) => own.get(id) ?? BUILT_IN.get(id) ?? NOWHERE, ids: [...own.keys()], defaults };
}

export const LocationSelection = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 80 }), {
    minItems: 1,
    maxItems: 200,
    description:
      'Locations that measure: ids, `country:DE`, `continent:EU`; a leading `!` excludes. By default, every default location measures. GET /v2/locations lists them',
    examples: [['eu-fra', 'continent:AS', '!country:CN']],
  }),
);

/** The `locations` of a request that was checked against its schema. */
export const selectionOf = (locations: unknown): string[] | undefined => (Array.isArray(locations) ? locations.map(String) : undefined);

/**
 * The locations a request asks: the defaults, or what `selection` picks from `known`, without what it excludes. A country
 * or continent without locations may be excluded. Throws unknown_location for any other term that names nothing we know,
 * and when nothing is left.
 */
export function selectLocations(
  selection: readonly string[] | undefined,
  { defaults, known, catalogue }: { defaults: readonly string[]; known: readonly string[]; catalogue: Catalogue },
): string[] {
  if (!selection) return [...defaults];
  const matches = (term: string, mayBeEmpty: boolean): string[] => {
    const [, kind, code] = /^(country|continent):([A-Za-z]{2})$/.exec(term) ?? [];
    const found = code
      ? known.filter((id) => catalogue.place(id)[kind === 'country' ? 'country_code' : 'continent_code'] === code.toUpperCase())
      : known.filter((id) => id === term);
    if (found.length === 0 && !(code && mayBeEmpty)) throw unknownLocation(term, known);
    return found;
  };
  const excluded = new Set(selection.filter((term) => term.startsWith('!')).flatMap((term) => matches(term.slice(1), true)));
  const terms = selection.filter((term) => !term.startsWith('!'));
  const picked = terms.length === 0 ? defaults : [...new Set(terms.flatMap((term) => matches(term, false)))];
  const left = picked.filter((id) => !excluded.has(id));
  if (left.length === 0) throw new ApiError('unknown_location', 'everything is excluded', { param: 'locations' });
  return left;
}

const LISTED = 20;

function unknownLocation(term: string, known: readonly string[]): ApiError {
  const meant = nearest(term, known);
  const list = known.slice(0, LISTED).join(', ') || 'none';
  const instead = meant === undefined ? `known are ${list}${known.length > LISTED ? ' …' : ''};` : `did you mean ${meant}?`;
  return new ApiError('unknown_location', `${shown(term, 80).trim()}; ${instead} GET /v2/locations lists them`, { param: 'locations' });
}
