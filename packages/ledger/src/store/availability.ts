import { ApiError } from '@vedette/contract';
import type { Log } from '@vedette/process/log';
import type { Client } from 'pg';

const unavailable = (cause?: unknown): ApiError => new ApiError('ledger_unavailable', '', { retryAfterS: 1, cause });

/**
 * Whether the database answers at all, as the lease's connection finds out. A slow disk may delay a commit for as long as a statement may
 * take. No caller waits for a server that is frozen or unreachable.
 */
export class Availability {
  readonly #log: Log;
  readonly #clients = new Set<Client>();
  readonly #waiting = new Set<(reason: ApiError) => void>();
  #away = false;

  constructor(log: Log) {
    this.#log = log;
  }

  get away(): boolean {
    return this.#away;
  }

  /** A connection that goes when the database does: what it was asked would never be answered in time. */
  track(client: Client): void {
    this.#clients.add(client);
    client.once('end', () => this.#clients.delete(client));
  }

  /** Returns the result of `work`, unless the database becomes unavailable first. */
  guard<T>(work: () => Promise<T>): Promise<T> {
    if (this.#away) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      work()
        .then(resolve, reject)
        .finally(() => this.#waiting.delete(reject));
    });
  }

  lost(cause: unknown): void {
    if (this.#away) return;
    this.#away = true;
    this.#log.warn({ reason: cause instanceof Error ? cause.message : cause }, 'the database does not answer: what needs it is refused');
    for (const reject of this.#waiting) reject(unavailable(cause));
    this.#waiting.clear();
    for (const client of this.#clients) client.connection.stream.destroy();
  }

  found(): void {
    if (!this.#away) return;
    this.#away = false;
    this.#log.info({}, 'the database answers again');
  }
}
