import { type Clock, ProbeFailure, type Resolver, within } from '@vedette/contract';
import { rootProblem } from './self-test.ts';

/** How the last test went. */
export interface WitnessState {
  ok: boolean;
  failing: number;
  witnesses: number;
}

const INTERVAL_MS = 60_000;
/** What fails should not be believed to fail for long. */
const FAILING_INTERVAL_MS = 5_000;
/** Witnesses are others' servers: not every failure of a target is a reason to ask them. */
const GOOD_FOR_MS = 15_000;
/** Longer than the loop takes to find out that they are back. */
const BAD_FOR_MS = 10_000;
const WITNESS_MS = 3_000;
/** So many silent witnesses are our own trouble, not theirs. */
const MAX_FAILING = 1;

export interface WitnessTestOptions {
  /** Addresses of name servers that know the root; none = no test, always ok. */
  witnesses: readonly string[];
  resolver: Pick<Resolver, 'query'>;
  clock: Clock;
}

/**
 * Asks witnesses for the root's name servers: whoever's own internet is gone must not blame its targets, nor call domains broken. One that
 * says something else is none: where DNS is intercepted, anybody's address answers.
 */
export class WitnessTest {
  readonly #options: WitnessTestOptions;
  readonly #stopped = new AbortController();
  #state: WitnessState;
  #testedAt = -Infinity;
  #running: Promise<boolean> | undefined;
  #onChange: ((state: WitnessState) => void) | undefined;

  constructor(options: WitnessTestOptions) {
    this.#options = options;
    this.#state = { ok: true, failing: 0, witnesses: options.witnesses.length };
  }

  get state(): WitnessState {
    return this.#state;
  }

  /** Whether the witnesses answer; they are asked where the last verdict is no longer fresh: fifteen seconds if it was good, else ten. */
  async confirm(): Promise<boolean> {
    if (this.#options.clock.now() - this.#testedAt < (this.#state.ok ? GOOD_FOR_MS : BAD_FOR_MS)) return this.#state.ok;
    return await this.#test();
  }

  /** Tells when the verdict changes. */
  watch(onChange: (state: WitnessState) => void): void {
    this.#onChange = onChange;
  }

  /** Tests now and every minute, more often while it fails. */
  start(): void {
    if (this.#options.witnesses.length > 0) void this.#loop();
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #loop(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      const ms = (await this.#test()) ? INTERVAL_MS : FAILING_INTERVAL_MS;
      await this.#options.clock.sleep(ms, this.#stopped.signal).catch(() => undefined); // stopped
    }
  }

  #test(): Promise<boolean> {
    return (this.#running ??= this.#run().finally(() => (this.#running = undefined)));
  }

  async #run(): Promise<boolean> {
    const { witnesses, clock } = this.#options;
    const results = await Promise.all(witnesses.map((server) => this.#answers(server)));
    const failing = results.filter((answered) => !answered).length;
    const ok = witnesses.length === 0 || failing <= Math.min(MAX_FAILING, witnesses.length - 1);
    const changed = ok !== this.#state.ok;
    this.#state = { ok, failing, witnesses: witnesses.length };
    this.#testedAt = clock.now();
    if (changed && !this.#stopped.signal.aborted) this.#onChange?.(this.#state);
    return ok;
  }

  async #answers(server: string): Promise<boolean> {
    const { resolver, clock } = this.#options;
    const late = () => new ProbeFailure('dns_timeout', server);
    const ask = (signal: AbortSignal) => resolver.query('.', 'NS', { server, fresh: true, signal });
    try {
      return rootProblem(await within(clock, WITNESS_MS, undefined, late, ask)) === '';
    } catch {
      return false; // whatever went wrong, it did not answer
    }
  }
}
