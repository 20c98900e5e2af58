import { type Clock, ENDED, unlessAborted, within } from '@vedette/contract';
import type { RegistryWays } from '../ports/index.ts';
import type { WireWays } from './whois/wire.ts';

/** An inquiry under way: what its work sees of those who wait for it. */
export interface Inquiry<T> {
  /** Goes out through the first of the waiting clients that is still there. */
  ways: WireWays;
  /** The account whose share it uses. */
  account(): string;
  /** How long the most patient of the waiting clients still waits, ms. */
  patience(): number;
  /** Keeps what is known so far: who can wait no longer is given that. */
  soFar(best: T): void;
}

/** A client, and when it leaves by the clock, ms. */
type Waiter = RegistryWays & { until: number };

interface Run<T> {
  waiters: Set<Waiter>;
  best: T | undefined;
  done: Promise<T>;
  stop: AbortController;
}

/**
 * Inquiries under way by key. Further clients that ask the same thing wait for the same inquiry. If one leaves, it goes on through the
 * connections of the others; it stops when the last client leaves.
 */
export class SharedInquiries<T> {
  readonly #clock: Clock;
  readonly #runs = new Map<string, Run<T>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns the result of the inquiry within the time of these ways, else the partial result at that time, or undefined. Rejects with the
   * signal's reason.
   */
  async join(key: string, ways: RegistryWays, start: (inquiry: Inquiry<T>) => Promise<T>): Promise<T | undefined> {
    ways.signal.throwIfAborted();
    const waiter = { ...ways, until: this.#clock.now() + ways.timeout_ms };
    const run = this.#runs.get(key) ?? this.#start(key, waiter, start);
    run.waiters.add(waiter);
    const outOfTime = new Error('no answer in time');
    try {
      return await within(
        this.#clock,
        ways.timeout_ms,
        ways.signal,
        () => outOfTime,
        (signal) => unlessAborted(signal, run.done),
      );
    } catch (error) {
      if (error === outOfTime) return run.best;
      throw error;
    } finally {
      run.waiters.delete(waiter);
      if (run.waiters.size === 0) {
        this.#forget(key, run);
        run.stop.abort(ENDED);
      }
    }
  }

  #start(key: string, first: Waiter, start: (inquiry: Inquiry<T>) => Promise<T>): Run<T> {
    const stop = new AbortController();
    const waiters = new Set([first]);
    const run: Run<T> = { waiters, best: undefined, stop, done: Promise.resolve().then(() => start(inquiry)) };
    const inquiry: Inquiry<T> = {
      ways: borrowed(waiters, stop.signal),
      account: () => leadOf(waiters, stop.signal).account.id,
      patience: () => Math.max(0, ...[...waiters].map(({ until }) => until)) - this.#clock.now(),
      soFar(best) {
        run.best = best;
      },
    };
    const ended = () => this.#forget(key, run);
    run.done.then(ended, ended);
    this.#runs.set(key, run);
    return run;
  }

  /** A run that was given up may end after another of the same key began. */
  #forget(key: string, run: Run<T>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key);
  }
}

function leadOf(waiters: ReadonlySet<RegistryWays>, signal: AbortSignal): RegistryWays {
  for (const waiter of waiters) return waiter;
  signal.throwIfAborted();
  throw new Error('nobody waits for this inquiry');
}

/** The ways of the first who waits. A question that fails because its client left is repeated through the next client. */
function borrowed(waiters: ReadonlySet<RegistryWays>, signal: AbortSignal): WireWays {
  const through = async <R>(work: (lead: RegistryWays) => Promise<R>): Promise<R> => {
    for (;;) {
      const lead = leadOf(waiters, signal);
      try {
        return await work(lead);
      } catch (error) {
        if (waiters.has(lead) || signal.aborted) throw error;
      }
    }
  };
  const { policy } = leadOf(waiters, signal).dialler;
  return {
    signal,
    resolver: { addresses: (host, family, options) => through(({ resolver }) => resolver.addresses(host, family, options)) },
    dialler: {
      policy,
      tcp: (options) => through(({ dialler }) => dialler.tcp(options)),
      operatorTcp: (options) => through(({ dialler }) => dialler.operatorTcp(options)),
    },
    isDenied: (host) => leadOf(waiters, signal).isDenied(host),
  };
}
