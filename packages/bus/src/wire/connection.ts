import { X509Certificate } from 'node:crypto';
import type { ConnectionOptions as TlsConnectionOptions } from 'node:tls';
import { parseIp, unlessAborted, within, type Clock } from '@vedette/contract';
import { connect, DebugEvents, Events, type ConnectionOptions, type Msg, type NatsConnection, type Status, type TlsOptions } from 'nats';
import { authenticatorOf } from './credentials.ts';

/** The part of NATS that this project uses, and the only file that calls it. Messages are at most once. */
export interface Bus {
  /** False while the connection is down, or while the server does not answer our pings (frozen, or cut off). */
  connected(): boolean;
  /** Called when `connected()` changes; returns a function that ends it. */
  onChange(listener: (connected: boolean) => void): () => void;
  /** Sends, or drops and returns false while not connected: what is late is worthless here. */
  publish(subject: string, data: string | Uint8Array, reply?: string): boolean;
  /** `max`: the server ends the subscription after so many messages, however fast they come. */
  subscribe(subject: string, onMessage: (message: BusMessage) => void, options?: { queue?: string; max?: number }): BusSubscription;
  /** Resolves when the server has seen everything sent so far; rejects when it does not answer in time. */
  flush(): Promise<void>;
  /** Flushes and closes. Never hangs, whatever the server does. */
  close(): Promise<void>;
  /** Our address as the server sees it: behind a NAT the one that it gives us. None while that is not known. */
  seenAs(): readonly string[];
  /** Resolves when the connection is gone for good: closed by us, or our credentials were refused (then with the error). */
  readonly closed: Promise<Error | undefined>;
}

export interface BusMessage {
  readonly subject: string;
  /** Empty when no answer is wanted. */
  readonly reply?: string;
  readonly data: Uint8Array;
  /** Present on messages with NATS headers; code 503 without data means that the subject has no subscriber. */
  readonly headers?: { readonly code: number };
}

export interface BusSubscription {
  unsubscribe(): void;
  /** Takes no more messages; resolves when those on their way were handed over. */
  drain(): Promise<void>;
}

/** The server's answer when a subject has no subscriber. */
export const isNoResponders = (message: BusMessage): boolean => message.data.length === 0 && message.headers?.code === 503;

export interface BusOptions {
  /** `nats://host:port`, or `tls://host:port` which is never spoken to in plain text; several separated by commas. */
  url: string;
  /** Shown by the server's monitoring. */
  name: string;
  clock: Clock;
  /** Text of the credentials file; absent where the server asks for none. */
  credentials?: string;
  /** PEM of the roots that the server's certificate must come from; absent: those that Node trusts. */
  roots?: readonly string[] | undefined;
  /** Wait for a server that is not there yet instead of failing. */
  waitOnFirstConnect?: boolean;
  /** Silence of the server after which it counts as lost: 2 s, or less when it is near and a request waits. */
  patienceMs?: number;
  /** Degraded service: a server too old, something forbidden. `warning` is a stable code. */
  onWarning?: (warning: BusWarning, detail: string) => void;
}

export type BusWarning = 'server_outdated' | 'unreachable' | 'forbidden_publish' | 'forbidden_subscribe' | 'protocol' | 'handler_failed';

/** Oldest version of the server without known holes (CVE-2026-33246, CVE-2026-29785). */
const MIN_SERVER = [2, 12, 12] as const;
/** nats notices a dead connection after two of these without an answer; ours below is quicker, and reconnects nothing. */
const PING_INTERVAL_MS = 5_000;
const PATIENCE_MS = 2_000;
/** Pings follow each other twice as fast as the patience ends. */
const PINGS_PER_PATIENCE = 2;
/** The patience is counted in naps, so that those in which we were stalled ourselves do not count. */
const NAPS_PER_PATIENCE = 8;
const FLUSH_TIMEOUT_MS = 2_000;
/** A server that is not there after this long is worth a word. */
const WAITING_MS = 3_000;

/** Connects, and stays connected: reconnects for ever, with jitter. Rejects when the server refuses, or is absent and not waited for. */
export async function openBus(options: BusOptions): Promise<Bus> {
  const { clock, patienceMs = PATIENCE_MS, onWarning = () => {} } = options;
  const connecting = connect(connectOptions(options));
  if (options.waitOnFirstConnect !== false) void explainWait(options, connecting);
  const nats = await connecting;
  const watch = watchConnection({ nats, clock, patienceMs, onWarning });
  warnIfOutdated(nats, onWarning);

  const flush = () => flushWithin(nats, clock, FLUSH_TIMEOUT_MS);
  return {
    connected: watch.connected,
    onChange: watch.onChange,
    publish(subject, data, reply) {
      if (!watch.connected() || nats.isClosed()) return false;
      nats.publish(subject, data, reply === undefined ? {} : { reply });
      return true;
    },
    subscribe(subject, onMessage, { queue, max } = {}) {
      const callback = (error: Error | null, message: Msg) => {
        if (error !== null) return; // a refused subscription, which status() tells
        try {
          onMessage(message);
        } catch (cause) {
          onWarning('handler_failed', cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)); // must not end the connection
        }
      };
      return nats.subscribe(subject, { callback, ...(queue !== undefined && { queue }), ...(max !== undefined && { max }) });
    },
    flush,
    seenAs: () => (nats.info?.client_ip === undefined ? [] : [nats.info.client_ip]),
    async close() {
      watch.stop();
      if (nats.isClosed()) return;
      await flush().catch(() => {}); // a server that is gone cannot be flushed, and closing goes on
      await nats.close();
    },
    closed: nats.closed().then((error) => error ?? undefined),
  };
}

