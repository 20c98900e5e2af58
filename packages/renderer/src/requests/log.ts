import type { SentRequest } from '@vedette/contract';
import type { CDPSession, Protocol } from 'puppeteer-core';
import type { JobEgress } from '../jobs/render.ts';

const REQUESTS_MAX = 2_000;
const URL_MAX_CHARS = 2_048;
/** The error of requests that we keep from leaving, which are those beyond the limits: nothing else of this page is blocked. */
const REFUSED = 'not sent: a page may send 500 requests, 300 of them to one site that is not its own';
const UNFINISHED = 'no answer before the visit ended, or the page gave it up';

interface Entry {
  session: CDPSession;
  url: string;
  method: string;
  type: string;
  /** Chromium's monotonic seconds. */
  sentAt: number;
  /** When its head was told. */
  headAt: number | undefined;
  endedAt: number | undefined;
  status: number;
  contentType: string;
  /** Octets on the wire, head included. */
  bytes: number;
  /** Octets of the body, unpacked. */
  unpacked: number;
  /** A response of it was told of. */
  headTold: boolean;
  error: string;
  /** It was one too many, and did not leave. */
  refused: boolean;
  /** The browser has given it up, for the page or for us. */
  canceled: boolean;
  /** It never left: what the page had already, or what a service worker gave it. */
  local: boolean;
}

/** The bytes on the wire: `data:`, `blob:` and the browser's own pages are not. */
const isOnWire = (url: string): boolean => /^(?:https?|wss?):/i.test(url);
const START_MS = 4_000;
const OK = 200;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** A page may hold these open for good. */
const LASTING = new Set(['websocket', 'eventsource', 'media']);

/** Every request of a page, its frames and workers, in the order in which they were sent. */
export class RequestLog {
  readonly #entries: Entry[] = [];
  /** The latest of each request of Chromium's, which keeps its id through redirects. */
  readonly #latest = new Map<string, Entry>();
  readonly #pending = new Set<Entry>();
  /** Scripts of workers that start, and until when they are waited for. */
  readonly #expected = new Map<string, number>();
  readonly #now: () => number;
  #changedAt: number;
  truncated = false;

  constructor(now: () => number) {
    this.#now = now;
    this.#changedAt = now();
  }

  /** Hears what a session has to tell, once it is enabled. A request that two sessions tell of is one. */
  follow(session: CDPSession): void {
    session.on('Network.requestWillBeSent', (event) => this.#sent(session, event));
    session.on('Network.requestServedFromCache', ({ requestId }) => this.#change(requestId, (entry) => (entry.local = true)));
    session.on('Network.responseReceived', ({ requestId, response, timestamp }) =>
      this.#change(requestId, (entry) => answered(entry, response, timestamp)),
    );
    // Some requests, such as a shared worker's script, have no other event. A redirect's may come when the next one is under way.
    session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers }) =>
      this.#change(requestId, (entry) => {
        if (entry.status > 0 || REDIRECTS.has(statusCode)) return;
        entry.status = statusCode;
        entry.contentType = fieldOf(headers, 'content-type');
      }),
    );
    session.on('Network.dataReceived', ({ requestId, encodedDataLength, dataLength }) =>
      this.#change(requestId, (entry) => {
        if (entry.session !== session) return;
        entry.bytes += encodedDataLength;
        entry.unpacked += dataLength;
      }),
    );
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
      this.#end(requestId, timestamp, (entry) => {
        entry.bytes = Math.max(entry.bytes, encodedDataLength);
        if (entry.headTold || entry.error !== '' || entry.type !== 'script') return;
        // A worker's script, of whose head nothing is told, and of whose body only how long it is unpacked: it runs where its status was one of success.
        entry.status ||= OK;
        entry.bytes = Math.max(entry.bytes, entry.unpacked);
      }),
    );
    session.on('Network.loadingFailed', ({ requestId, timestamp, errorText, blockedReason, corsErrorStatus, canceled }) =>
      this.#end(requestId, timestamp, (entry) => {
        entry.refused = blockedReason === 'inspector';
        entry.error = corsErrorStatus?.corsError ?? blockedReason ?? errorText;
        entry.canceled = canceled === true;
      }),
    );
    this.#followSockets(session);
  }

  /** The target of the session is gone, and sends no more events. */
  detach(session: CDPSession): void {
    for (const entry of this.#pending) if (entry.session === session) this.#pending.delete(entry);
  }

  #followSockets(session: CDPSession): void {
    session.on('Network.webSocketCreated', ({ requestId, url }) =>
      this.#open(requestId, { session, url, method: 'GET', type: 'websocket', sentAt: 0 }),
    );
    session.on('Network.webSocketWillSendHandshakeRequest', ({ requestId, timestamp }) =>
      this.#change(requestId, (entry) => (entry.sentAt = timestamp)),
    );
    session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, timestamp, response }) =>
      this.#change(requestId, (entry) => {
        entry.status = response.status;
        entry.bytes += response.headersText?.length ?? 0;
        entry.headAt = timestamp;
        entry.endedAt = timestamp;
      }),
    );
    session.on('Network.webSocketFrameReceived', ({ requestId, response: { opcode, payloadData } }) =>
      // A text stands as it is, octets as Base64 (RFC 6455 §11.8).
      this.#change(requestId, (entry) => (entry.bytes += Buffer.byteLength(payloadData, opcode === 1 ? 'utf8' : 'base64'))),
    );
    session.on('Network.webSocketFrameError', ({ requestId, errorMessage }) =>
      this.#change(requestId, (entry) => {
        entry.error ||= errorMessage;
        entry.status ||= Number(/Unexpected response code: (\d{3})/.exec(errorMessage)?.[1] ?? 0);
      }),
    );
  }

  /** A worker starts, and its script is about to be asked for, if it was not already: that may take a process of its own. */
  expect(url: string): void {
    if (!this.#entries.some((entry) => entry.url === url)) this.#expected.set(url, this.#now() + START_MS);
  }

  /** ms for which nothing has happened, where nothing is under way that ends by itself; 0 where something is. */
  get idleFor(): number {
    const now = this.#now();
    for (const [url, until] of this.#expected) if (until < now) this.#expected.delete(url);
    return this.#pending.size > 0 || this.#expected.size > 0 ? 0 : now - this.#changedAt;
  }

  /** The requests, with the addresses that they really went to. */
  sent(egress: Pick<JobEgress, 'addressOf' | 'failureOf'>): SentRequest[] {
    const onWire = this.#entries.filter(({ local }) => !local);
    const began = Math.min(...onWire.map(({ sentAt }) => sentAt || Infinity));
    return onWire.map((entry) => shown(entry, egress, began));
  }

  #sent(session: CDPSession, event: Protocol.Network.RequestWillBeSentEvent): void {
    const { requestId, request, type = 'Other', timestamp, redirectResponse, initiator } = event;
    const before = this.#latest.get(requestId);
    if (before && redirectResponse) {
      answered(before, redirectResponse, timestamp);
      before.bytes = redirectResponse.encodedDataLength;
      before.endedAt = timestamp;
      this.#pending.delete(before);
    } else if (before) return; // another session's word for the same
    const kind = initiator.type === 'preflight' ? initiator.type : type.toLowerCase();
    this.#open(requestId, { session, url: request.url, method: request.method, type: kind, sentAt: timestamp });
  }

  #open(id: string, about: Pick<Entry, 'session' | 'url' | 'method' | 'type' | 'sentAt'>): void {
    this.#expected.delete(about.url);
    if (!isOnWire(about.url)) return;
    if (this.#entries.length >= REQUESTS_MAX) {
      this.truncated = true;
      return;
    }
    const entry: Entry = {
      ...about,
      headAt: undefined,
      endedAt: undefined,
      status: 0,
      contentType: '',
      bytes: 0,
      unpacked: 0,
      headTold: false,
      refused: false,
      canceled: false,
      error: '',
      local: false,
    };
    this.#entries.push(entry);
    this.#latest.set(id, entry);
    if (!LASTING.has(entry.type)) this.#pending.add(entry);
    this.#changedAt = this.#now();
  }

  #change(requestId: string, change: (entry: Entry) => void): void {
    const entry = this.#latest.get(requestId);
    if (!entry) return;
    change(entry);
    this.#changedAt = this.#now();
  }

  #end(requestId: string, timestamp: number, change: (entry: Entry) => void): void {
    this.#change(requestId, (entry) => {
      change(entry);
      entry.endedAt = timestamp;
      this.#pending.delete(entry);
    });
  }
}

