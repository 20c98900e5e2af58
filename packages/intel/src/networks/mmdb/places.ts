import { NOWHERE, type Place } from '../../ports/index.ts';
import { countryOf } from '../../countries/index.ts';
import type { Width, Words } from '../tables/address-words.ts';
import { isMap, Mmdb, type MmdbHead } from './mmdb.ts';
import type { MmdbMap, MmdbValue } from './mmdb-values.ts';
import { Recent } from '../recent.ts';

/** The databases of places, by family: paths of MaxMind DB files, or their bytes. One file may do for both. */
export interface PlaceFiles {
  ipv4: string | Uint8Array;
  ipv6: string | Uint8Array;
}

/** Records that are remembered as they are told: some megabytes at most. */
const REMEMBERED = 10_000;

/** Where addresses are, of one database. */
export class Places {
  readonly #database: Mmdb;
  /** The records read so far, by their offset in the file. */
  readonly #records = new Recent<number, Place>(REMEMBERED);

  /** Throws a RangeError for a file of another format, and the errors of the file system. */
  constructor(source: string | Uint8Array) {
    this.#database = new Mmdb(source);
  }

  get head(): MmdbHead {
    return this.#database.head;
  }

  /** Where an address is; nowhere, too, where the file is broken there. */
  at(words: Words, width: Width): Place {
    try {
      const offset = this.#database.offsetOf(words, width);
      if (offset < 0) return NOWHERE;
      return this.#records.get(offset, () => placeOf(this.#database.valueAt(offset)));
    } catch (error) {
      if (error instanceof RangeError) return NOWHERE;
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}

/**
 * Reads a record, of ip-location-db's form (`country_code`, `state1`, `city`, `latitude`, …) or of the original one of DB-IP and MaxMind
 * (`country.iso_code`, `subdivisions[0].names.en`, `location.latitude`, …). Names of country and continent go by the code.
 */
function placeOf(record: MmdbValue): Place {
  if (!isMap(record)) return NOWHERE;
  const country = text(record['country_code']) || text(map(record['country'])['iso_code']);
  const { country_code, country_name, continent_code, continent_name } = countryOf(country.toUpperCase());
  const [division] = Array.isArray(record['subdivisions']) ? record['subdivisions'] : [];
  const location = map(record['location']);
  return Object.freeze({
    continent_code,
    continent_name,
    country_code,
    country_name,
    region_name: text(record['state1']) || english(division),
    city_name: text(record['city']) || english(record['city']),
    latitude: degrees(record['latitude'] ?? location['latitude'], 90),
    longitude: degrees(record['longitude'] ?? location['longitude'], 180),
  });
}

const map = (value: MmdbValue | undefined): MmdbMap => (isMap(value) ? value : {});
const text = (value: MmdbValue | undefined): string => (typeof value === 'string' ? value : '');
const english = (value: MmdbValue | undefined): string => text(map(map(value)['names'])['en']);

/** Rounded to some ten metres: what single precision writes behind that is noise. */
const degrees = (value: MmdbValue | undefined, limit: number): number =>
  typeof value === 'number' && Math.abs(value) <= limit ? Math.round(value * 1e4) / 1e4 : 0;
