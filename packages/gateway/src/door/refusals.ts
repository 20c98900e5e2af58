import type { Clock } from '@vedette/contract';
import type { FastifyBaseLogger } from 'fastify';

/**
 * Refusals that go out at once, of strangers and of accounts; the burst is as large. A client that is refused more often waits, and cannot
 * spin.
 */
const AT_ONCE_PER_S = 500;
const HOLD_MIN_MS = 250;
/** A client that heeds Retry-After waits exactly this long. Reached with a thousand held: until then 500 a second go out. */
const HOLD_MAX_MS = 2_000;
const SUM_EVERY_MS = 5_000;

interface Bucket {
  tokens: number;
  filledAt: number;
  held: number;
}

interface Refused {
  operation: string | undefined;
  code: string;
  status: number;
}

interface Sum extends Refused {
  count: number;
}

/** Keeps refusals cheap, since they cost nothing to those who provoke them: many are held back, and told in sums. */
export class Refusals {
  readonly #clock: Clock;
  readonly #log: FastifyBaseLogger;
  readonly #limited: boolean;
  readonly #sums = new Map<string, Sum>();
  readonly #timer: NodeJS.Timeout;
  /** One for each, so that a flood without keys delays no account's refusals. */
  readonly #strangers: Bucket;
  readonly #accounts: Bucket;

  /** `limited: false` holds nothing back (VEDETTE_LIMITS). */
  constructor({ clock, log, limited }: { clock: Clock; log: FastifyBaseLogger; limited: boolean }) {
    this.#clock = clock;
    this.#log = log;
    this.#limited = limited;
    this.#strangers = { tokens: AT_ONCE_PER_S, filledAt: clock.now(), held: 0 };
    this.#accounts = { ...this.#strangers };
    this.#timer = setInterval(() => this.tell(), SUM_EVERY_MS).unref();
  }

  /** Undefined: it may go out at once. Else it may when the promise resolves; `always`: used when even refusals take too much time. */
  hold({ stranger, always }: { stranger: boolean; always: boolean }): Promise<void> | undefined {
    if (!this.#limited) return undefined;
    const bucket = stranger ? this.#strangers : this.#accounts;
    if (!always && this.#atOnce(bucket)) return undefined;
    bucket.held++;
    return this.#clock.sleep(Math.min(HOLD_MAX_MS, Math.max(HOLD_MIN_MS, 2 * bucket.held))).finally(() => bucket.held--);
  }

  #atOnce(bucket: Bucket): boolean {
    const now = this.#clock.now();
    bucket.tokens = Math.min(AT_ONCE_PER_S, bucket.tokens + ((now - bucket.filledAt) / 1000) * AT_ONCE_PER_S);
    bucket.filledAt = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens--;
    return true;
  }

  /** The first of its kind has its line, the others are counted. */
  log({ operation, status, code }: Refused, line: () => object): void {
    const kind = `${operation} ${status} ${code}`;
    const sum = this.#sums.get(kind);
    if (sum) {
      sum.count++;
      return;
    }
    this.#sums.set(kind, { operation, code, status, count: 0 });
    this.#log[status >= 500 ? 'warn' : 'info']({ ...line(), code }, 'request');
  }

  /** Writes the sums. */
  tell(): void {
    for (const sum of this.#sums.values()) if (sum.count > 0) this.#log.info(sum, 'requests refused');
    this.#sums.clear();
  }

  close(): void {
    clearInterval(this.#timer);
    this.tell();
  }
}
