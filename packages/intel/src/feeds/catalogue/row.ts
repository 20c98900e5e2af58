import type { Feed } from '../feed.ts';

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

/** A feed with what most of them have. */
export const row = (feed: Omit<Feed, Defaulted> & Partial<Pick<Feed, Defaulted>>): Feed => ({ ...DEFAULTS, ...feed });

/** Off, and why. */
export const off = (note: string) => ({ enabled: false, note });

export const github = (path: string): string => `https://raw.githubusercontent.com/${path}`;

/** What providers publish of their own networks. */
export const services = { dataset: 'services', licence: 'published by the provider to be recognised', min_rows: 5 } as const;
/** Prefixes in the form that Google began with. */
export const google = { ...services, format: 'json' as const, pick: { at: ['prefixes.*'], entry: ['ipv4Prefix', 'ipv6Prefix'] } };
