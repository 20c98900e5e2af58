import { disposable as disposableDataset } from '../disposable.ts';
import { disposableNumbers } from '../disposable-numbers.ts';
import { type CatalogueRow, github, MEGABYTE, row } from './row.ts';

const disposable = { dataset: disposableDataset, tells: 'domains of disposable mailboxes' } as const;

/** The sources of the lists that are shipped (docs/adr/0021-lists-and-look-alikes.md), each under the name of its list. */
export const DISPOSABLE_FEEDS: readonly CatalogueRow[] = [
  row({
    ...disposable,
    name: 'disposable-email-domains',
    url: github('disposable-email-domains/disposable-email-domains/main/disposable_email_blocklist.conf'),
    licence: 'CC0-1.0',
    attribution: 'disposable-email-domains, https://github.com/disposable-email-domains/disposable-email-domains',
    max_bytes: 2 * MEGABYTE,
    min_rows: 3_000,
  }),
  row({
    ...disposable,
    name: 'fakefilter',
    url: github('7c/fakefilter/main/txt/data.txt'),
    licence: 'BSD-3-Clause',
    attribution: 'FakeFilter, Copyright (c) 2022, 7c, https://github.com/7c/fakefilter',
    max_bytes: 4 * MEGABYTE,
    min_rows: 1_000,
  }),
  row({
    ...disposable,
    name: 'disposable-domains',
    url: github('tompec/disposable-email-domains/main/index.json'),
    format: 'json',
    licence: 'MIT',
    attribution: 'Copyright (c) 2017 Ilya Volodarsky, 2025 Thomas Petracco, https://github.com/tompec/disposable-email-domains',
    curated: false,
    max_bytes: 12 * MEGABYTE,
    min_rows: 40_000,
  }),
  row({
    ...disposable,
    name: 'mailchecker',
    url: github('FGRibreau/mailchecker/master/list.txt'),
    licence: 'MIT',
    attribution: 'Copyright (c) 2013 Francois-Guillaume Ribreau, https://github.com/FGRibreau/mailchecker',
    curated: false,
    max_bytes: 6 * MEGABYTE,
    min_rows: 20_000,
  }),
];

/** Numbers with public inboxes, each with the day it was last seen on such a site. */
export const DISPOSABLE_NUMBER_FEEDS: readonly CatalogueRow[] = [
  row({
    dataset: disposableNumbers,
    name: 'disposable-phone-numbers',
    url: github('iP1SMS/disposable-phone-numbers/master/number-list.json'),
    format: 'json',
    pick: { entry: ['@0'], label: ['@'] },
    tells: 'telephone numbers whose messages anybody can read',
    licence: 'MIT',
    attribution: 'Copyright (c) 2018 iP.1 Networks AB, https://github.com/iP1SMS/disposable-phone-numbers',
    max_bytes: 16 * MEGABYTE,
    max_age_days: 60,
    min_rows: 20_000,
  }),
];
