import { isId } from '@vedette/contract';
import type { LocationEntry } from '@vedette/operations/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { KNOWN_PLACES } from './known-places.ts';

export interface Place extends LocationEntry {
  latitude: number;
  longitude: number;
  /** `AS64496`, the network's name, and the cloud; empty where the catalogue does not say. */
  asn: string;
  network: string;
  cloud: string;
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
  asn: Type.Optional(Type.String({ pattern: '^AS[0-9]{1,10}$' })),
  network: Type.Optional(Type.String({ maxLength: 60 })),
  cloud: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,32}$' })),
});
const isFilePlace = Compile(FilePlace);

const place = (
  continent: string,
  country: string,
  city: string,
  latitude: number,
  longitude: number,
  { asn = '', network = '', cloud = '' } = {},
): Place => ({
  continent_code: continent,
  continent_name: CONTINENTS[continent] ?? '',
  country_code: country,
  country_name: country === '' ? '' : (COUNTRY_NAMES.of(country) ?? ''),
  city_name: city,
  latitude,
  longitude,
  asn,
  network,
  cloud,
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
      if (!isFilePlace.Check(value))
        throw new Error(`location ${id}: wants continent, country, city, lat, lon, and perhaps asn, network, cloud`);
      own.set(id, place(value.continent, value.country, value.city, value.lat ?? 0, value.lon ?? 0, value));
    }
    if (wanted !== undefined && !Array.isArray(wanted)) throw new Error('"default" wants a list of location ids');
    defaults = [...new Set(wanted ?? own.keys())];
    const unknown = defaults.filter((id) => !own.has(id));
    if (unknown.length > 0) throw new Error(`"default" names unknown locations: ${unknown.join(', ')}`);
  }
  return { place: (id) => own.get(id) ?? BUILT_IN.get(id) ?? NOWHERE, ids: [...own.keys()], defaults };
}
