import type { Socket } from 'node:net';
import { ENDED, ProbeFailure, type ProbePorts, type Reason } from '@vedette/contract';
import { IcmpRejection } from '../net/handshake/icmp-watch.ts';
import { tcpInfo } from '../net/handshake/tcp-info.ts';
import { toMicroseconds } from '../ping/rtt.ts';
import type { Attempt, PortState } from './result.ts';
import type { TcpTrace } from './trace.ts';

/** Apart by so much, whatever comes back. */
const INTERVAL_MS = 250;
/** A SYN that is lost is sent again after 1 s and after 3 s. */
const WAIT_MS = 5_000;

/** Failures that say what a port is. */
const STATES: Partial<Record<Reason, PortState>> = {
  connect_refused: 'refused',
  connect_unreachable: 'rejected',
  connect_timeout: 'filtered',
};
/** A word of the host itself counts more than one of the network, and that more than silence. */
const BY_WEIGHT: readonly Reason[] = ['connect_reset', 'connect_refused', 'connect_unreachable', 'connect_timeout'];

export interface AttemptsOptions {
  host: string;
  port: number;
  /** Judged; each is tried in turn. */
  addresses: readonly string[];
  count: number;
  signal: AbortSignal;
  /** Talks over the first connection that is accepted, and closes it. */
  talk(socket: Socket): Promise<void>;
}

/**
 * Connects so many times, at the pace of a clock. Rejects with `ProbeFailure`: what `talk` rejects with, else the weightiest of connect_reset,
 * connect_refused, connect_unreachable and connect_timeout where there was nothing to talk over; target_limited before the first one.
 */
export async function connectAll(trace: TcpTrace, options: AttemptsOptions, ports: ProbePorts): Promise<void> {
  const { host, port, addresses, count, signal } = options;
  const { clock, dialler, limits } = ports;
  const info = await tcpInfo();
  const failures: ProbeFailure[] = [];
  const running: Promise<void>[] = [];
  let talking: Promise<void> | undefined;
  const begun = clock.now();

  const connect = async (attempt: Attempt, release: () => void): Promise<void> => {
    const { ip_address: address } = attempt;
    const over = new AbortController();
    const late = new AbortController();
    clock.sleep(WAIT_MS, over.signal).then(
      () => late.abort(new ProbeFailure('connect_timeout', address)),
      () => {}, // it was answered before
    );
    const connecting = clock.now();
    try {
      const how = { address, port, host, service: 'port', tellsIcmp: true, signal: AbortSignal.any([signal, late.signal]) } as const;
      const socket = await dialler.tcp(how);
      const connected = clock.now();
      const kernel = info.read(socket);
      attempt.state = 'open';
      attempt.connect_ms = toMicroseconds(connected - connecting);
      attempt.rtt_ms = toMicroseconds(kernel?.rtt_ms ?? connected - connecting);
      attempt.syn_lost = kernel?.syn_lost ?? 0;
      socket.once('close', release);
      if (talking) return void socket.destroy();
      trace.talked = { address, connecting, connected };
      talking = options.talk(socket).finally(() => socket.destroy());
      talking.catch(() => {}); // awaited below
    } catch (error) {
      release();
      if (!(error instanceof ProbeFailure)) throw error;
      attempt.connect_ms = toMicroseconds(clock.now() - connecting);
      if (error.cause instanceof IcmpRejection) attempt.icmp = error.cause.message;
      // A SYN that is answered with RST is ECONNREFUSED: here the RST came behind the SYN-ACK, before Node had looked.
      const isReset = (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNRESET';
      attempt.state = isReset ? 'open' : (STATES[error.code] ?? attempt.state);
      failures.push(isReset ? new ProbeFailure('connect_reset', address) : error);
    } finally {
      over.abort(ENDED);
    }
  };

  for (let index = 0; index < count; index++) {
    const address = addresses[index % addresses.length]!;
    await clock.sleep(Math.max(0, begun + index * INTERVAL_MS - clock.now()), signal);
    let release: () => void;
    try {
      release = limits.http(address, host);
    } catch (error) {
      if (index === 0) throw error;
      break; // what was measured so far is the measurement
    }
    const began_ms = toMicroseconds(clock.now() - trace.started);
    const attempt: Attempt = { ip_address: address, state: 'filtered', began_ms, connect_ms: 0, rtt_ms: 0, syn_lost: 0, icmp: '' };
    trace.attempts.push(attempt);
    running.push(connect(attempt, release));
  }
  await Promise.all(running);
  if (talking) return await talking;
  const known = BY_WEIGHT.map((code) => failures.find((failure) => failure.code === code)).find((failure) => failure !== undefined);
  trace.reset = known?.code === 'connect_reset';
  throw known ?? failures[0]!;
}
