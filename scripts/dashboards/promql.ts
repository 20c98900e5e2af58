import { API_ERRORS, REASONS } from '@vedette/contract';

/** Expressions that several dashboards use. Every gateway tells of every agent: what is about agents is the max over gateways first. */

const bySource = (source: (typeof REASONS)[keyof typeof REASONS]['source']): string =>
  Object.entries(REASONS)
    .filter(([, reason]) => reason.source === source)
    .map(([name]) => name)
    .join('|');

/** Label values of failures that say nothing of the target: our own side's. */
const OUR_REASONS = bySource('vantage');

export const JOBS = 'vedette_gateway_jobs_total';

/** Label values of errors that are our own side's, 500 and above. */
export const OUR_CODES = Object.entries(API_ERRORS)
  .filter(([, { status }]) => status >= 500)
  .map(([code]) => code)
  .join('|');

const together = (...matchers: readonly string[]): string => matchers.filter(Boolean).join(', ');

/** Of what a counter counted (`among` of it), the share that also matches `which`: 0 where none does, absent where there is nothing. */
export const share = (counter: string, which: string, { among = '', by = '' }: { among?: string; by?: string } = {}): string => {
  const sum = (matchers: string): string => `sum${by && ` by (${by})`} (rate(${counter}{${matchers}}[$__rate_interval]))`;
  return `(${sum(together(among, which))} or 0 * ${sum(among)}) / (${sum(among)} > 0)`;
};

/** Of measurements, the share that failed on our own side. */
export const ownFailures = (options: { among?: string; by?: string } = {}): string => share(JOBS, `outcome=~"${OUR_REASONS}"`, options);

/** Something with the label `location`, and its place beside it, by what gateways know of locations. */
export const placed = (expr: string): string =>
  `${expr} * on (location) group_left (city, country, geohash) max by (location, city, country, geohash) (vedette_gateway_location_info)`;

export const quantile = (
  q: number,
  histogram: string,
  { by = [], matchers = '' }: { by?: readonly string[]; matchers?: string } = {},
): string => `histogram_quantile(${q}, sum by (${['le', ...by].join(', ')}) (rate(${histogram}_bucket{${matchers}}[$__rate_interval])))`;
