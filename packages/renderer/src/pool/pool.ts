import {
  type Clock,
  ENDED,
  failure,
  type LoadedPage,
  ProbeFailure,
  type RenderJob,
  type RenderKind,
  unlessAborted,
  within,
} from '@vedette/contract';
import type { Log } from '@vedette/process/log';
import type { LaunchedBrowser } from '../browser/launch.ts';
import { BrowserFailure, type Spare, TabCrash, WarmBrowser } from '../browser/warm-browser.ts';
import { type AdFilter, ownAdFilter } from '../page/ads/engine.ts';
import type { Egress, JobEgress, Render, RenderOutput } from '../jobs/render.ts';

export interface RenderPoolOptions {
  launch: () => Promise<LaunchedBrowser>;
  egress: Egress;
  renders: { readonly [K in RenderKind]?: Render<K> };
  clock: Clock;
  userAgent: string;
  /** The ad filter for jobs that exclude ads; the shipped list by default. */
  adFilter?: () => AdFilter;
  /** Jobs at a time; so many contexts are made ahead. */
  slots: number;
  /** The machine's shortage for a browser, such as disk; empty when none is known. Not told: never anything. */
  lacks?: () => string;
  limits?: Partial<BrowserLimits>;
  log: Log;
  events?: Partial<PoolEvents>;
}

/** When a browser is replaced, and what it may take. */
export interface BrowserLimits {
  /** Jobs. */
  jobs: number;
  /** Memory of all its processes after a job: more than that is not given back any more. */
  idleBytes: number;
  /** Memory of all its processes at any time. */
  maxBytes: number;
  /** Time without a job after which it ends, until the next one. */
  idleMs: number;
  /** The same where the pool had no job yet. */
  unusedMs: number;
}

export interface PoolEvents {
  /** A browser is there, so many ms after it was wanted. */
  launched(ms: number): void;
  /** A browser ended: replaced after so many jobs or for its memory, or ended by itself. */
  ended(why: 'jobs' | 'memory' | 'crash'): void;
  /** A job is tried again, since the browser failed. */
  retried(kind: RenderKind): void;
}

export interface RenderScope {
  /** HTML, for a job without URL. */
  input?: Uint8Array | undefined;
  signal: AbortSignal;
  budget_ms: number;
  /** Is given what tells whom the job has contacted so far, for each time that it begins. */
  dialled?: (tell: () => JobEgress['dialled']) => void;
  /** A test of the renderer's own: it keeps no browser from its rest. */
  isTest?: boolean;
}

/** Browsers of this machine. */
export interface RenderPool {
  /**
   * Renders, at most `slots` at a time: further ones wait. Faults of the page are in the result, also if it took too much memory, crashed
   * its tab twice or did not end in time. Rejects with a `ProbeFailure` (whatever the kind knows), a `BrowserFailure` when the browser
   * failed twice, a `TimeoutError` where it was the browser that did not answer in time, or the signal's reason.
   */
  run<K extends RenderKind>(kind: K, job: RenderJob<K>, scope: RenderScope): Promise<RenderOutput<K>>;
  /** The current state. */
  state(): PoolState;
  /** Ends all browsers; jobs at work end first. */
  close(): Promise<void>;
}

export interface PoolState {
  /** Version of the browser; empty while none is there, unless the next job starts it. */
  browser: string;
  /** Whether it has ended since no job came. */
  rests: boolean;
  /** Memory of the browser, as last looked at. */
  bytes: number;
}

const OVERTIME = new DOMException('the job did not end within its budget', 'TimeoutError');

const MB = 1024 ** 2;
const BROWSER_LIMITS: BrowserLimits = { jobs: 200, idleBytes: 1_024 * MB, maxBytes: 3_072 * MB, idleMs: 300_000, unusedMs: 20_000 };
/** How often a browser without jobs is looked at, at most. */
const IDLE_LOOK_MS = 1_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** Jobs of a lost browser fail a moment before the loss is known. */
const NEWS_MS = 250;

/** The last part of a budget, reserved for finding out and reporting why the rest was used up; a quarter of a small budget. */
const VERDICT_MS = 1_500;

/** A page that took more than pages may: its doing, and to be paid for as any other. */
const endedPage = (reason: 'too_large' | 'http_timeout', seen: string): LoadedPage => ({
  final_url: '',
  content_type: '',
  ip: '',
  status_code: 0,
  page_content_empty: true,
  failure: failure(reason, seen),
});

/** The result of a render, and the number of its page's requests that were not sent. */
function counted<K extends RenderKind>(output: RenderOutput<K>, { refusedRequests }: JobEgress): RenderOutput<K> {
  if (refusedRequests === 0) return output;
  const { result } = output;
  return { ...output, result: { ...result, page: { ...result.page, refused_requests: refusedRequests } } };
}

