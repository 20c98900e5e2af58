import { ApiError, BoundedMap, type Clock, ProbeFailure, type Rate, type Reason, TokenBuckets } from '@vedette/contract';

// The rate at which all accounts together ask one server, and the share of one account; docs/registries.md gives the reasons.
const RATES: Record<Protocol, Rate> = { rdap: { perS: 2, burst: 20 }, whois: { perS: 0.5, burst: 5 } };
const ACCOUNT_SHARE = 1 / 2;
/** How much of its client's time a request waits for its server: an answer that comes too late would be an unknown age. */
const PATIENCE_SHARE = 1 / 2;
/** The least time to leave for an answer. */
const ANSWER_MIN_MS = 1_000;

/** Failures in a row after which a server is asked by one request at a time, and how often. */
const FAILURES_MAX = 3;
const PROBE_MS = 10_000;
const SERVERS_MAX = 2_000;
/** The pause after a "too many" without a duration, and the longest pause that we accept. */
const PAUSE_S = 30;
const PAUSE_MAX_S = 3_600;

export type Protocol = 'rdap' | 'whois';

/**
 * An answer, or the reason for its absence. `retry_after_s` > 0: the server would have answered, and it is our own pacing that did not ask;
 * this is when it may.
 */
export type RegistryAnswer<T> = { answer: T } | { why: string; retry_after_s: number };

/** A server's word that it is not to be asked for now. */
export class PauseRequest extends Error {
  readonly retryAfter: string;

  /** `retryAfter` as sent; empty where it is not told. */
  constructor(said: string, retryAfter: string) {
    super(said);
    this.retryAfter = retryAfter;
  }
}

/** A server that answers, and not with what it was asked for. `isItsFault`: it would answer others like that, too. */
export class UselessAnswer extends Error {
  readonly isItsFault: boolean;

  constructor(said: string, isItsFault: boolean) {
    super(said);
    this.isItsFault = isItsFault;
  }
}

interface Health {
  failures: number;
  /** Monotonic, ms: not asked before. */
  pausedUntil: number;
}

export interface ServersOptions {
  clock: Clock;
  /** How many gateways share the rates: each lets its part through. */
  gateways: () => number;
  /** VEDETTE_LIMITS. */
  limits: boolean;
  today(): Date;
}

/** The account that asks. */
interface Asker {
  account: string;
  signal: AbortSignal;
  /** How long the inquiry may still take, ms. */
  timeLeft(): number;
  /** How long its client still waits, ms. */
  patience(): number;
}

/** Failures that are not the server's fault: the request ended, or we refused. */
const NOT_ITS_FAULT: readonly Reason[] = ['cancelled', 'target_limited', 'no_network', 'internal'];

/** All servers of registries as we have known them: how much is asked of each, over all accounts, and whether it wants to be asked. */
export class Servers {
  readonly #options: ServersOptions;
  readonly #rates: Record<Protocol, { all: TokenBuckets; perAccount: TokenBuckets }>;
  readonly #health = new BoundedMap<string, Health>(SERVERS_MAX);

  constructor(options: ServersOptions) {
    const { clock, gateways } = options;
    this.#options = options;
    const bucketsOf = ({ perS, burst }: Rate) => ({
      all: new TokenBuckets(clock, { perS, burst }, gateways),
      perAccount: new TokenBuckets(clock, { perS: perS * ACCOUNT_SHARE, burst: burst * ACCOUNT_SHARE }, gateways),
    });
    this.#rates = { rdap: bucketsOf(RATES.rdap), whois: bucketsOf(RATES.whois) };
  }

