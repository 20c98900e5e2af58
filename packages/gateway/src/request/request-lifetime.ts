import { ApiError } from '@vedette/contract';
import type { GateRow } from '../shares/gate.ts';

/** Made once: one with a stack for each request would cost it microseconds. */
const WORK_DONE = new DOMException('the work of the request is done', 'AbortError');

/** One request's life: it ends with its work, its deadline, or its client leaving, whichever comes first. */
export class RequestLifetime {
  readonly #timer: NodeJS.Timeout;
  readonly #controller = new AbortController();
  #reason: ApiError | undefined;
  #reject: ((reason: ApiError) => void) | undefined;

  constructor(deadlineMs: number) {
    this.#timer = setTimeout(() => this.end('deadline'), deadlineMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Whether it was its client that ended it. */
  get clientLeft(): boolean {
    return this.#reason?.code === 'client_gone';
  }

  /** Settles as the work does, or rejects when the end comes first: work that does not listen must not hold its caller. */
  bound<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#reason) reject(this.#reason);
      this.#reject = reject;
      work.then(resolve, reject);
    });
  }

  end(code: 'deadline' | 'client_gone'): void {
    if (this.#reason) return;
    this.#reason = new ApiError(code);
    this.#reject?.(this.#reason);
    this.#controller.abort(this.#reason);
  }

  throwIfEnded(): void {
    if (this.#reason) throw this.#reason;
  }

  /** The work is done: the deadline is off, and whatever still runs for it stops. */
  close(): void {
    clearTimeout(this.#timer);
    this.#controller.abort(WORK_DONE);
  }
}

export const DEADLINE_GATE: GateRow = {
  name: 'Deadline',
  limits: 'time of one request',
  limit: 'as the operation declares',
  codes: ['deadline'],
  cause: 'service',
};
