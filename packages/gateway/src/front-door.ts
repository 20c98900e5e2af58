import { ApiError, type Clock, type Operation } from '@vedette/contract';
import { type Account, assertAllowed, type Ledger } from '@vedette/ledger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientAddressReader } from './client-address.ts';
import { LOCATIONS } from './list-locations.ts';
import type { Metrics } from './metrics.ts';
import { hasParameters } from './request-schema.ts';

/** Requests that one key may have under way on one gateway, so that a script that runs wild leaves the account's other keys alone. */
const MAX_IN_FLIGHT = 512;
const WARN_EVERY_MS = 60_000;

export interface FrontDoorDeps {
  ledger: Ledger;
  addresses: ClientAddressReader;
  metrics: Metrics;
  clock: Clock;
  /** Off for benchmarks and labs (VEDETTE_LIMITS). */
  limits: boolean;
  draining(): boolean;
}

/** Who asks, once the door has opened. */
export interface Admitted {
  account: Account;
  /** The client's. */
  address: string;
  /** Call when the answer is done: the key's place among those under way is free again. */
  release(): void;
}

/** Where a request wants to go: undefined for paths that only want a key. */
export interface Destination {
  operation: Operation | undefined;
  keyInQuery: boolean;
}

export type FrontDoor = (request: FastifyRequest, reply: FastifyReply, destination: Destination) => Promise<Admitted>;

/**
 * Admits a request or refuses it, cheapest check first: lockout, content type, key, what the key may do, rate limits.
 * Reads no body.
 */
export function createFrontDoor({ ledger, addresses, metrics, clock, limits, draining }: FrontDoorDeps): FrontDoor {
  const inFlight = new Map<string, number>();
  let quietUntil = -Infinity;

  return async (request, reply, { operation, keyInQuery }) => {
    if (draining()) throw new ApiError('draining', '', { retryAfterS: 1 });
    const { headers, rawHeaders, socket } = request.raw;
    if (rawHeaders.length !== 2 * Object.keys(headers).length) refuseRepeated(rawHeaders);
    const forwarded = headers['x-forwarded-for']?.toString();
    const peer = socket.remoteAddress ?? '';
    const address = addresses.read(peer, forwarded);
    if (forwarded !== undefined && !addresses.trusts(peer)) untrustedForwarded(request, peer);
    const blockedS = ledger.blockedFor(address);
    if (blockedS > 0) throw new ApiError('address_blocked', '', { retryAfterS: blockedS });
    if (operation && !keyInQuery && hasParameters(operation)) checkContentType(headers['content-type'], headers['content-encoding']);

    const key = keyInQuery ? (request.query as { key?: unknown }).key : headers['x-api-key'];
    const account = await authenticate(typeof key === 'string' ? key : undefined, address, request);
    request.account = account;
    assertAllowed(account, operation?.name ?? LOCATIONS, address);
    if (operation?.limit && limits) await takeRate(operation, account.id, reply);
    const { keyId } = account;
    const count = (inFlight.get(keyId) ?? 0) + 1;
    if (limits && count > MAX_IN_FLIGHT)
      throw new ApiError('rate_limited', `more than ${MAX_IN_FLIGHT} requests under way`, { retryAfterS: 1 });
    inFlight.set(keyId, count);
    return {
      account,
      address,
      release() {
        const left = (inFlight.get(keyId) ?? 1) - 1;
        if (left === 0) inFlight.delete(keyId);
        else inFlight.set(keyId, left);
      },
    };
  };

  /** Behind a proxy that is not configured, one bad script would lock everybody out: the operator should know. */
  function untrustedForwarded(request: FastifyRequest, peer: string): void {
    metrics.untrustedForwarded.inc();
    if (clock.now() < quietUntil) return;
    quietUntil = clock.now() + WARN_EVERY_MS;
    request.log.warn(
      { request_id: request.id, peer },
      'X-Forwarded-For from a peer that VEDETTE_TRUSTED_PROXIES does not name: it does not count',
    );
  }

  async function authenticate(key: string | undefined, address: string, request: FastifyRequest): Promise<Account> {
    if (key === undefined || key === '') throw new ApiError('key_missing');
    try {
      return await ledger.authenticate(key);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        metrics.invalidKeys.inc({ code: error.code });
        await ledger.recordInvalidKey(address);
        if (ledger.blockedFor(address) > 0) {
          metrics.lockouts.inc();
          request.log.warn({ request_id: request.id, address }, 'address blocked for an hour after too many invalid API keys');
        }
      }
      throw error;
    }
  }

  async function takeRate({ name, limit }: Operation, accountId: string, reply: FastifyReply): Promise<void> {
    const { requests, per_s } = limit!;
    const { allowed, retryAfterS } = await ledger.take(`${name}:${accountId}`, { rate: requests / per_s, burst: requests });
    // draft-ietf-httpapi-ratelimit-headers
    reply.header('ratelimit-policy', `"${name}";q=${requests};w=${per_s}`);
    reply.header('ratelimit', `"${name}";r=${allowed ? requests - 1 : 0};t=${Math.ceil(allowed ? per_s : retryAfterS)}`);
    if (!allowed) throw new ApiError('rate_limited', `at most ${requests} per ${per_s} s`, { retryAfterS });
  }
}

/** Headers that node keeps only once: two readers might see two requests. */
const SINGLE = new Set(['host', 'content-type', 'idempotency-key']);

function refuseRepeated(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) throw new ApiError('bad_request', `${name} is given twice`);
    seen.add(name);
  }
}

/** application/json, with UTF-8 as the only charset (RFC 8259 §8.1), and not compressed. */
function checkContentType(type: string | undefined, encoding: string | undefined): void {
  if (!/^application\/json[\t ]*(;[\t ]*charset="?utf-8"?[\t ]*)?;?$/i.test(type ?? '')) throw new ApiError('unsupported_media_type');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new ApiError('unsupported_media_type', 'send it uncompressed');
}
