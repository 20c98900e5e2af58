import { ProbeFailure, type Reason } from '@vedette/contract';
import type { Shown, TlsSession } from '../net/tls.ts';
import type { Attempt, TcpDetail } from './result.ts';

/** How far a measurement is; where its time ran out decides the reason. */
export type Phase = 'resolve' | 'connect' | 'starttls' | 'tls' | 'talk';

/** The state of a running measurement. Times are the clock's, ms; a phase that did not end has none. */
export interface TcpTrace {
  phase: Phase;
  started: number;
  resolved?: number;
  attempts: Attempt[];
  /** The connection that is talked over. */
  talked?: { address: string; connecting: number; connected: number };
  /** When the server had agreed to TLS. */
  switched?: number;
  /** When the handshake began, and when it was over. */
  securing?: number;
  secured?: number;
  firstOctet?: number;
  /** The connection was reset before the first octet. */
  reset: boolean;
  closed: boolean;
  banner: Uint8Array;
  response: Uint8Array;
  matched?: boolean;
  session?: Omit<TlsSession, 'socket'>;
  /** The server's certificates, also when the handshake failed afterwards. */
  shown?: Shown;
  detail: TcpDetail;
}

export const startTrace = (now: number): TcpTrace => ({
  phase: 'resolve',
  started: now,
  attempts: [],
  reset: false,
  closed: false,
  banner: new Uint8Array(),
  response: new Uint8Array(),
  detail: { script: '', labels: [] },
});

const TIMEOUT_REASONS: Record<Phase, Reason> = {
  resolve: 'dns_timeout',
  connect: 'connect_timeout',
  starttls: 'starttls_failed',
  tls: 'tls_handshake',
  talk: 'answer_timeout',
};

/** The failure of a measurement that is out of time. */
export const timeoutOf = ({ phase }: Pick<TcpTrace, 'phase'>, ms: number): ProbeFailure =>
  new ProbeFailure(TIMEOUT_REASONS[phase], `no end after ${Math.round(ms)} ms`);
