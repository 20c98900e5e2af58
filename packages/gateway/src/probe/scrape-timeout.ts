import { ApiError } from '@vedette/contract';

/** What blackbox_exporter calls `--timeout-offset`: so long an answer may be on its way. */
const OFFSET_MS = 500;
/** Nobody scrapes more slowly, and agents take no job for longer. */
const TIMEOUT_MAX_MS = 60_000;
const HEADER = 'X-Prometheus-Scrape-Timeout-Seconds';

export interface Times {
  /** What Prometheus says of its `scrape_timeout`; undefined where nobody says anything. */
  header: string | string[] | undefined;
  /** The module's own limit. */
  moduleMs: number | undefined;
  /** How long it takes where nobody has a limit. */
  usualMs: number;
  /** Time that was spent by now. */
  spentMs: number;
  /** A measurement with less is not worth beginning. */
  minMs: number;
}

/** How long the measurement may take, ms. Throws `ApiError` invalid_parameter for a header that is no number of seconds, or too few. */
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
