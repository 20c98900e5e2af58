import { type Clock, parseIp } from '@vedette/contract';
import type { Libc } from '../../libc.ts';
import { HEADER_BYTES } from '../message.ts';
import type { EchoOutcome } from '../pace.ts';
import type { PathAnswer, PathOutcome, PathPacket, PathTracer } from '../path-types.ts';
import { openUdpSocket } from './icmp-socket.ts';
import { KernelPinger } from './pinger.ts';
import { SynTracer } from './syn-tracer.ts';

const IP_HEADER_BYTES = { 4: 20, 6: 40 } as const;
/** All traces of this machine together send a packet in so many ms, whatever their jobs are. */
const GAP_MS = 2;

export interface KernelTracerOptions {
  libc: Libc;
  clock: Clock;
  /** The text of every echo. */
  text: string;
  /** The socket of pings over ICMP. */
  pingerFor: (address: string) => KernelPinger;
}

/** Traces by echoes, on the sockets that pings have; by the same echoes in UDP; by SYNs. */
export class KernelTracer implements PathTracer {
  readonly #options: KernelTracerOptions;
  readonly #syns: SynTracer;
  /** The UDP sockets by family and flow: each has a source port of its own, and routers that look at ports keep it on one path. */
  readonly #udp = new Map<string, KernelPinger>();
  #nextAt = -Infinity;

  constructor(options: KernelTracerOptions) {
    this.#options = options;
    this.#syns = new SynTracer(options.libc, options.clock);
  }

  async send(address: string, packet: PathPacket, signal: AbortSignal): Promise<{ outcome: Promise<PathOutcome> }> {
    await this.#pace(signal);
    return { outcome: this.#send(address, packet) };
  }

  close(): void {
    for (const pinger of this.#udp.values()) pinger.close();
    this.#udp.clear();
    this.#syns.close();
  }

  async #send(address: string, packet: PathPacket): Promise<PathOutcome> {
    const { protocol, port, ttl, flow, wait_ms, bytes } = packet;
    if (protocol === 'tcp') return await this.#syns.send(address, packet);
    const headers = HEADER_BYTES + IP_HEADER_BYTES[parseIp(address)!.version];
    const shape = bytes === undefined ? { ttl, flow } : { ttl, flow, payload_bytes: bytes - headers, probes_mtu: true };
    if (protocol === 'icmp')
      return outcomeOf(address, 'echo_reply', await this.#options.pingerFor(address).send(address, { wait_ms, shape }));
    return outcomeOf(address, 'datagram', await this.#udpFor(address, flow).send(address, { wait_ms, shape }, port));
  }

  #udpFor(address: string, flow: number): KernelPinger {
    const family = parseIp(address)!.version;
    const key = `${family} ${flow}`;
    let pinger = this.#udp.get(key);
    if (!pinger) {
      const { libc, clock, text } = this.#options;
      this.#udp.set(key, (pinger = new KernelPinger(libc, clock, openUdpSocket(libc, family), text)));
    }
    return pinger;
  }

  async #pace(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { clock } = this.#options;
    const now = clock.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + GAP_MS;
    if (at > now) await clock.sleep(at - now, signal);
  }
}

function outcomeOf(address: string, kind: PathAnswer['kind'], { reply, error, unsent, interface_mtu }: EchoOutcome): PathOutcome {
  if (reply) return { answer: { address, rtt_ms: reply.rtt_ms, ttl: reply.ttl, kind, type: 0, code: 0, labels: [] } };
  if (error) return { answer: error };
  return unsent === undefined ? {} : { unsent, ...(interface_mtu !== undefined && { interface_mtu }) };
}
