import { asMetadata } from '../systems/as-metadata.ts';
import { bogons } from '../addresses/bogons.ts';
import { delegations } from '../systems/delegations.ts';
import { documents } from '../documents.ts';
import { geo } from '../systems/geo.ts';
import { origins } from '../systems/origins.ts';
import { prefixes } from '../systems/prefixes.ts';
import { type CatalogueRow, github, MEGABYTE, off, row } from './row.ts';

const sapics = (file: string): string => `https://github.com/sapics/ip-location-db/releases/download/latest/${file}`;

/** The origins, holders, delegations and places of numbers. */
export const ROUTING_FEEDS: readonly CatalogueRow[] = [
  row({
    dataset: geo,
    name: 'dbip-city',
    url: 'https://download.db-ip.com/free/dbip-city-lite-{YYYY-MM}.mmdb.gz',
    format: 'whole',
    packing: 'gzip',
    tells: 'city, region and coordinates of an address',
    licence: 'CC-BY-4.0: a link to db-ip.com on every page that shows it',
    attribution: 'IP Geolocation by DB-IP, https://db-ip.com',
    every_hours: 168,
    rest_minutes: 60,
    max_bytes: 160 * MEGABYTE,
    max_unpacked_bytes: 400 * MEGABYTE,
    min_rows: 1_000_000,
  }),
  row({
    dataset: origins,
    name: 'origin-asn',
    url: sapics('origin-asn-ipv4.csv'),
    more: [sapics('origin-asn-ipv6.csv')],
    format: 'csv',
    tells: 'which autonomous system announces an address, and who that is',
    licence: 'PDDL-1.0',
    attribution: 'sapics/ip-location-db, https://github.com/sapics/ip-location-db',
    rest_minutes: 60,
    max_bytes: 64 * MEGABYTE,
    min_rows: 200_000,
  }),
  row({
    dataset: asMetadata,
    name: 'as-metadata',
    url: github('ipverse/as-metadata/master/as.json'),
    format: 'json_array',
    pick: { columns: ['asn', 'metadata.handle', 'metadata.description', 'metadata.countryCode', 'metadata.category'] },
    tells: 'handle, holder, country and kind of autonomous systems',
    licence: 'CC0-1.0; names are the registries’ own text, for own use',
    attribution: 'ipverse as-metadata, https://github.com/ipverse/as-metadata',
    rest_minutes: 60,
    max_bytes: 128 * MEGABYTE,
    min_rows: 60_000,
  }),
  row({
    dataset: prefixes,
    name: 'as-ip-blocks',
    url: 'https://github.com/ipverse/as-ip-blocks/releases/latest/download/as-ip-blocks.tar.gz',
    format: 'json',
    packing: 'tar.gz',
    member: 'aggregated.json',
    pick: { at: ['prefixes.ipv4.*', 'prefixes.ipv6.*'], label: ['asn'] },
    tells: 'the networks that autonomous systems announce',
    licence: 'CC0-1.0',
    attribution: 'ipverse as-ip-blocks, https://github.com/ipverse/as-ip-blocks',
    rest_minutes: 60,
    max_bytes: 96 * MEGABYTE,
    max_unpacked_bytes: 1024 * MEGABYTE,
    min_rows: 200_000,
  }),
  row({
    dataset: delegations,
    name: 'nro-delegated',
    url: 'https://ftp.ripe.net/pub/stats/ripencc/nro-stats/latest/nro-delegated-stats',
    format: 'delegated',
    tells: 'which registry gave which numbers to whom, where and when',
    licence: 'CC-BY-4.0',
    attribution: 'The Number Resource Organization and the regional Internet registries, https://www.nro.net/',
    rest_minutes: 60,
    max_bytes: 96 * MEGABYTE,
    min_rows: 300_000,
  }),
  row({
    dataset: bogons,
    name: 'fullbogons',
    url: 'https://www.team-cymru.org/Services/Bogons/fullbogons-ipv4.txt',
    more: ['https://www.team-cymru.org/Services/Bogons/fullbogons-ipv6.txt'],
    tells: 'address space that no registry has given to anybody',
    licence: 'free to use, with credit; once a day at the most',
    attribution: 'Team Cymru, https://www.team-cymru.com/bogon-reference',
    rest_minutes: 1_440,
    max_age_days: 30,
    max_bytes: 16 * MEGABYTE,
    min_rows: 1_000,
    ...off('Its terms for services are not clear; nro-delegated says most of it.'),
  }),
  row({
    dataset: documents,
    name: 'openasn-categories',
    url: 'https://github.com/openasn/openasn/releases/download/latest/asn-categories.csv',
    format: 'csv',
    tells: 'kinds and flags of autonomous systems',
    licence: 'CC0-1.0',
    attribution: 'OpenASN, https://github.com/openasn/openasn',
    max_bytes: 32 * MEGABYTE,
    min_rows: 10_000,
    ...off('Nothing judges by it: its categories are those of as-metadata.'),
  }),
];
