import type { Socket } from 'node:net';
import { type Libc, loadLibc } from '../libc.ts';

const SOL_TCP = 6;
const TCP_INFO = 11;
// struct tcp_info of Linux.
const INFO_BYTES = 104;
const RTT_AT = 68;
const RETRANSMITS_AT = 100;

/** A handshake as the kernel timed it. */
export interface KernelHandshake {
  /** Time from the SYN to its answer, ms; whole ms where a SYN was sent again. */
  rtt_ms: number;
  /** SYNs that were sent again. */
  syn_lost: number;
}

let libc: Promise<Libc | undefined> | undefined;

/** Loads what `read` needs. `read` is for a socket that has just connected, whose first data has not been answered yet; undefined where the kernel does not tell. */
export async function tcpInfo(): Promise<{ read(socket: Socket): KernelHandshake | undefined }> {
  libc ??= loadLibc().catch(() => undefined);
  const calls = await libc;
  return { read: (socket) => calls && readWith(calls, socket) };
}

function readWith({ getsockopt }: Libc, socket: Socket & { _handle?: { fd?: unknown } | null }): KernelHandshake | undefined {
  const fd = socket._handle?.fd; // oxlint-disable-line no-underscore-dangle -- Node has no other way to the descriptor
  if (typeof fd !== 'number' || fd < 0) return undefined;
  const info = new Uint8Array(INFO_BYTES);
  try {
    getsockopt(fd, SOL_TCP, TCP_INFO, info);
  } catch {
    return undefined; // closed already
  }
  const view = new DataView(info.buffer);
  const rtt_ms = view.getUint32(RTT_AT, true) / 1000;
  return rtt_ms > 0 ? { rtt_ms, syn_lost: view.getUint32(RETRANSMITS_AT, true) } : undefined;
}