/** Starts a browser, and makes its spare contexts, if the machine has room for it. Throws the `StartError` where it does not start. */
export async function createRenderPool(options: RenderPoolOptions): Promise<RenderPool> {
  const pool = new Pool(options);
  await pool.start();
  return pool;
}

class Pool implements RenderPool {
  readonly #options: RenderPoolOptions;
  readonly #limits: BrowserLimits;
  readonly #retiring = new Set<Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  readonly #stopped = new AbortController();
  #current: WarmBrowser | undefined;
  #launching: Promise<WarmBrowser> | undefined;
  #version = '';
  #running = 0;
  /** Whether a job came yet. */
  #isUsed = false;
  /** When a browser was started, or a job ended. */
  #activeMs: number;
  /** Set while the browser rests; resolved by the next job. */
  #rest: PromiseWithResolvers<void> | undefined;

  constructor(options: RenderPoolOptions) {
    this.#options = options;
    this.#limits = { ...BROWSER_LIMITS, ...options.limits };
    this.#activeMs = options.clock.now();
  }

  async start(): Promise<void> {
    if ((this.#options.lacks?.() ?? '') === '') await (await this.#launch()).refill();
    void this.#keep();
  }

  async run<K extends RenderKind>(kind: K, job: RenderJob<K>, scope: RenderScope): Promise<RenderOutput<K>> {
    const render: Render<K> | undefined = this.#options.renders[kind];
    if (render === undefined) throw new ProbeFailure('unsupported', kind);
    const { clock, log, events, lacks = () => '' } = this.#options;
    const until = clock.now() + scope.budget_ms;
    await this.#slot(scope.signal);
    if (!scope.isTest) this.#isUsed = true;
    try {
      for (let attempt = 1; ; attempt++) {
        let opening: WarmBrowser | undefined;
        try {
          const overtime = () => OVERTIME;
          const left_ms = until - clock.now();
          const budget_ms = left_ms - Math.min(VERDICT_MS, left_ms / 4);
          const onBegin = (browser: WarmBrowser): void => void (opening = browser);
          return await within(clock, budget_ms, scope.signal, overtime, (signal) =>
            this.#attempt(render, job, { ...scope, signal, budget_ms }, onBegin),
          );
        } catch (error) {
          const tooMuch = error instanceof ProbeFailure && error.code === 'too_large' ? error.seen : undefined;
          if (tooMuch !== undefined) return { result: render.nothing(endedPage('too_large', tooMuch)) };
          if (error instanceof TabCrash && attempt > 1)
            return { result: render.nothing(endedPage('too_large', 'its tab crashed, and crashed again')) };
          if (error === OVERTIME && opening && lacks() === '' && (await opening.answers()))
            return { result: render.nothing(endedPage('http_timeout', 'the page came to no end')) };
          if (!(error instanceof BrowserFailure) || attempt > 1) throw error;
          log.warn({ kind, err: error }, 'the browser failed a job, which is tried again');
          events?.retried?.(kind);
        }
      }
    } finally {
      if (!scope.isTest) this.#activeMs = clock.now();
      this.#release();
    }
  }

  #release(): void {
    this.#running--;
    this.#waiting.shift()?.();
  }

  /** Waits for a slot, in turn. */
  async #slot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#running++;
    if (this.#running <= this.#options.slots) return;
    this.#running--;
    const { promise, resolve } = Promise.withResolvers<void>();
    const mine = (): void => {
      this.#running++;
      resolve();
    };
    this.#waiting.push(mine);
    await unlessAborted(signal, promise).catch((error: unknown) => {
      const index = this.#waiting.indexOf(mine);
      if (index === -1) this.#release();
      else this.#waiting.splice(index, 1);
      throw error;
    });
  }

  async #attempt<K extends RenderKind>(
    render: Render<K>,
    job: RenderJob<K>,
    scope: RenderScope,
    onBegin: (browser: WarmBrowser) => void,
  ): Promise<RenderOutput<K>> {
    const { clock, userAgent, adFilter = ownAdFilter } = this.#options;
    const { input, signal, budget_ms } = scope;
    const browser = await unlessAborted(signal, this.#browser());
    const spare: Spare = await browser.take();
    const { context, page, egress, failed } = spare;
    try {
      signal.throwIfAborted();
      scope.dialled?.(() => egress.dialled);
      egress.begin({ input, signal });
      onBegin(browser);
      const run = render.run(job, { context, page, egress, clock, userAgent, adFilter, signal, budget_ms });
      return counted(await unlessAborted(signal, Promise.race([run, failed])), egress);
    } catch (error) {
      if (!signal.aborted && !(error instanceof ProbeFailure)) await Promise.race([failed, clock.sleep(NEWS_MS)]);
      throw error;
    } finally {
      void this.#after(browser, browser.giveBack(spare));
    }
  }

  /** Replaces a browser that has done enough, by one that is ready. */
  async #after(browser: WarmBrowser, givenBack: Promise<void>): Promise<void> {
    await givenBack;
    const worn = browser.jobs >= this.#limits.jobs ? 'jobs' : browser.bytes > this.#limits.idleBytes ? 'memory' : undefined;
    if (worn === undefined || browser !== this.#current || this.#launching || this.#stopped.signal.aborted) return;
    try {
      await this.#launch();
      this.#retire(browser, worn);
    } catch (err) {
      this.#options.log.error({ err }, 'no other browser starts: the one that there is works on');
    }
  }

  /** The browser for the next job. */
  async #browser(): Promise<WarmBrowser> {
    this.#rest?.resolve();
    this.#rest = undefined;
    if (this.#current?.open) return this.#current;
    if (this.#current) this.#retire(this.#current, 'crash');
    return await this.#launch().catch((cause: unknown) => {
      throw new BrowserFailure('no browser starts', { cause });
    });
  }

