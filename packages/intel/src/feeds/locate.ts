import type { Feed } from './feed.ts';
import type { FetchFile } from './ports.ts';
import { FeedRefused } from './refusal.ts';

const DAY_MS = 86_400_000;
/** A month's file is there a day or two into the month, at the latest. */
const LATE_DAYS = 3;
const PAGE_BYTES = 2_097_152;
/** A list over a slow line: half a minute for each megabyte, within bounds. */
const MS_FOR_MEGABYTE = 30_000;
const LEAST_MS = 120_000;
const MOST_MS = 900_000;

/** How long the fetch of a feed may take. */
export const fetchMs = ({ max_bytes }: Pick<Feed, 'max_bytes'>): number =>
  Math.min(MOST_MS, Math.max(LEAST_MS, (max_bytes / 1_048_576) * MS_FOR_MEGABYTE));

/** How long a source may be silent. */
const SILENCE_MS = 15_000;

/** How a file of a list is asked for. Plain http where the operator has written it, and never by a redirect from https. */
export function requestOf({ url, maxBytes, validators: { etag, lastModified }, headers, signal }: Parameters<FetchFile>[0]) {
  const schemes: readonly ('http:' | 'https:')[] = url.startsWith('http:') ? ['http:', 'https:'] : ['https:'];
  return {
    url,
    maxBytes,
    timeout_ms: fetchMs({ max_bytes: maxBytes }),
    silence_ms: SILENCE_MS,
    schemes,
    requestFields: { ...(etag && { 'if-none-match': etag }), ...(lastModified && { 'if-modified-since': lastModified }) },
    originFields: headers,
    signal,
  };
}

interface LocateDeps {
  fetch: FetchFile;
  today(): number;
  signal: AbortSignal;
}

/** Where a feed's file is now. Throws `FeedRefused` for a page that has no link to it. */
export async function locate({ url: template, link }: Feed, { fetch, today, signal }: LocateDeps): Promise<string> {
  const month = new Date(today() - LATE_DAYS * DAY_MS).toISOString().slice(0, 7);
  const url = template.replaceAll('{YYYY-MM}', month);
  if (link === undefined) return url;
  const validators = { etag: '', lastModified: '' };
  const { status, body } = await fetch({ url, maxBytes: PAGE_BYTES, validators, headers: {}, signal });
  if (status !== 200) throw new FeedRefused('status', `the page with the link answered with status ${status}`, { status });
  const page = new TextDecoder().decode(body);
  const from = page.indexOf(link);
  const found = from < 0 ? '' : /^[\x21\x23-\x26\x28-\x3b\x3d\x3f-\x7e]+/.exec(page.slice(from, from + 1000))![0];
  if (found === '' || !URL.canParse(found)) throw new FeedRefused('format', `the page has no link that begins with ${link}`);
  return found;
}
