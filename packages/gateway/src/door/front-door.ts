import type { IncomingHttpHeaders } from 'node:http';
import { ApiError, type Pass } from '@vedette/contract';
import type { Operation } from '@vedette/operations/kit';
import { type Account, assertAllowed, type Ledger, type Role } from '@vedette/ledger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { closedBy } from './closed-by.ts';
import { createKeyCheck, type SentKey } from './key-check.ts';
import type { Parts } from '../request/parts.ts';
import { OVERLOADED, type Overload, type Visit, STRANGERS } from './overload.ts';
import { BODY_POOL, type Pools } from '../shares/pools.ts';
import type { GateRow } from '../shares/gate.ts';
import { hasParameters } from './request-schema.ts';
import { assertRole } from './role.ts';
import { sessionIn, sessionSigner } from './session-cookie.ts';

/** Requests that one key may have under way on one gateway, so that a script that runs wild leaves the account's other keys alone. */
const MAX_IN_FLIGHT = 512;
const WARN_EVERY_MS = 60_000;

/** Bodies up to here need no room of their own. */
export const BODY_LIMIT_BYTES = 64 * 1024;

/** The largest body of an operation's requests. */
export const bodyLimitOf = (operation: Operation | undefined): number => operation?.body_max_bytes ?? BODY_LIMIT_BYTES;

/** The identity of the client, once the door has opened. */
export interface Admitted {
  account: Account;
  /** The client's. */
  address: string;
  /** Tells where the request is: in our own hands or not. */
  visit: Visit;
  /** Call when the answer is done, or will not be: the key has one less under way. */
  release(): void;
}

/** A rate of requests of one account over all gateways. */
export interface NamedLimit {
  name: string;
  requests: number;
  per_s: number;
}

/** Where a request wants to go. */
export interface Destination {
  operation: Operation | undefined;
  /** The permission that the key needs; undefined when any key suffices. */
  permission: string | undefined;
  /** The least role that may go there. */
  role: Role;
  /** Rate of a path that is not an operation's. */
  limit: NamedLimit | undefined;
  /** Whether a body of JSON is required where there is no operation. */
  json: boolean;
  keyInQuery: boolean;
  bodyLimit: number;
  /** A bearer token is taken as well (RFC 6750 §2.1): all that Prometheus can send. */
  bearer: boolean;
  /** A signed-in person may go there. */
  people: boolean;
}

export type FrontDoor = (request: FastifyRequest, reply: FastifyReply, destination: Destination) => Promise<Admitted>;

/**
 * Admits a request or refuses it, cheapest check first: lockout, content type, length, room for it, key, what the key may do, rate
 * limits. Reads no body.
 */
