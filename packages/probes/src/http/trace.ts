import { ProbeFailure, type Reason } from '@vedette/contract';
import type { Shown, TlsSession } from '../net/tls.ts';
import type { Tried } from '../host/staggered.ts';
import type { HttpHead } from './wire/message.ts';

/** How far an exchange is; where its time ran out decides the reason. */
export type Phase = 'resolve' | 'connect' | 'tls' | 'answer';

/** The state of a running exchange. Times are the clock's, ms; a phase that did not end has none. */
export interface HttpTrace {
  phase: Phase;
  started: number;
  resolved?: number;
  /** When the connect that succeeded began. */
  connecting?: number;
  connected?: number;
  secured?: number;
  firstByte?: number;
  /** When the last byte that we wanted was read. */
  ended?: number;
  remoteAddress?: string;
  /** The addresses that were tried, in order. */
  tried: Tried[];
  tls?: Omit<TlsSession, 'socket'>;
  /** The server's certificates, also when the handshake failed afterwards. */
  shown?: Shown;
  head?: HttpHead;
  /** Bytes of the body as transferred, and whether there was more. */
  bodyBytes: number;
  bodyTruncated: boolean;
  /** It is the second one, with the user name and password that the first was asked for. */
  signedIn?: boolean;
}

export const startTrace = (now: number): HttpTrace => ({ phase: 'resolve', started: now, tried: [], bodyBytes: 0, bodyTruncated: false });

/** The same exchange once more, from its connection on: what was measured of the first is forgotten, but when it began and whom it reached. */
export function restart(trace: HttpTrace): void {
  const { started, resolved, tried, remoteAddress } = trace;
  for (const key of Object.keys(trace)) Reflect.deleteProperty(trace, key);
  const kept = { tried, ...(resolved !== undefined && { resolved }), ...(remoteAddress !== undefined && { remoteAddress }) };
  Object.assign(trace, startTrace(started), kept);
}

const TIMEOUT_REASONS: Record<Phase, Reason> = {
  resolve: 'dns_timeout',
  connect: 'connect_timeout',
  tls: 'tls_handshake',
  answer: 'http_timeout',
};

/** The failure of an exchange that is out of time. */
export const timeoutOf = (trace: HttpTrace, ms: number): ProbeFailure =>
  new ProbeFailure(TIMEOUT_REASONS[trace.phase], [`no end after ${Math.round(ms)} ms`, ...triedBy(trace)].join(', '));

/** The addresses that accepted no connection. */
const triedBy = ({ phase, tried }: HttpTrace): string[] => (phase === 'connect' ? tried.map(({ address }) => address) : []);

export interface HttpTimings {
  dns_ms: number;
  connect_ms: number;
  tls_ms: number;
  ttfb_ms: number;
  total_ms: number;
}

/**
 * Whole ms. `dns`, `connect` and `tls` are durations; `ttfb` and `total` count from the start, as curl's
 * time_starttransfer and time_total. A phase that was not reached is 0. Where a first byte came,
 * dns + connect + tls ≤ ttfb ≤ total, since every value is floored on its own.
 */
export function timingsOf(trace: HttpTrace, now: number): HttpTimings {
  const { started, resolved, connecting, connected, secured, firstByte, ended = now } = trace;
  return {
    dns_ms: span(started, resolved),
    connect_ms: span(connecting, connected),
    tls_ms: span(connected, secured),
    ttfb_ms: span(started, firstByte),
    total_ms: span(started, ended),
  };
}

const span = (from: number | undefined, to: number | undefined): number =>
  from === undefined || to === undefined ? 0 : Math.max(0, Math.floor(to - from));
