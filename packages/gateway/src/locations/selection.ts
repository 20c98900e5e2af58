import { ApiError, nearest, shown } from '@vedette/contract';
import { Type } from 'typebox';
import { distanceKm, isPlaced, placeNamed, type Point, spread } from './distance.ts';
import type { Catalogue, Place } from './locations.ts';

const TERM_MAX_CHARS = 80;
const TERMS_MAX = 200;
const LISTED = 20;

const selection = (byDefault: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: TERM_MAX_CHARS }), {
      minItems: 1,
      maxItems: TERMS_MAX,
      description: `Locations that measure: ids, \`country:DE\`, \`city:Paris\`, \`cloud:aws\`, \`within:500km:Berlin\` and others; \`any:5:continent:EU\` takes five. A leading \`!\` excludes. ${byDefault}`,
      examples: [['eu-fra', 'any:3:continent:AS', '!country:CN']],
    }),
  );

export const LocationSelection = selection('By default, every default location measures');
/** The selection of an operation that few locations carry out together. */
export const FewLocations = selection('By default, one location measures');

/** The selection of an operation that the service carries out alone, unless locations are selected. */
export const FurtherLocations = selection('By default, the service measures by itself');

/** The `locations` of a request that was checked against its schema. */
export const selectionOf = (locations: unknown): string[] | undefined => (Array.isArray(locations) ? locations.map(String) : undefined);

/** The locations that a selection may pick from. */
export interface Selectable {
  defaults: readonly string[];
  known: readonly string[];
  catalogue: Catalogue;
  /** Whether an agent of the location is well; without it every location counts as ready. */
  isReady?(id: string): boolean;
}

/** The text of a place that a term of this kind is compared with. */
const TEXTS: Readonly<Record<string, (place: Place) => string>> = {
  city: (place) => place.city_name,
  country: (place) => place.country_code,
  continent: (place) => place.continent_code,
  asn: (place) => place.asn,
  network: (place) => place.network,
  cloud: (place) => place.cloud,
};
/** Countries and continents without locations may be excluded. */
const MAY_BE_EMPTY = new Set(['country', 'continent']);
const KINDS = [...Object.keys(TEXTS), 'within', 'any'];

/** Case, accents and the prefix of an AS number make no difference. */
const folded = (kind: string, text: string): string => {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
  return kind === 'asn' ? plain.replace(/^as/, '') : plain;
};

/**
 * The locations a request asks: the defaults, or what `selection` picks from `known`, without what it excludes. Throws unknown_location for a term
 * that names nothing we know, except for excluded countries and continents, and when nothing is left.
 */
export function selectLocations(selection: readonly string[] | undefined, selectable: Selectable): string[] {
  const { defaults } = selectable;
  if (!selection) return [...defaults];
  const excluded = new Set(
    selection.filter((term) => term.startsWith('!')).flatMap((term) => matching(term.slice(1), { ...selectable, mayBeEmpty: true })),
  );
  const terms = selection.filter((term) => !term.startsWith('!'));
  const wanted = terms.length === 0 ? [defaults] : terms.map((term) => someOf(term, excluded, selectable));
  const left = [...new Set(wanted.flat())].filter((id) => !excluded.has(id));
  if (left.length === 0) throw new ApiError('unknown_location', 'everything is excluded', { param: 'locations' });
  return left;
}

/** A term with a number of locations, or all that it matches. */
function someOf(term: string, excluded: ReadonlySet<string>, selectable: Selectable): readonly string[] {
  if (!/^any(?::|$)/.test(term)) return matching(term, selectable);
  const [, count, of] = /^any:(\d{1,3})(?::(.+))?$/.exec(term) ?? [];
  if (count === undefined || Number(count) === 0 || of?.startsWith('any:'))
    throw wrongTerm(term, 'write any:5, or any:5: and a term, as in any:5:continent:EU;');
  const { catalogue, isReady = () => true, defaults } = selectable;
  const candidates = (of === undefined ? defaults : matching(of, selectable)).filter((id) => !excluded.has(id));
  const [ready, others] = [candidates.filter(isReady), candidates.filter((id) => !isReady(id))];
  return spread([ready, others], Number(count), (id) => catalogue.place(id));
}

function matching(term: string, { known, catalogue, mayBeEmpty = false }: Selectable & { mayBeEmpty?: boolean }): string[] {
  const [, kind = '', text = ''] = /^([a-z]+):(.*)$/s.exec(term) ?? [];
  if (kind === 'within') return within(term, text, { defaults: [], known, catalogue });
  const textOf = Object.hasOwn(TEXTS, kind) ? TEXTS[kind] : undefined;
  if (!textOf) {
    const found = known.filter((id) => id === term);
    if (found.length === 0) throw kind === '' ? unknownId(term, known) : unknownKind(term, kind);
    return found;
  }
  const of = (id: string) => textOf(catalogue.place(id));
  const found = known.filter((id) => of(id) !== '' && folded(kind, of(id)) === folded(kind, text));
  if (found.length > 0 || (mayBeEmpty && MAY_BE_EMPTY.has(kind))) return found;
  const there = [...new Set(known.map(of).filter(Boolean))];
  throw unknownText(term, kind, text, there);
}

/** Terms such as 500km:Berlin, and 500km:52.5/13.4. */
function within(term: string, text: string, { known, catalogue }: Selectable): string[] {
  const [, km, where = ''] = /^(\d{1,5})\s?km:(.+)$/s.exec(text) ?? [];
  if (km === undefined) throw wrongTerm(term, 'write within:500km:Berlin, or within:500km:52.5/13.4;');
  const places = known.map((id) => catalogue.place(id));
  const centre = pointOf(where) ?? placeNamed(where, places, (name) => folded('city', name));
  if (!centre) throw unknownText(term, `within:${km}km`, where, [...new Set(places.filter(isPlaced).map(({ city_name }) => city_name))]);
  const found = known.filter((_, index) => isPlaced(places[index]!) && distanceKm(places[index]!, centre) <= Number(km));
  if (found.length === 0) throw wrongTerm(term, 'no location is so near;');
  return found;
}

function pointOf(text: string): Point | undefined {
  const [, latitude, longitude] = /^(-?\d{1,2}(?:\.\d{1,6})?)\/(-?\d{1,3}(?:\.\d{1,6})?)$/.exec(text) ?? [];
  const point = { latitude: Number(latitude), longitude: Number(longitude) };
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : undefined;
}

const listed = (names: readonly string[]): string => `${names.slice(0, LISTED).join(', ') || 'none'}${names.length > LISTED ? ' …' : ''}`;

function unknownId(term: string, known: readonly string[]): ApiError {
  const meant = nearest(term, known);
  return wrongTerm(term, meant === undefined ? `known are ${listed(known)};` : `did you mean ${meant}?`);
}

function unknownKind(term: string, kind: string): ApiError {
  const meant = nearest(kind, KINDS);
  return wrongTerm(term, meant === undefined ? `terms begin with ${KINDS.join(', ')};` : `did you mean ${meant}:?`);
}

function unknownText(term: string, kind: string, text: string, there: readonly string[]): ApiError {
  const meant = nearest(
    folded(kind, text),
    there.map((each) => folded(kind, each)),
  );
  const name = there.find((each) => folded(kind, each) === meant);
  return wrongTerm(term, name === undefined ? `known are ${listed(there)};` : `did you mean ${kind}:${name}?`);
}

const wrongTerm = (term: string, instead: string): ApiError =>
  new ApiError('unknown_location', `${shown(term, TERM_MAX_CHARS).trim()}; ${instead} GET /v2/locations lists them`, {
    param: 'locations',
  });
