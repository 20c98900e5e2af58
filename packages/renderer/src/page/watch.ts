import type { Clock } from '@vedette/contract';
import type { CDPSession, Protocol } from 'puppeteer-core';

/** The main frame's document, as its server sent it. */
export interface MainAnswer {
  url: string;
  status: number;
  contentType: string;
  /** Over TLS, with a certificate that Chromium believes. */
  secure: boolean;
}

/** The request types that a page waits for; types that may never end (media, event streams, beacons) are not among them. */
const AWAITED: ReadonlySet<Protocol.Network.ResourceType> = new Set([
  'Document',
  'Stylesheet',
  'Image',
  'Font',
  'Script',
  'TextTrack',
  'XHR',
  'Fetch',
]);
/** A navigation that the page announces for later than this is not waited for. */
const SOON_S = 3;
/** This few requests, with nothing else under way for so long, are long polls or hang: they are no longer waited for. */
const HANGING = { requests: 3, ms: 2_000 };

/** A document of the main frame, from its request on. */
interface MainDocument {
  /** Chromium's, and its `loaderId`. */
  requestId: string;
  url: string;
  answer: MainAnswer | undefined;
  netError: string | undefined;
  committed: boolean;
  domReady: boolean;
  loaded: boolean;
  hasScripts: boolean;
}

const requested = (requestId: string, url: string): MainDocument => ({
  requestId,
  url,
  answer: undefined,
  netError: undefined,
  committed: false,
  domReady: false,
  loaded: false,
  hasScripts: false,
});

/** The activity of a loading page, from the events of its session. */
export class PageWatch {
  documents = 0;
  /** URL that the page led to, and that no page came of: another program's (`mailto:`), a download or an answer without content. Empty: none. */
  leadsTo = '';
  #document = requested('', '');
  /** The document that stays on display if the one that was requested after it does not come. */
  #before: MainDocument | undefined;
  #leaving = false;
  readonly #pending = new Set<string>();
  /** Requests that are under way and no longer waited for. */
  readonly #hanging = new Set<string>();
  #changedAt: number;
  #changed = Promise.withResolvers<void>();
  readonly #clock: Clock;
  readonly #onDocument: (host: string) => void;
  readonly #mainFrameId: string;