/** nats waits for its first server without a word: a try that does not wait tells why. */
async function explainWait(options: BusOptions, connecting: Promise<unknown>): Promise<void> {
  const { clock, onWarning } = options;
  const done = new AbortController();
  const end = () => done.abort();
  connecting.then(end, end);
  try {
    await clock.sleep(WAITING_MS, done.signal);
    const tried = await connect(connectOptions({ ...options, waitOnFirstConnect: false }));
    await tried.close();
  } catch (error) {
    if (!done.signal.aborted) onWarning?.('unreachable', (error as Error).message);
  }
}

function connectOptions({ url, name, credentials, roots, waitOnFirstConnect = true }: BusOptions): ConnectionOptions {
  const servers = url.split(',');
  return {
    servers,
    name,
    waitOnFirstConnect,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 500,
    reconnectJitterTLS: 1_000,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
    timeout: 5_000,
    noAsyncTraces: true,
    ...(servers.some((server) => server.startsWith('tls://')) && { tls: tlsOptions(servers, roots) }),
    ...(credentials !== undefined && { authenticator: authenticatorOf(credentials) }),
  };
}

/** TLS for servers given by their address too: nats would check their certificate for `localhost`. Any of the configured servers' certificates will do. */
function tlsOptions(servers: readonly string[], roots: readonly string[] | undefined): TlsOptions {
  const hosts = servers.map((server) => new URL(server).hostname.replace(/^\[(.*)\]$/, '$1'));
  const ours: TlsConnectionOptions = {
    ...(roots && { ca: [...roots] }),
    checkServerIdentity(_host, { raw }) {
      const leaf = new X509Certificate(raw);
      const isFor = (host: string) => (parseIp(host) ? leaf.checkIP(host) : leaf.checkHost(host, { subject: 'never' })) !== undefined;
      if (hosts.some(isFor)) return undefined;
      return new Error(`the certificate is for ${leaf.subjectAltName ?? 'no name'}, not for ${hosts.join(' or ')}`);
    },
  };
  return ours as TlsOptions; // which does not say that all that it is given goes to node:tls
}

interface Watched {
  nats: NatsConnection;
  clock: Clock;
  patienceMs: number;
  onWarning: NonNullable<BusOptions['onWarning']>;
}

/** Follows nats' own view of the connection, and asks the server again and again for a sign of life. */
function watchConnection({ nats, clock, patienceMs, onWarning }: Watched) {
  const listeners = new Set<(connected: boolean) => void>();
  const stopped = new AbortController();
  let linked = true;
  let answering = true;
  let before = true;
  const update = () => {
    const connected = linked && answering;
    if (connected === before) return;
    before = connected;
    for (const listener of listeners) listener(connected);
  };
  const followStatus = async () => {
    for await (const status of nats.status()) {
      if (status.type === Events.Disconnect || status.type === DebugEvents.StaleConnection) linked = false;
      else if (status.type === Events.Reconnect) linked = answering = true;
      else if (status.type === Events.Error) onWarning(...warningOf(status));
      if (status.type === Events.Reconnect) warnIfOutdated(nats, onWarning);
      update();
    }
    linked = false;
    update();
  };
  const followPings = async () => {
    while (!stopped.signal.aborted) {
      await clock.sleep(patienceMs / PINGS_PER_PATIENCE, stopped.signal);
      if (!linked) continue;
      answering = await isAlive(nats, clock, patienceMs, stopped.signal);
      update();
    }
  };
  void followStatus();
  void followPings().catch(() => {}); // ends by the stop signal
  return {
    connected: () => linked && answering,
    onChange: (listener: (connected: boolean) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => stopped.abort(),
  };
}

/** Whether the server answers a ping, or sends anything at all, before our patience ends. Rejects by the signal. */
async function isAlive(nats: NatsConnection, clock: Clock, patienceMs: number, stop: AbortSignal): Promise<boolean> {
  const { inMsgs } = nats.stats();
  const napMs = patienceMs / NAPS_PER_PATIENCE;
  const ping = { answered: false };
  const end = () => (ping.answered = true);
  // It rejects after a disconnect, which status() tells: by then it may have told of the next connection as well.
  nats.flush().then(end, end);
  for (let naps = 0; naps < NAPS_PER_PATIENCE && !ping.answered;) {
    const before = clock.now();
    await clock.sleep(napMs, stop);
    if (nats.stats().inMsgs > inMsgs) return true;
    if (clock.now() - before < 2 * napMs) naps += 1; // else we were stalled, and its answer may wait unread
  }
  return ping.answered;
}

/** nats' own flush waits for ever. */
const flushWithin = (nats: NatsConnection, clock: Clock, ms: number): Promise<void> =>
  within(
    clock,
    ms,
    undefined,
    () => new Error(`the bus did not answer within ${ms} ms`),
    (signal) => unlessAborted(signal, nats.flush()),
  );

function warningOf(status: Status): [BusWarning, string] {
  const context = status.permissionContext;
  if (context === undefined) return ['protocol', typeof status.data === 'string' ? status.data : status.type];
  return [context.operation === 'publish' ? 'forbidden_publish' : 'forbidden_subscribe', context.subject];
}

function warnIfOutdated(nats: NatsConnection, onWarning: NonNullable<BusOptions['onWarning']>): void {
  const version = nats.info?.version ?? '';
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  const [minMajor, minMinor, minPatch] = MIN_SERVER;
  const older = major - minMajor || minor - minMinor || patch - minPatch;
  if (!(older >= 0)) onWarning('server_outdated', `nats-server ${version}; ${MIN_SERVER.join('.')} or newer is advised`);
}
