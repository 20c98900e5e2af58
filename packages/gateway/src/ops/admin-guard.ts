import { hash, timingSafeEqual } from 'node:crypto';
import { ApiError, BoundedMap, type Clock, isLoopback } from '@vedette/contract';
import { networkOf } from '@vedette/ledger';
import type { Log } from '@vedette/process/log';
import type { Metrics } from '../metrics/metrics.ts';

const MAX_WRONG = 10;
const WINDOW_MS = 10 * 60_000;
/** The operator uses the loopback too: a guesser there must not lock the operator out for long. */
const LOOPBACK_BLOCK_MS = 60_000;
const MAX_NETWORKS = 10_000;

interface Wrong {
  count: number;
  /** When the count is over, on our monotonic clock; once there are too many, so is the block. */
  until: number;
}

export interface AdminGuardDeps {
  token: string;
  clock: Clock;
  metrics: Metrics;
  log: Log;
}

/**
 * Lets those in who have the admin token. After ten wrong ones from an address (of IPv6, a /64) within ten minutes it is not
 * listened to for the rest of them, whatever it sends. Throws `ApiError` key_unknown or rate_limited.
 */
export function createAdminGuard({
  token,
  clock,
  metrics,
  log,
}: AdminGuardDeps): (authorization: string | undefined, address: string) => void {
  const expected = hash('sha256', token, 'buffer');
  const wrong = new BoundedMap<string, Wrong>(MAX_NETWORKS);

  return (authorization, address) => {
    const network = networkOf(address);
    const known = wrong.get(network);
    const seen = known && known.until > clock.now() ? known : undefined;
    if (seen && seen.count >= MAX_WRONG) {
      metrics.adminRefused.inc({ reason: 'blocked' });
      throw new ApiError('rate_limited', 'too many wrong admin tokens', { retryAfterS: (seen.until - clock.now()) / 1000 });
    }
    const sent = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
    if (sent !== undefined && timingSafeEqual(hash('sha256', sent, 'buffer'), expected)) return;
    metrics.adminRefused.inc({ reason: sent === undefined ? 'no_token' : 'wrong_token' });
    // A request without a token is not a guess.
    if (sent !== undefined) count(network, seen, isLoopback(address));
    throw new ApiError('key_unknown', 'send the admin token as Authorization: Bearer');
  };

  function count(network: string, seen: Wrong | undefined, local: boolean): void {
    const now = clock.now();
    const next: Wrong = { count: (seen?.count ?? 0) + 1, until: seen?.until ?? now + WINDOW_MS };
    if (next.count >= MAX_WRONG && local) next.until = now + LOOPBACK_BLOCK_MS;
    wrong.set(network, next);
    // The first and the last of a series: a flood of guesses is not a flood of lines.
    if (next.count === 1) log.warn({ address: network }, 'a wrong admin token was sent');
    if (next.count === MAX_WRONG)
      log.warn(
        { address: network, wait_s: Math.ceil((next.until - now) / 1000) },
        'too many wrong admin tokens: the address is not listened to',
      );
  }
}
