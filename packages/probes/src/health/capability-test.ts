import { randomInt } from 'node:crypto';
import { type Clock, ENDED } from '@vedette/contract';
import type { CapabilityVerdict } from './capability.ts';

/** Asks one witness. Resolves with '' when it has answered as it should, else with what was wrong; undefined: it may not be asked. */
export type Witness = (signal: AbortSignal) => Promise<string | undefined>;

/** How long a round waits for witnesses. */
const WAIT_MS = 1_000;
/** Silence is asked about twice, since networks lose packets. */
const REPEAT_MS = 300;
/** Witnesses are servers of others: a round begins so long after the last one. */
const APART_MS = 1_000;
/** A failure is taken for granted for so long. */
const BAD_FOR_MS = 1_000;
const IDLE_MS = 60_000;
const IDLE_JITTER_MS = 12_000;
/** The pauses between rounds while it is bad; the last one repeats. */
const BAD_MS = [1_000, 1_000, 2_000] as const;
const LONG_BAD_AFTER_MS = 10 * 60_000;
const LONG_BAD_MS = 10_000;

export interface CapabilityTestOptions {
  clock: Clock;
  witnesses: readonly Witness[];
  /** Whether this machine could have the capability at all, as of now. */
  exists?(): boolean;
  /** Longer than a second where one question may be asked of several servers. */
  wait_ms?: number;
  /** Shorter than a second between the rounds for servers of our own. */
  apart_ms?: number;
  /** Tells of a new verdict, and the one before. */
  onChange?(before: CapabilityVerdict): void;
}

/**
 * One capability of this machine, by witnesses: bad when none of them answers twice, good again when half of those that ever did answer. Asked
 * every minute, every one to two seconds while bad, and at once by doubt.
 */
export class CapabilityTest {
  readonly #options: CapabilityTestOptions;
  readonly #stopped = new AbortController();
  #verdict: CapabilityVerdict = 'unknown';
  #problem = '';
  #failing = 0;
  /** The witnesses that have ever answered. */
  readonly #known = new Set<Witness>();
  /** A target was reached while no witness had ever answered. */
  #refuted = false;
  /** When the last round that has ended began: what it heard was sent after that. */
  #begunAt = -Infinity;
  #endedAt = -Infinity;
  #askedAt = -Infinity;
  #badSince = Infinity;
  #running: Promise<void> | undefined;
  #asleep = new AbortController();

  constructor(options: CapabilityTestOptions) {
    this.#options = options;
  }

  get verdict(): CapabilityVerdict {
    return this.#isTested() ? this.#verdict : 'unknown';
  }

  /** Bad, and not for want of witnesses that answer: they did before. */
  get isBroken(): boolean {
    return this.verdict === 'bad' && this.#known.size > 0;
  }

  /** When it became bad, where it is. */
  get badSince(): number {
    return this.#badSince;
  }

  /** The failure of the last witness; empty unless the verdict is bad. */
  get problem(): string {
    return this.verdict === 'bad' ? this.#problem : '';
  }