export function createFrontDoor({ config, ledger, addresses, pools, metrics, clock, state }: Parts, overload: Overload): FrontDoor {
  const limits = config.settings.VEDETTE_LIMITS === 'on';
  const keys = createKeyCheck({ ledger, metrics });
  const { signIn } = config;
  const sessions = signIn && sessionSigner(signIn.secret);
  const underWay = new UnderWay(limits ? MAX_IN_FLIGHT : Infinity);
  let quietUntil = -Infinity;

  return async (request, reply, destination) => {
    if (state.draining) throw new ApiError('draining');
    const { operation, keyInQuery, bearer, bodyLimit, people } = destination;
    const { headers, rawHeaders } = request.raw;
    if (rawHeaders.length !== 2 * Object.keys(headers).length) refuseRepeated(rawHeaders);
    const address = addressOf(request);
    const sent = keyInQuery ? (request.query as { key?: unknown }).key : keyInHeaders(headers, bearer);
    const key: SentKey = { text: typeof sent === 'string' ? sent : '', source: keyInQuery ? 'url' : 'header', address };
    keys.refuseBlocked(key);
    const isTyped = operation ? !keyInQuery && (hasParameters(operation) || hasTypedBody(headers)) : destination.json;
    if (isTyped) checkContentType(headers);
    const bodyBytes = declaredBytes(headers, bodyLimit);
    // A key counts before a cookie, which a browser sends by itself.
    const session = key.text === '' && people && sessions ? sessionIn(request.raw, signIn, sessions) : undefined;
    if (key.text === '' && session === undefined) throw keyMissing(destination);

    const recalled = ledger.recall(key.text);
    const known = recalled && ledger.admit(recalled);
    request.account = known;
    const asker = recalled?.account.id ?? (session === undefined ? STRANGERS : config.settings.VEDETTE_OIDC_ACCOUNT);
    const visit = overload.enter(asker);
    if (visit === undefined) throw OVERLOADED;
    try {
      const account = known ?? (await (session === undefined ? keys.authenticate(key, request) : ledger.sessions.find(session)));
      request.account = account;
      if (session === undefined) keys.remember(key);
      assertAllowed(account, destination.permission, address);
      assertRole({ account }, destination.role);
      if (operation && closedBy(account, operation) === 'plan')
        throw new ApiError('operation_not_allowed', 'the plan of the account does not include it');
      const limit = operation?.limit ? { name: operation.name, ...operation.limit } : destination.limit;
      if (limit && limits) await takeRate(ledger, limit, account.id, reply);
      const free = roomFor(bodyBytes, account.id, pools);
      const countOff = underWay.enter(account.keyId, free);
      visit.admit(account.id);
      return {
        account,
        address,
        visit,
        release() {
          visit.release();
          countOff();
        },
      };
    } catch (error) {
      visit.release();
      throw error;
    }
  };

  function addressOf(request: FastifyRequest): string {
    const { headers, socket } = request.raw;
    const forwarded = headers['x-forwarded-for']?.toString();
    const peer = socket.remoteAddress ?? '';
    if (forwarded !== undefined && !addresses.trusts(peer)) untrustedForwarded(request, peer);
    return addresses.read(peer, forwarded);
  }

  /** Behind a proxy that is not configured, one bad script would lock all clients out: the operator should know. */
  function untrustedForwarded(request: FastifyRequest, peer: string): void {
    metrics.untrustedForwarded.inc();
    if (clock.now() < quietUntil) return;
    quietUntil = clock.now() + WARN_EVERY_MS;
    request.log.warn(
      { request_id: request.id, peer },
      'X-Forwarded-For from a peer that VEDETTE_TRUSTED_PROXIES does not name: it does not count',
    );
  }
}

/** Takes one of the account's requests of that name. Throws `ApiError` rate_limited. */
async function takeRate(ledger: Ledger, { name, requests, per_s }: NamedLimit, accountId: string, reply: FastifyReply): Promise<void> {
  const { allowed, retryAfterS } = await ledger.take(`${name}:${accountId}`, { rate: requests / per_s, burst: requests });
  // draft-ietf-httpapi-ratelimit-headers
  reply.header('ratelimit-policy', `"${name}";q=${requests};w=${per_s}`);
  reply.header('ratelimit', `"${name}";r=${allowed ? requests - 1 : 0};t=${Math.ceil(allowed ? per_s : retryAfterS)}`);
  if (!allowed) throw new ApiError('rate_limited', `at most ${requests} per ${per_s} s`, { retryAfterS });
}

/** How long a body says that it is; one that does not say it may come to all that there may be. Throws `ApiError` body_too_large. */
function declaredBytes(headers: IncomingHttpHeaders, limit: number): number {
  const bytes = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : limit;
  if (bytes > limit) throw new ApiError('body_too_large');
  return bytes;
}

const NO_ROOM_TAKEN: Pass = () => {};

/** Room for a long body, before it is read. Throws `ApiError` overloaded. */
function roomFor(bytes: number, account: string, { bodies }: Pools): Pass {
  if (bytes <= BODY_LIMIT_BYTES) return NO_ROOM_TAKEN;
  const pass = bodies.take(account, bytes);
  if (pass === undefined) throw OVERLOADED;
  return pass;
}

/** How many requests each key, or each account, has under way. */
export class UnderWay {
  readonly #max: number;
  readonly #what: string;
  readonly #counts = new Map<string, number>();

