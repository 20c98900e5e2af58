import { ApiError, isAtOrUnder, type ParsedUrl, type ProbeFailure } from '@vedette/contract';
import { onionLocation, TorFailure, TorWay } from '@vedette/probes/http';
import { guardOf, NO_PAGE } from '@vedette/web/site';
import type { CentralContext } from '../kit/index.ts';
import { refusedTarget } from '../shared/names/refused-target.ts';
import { asWritten, shownTarget } from '../shared/pages/url-parts.ts';
import { problemsOf, visitSite } from '../site-trust/index.ts';

// Parts of 60 s: two visits through Tor, and at most nine seconds for the direct one.
const TOR_MS = 26_000;
const CONNECT_MS = 24_000;
const DIRECT_MS = 10_000;
/** A second visit in less time would be blamed on the site. */
const SECOND_MIN_MS = 15_000;

/** One visit, and what it tells. */
interface Seen {
  status_code: number;
  url_final: string;
  title: string;
  bytes: number;
  guard: string;
  error: string;
  elapsed_ms: number;
}

interface Visited {
  seen: Seen;
  /** The redirects end at an answer. */
  ended: boolean;
  failure: ProbeFailure | undefined;
  /** The site did not answer through Tor, and another server did. */
  isWitnessed?: boolean;
  onionLocation: string;
}

export const isOnionUrl = ({ host }: ParsedUrl): boolean => isAtOrUnder(host, 'onion');

/** Visits a URL through Tor, then without it. Throws `ApiError` no_tor where Tor does not work, or does not tell whose fault it was. */
export async function testSite(start: ParsedUrl, context: CentralContext) {
  if (!context.tor) throw new ApiError('no_tor', 'VEDETTE_TOR_SOCKS is not set');
  const first = await throughTor(start, TOR_MS, context);
  const second = isOwnPage(first) ? undefined : await onceMore(start, first, context);
  const tor = second ?? first;
  const circuits = second ? 2 : 1;
  const is_onion = isOnionUrl(start);
  const direct = is_onion ? undefined : await visit(start, {}, context);
  const { blocks_tor, why } = is_onion ? ofOnion(tor) : compare(first, second, direct!);
  return {
    url: shownTarget(start),
    is_onion,
    accessible: isOwnPage(tor),
    blocks_tor,
    circuits,
    onion_location: tor.onionLocation || (direct?.onionLocation ?? ''),
    through_tor: tor.seen,
    ...(direct && { direct: direct.seen }),
    debug_message: why,
  };
}

/** The same on circuits of its own. Without time for it, or where Tor fails now, the first visit stands alone. */
async function onceMore(start: ParsedUrl, first: Visited, context: CentralContext): Promise<Visited | undefined> {
  const left = Math.min(TOR_MS, context.remainingMs() - DIRECT_MS);
  if (left < SECOND_MIN_MS || first.failure?.code === 'blocked_policy' || first.failure?.code === 'blocked_private_address')
    return undefined;
  try {
    return await throughTor(start, left, context);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'no_tor') return undefined;
    throw error;
  }
}

async function throughTor(start: ParsedUrl, total_ms: number, context: CentralContext): Promise<Visited> {
  const { dialler, clock, tor } = context;
  const way = new TorWay({ endpoint: tor!.socks, witnesses: tor!.witnesses, dialler, clock });
  try {
    const visited = await visit(start, { way, connect_ms: CONNECT_MS, hop_ms: total_ms, total_ms }, context);
    // A site with IPv6 alone, to which no exit connects.
    if (visited.failure?.code === 'no_ipv6') throw new TorFailure('no_ipv6', visited.failure.seen, visited.failure);
    return { ...visited, isWitnessed: way.isWitnessed };
  } catch (error) {
    if (!(error instanceof TorFailure)) throw error;
    throw new ApiError('no_tor', error.seen, { retryAfterS: 60, cause: error });
  }
}

async function visit(start: ParsedUrl, options: Parameters<typeof visitSite>[1], context: CentralContext): Promise<Visited> {
  const { clock } = context;
  const started = clock.now();
  const { raw, site } = await visitSite(asWritten(start), options, context);
  const failure = raw.hops.at(-1)!.failure;
  const isRefused = failure?.code === 'blocked_policy' || failure?.code === 'blocked_private_address';
  if (isRefused && raw.hops.length === 1) throw await refusedTarget(failure, start.host, context);
  const answer = raw.hops.findLast(({ head }) => head !== undefined);
  const { status = 0, headers = [] } = answer?.head ?? {};
  const isLast = failure === undefined;
  const page = isLast && site.isHtml ? site.page : NO_PAGE;
  return {
    seen: {
      status_code: status,
      url_final: answer?.shown ?? '',
      title: page.info.title,
      bytes: isLast ? raw.page.body.length : 0,
      guard: answer && isLast ? guardOf({ url: answer.url, status, fields: headers, page }) : '',
      error: raw.end === 'page' ? '' : problemsOf(raw).join('; '),
      elapsed_ms: Math.round(clock.now() - started),
    },
    ended: raw.end === 'page',
    failure,
    onionLocation: answer ? onionLocation(answer.head!) : '',
  };
}

const isOwnPage = ({ ended, seen: { status_code: status, guard } }: Visited): boolean =>
  ended && status >= 200 && status < 400 && guard === '';

type Verdict = { blocks_tor: 'yes' | 'partly' | 'no' | 'unknown'; why: string };

const ofOnion = (tor: Visited): Verdict =>
  isOwnPage(tor) ? { blocks_tor: 'no', why: '' } : { blocks_tor: 'unknown', why: 'an onion service cannot be visited without Tor' };

/** Answers of the site itself, although without its page: the name or the page is not there, or has a lock. */
const OWN_ERRORS: ReadonlySet<number> = new Set([401, 404, 405, 410]);
/** Failures that firewalls cause, and exits do not of their own accord. */
const REFUSALS: ReadonlySet<string> = new Set(['connect_refused', 'connect_unreachable', 'connect_reset']);

/** The site or its guard refused the visit, not a passing failure. */
const isRefused = ({ ended, failure, isWitnessed = false, seen: { guard, status_code: status } }: Visited): boolean =>
  isWitnessed || guard !== '' || (ended && status >= 400 && status < 500) || (failure !== undefined && REFUSALS.has(failure.code));

function compare(first: Visited, second: Visited | undefined, direct: Visited): Verdict {
  const tor = second ?? first;
  if (isOwnPage(tor)) return { blocks_tor: second && isRefused(first) ? 'partly' : 'no', why: '' };
  const { guard, status_code: status } = direct.seen;
  const isAdmitted = isOwnPage(direct) || (direct.ended && guard === '' && OWN_ERRORS.has(status));
  if (!isAdmitted) return { blocks_tor: 'unknown', why: 'the request without Tor does not bring the page either' };
  if (tor.ended && tor.seen.guard === '' && tor.seen.status_code === status) return { blocks_tor: 'no', why: '' };
  const refused = [first, ...(second ? [second] : [])].filter(isRefused).length;
  if (refused === 2) return { blocks_tor: 'yes', why: '' };
  if (refused === 1) return { blocks_tor: 'unknown', why: 'only one circuit was refused, and the other brought no page' };
  return { blocks_tor: 'unknown', why: 'a failure of the site or of Tor would look the same' };
}
