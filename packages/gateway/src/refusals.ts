import type { ApiError, Clock } from '@vedette/contract';
import type { FastifyBaseLogger } from 'fastify';

/** Refusals that go out at once; the burst is as large. Whoever is refused more often waits, and cannot spin. */
const AT_ONCE_PER_S = 500;
const HOLD_MIN_MS = 250;
/** So long, and no longer, waits whoever heeds Retry-After. Reached with a thousand held: until then 500 a second go out. */
const HOLD_MAX_MS = 2_000;
const SUM_EVERY_MS = 5_000;

interface Sum {
  operation: string | undefined;
  code: string;
  status: number;
  count: number;
}

/** Keeps refusals cheap, since they cost nothing to those who provoke them: many are held back, and told in sums. */
export class Refusals {
  readonly #clock: Clock;
  readonly #log: FastifyBaseLogger;
  readonly #limited: boolean;
  readonly #sums = new Map<string, Sum>();
  readonly #timer: NodeJS.Timeout;
  #tokens = AT_ONCE_PER_S;
  #filledAt: number;
  #held = 0;

  /** `limited: false` holds nothing back (VEDETTE_LIMITS). */
  constructor({ clock, log, limited }: { clock: Clock; log: FastifyBaseLogger; limited: boolean }) {
    this.#clock = clock;
    this.#log = log;
    this.#limited = limited;
    this.#filledAt = clock.now();
    this.#timer = setInterval(() => this.tell(), SUM_EVERY_MS).unref();
  }

  /** Undefined: it may go out at once. Else it may when the promise resolves; `always`, where there is no time for refusals. */
  hold(always: boolean): Promise<void> | undefined {
    if (!this.#limited) return undefined;
    if (!always && this.#atOnce()) return undefined;
    this.#held++;
    return this.#clock.sleep(Math.min(HOLD_MAX_MS, Math.max(HOLD_MIN_MS, 2 * this.#held))).finally(() => this.#held--);
  }

  #atOnce(): boolean {
    const now = this.#clock.now();
    this.#tokens = Math.min(AT_ONCE_PER_S, this.#tokens + ((now - this.#filledAt) / 1000) * AT_ONCE_PER_S);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }

  /** The first of its kind has its line, the others are counted. */
  log(line: { operation: string | undefined; status: number }, error: ApiError | undefined): void {
    const { operation, status } = line;
    const code = error?.code ?? 'none';
    const kind = `${operation} ${status} ${code}`;
    const sum = this.#sums.get(kind);
    if (sum) {
      sum.count++;
      return;
    }
    this.#sums.set(kind, { operation, code, status, count: 0 });
    this.#log[status >= 500 ? 'warn' : 'info']({ ...line, code, err: error?.cause }, 'request');
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
