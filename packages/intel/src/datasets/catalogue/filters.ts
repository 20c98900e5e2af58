import { type CatalogueRow, row } from './row.ts';

/** Renderers make these lists and use them. */
const FILTERS = { name: 'filters' };

const filters = { dataset: FILTERS, format: 'whole' } as const;
const easylist = {
  ...filters,
  licence: 'GPL-3.0-or-later or CC-BY-SA-3.0; renderers pass nothing on that is made of it',
  attribution: 'The EasyList authors, https://easylist.to/',
  every_hours: 96,
  rest_minutes: 60,
} as const;

/** Filters of unwanted requests and elements for browsers, in Adblock Plus syntax. Renderers fetch them, and gateways do not. */
export const FILTER_FEEDS: readonly CatalogueRow[] = [
  row({
    ...easylist,
    name: 'easylist',
    url: 'https://easylist.to/easylist/easylist.txt',
    tells: 'requests and places of ads on pages',
    min_rows: 20_000,
  }),
  row({
    ...easylist,
    name: 'easyprivacy',
    url: 'https://easylist.to/easylist/easyprivacy.txt',
    tells: 'requests of trackers on pages',
    min_rows: 15_000,
  }),
  row({
    ...filters,
    name: 'peter-lowe',
    url: 'https://pgl.yoyo.org/adservers/serverlist.php?hostformat=adblockplus&showintro=1&mimetype=plaintext',
    tells: 'hosts of ads and trackers',
    licence: 'McRae General Public License (v4.r53); renderers pass nothing on that is made of it',
    attribution: 'Peter Lowe, https://pgl.yoyo.org/adservers/',
    every_hours: 48,
    rest_minutes: 60,
    min_rows: 1_500,
  }),
];
