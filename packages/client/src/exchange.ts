import type { RequestOptions } from './calls.d.ts';
import { errorOf, VedetteError } from './error.ts';

export interface ClientOptions {
  /** Address of the gateway, such as `https://api.example.org`. */
  url: string;
  /** API key. It is sent to this address alone: redirects are not followed. */
  key: string;
  /** How often a request is sent again; 3 by default. */
  retries?: number;
  /** Told after each answer that carries them. */
  onQuota?: (quota: Quota) => void;
  /** A function in place of the platform's own. */
  fetch?: typeof fetch;
}

/** Credits of the account, as an answer tells them. */
export interface Quota {
  /** Credits of the period. */
  limit: number;
  /** Credits left. */
  remaining: number;
  /** End of the period, in epoch seconds. */
  reset: number;
  /** Price of this request; 0 for a refusal. */
  cost: number;
}

/** A longer `Retry-After` is told to the caller. */
const MAX_WAIT_MS = 60_000;
const RETRIES = 3;

/** Sends a request and reads its answer by `read`. Asks again, with the same Idempotency-Key, where that may help. */
export class Exchange {
  readonly #options: ClientOptions;
  readonly #base: string;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = options.url.replace(/\/+$/, '');
  }

  /**
   * Yields what `read` makes of the answer, which is of the type `accept`, or `also`. `read` may be called more than once: for each connection that broke off. Throws a VedetteError, or the reason of the
   * caller's signal.
   */
  async *ask<T>(
    { path, body, accept, also = accept }: { path: string; body?: object | undefined; accept: string; also?: string },
    { signal, idempotencyKey }: RequestOptions,
    read: (response: Response) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const { key, retries = RETRIES, fetch = globalThis.fetch, onQuota } = this.#options;
    const request: RequestInit = {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-api-key': key,
        accept,
        ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': newIdempotencyKey() }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    };
    for (let left = retries; ; left--) {
      try {
        const response = await fetch(this.#base + path, request);
        const quota = quotaOf(response.headers.get('x-service-quota'));
        if (quota) onQuota?.(quota);
        if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) throw redirected(response);
        if (!response.ok) throw await refusal(response);
        const type = response.headers.get('content-type') ?? '';
        if (!type.startsWith(accept) && !type.startsWith(also)) throw unreadable(`The answer is no ${accept}`, response);
        yield* read(response);
        return;
      } catch (cause) {
        signal?.throwIfAborted();
        const error = cause instanceof VedetteError ? cause : unreachable(this.#base, cause);
        const waitMs = waitBefore(error, left < retries);
        if (left <= 0 || waitMs === undefined) throw error;
        await pause(waitMs, signal);
      }
    }
  }
}

/** How long to wait before the same request may succeed; undefined if waiting does not help. */
function waitBefore({ code, status, retryAfterMs }: VedetteError, isRetry: boolean): number | undefined {
  if (code === 'unreachable') return 500;
  // The connection broke off, and the gateway has not noticed yet: the first request still runs.
  if (code === 'idempotency_conflict') return isRetry ? 1000 : undefined;
  if (status !== 429 && status !== 503) return undefined;
  return retryAfterMs !== undefined && retryAfterMs <= MAX_WAIT_MS ? retryAfterMs : undefined;
}

async function refusal(response: Response): Promise<VedetteError> {
  const { status, headers } = response;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const rest = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined,
  };
  const text = await response.text();
  return errorOf(parsed(text), rest) ?? unreadable(`The answer is not one of the API: status ${status}`, rest);
}

/** A value of JSON; undefined if the text is something else. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads JSON that a 200 promised. */
export function reportIn(text: string, status: number): unknown {
  const value = parsed(text);
  if (value === undefined) throw unreadable('The answer is not one of the API: no JSON', { status });
  return value;
}

const unreadable = (message: string, { status }: { status: number }): VedetteError =>
  new VedetteError(message, { status, code: 'unreadable' });

/** The key goes to its own gateway alone: a redirect is not followed. A browser does not tell where it leads. */
function redirected(response: Response): VedetteError {
  void response.body?.cancel();
  return unreadable(`The gateway redirects to ${response.headers.get('location') ?? 'another address'}`, response);
}

/** The answer ended before its end. */
export const brokenOff = (): VedetteError => new VedetteError('The connection broke off', { code: 'unreachable', status: 0 });

const unreachable = (url: string, cause: unknown): VedetteError =>
  new VedetteError(`No answer from ${url}`, { code: 'unreachable', status: 0 }, { cause });

/** `limit=10000, remaining=9876, reset=1767225600, cost=5`. */
function quotaOf(header: string | null): Quota | undefined {
  const fields = new Map(header?.split(', ').map((field): [string, number] => [field.split('=', 1)[0]!, Number(field.split('=')[1])]));
  const [limit, remaining, reset, cost] = ['limit', 'remaining', 'reset', 'cost'].map((name) => fields.get(name) ?? Number.NaN);
  return Number.isFinite(remaining) ? { limit: limit!, remaining: remaining!, reset: reset!, cost: cost! } : undefined;
}

/** A random key. Not `randomUUID`, which browsers have on secure pages alone. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      signal?.removeEventListener('abort', done);
      clearTimeout(timer);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    }
    signal?.addEventListener('abort', done);
  });
}