  constructor(max: number, what = 'requests') {
    this.#max = max;
    this.#what = what;
  }

  /** Counts one more. The returned function uncounts it, once, and then calls `left`; a refusal calls `left`, too. */
  enter(id: string, left: Pass): () => void {
    const count = (this.#counts.get(id) ?? 0) + 1;
    if (count > this.#max) {
      left();
      throw new ApiError('rate_limited', `more than ${this.#max} concurrent ${this.#what}`, { retryAfterS: 1 });
    }
    this.#counts.set(id, count);
    let counted = true;
    return () => {
      if (!counted) return;
      counted = false;
      const others = this.#counts.get(id)! - 1;
      if (others === 0) this.#counts.delete(id);
      else this.#counts.set(id, others);
      left();
    };
  }
}

/** Headers that node keeps only once: two readers might see two requests. */
const SINGLE = new Set(['host', 'content-type', 'idempotency-key', 'authorization']);

function refuseRepeated(rawHeaders: readonly string[]): void {
  const seen = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!.toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) throw new ApiError('bad_request', `${name} was sent twice`);
    seen.add(name);
  }
}

/** An operation without parameters may be asked with a body, and without one. */
const hasTypedBody = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type'] !== undefined && (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** The key that came in a header, as it came. If two keys are sent, the one in X-API-Key counts, which needs no parsing. */
export const keyInHeaders = (headers: IncomingHttpHeaders, bearer: boolean): string | string[] | undefined =>
  headers['x-api-key'] ?? (bearer ? /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1] : undefined);

function keyMissing({ keyInQuery, bearer }: Destination): ApiError {
  if (keyInQuery) return new ApiError('key_missing', 'send the key as the query parameter key', { param: 'key' });
  const how = bearer ? 'send the key as a bearer token, or in the X-API-Key header' : 'send the key in the X-API-Key header';
  return new ApiError('key_missing', how, { param: bearer ? 'Authorization' : 'X-API-Key' });
}

/** application/json, with UTF-8 as the only charset (RFC 8259 §8.1), and not compressed. */
function checkContentType({ 'content-type': type, 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (!/^application\/json[\t ]*(;[\t ]*charset="?utf-8"?[\t ]*)?;?$/i.test(type ?? '')) throw new ApiError('unsupported_media_type');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError('unsupported_media_type', 'send the body uncompressed');
}

export const DRAINING_GATE: GateRow = {
  name: 'Draining',
  limits: 'new requests to a gateway that stops',
  limit: 'none is taken',
  codes: ['draining'],
  cause: 'service',
};

export const BODY_LENGTH_GATE: GateRow = {
  name: 'Body length',
  limits: 'bytes of a body, as declared',
  limit: `${BODY_LIMIT_BYTES / 1024} KB, or what the operation declares`,
  codes: ['body_too_large'],
  cause: 'client',
  files: ['packages/operations/src/shared/pages/base64-input.ts'],
};

export const PERMISSION_GATE: GateRow = {
  name: 'Permission',
  limits: 'operations and client addresses of a key, and the role of its holder',
  limit: "as the key was made, and as the account's plan includes them",
  codes: ['operation_not_allowed', 'role_not_allowed', 'source_not_allowed'],
  cause: 'client',
};

export const OPERATION_RATE_GATE: GateRow = {
  name: 'Operation rate',
  limits: 'requests of an account for one operation, over all gateways',
  limit: 'as the operation declares; most declare none',
  codes: ['rate_limited'],
  cause: 'account',
};

export const BODY_ROOM_GATE: GateRow = {
  name: 'Room for long bodies',
  limits: `memory for bodies above ${BODY_LIMIT_BYTES / 1024} KB, shared by accounts`,
  limit: BODY_POOL,
  codes: ['overloaded'],
  cause: 'service',
};

export const IN_FLIGHT_GATE: GateRow = {
  name: 'Requests of a key',
  limits: 'requests of one key under way on one gateway',
  limit: `${MAX_IN_FLIGHT}`,
  codes: ['rate_limited'],
  cause: 'account',
};
