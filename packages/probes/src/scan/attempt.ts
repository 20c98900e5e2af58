import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { ENDED, ProbeFailure, type ProbePorts } from '@vedette/contract';
import { IcmpRejection } from '../net/handshake/icmp-watch.ts';
import type { tcpInfo } from '../net/handshake/tcp-info.ts';
import { toMicroseconds } from '../ping/rtt.ts';
import { BANNER_MS, hear } from '../tcp/conversation.ts';
import { escaped, Talk } from '../tcp/talk.ts';
import { BANNER_OCTETS, type ScannedPort } from './job.ts';

export interface Target {
  host: string;
  /** Judged, with all ports. */
  address: string;
  info: Awaited<ReturnType<typeof tcpInfo>>;
  /** How long an answer is waited for. */
  wait_ms: number;
}

/**
 * Connects to the port once, and writes its state into `found`. The banner of an open port is read meanwhile: `listens` gets the
 * promise. Rejects with `ProbeFailure` where the attempt says nothing about the port.
 */
export async function tryPort(
  found: ScannedPort,
  { host, address, info, wait_ms }: Target,
  ports: ProbePorts,
  listens: (heard: Promise<void>) => void,
): Promise<void> {
  const { clock, dialler, health, signal } = ports;
  const over = new AbortController();
  const late = new AbortController();
  clock
    .sleep(wait_ms, over.signal)
    // An answer that is here already counts, even if a busy event loop has not read it yet.
    .then(() => setImmediate())
    .then(
      () => over.signal.aborted || late.abort(new ProbeFailure('connect_timeout', address)),
      () => {}, // it was answered before
    );
  const began = clock.now();
  try {
    const socket = await dialler.tcp({
      address,
      port: found.port,
      host,
      service: 'port',
      tellsIcmp: true,
      signal: AbortSignal.any([signal, late.signal]),
    });
    // The connection outlives the wait for it.
    over.abort(ENDED);
    found.state = 'open';
    found.rtt_ms = toMicroseconds(info.read(socket)?.rtt_ms ?? clock.now() - began);
    listens(listen(found, socket, ports));
  } catch (error) {
    if (!(error instanceof ProbeFailure)) throw error;
    if (signal.aborted) throw error;
    if (error.code === 'connect_refused') {
      // A reset behind the SYN-ACK, before Node had looked, is the server's own.
      found.state = (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNRESET' ? 'open' : 'closed';
      found.rtt_ms = toMicroseconds(clock.now() - began);
      health?.heard(address.includes(':') ? 'tcp6' : 'tcp4');
    } else if (error.code === 'connect_timeout' || error.code === 'connect_unreachable') {
      found.state = 'filtered';
      if (error.cause instanceof IcmpRejection) {
        found.icmp = error.cause.message;
        found.rtt_ms = toMicroseconds(clock.now() - began);
      }
    } else throw error;
  } finally {
    over.abort(ENDED);
  }
}

async function listen(found: ScannedPort, socket: Socket, { clock, signal }: ProbePorts): Promise<void> {
  const talk = new Talk(socket, clock, signal);
  try {
    await hear(talk, BANNER_MS, undefined, { clock });
  } finally {
    found.banner = escaped(talk.first.subarray(0, BANNER_OCTETS));
    socket.destroy();
  }
}
