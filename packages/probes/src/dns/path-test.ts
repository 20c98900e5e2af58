import type { Clock } from '@vedette/contract';
import { type Intervals, Rhythm } from './engine/rhythm.ts';

/** How the witnesses of one path out did last. */
export interface PathState {
  ok: boolean;
  failing: number;
  witnesses: number;
}

/** Witnesses are others' servers: they are asked once a second at most. */
const AGAIN_MS = 1_000;

/** That a machine has no IPv6, or sends no echoes, is often so for good; and a target's silence asks by itself. */
export const INTERVALS: Intervals = { well_ms: 60_000, failing_ms: 15_000 };

export interface PathTestOptions {
  clock: Clock;
  /** How often it is tested by itself, once it is started. */
  intervals?(): Intervals;
  /** Asks the witnesses. */
  ask(): Promise<PathState>;
  onChange?(state: PathState): void;
}

/** Whether one path out of this machine leads anywhere: witnesses answer over it. */
export class PathTest {
  readonly #options: PathTestOptions;
  readonly #rhythm: Rhythm;
  #state: PathState;
  /** When the last test that has ended began: what it heard was sent after that. */
  #begunAt = -Infinity;
  #running: Promise<boolean> | undefined;
  #witnessed = false;
  #refuted = false;

  constructor(options: PathTestOptions, witnesses: number) {
    this.#options = options;
    this.#rhythm = new Rhythm(options.clock, options.intervals ?? (() => INTERVALS));
    this.#state = { ok: true, failing: 0, witnesses };
  }

  get state(): PathState {
    return this.#state;
  }

  /** Whether the path led somewhere after `since`. Asks the witnesses where the last test began before that, and more than a second ago. */
  async confirm(since: number): Promise<boolean> {
    // A test that fails has listened until now.
    if (this.#running && !(await this.#running)) return false;
    if (this.#begunAt >= since || this.#options.clock.now() - this.#begunAt < AGAIN_MS) return this.#state.ok;
    return await this.#test();
  }

  /** A target has answered over this path: that refutes witnesses who never did, since they may be closed to it. */
  heard(): void {
    if (this.#witnessed || this.#refuted) return;
    this.#refuted = true;
    this.#found({ ...this.#state, ok: true });
  }

  start(): void {
    void this.#rhythm.run(
      () => this.#test(),
      () => this.#state.ok,
    );
  }

  stop(): void {
    this.#rhythm.stop();
  }

  #test(): Promise<boolean> {
    return (this.#running ??= this.#run().finally(() => (this.#running = undefined)));
  }

  async #run(): Promise<boolean> {
    const begunAt = this.#options.clock.now();
    const state = await this.#options.ask();
    this.#begunAt = begunAt;
    if (state.failing < state.witnesses) {
      this.#witnessed = true;
      this.#refuted = false;
    }
    this.#found({ ...state, ok: state.ok || this.#refuted });
    return this.#state.ok;
  }

  #found(state: PathState): void {
    const before = this.#state;
    this.#state = state;
    if (state.ok === before.ok) return;
    if (!state.ok) this.#rhythm.wake();
    if (!this.#rhythm.stopped) this.#options.onChange?.(state);
  }
}
