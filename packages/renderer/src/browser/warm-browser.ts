import { type Clock, ENDED, ProbeFailure, unlessAborted, within } from '@vedette/contract';
import type { BrowserContext, Page, Protocol } from 'puppeteer-core';
import { sessionOf } from '../page/session.ts';
import type { Egress, SpareEgress } from '../jobs/render.ts';
import type { LaunchedBrowser } from './launch.ts';
import { membersOf } from './process-group.ts';

/** A context with a blank page and a way out of its own, made ahead of its one job. */
export interface Spare {
  context: BrowserContext;
  page: Page;
  egress: SpareEgress;
  /** Rejects when its tab or its browser is gone: with a `BrowserFailure`, or with `too_large` where the page took too much memory. Never resolves. */
  failed: Promise<never>;
}

/** Our browser failed a job, and nothing blames the page. */
export class BrowserFailure extends Error {
  override name = 'BrowserFailure';
}

/** A tab crashed by itself, and by nothing of ours that is known: twice on one page, it is the page. */
export class TabCrash extends BrowserFailure {}

export interface WarmBrowserOptions {
  launched: LaunchedBrowser;
  egress: Egress;
  clock: Clock;
  /** Contexts that are made ahead. */
  spares: number;
  /** Memory of all its processes while it works; the largest tab is ended where there is more. */
  maxBytes: number;
  /** Its machine's shortage, such as disk; empty when none is known. */
  lacks(): string;
}

/** How long a context may take to close before its browser counts as hung. */
const CLOSE_MS = 2_000;
/** How long it may take to answer anything at all. */
const ANSWER_MS = 750;
/** How often its memory is looked at while it works. */
const WATCH_MS = 250;
/** A tab that crashes so soon after one was ended is that one. */
const KILLED_MS = 1_000;
/** How a tab ended is told within a moment of its end. */
const HOW_MS = 50;
/** Signals that no page causes: the kernel has no memory, or no disk for memory that processes share (signal(7)). */
const OURS: ReadonlyMap<number, string> = new Map([
  [9, 'the machine has no memory left'],
  [7, 'the disk has no room for shared memory'],
]);

/** A browser with spare contexts. */
export class WarmBrowser {
  readonly launched: LaunchedBrowser;
  readonly #options: WarmBrowserOptions;
  readonly #spares: Promise<Spare>[] = [];
  readonly #gone: Promise<never>;
  #lost = false;
  #held = 0;
  #ending: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;
  #watch: AbortController | undefined;
  #tabKilledAt = -Infinity;
  /** Jobs that it began. */
  jobs = 0;
  /** Memory of all its processes when it was last looked at. */
  bytes = 0;

  constructor(options: WarmBrowserOptions) {
    this.launched = options.launched;
    this.#options = options;
    const { browser, gone } = options.launched;
    const disconnected = new Promise<void>((resolve) => browser.once('disconnected', () => resolve()));
    this.#gone = Promise.race([disconnected, gone]).then(() => Promise.reject(new BrowserFailure('the browser is gone')));
    this.#gone.catch(() => (this.#lost = true));
  }

  /** Whether it takes jobs. */
  get open(): boolean {
    return this.#ending === undefined && !this.#lost;
  }

  /** Resolves when it is gone, in order or not. */
  get gone(): Promise<void> {
    return this.#gone.catch(() => undefined);
  }

  /** Whether it still does what it is told: then a page that used up its time did so by itself. */
  async answers(): Promise<boolean> {
    const { browser } = this.launched;
    const silent = () => new BrowserFailure('the browser does not answer');
    const ping = async (): Promise<void> => await (await browser.target().createCDPSession()).detach();
    return await within(this.#options.clock, ANSWER_MS, undefined, silent, ping).then(
      () => true,
      () => false,
    );
  }

