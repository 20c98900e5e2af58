import { KNOWN_PLACES } from './known-places.ts';

/** Degrees. */
export interface Point {
  latitude: number;
  longitude: number;
}

const EARTH_RADIUS_KM = 6371;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** 0/0 stands for a place that is not known. */
export const isPlaced = ({ latitude, longitude }: Point): boolean => latitude !== 0 || longitude !== 0;

/** Along the great circle. */
export function distanceKm(a: Point, b: Point): number {
  const [north, east] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)];
  const chord = Math.sin(north / 2) ** 2 + Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(east / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** The city of this name: one of the locations', or of the built-in table. */
export function placeNamed(
  name: string,
  places: readonly (Point & { city_name: string })[],
  folded: (name: string) => string,
): Point | undefined {
  const own = places.find((place) => isPlaced(place) && folded(place.city_name) === folded(name));
  if (own) return own;
  const row = KNOWN_PLACES.find(([, , , city]) => folded(city) === folded(name));
  return row && { latitude: row[4], longitude: row[5] };
}

/**
 * Takes `count` ids, each as far as possible from those before it. The choice is the same for the same ids. Ids of a later tier are taken when the
 * earlier ones are used up.
 */
export function spread(tiers: readonly (readonly string[])[], count: number, placeOf: (id: string) => Point): string[] {
  const taken: string[] = [];
  // Where an unplaced location is far from is not known.
  const gap = (id: string) => (isPlaced(placeOf(id)) ? Math.min(...taken.map((other) => distanceKm(placeOf(id), placeOf(other)))) : -1);
  for (const tier of tiers) {
    const left = new Set(tier);
    while (left.size > 0 && taken.length < count) {
      const next = [...left].reduce((best, id) => (taken.length > 0 && gap(id) > gap(best) ? id : best));
      taken.push(next);
      left.delete(next);
    }
  }
  return taken;
}