function answered(entry: Entry, response: Protocol.Network.Response, timestamp: number): void {
  entry.headTold = true;
  entry.status = response.status;
  entry.contentType = contentTypeOf(response);
  entry.bytes = Math.max(entry.bytes, response.encodedDataLength);
  // The network's own time where it is told: the event's is of when the page heard of it, which may be after its end.
  entry.headAt ??= response.timing === undefined ? timestamp : response.timing.requestTime + response.timing.receiveHeadersEnd / 1_000;
  entry.endedAt = timestamp;
  if (response.fromDiskCache === true || response.fromServiceWorker === true) entry.local = true;
}

/** The type as the server sent it, or what Chromium made of it where it sent none. */
const contentTypeOf = ({ headers, mimeType }: Protocol.Network.Response): string => fieldOf(headers, 'content-type') || mimeType;

const fieldOf = (headers: Protocol.Network.Headers, wanted: string): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';

/** ms between two of Chromium's times; 0 where one is not known. */
const msBetween = (from: number, to: number | undefined): number =>
  to === undefined || from === 0 || to === 0 ? 0 : Math.max(0, Math.round((to - from) * 1_000));

/** `began`: when the first request of the page was sent. */
function shown(entry: Entry, egress: Pick<JobEgress, 'addressOf' | 'failureOf'>, began: number): SentRequest {
  const elapsed = msBetween(entry.sentAt, entry.endedAt);
  const { hostname, port, protocol } = new URL(entry.url);
  const plain = protocol === 'http:' || protocol === 'ws:';
  const at = port === '' ? (plain ? 80 : 443) : Number(port);
  // Our way out knows better than the browser where it refused or failed; what the browser gave up it takes for a failure.
  const failed = entry.error === '' || entry.canceled ? UNFINISHED : (egress.failureOf(hostname, at)?.error ?? entry.error);
  const error = entry.refused ? REFUSED : entry.status > 0 ? '' : failed;
  return {
    url: entry.url.slice(0, URL_MAX_CHARS),
    method: entry.method.slice(0, 32),
    resource_type: entry.type.slice(0, 32),
    status_code: entry.status,
    content_type: entry.contentType.slice(0, 300),
    content_length: Math.round(entry.bytes),
    elapsed_ms: elapsed,
    started_ms: msBetween(began, entry.sentAt),
    ttfb_ms: Math.min(elapsed, msBetween(entry.sentAt, entry.headAt)),
    ip_address: entry.refused ? '' : egress.addressOf(hostname, at).slice(0, 45),
    error: error.slice(0, 200),
  };
}