  /** `onDocument` hears of each host that the main frame asks for its document. */
  constructor(session: CDPSession, mainFrameId: string, { clock, onDocument }: { clock: Clock; onDocument(host: string): void }) {
    this.#clock = clock;
    this.#onDocument = onDocument;
    this.#mainFrameId = mainFrameId;
    this.#changedAt = clock.now();
    session.on('Page.domContentEventFired', () => this.#step(() => (this.#shown.domReady = true)));
    session.on('Page.loadEventFired', () => this.#step(() => (this.#shown.loaded = true)));
    session.on('Page.frameNavigated', ({ frame: { id, loaderId, url, unreachableUrl } }) => {
      const isLast = loaderId === this.#document.requestId || unreachableUrl !== undefined || this.#document.url.startsWith(url);
      if (id !== mainFrameId || !isLast) return;
      this.#document.committed = true;
      this.#before = undefined;
    });
    session.on('Page.frameScheduledNavigation', ({ frameId, delay }) => {
      if (frameId === mainFrameId && delay <= SOON_S) this.#step(() => (this.#leaving = true));
    });
    session.on('Page.frameClearedScheduledNavigation', ({ frameId }) => {
      if (frameId === mainFrameId) this.#step(() => (this.#leaving = false));
    });
    this.follow(session);
  }

  /** Counts the requests of a frame that has a session of its own, too. */
  follow(session: CDPSession): void {
    session.on('Network.requestWillBeSent', (event) => this.#sent(event));
    session.on('Network.dataReceived', ({ requestId }) => {
      if (this.#pending.has(requestId)) this.#step();
    });
    session.on('Network.responseReceived', ({ requestId, response }) => {
      if (requestId !== this.#document.requestId) return this.#step();
      this.#step(() => {
        this.#document.answer = {
          url: response.url,
          status: response.status,
          contentType: headerOf(response.headers, 'content-type'),
          secure: response.securityState === 'secure',
        };
      });
    });
    session.on('Network.loadingFinished', ({ requestId }) => this.#ended(requestId));
    session.on('Network.loadingFailed', ({ requestId, errorText }) => {
      if (requestId === this.#document.requestId) this.#failed(errorText);
      this.#ended(requestId);
    });
  }

  /** The result of the document requested last, or of the one that stays on display. */
  get answer(): MainAnswer | undefined {
    return this.#document.answer;
  }

  /** Why that document did not come: Chromium's word. */
  get netError(): string | undefined {
    return this.#document.netError;
  }

  /** Its URL. */
  get documentUrl(): string {
    return this.#document.url;
  }

  /** It runs code that was fetched and may ask for more after it is loaded. */
  get hasScripts(): boolean {
    return this.#document.hasScripts;
  }

  /** Requests are under way that were given up. */
  get hangs(): boolean {
    return this.#hanging.size > 0;
  }

  /** The document that the main frame shows; while it shows none, the one that is to come. */
  get #shown(): MainDocument {
    return this.#before ?? this.#document;
  }

  /** Resolves once the page is loaded and has asked for nothing for `quiet_ms`. A request that alone prevents this for 2 s is ignored. */
  async quiet(quiet_ms: (watch: PageWatch) => number, limits: WaitLimits): Promise<boolean> {
    const left = (): number => {
      if (!this.#document.loaded || this.#leaving) return Infinity;
      return this.#pending.size === 0 ? this.#stillFor(quiet_ms(this)) : this.#hangsFor(Infinity);
    };
    const isQuiet = await this.#until(left, limits);
    if (isQuiet) this.#giveUp();
    return isQuiet;
  }

  /** Resolves once the page is loaded, or has its text and asks for nothing that still comes: it counts as loaded from then on. */
  async ready(stalled_ms: number, limits: WaitLimits): Promise<boolean> {
    const left = (): number => {
      const { loaded, domReady } = this.#document;
      if (loaded && !this.#leaving) return 0;
      return domReady ? (this.#pending.size > 0 ? this.#hangsFor(stalled_ms) : this.#stillFor(stalled_ms)) : Infinity;
    };
    const isReady = await this.#until(left, limits);
    if (isReady) this.#document.loaded = true;
    return isReady;
  }

  #sent({ requestId, loaderId, request, type, frameId, redirectResponse }: Protocol.Network.RequestWillBeSentEvent): void {
    this.#step(() => {
      // A request without a loader is a worker's first script; only the worker's own session reports its end.
      if (type !== undefined && AWAITED.has(type) && loaderId !== '') this.#pending.add(requestId);
      if (type === 'Script' || type === 'XHR' || type === 'Fetch') this.#document.hasScripts = true;
      if (type !== 'Document' || frameId !== this.#mainFrameId) return;
      if (URL.canParse(request.url)) this.#onDocument(new URL(request.url).hostname);
      this.#leaving = false;
      if (redirectResponse === undefined) {
        this.documents += 1;
        if (this.#document.committed) this.#before = this.#document;
        this.#document = requested(requestId, request.url);
      } else {
        Object.assign(this.#document, { url: request.url, answer: undefined, netError: undefined });
      }
    });
  }

  /**
   * The main frame's document does not come. Where the browser has one on display that this would have replaced, that stays, and counts as
   * loaded: Chromium never says so of it.
   */
  #failed(errorText: string): void {
    const before = this.#before;
    if (before === undefined || this.#document.committed || errorText !== 'net::ERR_ABORTED') {
      this.#document.netError = errorText;
      return;
    }
    // A page that has changed its mind leads where it goes next.
    if (!this.#leaving) this.leadsTo = this.#document.url;
    this.#document = { ...before, loaded: true };
    this.#before = undefined;
  }

  #ended(requestId: string): void {
    this.#hanging.delete(requestId);
    this.#step(() => this.#pending.delete(requestId));
  }

  #giveUp(): void {
    for (const requestId of this.#pending) this.#hanging.add(requestId);
    this.#pending.clear();
  }

  #step(change?: () => void): void {
    change?.();
    this.#changedAt = this.#clock.now();
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  #stillFor(ms: number): number {
    return Math.max(0, this.#changedAt + ms - this.#clock.now());
  }

  /** How long until the requests that are under way count as hanging; `many_ms` where they are too many for that. */
  #hangsFor(many_ms: number): number {
    return this.#stillFor(this.#pending.size > HANGING.requests ? many_ms : HANGING.ms);
  }

  /** Waits until `left` says 0 ms; false when the time was over first. */
  async #until(left: () => number, { within_ms, signal }: WaitLimits): Promise<boolean> {
    const end = this.#clock.now() + within_ms;
    for (;;) {
      const ms = left();
      if (ms <= 0) return true;
      const rest = end - this.#clock.now();
      if (rest <= 0) return false;
      const timer = new AbortController();
      try {
        await Promise.race([this.#changed.promise, this.#clock.sleep(Math.min(ms, rest), AbortSignal.any([timer.signal, signal]))]);
      } finally {
        timer.abort();
      }
    }
  }
}

interface WaitLimits {
  within_ms: number;
  signal: AbortSignal;
}

function headerOf(headers: Protocol.Network.Headers, wanted: string): string {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted);
  return found === undefined ? '' : found[1];
}
