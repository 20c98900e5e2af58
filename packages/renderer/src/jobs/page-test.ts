import { type Clock, ENDED, type RenderJob } from '@vedette/contract';
import type { RenderPool } from '../pool/pool.ts';
import { UNCHANGED_PAGE } from './render.ts';

/** How often the free space, and the time of the last rendered page, are checked. */
const LOOK_MS = 10_000;
/** The same while there is a problem, or a doubt. */
const SOON_MS = 1_000;
/** A page that was rendered proves for so long that pages are. */
const PROVEN_MS = 300_000;
const BUDGET_MS = 15_000;
const SIDE = 16;
const PAGE = Buffer.from('<!doctype html><title>test</title><p>test');

const JOB: RenderJob<'screenshot'> = {
  page: {
    viewport_width: SIDE,
    viewport_height: SIDE,
    user_agent: 'desktop',
    accept_language: 'en',
    ...UNCHANGED_PAGE,
    disable_js: true,
  },
  image_type: 'png',
  full_page: false,
  auto_height: false,
  add_url_bar: false,
  omit_background: false,
  grayscale: false,
};

export interface PageTestOptions {
  pool: Pick<RenderPool, 'run' | 'state'>;
  clock: Clock;
  /** The machine's shortage; empty when none is known. */
  lacks(): string;
}

/** Tells whether pages can be rendered here: by the last one that was, by one of our own where none was for a while, and by what the machine has left. */
export class PageTest {
  readonly #options: PageTestOptions;
  readonly #stopped = new AbortController();
  #onChange: (problem: string) => void = () => {};
  #provenAt = -Infinity;
  #doubt = Promise.withResolvers<void>();
  /** Why the last page was not rendered. */
  #failed = '';
  #problem = '';

  constructor(options: PageTestOptions) {
    this.#options = options;
  }

  /** Why no page can be rendered; empty where pages are. */
  get problem(): string {
    return this.#problem;
  }

  /** Takes the test now, and then off and on until it is stopped; resolves after the first. `onChange` gets the problem, or '' when it is over. */
  async start(onChange: (problem: string) => void): Promise<void> {
    this.#onChange = onChange;
    await this.#take();
    void this.#goOn();
  }

  stop(): void {
    this.#stopped.abort(ENDED);
  }

  /** A job's page was rendered, whatever is wrong with it. */
  rendered(): void {
    this.#failed = '';
    this.#provenAt = this.#options.clock.now();
  }

  /** A job failed by our doing: whether all would is looked at soon. */
  doubt(): void {
    this.#provenAt = -Infinity;
    this.#doubt.resolve();
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#stopped;
    const { clock } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(SOON_MS, signal).catch(() => undefined);
      if (this.#problem === '') await this.#nextLook();
      if (!signal.aborted) await this.#take();
    }
  }

  /** Resolves after a while, when there is a doubt, or when it is stopped. */
  async #nextLook(): Promise<void> {
    const timer = new AbortController();
    const ended = AbortSignal.any([timer.signal, this.#stopped.signal]);
    const sleep = this.#options.clock.sleep(LOOK_MS - SOON_MS, ended).catch(() => undefined);
    await Promise.race([sleep, this.#doubt.promise]);
    timer.abort(ENDED);
    this.#doubt = Promise.withResolvers();
  }

  async #take(): Promise<void> {
    const { clock, lacks, pool } = this.#options;
    const missing = lacks();
    // The proof stands while the browser rests: a test would keep it from that.
    const isDue = clock.now() - this.#provenAt >= PROVEN_MS && !(this.#failed === '' && pool.state().rests);
    if (missing === '' && isDue) await this.#render();
    if (this.#stopped.signal.aborted) return;
    const problem = missing || this.#failed;
    const changed = problem === '' ? this.#problem !== '' : this.#problem === '';
    this.#problem = problem;
    if (changed) this.#onChange(problem);
  }

  async #render(): Promise<void> {
    const { pool } = this.#options;
    const provenBefore = this.#provenAt;
    try {
      const scope = { input: PAGE, signal: this.#stopped.signal, budget_ms: BUDGET_MS, isTest: true };
      const { file, result } = await pool.run('screenshot', JOB, scope);
      if (file === undefined || file.length === 0) throw new Error(result.page.failure?.error ?? 'the picture of a page is empty');
      this.rendered();
    } catch (error) {
      if (this.#provenAt > provenBefore) return; // a job's page was rendered meanwhile
      this.#failed = `no page could be rendered: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
}
