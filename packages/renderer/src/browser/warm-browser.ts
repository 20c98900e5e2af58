import type { Clock } from '@vedette/contract';
import type { BrowserContext, Page } from 'puppeteer-core';
import type { Egress, SpareEgress } from '../render.ts';
import type { LaunchedBrowser } from './launch.ts';

/** A context with a blank page and a way out of its own, made ahead of its one job. */
export interface Spare {
  context: BrowserContext;
  page: Page;
  egress: SpareEgress;
  /** Rejects with a `BrowserFailure` when its tab or its browser is gone; never resolves. */
  failed: Promise<never>;
}

/** Our browser failed a job: not the page's doing as far as anybody knows. */
export class BrowserFailure extends Error {
  override name = 'BrowserFailure';
}

/** How long a context may take to close before its browser counts as hung. */
const CLOSE_MS = 2_000;

/** A browser with spare contexts. */
export class WarmBrowser {
  readonly launched: LaunchedBrowser;
  readonly #egress: Egress;
  readonly #clock: Clock;
  readonly #spareCount: number;
  readonly #spares: Promise<Spare>[] = [];
  readonly #gone: Promise<never>;
  #held = 0;
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;
  jobs = 0;

  constructor(launched: LaunchedBrowser, { egress, clock, spares }: { egress: Egress; clock: Clock; spares: number }) {
    this.launched = launched;
    this.#egress = egress;
    this.#clock = clock;
    this.#spareCount = spares;
    const disconnected = new Promise<void>((resolve) => launched.browser.once('disconnected', () => resolve()));
    this.#gone = Promise.race([disconnected, launched.gone]).then(() => Promise.reject(new BrowserFailure('the browser is gone')));
    this.#gone.catch(() => undefined);
  }

  get alive(): boolean {
    return this.#closing === undefined && this.launched.browser.connected;
  }

  /** Makes the spares that are missing. */
  refill(): void {
    while (this.alive && this.#spares.length < this.#spareCount) {
      const spare = this.#make();
      spare.catch(() => undefined); // told to who takes it
      this.#spares.push(spare);
    }
  }

  /** A context that nobody had; give it back with `giveBack`. */
  async take(): Promise<Spare> {
    this.#held++;
    this.jobs++;
    try {
      return await (this.#spares.shift() ?? this.#make());
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  async #make(): Promise<Spare> {
    const egress = await this.#egress.open();
    try {
      return await Promise.race([this.#open(egress), this.#gone]);
    } catch (error) {
      await egress.close();
      throw error instanceof BrowserFailure ? error : new BrowserFailure('no context could be opened', { cause: error });
    }
  }

  async #open(egress: SpareEgress): Promise<Spare> {
    const context = await this.launched.browser.createBrowserContext({
      proxyServer: `http://127.0.0.1:${egress.port}`,
      proxyBypassList: ['<-loopback>'],
      downloadBehavior: { policy: 'deny' },
    });
    const page = await context.newPage();
    const crashed = new Promise<never>((_, reject) =>
      page.once('error', (cause) => reject(new BrowserFailure('the tab crashed', { cause }))),
    );
    const failed = Promise.race([crashed, this.#gone]);
    failed.catch(() => undefined);
    return { context, page, egress, failed };
  }

  /** Closes a context that had its job. A browser that does not answer is killed. */
  async giveBack({ context, egress }: Spare): Promise<void> {
    try {
      await Promise.all([egress.close(), this.#closeContext(context)]);
    } finally {
      this.#release();
      this.refill();
    }
  }

  async #closeContext(context: BrowserContext): Promise<void> {
    if (!this.launched.browser.connected) return;
    const ended = new AbortController();
    const hung = this.#clock.sleep(CLOSE_MS, ended.signal).then(
      () => this.launched.kill(),
      () => undefined,
    );
    await Promise.race([context.close().catch(() => undefined), hung]);
    ended.abort();
  }

  #release(): void {
    this.#held--;
    if (this.#held === 0) this.#onIdle?.();
  }

  /** Takes no more; ends the browser when the last job has ended. */
  retire(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    if (this.#held > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    const spares = await Promise.allSettled(this.#spares.splice(0));
    await this.launched.close();
    for (const spare of spares) if (spare.status === 'fulfilled') await spare.value.egress.close();
  }
}
