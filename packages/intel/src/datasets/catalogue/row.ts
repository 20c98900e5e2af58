import type { Feed } from '../../feeds/index.ts';
import type { DatasetDefinition } from '../define.ts';
import { services as servicesDataset } from '../addresses/services.ts';

export const MEGABYTE = 1_048_576;

const DEFAULTS = {
  format: 'lines',
  curated: true,
  enabled: true,
  every_hours: 24,
  rest_minutes: 10,
  max_bytes: 8 * MEGABYTE,
  max_change: 3,
} as const;

type Defaulted = keyof typeof DEFAULTS;

/** A feed, and the dataset that is made of it; of a dataset that another process makes, only the name. */
export interface CatalogueRow extends Omit<Feed, 'dataset'> {
  readonly dataset: DatasetDefinition | { readonly name: string };
}

/** A feed with what most of them have. */
export const row = (feed: Omit<CatalogueRow, Defaulted> & Partial<Pick<CatalogueRow, Defaulted>>): CatalogueRow => ({
  ...DEFAULTS,
  ...feed,
});

/** Off, and why. */
export const off = (note: string) => ({ enabled: false, note });

export const github = (path: string): string => `https://raw.githubusercontent.com/${path}`;

/** The networks that providers publish as their own. */
export const services = { dataset: servicesDataset, licence: 'published by the provider to be recognised', min_rows: 5 } as const;
/** Prefixes in the form that Google began with. */
export const google = { ...services, format: 'json' as const, pick: { at: ['prefixes.*'], entry: ['ipv4Prefix', 'ipv6Prefix'] } };

/** Sources of two feeds each: one keeps their URLs, the other takes the hosts of them. */
export const openPhish = {
  url: github('openphish/public_feed/main/feed.txt'),
  licence: 'terms of OpenPhish: not for commercial use',
  attribution: 'OpenPhish, https://openphish.com/',
  every_hours: 12,
  ...off('Not for commercial use.'),
};
export const phishTank = {
  url: 'https://data.phishtank.com/data/online-valid.csv',
  format: 'csv' as const,
  pick: { columns: [1] },
  licence: 'terms of PhishTank: free to use',
  attribution: 'PhishTank, https://phishtank.org/',
  rest_minutes: 360,
  max_bytes: 64 * MEGABYTE,
  min_rows: 1_000,
  ...off(
    'Without a key it may be fetched a few times a day. New keys are not given: with an old one, set "url" to https://data.phishtank.com/data/<key>/online-valid.csv.',
  ),
};
