import { ApiError, type Clock, type RenderJob, type RenderKind } from '@vedette/contract';
import type { Log } from '@vedette/process/log';
import type { LaunchedBrowser } from './browser/launch.ts';
import { BrowserFailure, type Spare, WarmBrowser } from './browser/warm-browser.ts';
import type { Egress, Render, RenderOutput } from './render.ts';

export interface RenderPoolOptions {
  launch: () => Promise<LaunchedBrowser>;
  egress: Egress;
  renders: { readonly [K in RenderKind]?: Render<K> };
  clock: Clock;
  userAgent: string;
  /** Jobs at a time; so many contexts are made ahead. */
  slots: number;
  /** A browser is replaced after so many. */
  jobsPerBrowser?: number;
  log: Log;
}

export interface RenderScope {
  /** HTML, for a job without URL. */
  input?: Uint8Array | undefined;
  signal: AbortSignal;
  budget_ms: number;
}

/** Browsers of this machine. */
export interface RenderPool {
  /**
   * Renders, at most `slots` at a time: further ones wait. What is wrong with the page is in the result. Rejects with `ApiError`: no_renderer (a kind that
   * is not ours), upstream_failed (our browser failed twice), deadline; or with the signal's reason.
   */
  run<K extends RenderKind>(kind: K, job: RenderJob<K>, scope: RenderScope): Promise<RenderOutput<K>>;
  close(): Promise<void>;
}

const JOBS_PER_BROWSER = 100;

/** Starts a browser and makes its spare contexts. */
export async function createRenderPool(options: RenderPoolOptions): Promise<RenderPool> {
  const pool = new Pool(options);
  await pool.start();
  return pool;
}

class Pool implements RenderPool {
  readonly #options: RenderPoolOptions;
  readonly #retiring = new Set<Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #current: Promise<WarmBrowser> | undefined;
  #running = 0;
  #closed = false;

  constructor(options: RenderPoolOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#browser();
  }

  async run<K extends RenderKind>(kind: K, job: RenderJob<K>, scope: RenderScope): Promise<RenderOutput<K>> {
    const render: Render<K> | undefined = this.#options.renders[kind];
    if (render === undefined) throw new ApiError('no_renderer', `none renders ${kind}`);
    const { clock } = this.#options;
    const until = clock.now() + scope.budget_ms;
    await this.#slot(scope.signal);
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.#attempt(render, job, { ...scope, budget_ms: until - clock.now() });
        } catch (error) {
          if (!(error instanceof BrowserFailure)) throw error;
          this.#options.log.warn({ kind, attempt, err: error }, 'the browser failed a job');
          if (attempt > 1) throw new ApiError('upstream_failed', 'the browser failed twice', { cause: error });
        }
      }
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  async #slot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running >= this.#options.slots)
      await new Promise<void>((resolve, reject) => {
        const give = (): void => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        const leave = (): void => {
          this.#waiting.splice(this.#waiting.indexOf(give), 1);
          reject(signal.reason as Error);
        };
        this.#waiting.push(give);
        signal.addEventListener('abort', leave, { once: true });
      });
    this.#running++;
  }

  async #attempt<K extends RenderKind>(
    render: Render<K>,
    job: RenderJob<K>,
    { input, signal, budget_ms }: RenderScope,
  ): Promise<RenderOutput<K>> {
    const { clock, userAgent } = this.#options;
    const ended = new AbortController();
    const within = AbortSignal.any([signal, ended.signal]);
    const late = clock.sleep(budget_ms, within).then(
      () => Promise.reject(new ApiError('deadline')),
      () => Promise.reject(signal.reason as Error),
    );
    late.catch(() => ended.abort());
    const browser = await Promise.race([this.#browser(), late]);
    const spare: Spare = await browser.take();
    try {
      spare.egress.begin({ input, signal: within });
      const { context, page, egress, failed } = spare;
      const tools = { context, page, egress, clock, userAgent, signal: within, budget_ms };
      return await Promise.race([render.run(job, tools), failed, late]);
    } catch (error) {
      if (error instanceof ApiError || error === signal.reason) throw error;
      throw browser.launched.browser.connected ? error : new BrowserFailure('the browser is gone', { cause: error });
    } finally {
      ended.abort();
      void browser.giveBack(spare);
      this.#renew(browser);
    }
  }

  /** The browser for the next job. */
  async #browser(): Promise<WarmBrowser> {
    const { launch, egress, clock, slots } = this.#options;
    const now = await this.#current?.catch(() => undefined);
    if (now?.alive) return now;
    if (now) this.#retire(now);
    if (this.#closed) throw new ApiError('no_renderer', 'it is shutting down');
    this.#current = launch().then((launched) => new WarmBrowser(launched, { egress, clock, spares: slots }));
    const browser = await this.#current;
    browser.refill();
    return browser;
  }

  #renew(browser: WarmBrowser): void {
    if (browser.jobs < (this.#options.jobsPerBrowser ?? JOBS_PER_BROWSER)) return;
    this.#retire(browser);
  }

  #retire(browser: WarmBrowser): void {
    const retiring = browser.retire();
    this.#retiring.add(retiring);
    void retiring.finally(() => this.#retiring.delete(retiring));
  }

  async close(): Promise<void> {
    this.#closed = true;
    const browser = await this.#current?.catch(() => undefined);
    if (browser) this.#retire(browser);
    await Promise.all(this.#retiring);
  }
}