  get counts(): { failing: number; witnesses: number } {
    return { failing: this.#failing, witnesses: this.#options.witnesses.length };
  }

  async doubt(since: number): Promise<CapabilityVerdict> {
    const isKnown = (): boolean =>
      this.#verdict === 'bad' ? this.#options.clock.now() - this.#endedAt < BAD_FOR_MS : this.#begunAt >= since;
    while (this.#isTested() && !this.#stopped.signal.aborted && !isKnown()) {
      await this.#round();
      // Silent witnesses have been silent until now.
      if (this.#verdict === 'bad') break;
    }
    return this.verdict;
  }

  heard(): void {
    if (this.#known.size > 0 || this.#refuted || this.#verdict !== 'bad') return;
    this.#refuted = true;
    this.#found('unknown');
  }

  start(): void {
    void this.#repeat();
  }

  stop(): void {
    this.#stopped.abort(ENDED);
    this.#asleep.abort(ENDED);
  }

  #isTested(): boolean {
    return this.#options.witnesses.length > 0 && this.#options.exists?.() !== false;
  }

  async #repeat(): Promise<void> {
    const { signal } = this.#stopped;
    for (let failures = 0; !signal.aborted;) {
      if (this.#isTested()) await this.#round();
      if (this.verdict !== 'bad') {
        await this.#sleep(IDLE_MS - IDLE_JITTER_MS + randomInt(2 * IDLE_JITTER_MS));
        failures = 0;
      }
      if (this.verdict === 'bad') await this.#sleep(this.#badPause(failures++));
    }
  }

  #badPause(failures: number): number {
    const isLasting = this.#options.clock.now() - this.#badSince >= LONG_BAD_AFTER_MS;
    return isLasting ? LONG_BAD_MS : (BAD_MS[failures] ?? BAD_MS.at(-1)!);
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#stopped.signal.aborted) return;
    this.#asleep = new AbortController();
    await this.#options.clock.sleep(ms, this.#asleep.signal).catch(() => undefined); // woken, or stopped
  }

  #round(): Promise<void> {
    return (this.#running ??= this.#ask().finally(() => (this.#running = undefined)));
  }

  async #ask(): Promise<void> {
    const { clock, apart_ms = APART_MS } = this.#options;
    const early = this.#askedAt + apart_ms - clock.now();
    if (early > 0) await clock.sleep(early, this.#stopped.signal).catch(() => undefined);
    let begunAt = (this.#askedAt = clock.now());
    let outcome = await this.#witnessed();
    // A longer wait had repetitions of its own.
    if (outcome === 'bad' && this.#verdict !== 'bad' && clock.now() - begunAt <= 2 * WAIT_MS) {
      await clock.sleep(REPEAT_MS, this.#stopped.signal).catch(() => undefined);
      const again = clock.now();
      outcome = await this.#witnessed();
      if (outcome !== 'bad') begunAt = again;
    }
    if (this.#stopped.signal.aborted) return;
    this.#begunAt = begunAt;
    this.#endedAt = clock.now();
    this.#found(outcome === 'bad' && this.#refuted ? 'unknown' : outcome);
  }

  /** Asks all witnesses once. Resolves as soon as the verdict is known; the count of those that fail is known later. */
  async #witnessed(): Promise<CapabilityVerdict> {
    const { witnesses, clock, wait_ms = WAIT_MS } = this.#options;
    const wanted = this.#verdict === 'bad' ? Math.max(1, Math.ceil(this.#known.size / 2)) : 1;
    const over = new AbortController();
    const enough = Promise.withResolvers<void>();
    let answered = 0;
    let spared = 0;
    let seen = 'no answer';
    const each = witnesses.map(async (witness) => {
      const problem = await witness(over.signal).catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
      if (problem === undefined) spared += 1;
      else if (problem !== '') seen = over.signal.aborted ? seen : problem;
      else {
        this.#known.add(witness);
        if (++answered >= wanted) enough.resolve();
      }
    });
    const late = clock.sleep(wait_ms, over.signal).catch(() => undefined); // over before
    const count = async (): Promise<void> => {
      await Promise.race([Promise.all(each), late]);
      this.#failing = witnesses.length - spared - answered;
      over.abort(ENDED);
    };
    await Promise.race([enough.promise, count()]);
    if (answered >= wanted) return 'good';
    if (answered > 0) return this.#verdict;
    if (spared === witnesses.length) return 'unknown';
    this.#problem = seen;
    return 'bad';
  }

  #found(verdict: CapabilityVerdict): void {
    const before = this.#verdict;
    if (this.#known.size > 0) this.#refuted = false;
    this.#verdict = verdict;
    if (verdict === before) return;
    if (verdict === 'bad') {
      this.#badSince = this.#options.clock.now();
      this.#asleep.abort(ENDED); // the long pause ends
    }
    this.#options.onChange?.(before);
  }
}
