import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '@vedette/client';
import type { Profile } from './profiles.ts';

/** A location, for lists and completion. */
export interface KnownLocation {
  id: string;
  city: string;
  country: string;
  continent: string;
  state: string;
}

const FRESH_MS = 3_600_000;

/** The locations of a gateway. */
export async function locationsOf(
  profile: Profile,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
  retries = 3,
): Promise<KnownLocation[]> {
  const answer = await createClient({ ...profile, fetch, retries }).locations({ signal });
  return answer.locations.map(({ id, city_name, country_code, continent_code, state }) => ({
    id,
    city: city_name,
    country: country_code,
    continent: continent_code,
    state,
  }));
}

/** The same for completion: from a file at most an hour old, else within 300 ms or not at all. */
export async function rememberedLocations(profile: Profile, folder: string, fetch: typeof globalThis.fetch): Promise<KnownLocation[]> {
  const file = join(folder, `locations-${hash('sha256', profile.url).slice(0, 16)}.json`);
  try {
    if (Date.now() - statSync(file).mtimeMs < FRESH_MS) return JSON.parse(readFileSync(file, 'utf8')) as KnownLocation[];
  } catch {
    // not there yet
  }
  const locations = await locationsOf(profile, fetch, AbortSignal.timeout(300), 0).catch(() => []);
  if (locations.length > 0) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(locations), { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  }
  return locations;
}
