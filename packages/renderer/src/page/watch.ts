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

/** What a page waits for; what may never end (media, event streams, beacons) is nothing that it waits for. */
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

/** What a page does while it loads, as its session tells. */
export class PageWatch {
  /** What came of the document that was asked for last. */
  answer: MainAnswer | undefined;
  /** Why that document did not come: Chromium's word. */
  netError: string | undefined;
  /** URL of the document that was asked for last. */
  asked = '';
  documents = 0;
  domReady = false;
  loaded = false;
  /** It runs code that may ask for more after it is loaded. */
  hasScripts = false;
  #mainRequest = '';
  #leaving = false;
  readonly #pending = new Set<string>();
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
    session.on('Page.domContentEventFired', () => this.#step(() => (this.domReady = true)));
    session.on('Page.loadEventFired', () => this.#step(() => (this.loaded = true)));
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
    session.on('Network.responseReceived', ({ requestId, response }) => {
      if (requestId !== this.#mainRequest) return this.#step();
      this.#step(() => {
        this.answer = {
          url: response.url,
          status: response.status,
          contentType: headerOf(response.headers, 'content-type'),
          secure: response.securityState === 'secure',
        };
      });
    });
    session.on('Network.loadingFinished', ({ requestId }) => this.#ended(requestId));
    session.on('Network.loadingFailed', ({ requestId, errorText }) => {
      if (requestId === this.#mainRequest) this.netError = errorText;
      this.#ended(requestId);
    });
  }

  /** How many requests are under way that the page waits for. */
  get pending(): number {
    return this.#pending.size;
  }

  /** Resolves once the page is loaded and has asked for nothing for `quiet_ms`. */
  quiet(quiet_ms: (watch: PageWatch) => number, limits: WaitLimits): Promise<boolean> {
    return this.#until(
      () => (this.loaded && this.#pending.size === 0 && !this.#leaving ? this.#stillFor(quiet_ms(this)) : Infinity),
      limits,
    );
  }

  /** Resolves once the page is loaded, or has its text and asks for nothing that still comes. */
  ready(stalled_ms: number, limits: WaitLimits): Promise<boolean> {
    return this.#until(() => (this.loaded && !this.#leaving ? 0 : this.domReady ? this.#stillFor(stalled_ms) : Infinity), limits);
  }

  #sent({ requestId, loaderId, request, type, frameId, redirectResponse }: Protocol.Network.RequestWillBeSentEvent): void {
    this.#step(() => {
      // What has no loader is a worker's first script: of its end only the worker's own session hears.
      if (type !== undefined && AWAITED.has(type) && loaderId !== '') this.#pending.add(requestId);
      if (type === 'Script' || type === 'XHR' || type === 'Fetch') this.hasScripts = true;
      if (type !== 'Document' || frameId !== this.#mainFrameId) return;
      this.#mainRequest = requestId;
      this.asked = request.url;
      if (URL.canParse(request.url)) this.#onDocument(new URL(request.url).hostname);
      this.netError = undefined;
      this.answer = undefined;
      this.#leaving = false;
      if (redirectResponse !== undefined) return;
      this.documents += 1;
      this.loaded = false;
      this.domReady = false;
      this.hasScripts = false;
    });
  }

  #ended(requestId: string): void {
    this.#step(() => this.#pending.delete(requestId));
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
