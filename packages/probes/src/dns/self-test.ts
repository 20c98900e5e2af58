import { type Clock, type DnsAnswer, ProbeFailure, recordsOf, type Resolver, within } from '@vedette/contract';
import { Rhythm } from './engine/rhythm.ts';

/** A resolver list may begin with two that are silent (2 s each) before one answers. */
const TEST_MS = 5_000;
/** A verdict that came sooner is asked for once more. */
const REPEAT_MS = 500;
const INTERVAL_MS = 30_000;
/** Jobs are refused meanwhile, so the test is repeated soon. */
const FAILING_INTERVAL_MS = 1_000;
/** A request may rely on a test that another one needed. */
const GOOD_FOR_MS = 5_000;

/** How the last test of our resolvers went. */
export interface ResolverState {
  ok: boolean;
  /** A sentence for operators: why not; empty when all is well. */
  problem: string;
}

/**
 * Why an answer to `. NS` cannot be the DNS's own, or ''. Where the DNS is intercepted, every name gets NXDOMAIN or the address of a
 * portal.
 */
export function rootProblem(answer: Pick<DnsAnswer, 'rcode' | 'answers'>): string {
  if (answer.rcode !== 'NOERROR') return `answered ${answer.rcode} for the root`;
  return recordsOf(answer, 'NS').some(({ name }) => name === '.') ? '' : 'answered without the name servers of the root';
}

/**
 * Whether our own resolvers can be believed: they answer for the root, which every resolver of the Internet knows. While they do not, their
 * other answers prove nothing about a subject.
 */
export class ResolverSelfTest {
  readonly #resolver: Pick<Resolver, 'query'>;
  readonly #clock: Clock;
  readonly #stopped = new AbortController();
  readonly #rhythm: Rhythm;
  #state: ResolverState = { ok: true, problem: '' };
  /** When a test last succeeded, when one last failed, and when a question was last left without an answer. */
  #goodAt = -Infinity;
  #badAt = -Infinity;
  #silentAt = -Infinity;
  #running: Promise<boolean> | undefined;
  #onChange: ((state: ResolverState) => void) | undefined;

  constructor(resolver: Pick<Resolver, 'query'>, clock: Clock) {
    this.#resolver = resolver;
    this.#clock = clock;
    this.#rhythm = new Rhythm(clock, () => ({ well_ms: INTERVAL_MS, failing_ms: FAILING_INTERVAL_MS }));
  }

  get state(): ResolverState {
    return this.#state;
  }

  /** A question to our resolvers has ended without an answer: the zone's fault, or ours. */
  silent(): void {
    this.#silentAt = this.#clock.now();
  }

  /**
   * Whether what our resolvers have said and not said until now can be believed: not for a second after a failed test. Asks them when
   * the failure is older, and when the last good test is older than five seconds, or older than an unanswered question.
   */
  async vouch(): Promise<boolean> {
    if (!this.#state.ok && this.#clock.now() - this.#badAt < FAILING_INTERVAL_MS) return false;
    if (this.#state.ok && this.#goodAt > this.#silentAt && this.#clock.now() - this.#goodAt < GOOD_FOR_MS) return true;
    return await this.#test();
  }

  /** Tests now, twice a minute, and every second after a failure from any source; reports changes of the verdict. */
  start(onChange: (state: ResolverState) => void): void {
    this.#onChange = onChange;
    void this.#rhythm.run(
      () => this.#test(),
      () => this.#state.ok,
    );
  }

  stop(): void {
    this.#stopped.abort();
    this.#rhythm.stop();
  }

  #test(): Promise<boolean> {
    return (this.#running ??= this.#run().finally(() => (this.#running = undefined)));
  }

  async #run(): Promise<boolean> {
    const started = this.#clock.now();
    let problem = await this.#problem();
    // One that answers, but not rightly, may have had a bad moment; silence has taken its time.
    if (problem !== '' && this.#clock.now() - started < REPEAT_MS) problem = await this.#problem();
    // The resolver is closing and answers no more.
    if (this.#stopped.signal.aborted) return this.#state.ok;
    const before = this.#state;
    this.#state = { ok: problem === '', problem };
    if (problem === '') this.#goodAt = this.#clock.now();
    else this.#badAt = this.#clock.now();
    if (problem !== '' && before.ok) this.#rhythm.wake();
    if (before.problem !== problem) this.#onChange?.(this.#state);
    return this.#state.ok;
  }

  async #problem(): Promise<string> {
    const late = () => new ProbeFailure('dns_timeout');
    try {
      return rootProblem(
        await within(this.#clock, TEST_MS, this.#stopped.signal, late, (signal) =>
          this.#resolver.query('.', 'NS', { fresh: true, signal }),
        ),
      );
    } catch (error) {
      return error instanceof ProbeFailure ? error.message : String(error);
    }
  }
}