  /**
   * Asks a server, when it is its time, for at most `mostMs`. Failures are returned as data. It rejects with the signal's reason, and with
   * errors that are neither a `ProbeFailure` nor a refusal.
   */
  async ask<T>(
    server: string,
    protocol: Protocol,
    asker: Asker,
    mostMs: number,
    work: (timeoutMs: number) => Promise<T>,
  ): Promise<RegistryAnswer<T>> {
    const { clock } = this.#options;
    const { account, signal, timeLeft, patience } = asker;
    const key = `${protocol} ${server}`;
    const paused = this.#paused(key);
    if (paused > 0) return { why: `${server} is not asked for another ${seconds(paused)} s`, retry_after_s: 0 };
    const waitMs = this.#options.limits
      ? this.#take(server, protocol, account, Math.min(timeLeft() - ANSWER_MIN_MS, patience() * PATIENCE_SHARE))
      : 0;
    if (waitMs === undefined)
      return { why: `${server} is being asked too often`, retry_after_s: this.#retryAfterS(server, protocol, account) };
    if (waitMs > 0) await clock.sleep(waitMs, signal);
    const timeoutMs = Math.min(mostMs, timeLeft());
    if (timeoutMs < ANSWER_MIN_MS) return { why: `there was no time left to ask ${server}`, retry_after_s: 0 };
    try {
      const answer = await work(timeoutMs);
      this.#health.delete(key);
      return { answer };
    } catch (error) {
      signal.throwIfAborted();
      return this.#failed(server, key, error);
    }
  }

  /** How long the server is not asked, ms. A server that fails repeatedly is asked from time to time, by the next inquiry that comes. */
  #paused(key: string): number {
    const health = this.#health.get(key);
    if (!health) return 0;
    const now = this.#options.clock.now();
    if (health.pausedUntil > now) return health.pausedUntil - now;
    if (health.failures >= FAILURES_MAX) health.pausedUntil = now + PROBE_MS;
    return 0;
  }

  /**
   * Takes one question, whose time comes in so many ms; undefined where that is too long for its client. Places are given in the order of the
   * questions, and an account has half of the rate, so a long wait of one keeps no other account waiting.
   */
  #take(server: string, protocol: Protocol, account: string, mostMs: number): number | undefined {
    const { all, perAccount } = this.#rates[protocol];
    const ownKey = `${account} ${server}`;
    const waitMs = Math.max(all.waitMs(server, 1), perAccount.waitMs(ownKey, 1));
    if (waitMs > 0 && waitMs > mostMs) return undefined;
    all.take(server, 1);
    perAccount.take(ownKey, 1);
    return waitMs;
  }

  #retryAfterS(server: string, protocol: Protocol, account: string): number {
    const { all, perAccount } = this.#rates[protocol];
    return seconds(Math.max(all.waitMs(server, 1), perAccount.waitMs(`${account} ${server}`, 1)));
  }

  #failed(server: string, key: string, error: unknown): { why: string; retry_after_s: number } {
    const { clock, today } = this.#options;
    const health = this.#health.get(key) ?? { failures: 0, pausedUntil: 0 };
    if (error instanceof PauseRequest) {
      const forS = retryAfterS(error.retryAfter, today());
      this.#health.set(key, { ...health, pausedUntil: clock.now() + forS * 1_000 });
      return { why: `${server}: ${error.message}`, retry_after_s: 0 };
    }
    if (error instanceof ApiError && (error.code === 'target_limited' || error.code === 'overloaded'))
      return { why: `${server}: ${error.message}`, retry_after_s: Math.ceil(error.retryAfterS ?? 1) };
    const isItsFault =
      error instanceof UselessAnswer ? error.isItsFault : error instanceof ProbeFailure && !NOT_ITS_FAULT.includes(error.code);
    if (!(error instanceof UselessAnswer || error instanceof ProbeFailure)) throw error;
    const failures = isItsFault ? health.failures + 1 : health.failures;
    const pausedUntil = failures >= FAILURES_MAX ? Math.max(health.pausedUntil, clock.now() + PROBE_MS) : health.pausedUntil;
    this.#health.set(key, { failures, pausedUntil });
    return { why: `${server}: ${error.message}`, retry_after_s: 0 };
  }
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

/** Seconds, or a date (RFC 9110 §10.2.3), within what we believe. */
function retryAfterS(sent: string, now: Date): number {
  // Date.parse makes dates of figures, too.
  const date = /[a-z]{3}/i.test(sent) ? Date.parse(sent) : NaN;
  const s = /^\d{1,9}$/.test(sent) ? Number(sent) : Math.ceil((date - now.getTime()) / 1_000);
  return Number.isFinite(s) ? Math.min(PAUSE_MAX_S, Math.max(1, s)) : PAUSE_S;
}
