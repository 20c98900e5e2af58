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