  /** Starts one that takes the place of the current one; once, however many want it. */
  #launch(): Promise<WarmBrowser> {
    this.#launching ??= this.#launchNow().finally(() => (this.#launching = undefined));
    return this.#launching;
  }

  async #launchNow(): Promise<WarmBrowser> {
    this.#stopped.signal.throwIfAborted();
    const { launch, egress, clock, slots, events, lacks = () => '' } = this.#options;
    // Chromium that was started on a full disk has taken all that became free, and kept it.
    const missing = lacks();
    if (missing !== '') throw new BrowserFailure(missing);
    const startedAt = clock.now();
    const launched = await launch();
    const browser = new WarmBrowser({ launched, egress, clock, spares: slots, maxBytes: this.#limits.maxBytes, lacks });
    this.#version = await launched.browser.version().catch(() => '');
    this.#current = browser;
    this.#activeMs = clock.now();
    if (this.#stopped.signal.aborted) this.#retire(browser);
    events?.launched?.(clock.now() - startedAt);
    void browser.refill();
    return browser;
  }

  /** Keeps a browser running until the pool is closed, but for times without jobs. */
  async #keep(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stopped;
    for (let failures = 0; !signal.aborted;) {
      try {
        const browser = await this.#browser();
        failures = 0;
        if (!(await this.#becomesIdle(browser))) continue;
        log.info({ jobs: browser.jobs }, 'the browser ends, since no job comes; the next job starts it again');
        const rest = (this.#rest = Promise.withResolvers<void>());
        this.#retire(browser);
        await unlessAborted(signal, rest.promise);
      } catch (err) {
        if (signal.aborted) return;
        const delay_ms = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures++);
        log.error({ err, delay_ms }, 'no browser starts; trying again');
        await clock.sleep(delay_ms, signal).catch(() => undefined);
      }
    }
  }

  /** Resolves to true once it has had no job for a while, or to false when it is gone. */
  async #becomesIdle(browser: WarmBrowser): Promise<boolean> {
    const { clock } = this.#options;
    const over = new AbortController();
    const ended = AbortSignal.any([over.signal, this.#stopped.signal]);
    void browser.gone.then(() => over.abort(ENDED));
    while (!ended.aborted) {
      const left_ms = this.#activeMs + (this.#isUsed ? this.#limits.idleMs : this.#limits.unusedMs) - clock.now();
      if (left_ms <= 0 && this.#running === 0 && browser === this.#current && !this.#launching) return true;
      await clock.sleep(Math.max(left_ms, IDLE_LOOK_MS), ended).catch(() => undefined);
    }
    return false;
  }

  #retire(browser: WarmBrowser, why?: Parameters<PoolEvents['ended']>[0]): void {
    if (why !== undefined) {
      this.#options.log.info({ why, jobs: browser.jobs, bytes: browser.bytes }, 'a browser ends');
      this.#options.events?.ended?.(why);
    }
    if (browser === this.#current) this.#current = undefined;
    const retiring = browser.retire();
    this.#retiring.add(retiring);
    void retiring.finally(() => this.#retiring.delete(retiring));
  }

  state(): PoolState {
    const open = this.#current?.open === true;
    const rests = this.#rest !== undefined;
    return { browser: open || rests ? this.#version : '', rests, bytes: this.#current?.bytes ?? 0 };
  }

  async close(): Promise<void> {
    this.#stopped.abort(ENDED);
    await this.#launching?.catch(() => undefined);
    if (this.#current) this.#retire(this.#current);
    await Promise.all(this.#retiring);
  }
}