  /** Makes the spares that are missing; resolves when they are there, or cannot be made. */
  async refill(): Promise<void> {
    while (this.open && this.#spares.length < this.#options.spares) {
      const spare = this.#make();
      spare.catch(() => undefined); // told to who takes it
      this.#spares.push(spare);
    }
    await Promise.allSettled(this.#spares);
  }

  /** An unused context; return it with `giveBack`. Rejects with a `BrowserFailure`. */
  async take(): Promise<Spare> {
    this.#held++;
    this.jobs++;
    if (!this.#watch) void this.#watchMemory((this.#watch = new AbortController()));
    try {
      return await (this.#spares.shift() ?? this.#make());
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  async #make(): Promise<Spare> {
    const egress = await this.#options.egress.open();
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
    const howEnded = await followEnd(page);
    const crashed = new Promise<never>((_, reject) => page.once('error', (cause) => void this.#crashed(cause, howEnded).then(reject)));
    const failed = Promise.race([crashed, this.#gone]);
    failed.catch(() => undefined);
    return { context, page, egress, failed };
  }

  async #crashed(cause: Error, howEnded: () => number): Promise<Error> {
    await this.#options.clock.sleep(HOW_MS);
    return this.#crash(cause, howEnded());
  }

  /**
   * The reason for a tab's end. That a page may not have more than its limit is its own doing, and so is a crash: unless the machine lacks
   * what every page needs.
   */
  #crash(cause: Error, signal: number): Error {
    if (this.#options.clock.now() - this.#tabKilledAt < KILLED_MS)
      return new ProbeFailure('too_large', 'the page took more memory than a page may', { cause });
    // A page that grows quicker than it is looked at may have the kernel end it first.
    const isLarge = this.bytes > this.#options.maxBytes / 2;
    const ours = (isLarge ? undefined : OURS.get(signal)) ?? this.#options.lacks();
    return ours === '' ? new TabCrash('the tab crashed', { cause }) : new BrowserFailure(`the tab was ended: ${ours}`, { cause });
  }

  /** Closes a context that had its job. A browser that does not answer is killed. Never rejects. */
  async giveBack({ context, egress }: Spare): Promise<void> {
    await Promise.all([egress.close(), this.#closeContext(context)]);
    if (this.#held === 1) this.look(); // before another page is in it
    this.#release();
    void this.refill();
  }

  async #closeContext(context: BrowserContext): Promise<void> {
    if (this.#lost) return;
    const hung = new BrowserFailure('a context does not close');
    await within(
      this.#options.clock,
      CLOSE_MS,
      undefined,
      () => hung,
      (signal) => unlessAborted(signal, context.close()),
    ).catch((error: unknown) => {
      if (error === hung) this.launched.kill();
    });
  }

  #release(): void {
    this.#held--;
    if (this.#held > 0) return;
    this.#watch?.abort(ENDED);
    this.#watch = undefined;
    this.#onIdle?.();
  }

  async #watchMemory({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      this.look();
      await this.#options.clock.sleep(WATCH_MS, signal).catch(() => undefined);
    }
  }

  /** Checks its memory. If it uses too much, the largest tab ends, or the browser if its largest process has no page. */
  look(): void {
    const members = membersOf(this.launched.pid).toSorted((one, other) => other.bytes - one.bytes);
    this.bytes = members.reduce((sum, { bytes }) => sum + bytes, 0);
    const [largest] = members;
    if (largest === undefined || this.bytes <= this.#options.maxBytes) return;
    if (!largest.tab) return this.launched.kill();
    this.#tabKilledAt = this.#options.clock.now();
    this.launched.killTab(largest.pid);
  }

  /** Takes no more; ends when the last job has. Never rejects. */
  retire(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    if (this.#held > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve));
    await this.launched.close();
    for (const spare of await Promise.allSettled(this.#spares.splice(0)))
      if (spare.status === 'fulfilled') await spare.value.egress.close();
  }
}

/** Follows how a page's tab ends; tells the signal of which it did, 0 where that is not known. */
async function followEnd(page: Page): Promise<() => number> {
  const session = await sessionOf(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  const connection = session.connection();
  let signal = 0;
  const onCrashed = ({ targetId, errorCode }: Protocol.Target.TargetCrashedEvent): void => {
    if (targetId === targetInfo.targetId) signal = errorCode;
  };
  connection?.on('Target.targetCrashed', onCrashed);
  page.once('close', () => connection?.off('Target.targetCrashed', onCrashed));
  return () => signal;
}
