import { ApiError } from '@vedette/contract';

/** The `--timeout-offset` of blackbox_exporter: the time for the answer's way back. */
const OFFSET_MS = 500;
/** No scrape is slower, and agents take no job for longer. */
const TIMEOUT_MAX_MS = 60_000;
const HEADER = 'X-Prometheus-Scrape-Timeout-Seconds';

export interface Times {
  /** The `scrape_timeout` that Prometheus sent; undefined without one. */
  header: string | string[] | undefined;
  /** The module's own limit. */
  moduleMs: number | undefined;
  /** The default limit. */
  usualMs: number;
  /** Time that was spent by now. */
  spentMs: number;
  /** A measurement with less is not worth beginning. */
  minMs: number;
}

/** How long the measurement may take, ms. Throws `ApiError` invalid_parameter for a header that is not a number of seconds, or too small. */
export function timeFor({ header, moduleMs, usualMs, spentMs, minMs }: Times): number {
  const limitMs = Math.min(moduleMs ?? usualMs, TIMEOUT_MAX_MS);
  if (limitMs < minMs) throw tooShort(`the timeout of the module, ${limitMs / 1000} s,`, minMs);
  if (header === undefined) return limitMs;
  if (typeof header !== 'string' || !/^\d{1,9}(\.\d{1,9})?$/.test(header))
    throw new ApiError('invalid_parameter', `${HEADER} is not a number of seconds`, { param: HEADER });
  const scrapeMs = Number(header) * 1000;
  const leftMs = Math.min(limitMs, Math.floor(scrapeMs - OFFSET_MS - spentMs));
  if (leftMs < minMs)
    throw tooShort(`the scrape_timeout of ${Number(header)} s, of which half a second is for the answer,`, minMs + OFFSET_MS);
  return leftMs;
}

/** `leastMs` itself is too short as well where the request has spent some of it. */
const tooShort = (what: string, leastMs: number): ApiError =>
  new ApiError('invalid_parameter', `${what} leaves no time to measure; it takes more than ${leastMs / 1000} s`);
