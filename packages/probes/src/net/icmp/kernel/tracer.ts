import type { Clock } from '@vedette/contract';
import type { EchoOutcome } from '../pace.ts';
import type { PathOutcome, PathPacket, PathTracer } from '../path-types.ts';
import type { KernelPinger } from './pinger.ts';

/** All traces of this machine together send a packet in so many ms, whatever their jobs are. */
const GAP_MS = 2;

/** Traces by echoes, on the sockets that pings have. */
export class KernelTracer implements PathTracer {
  readonly #clock: Clock;
  readonly #pingerFor: (address: string) => KernelPinger;
  #nextAt = -Infinity;

  constructor(clock: Clock, pingerFor: (address: string) => KernelPinger) {
    this.#clock = clock;
    this.#pingerFor = pingerFor;
  }

  async send(address: string, packet: PathPacket, signal: AbortSignal): Promise<{ outcome: Promise<PathOutcome> }> {
    await this.#pace(signal);
    return { outcome: this.#echo(address, packet) };
  }

  async #echo(address: string, { ttl, flow, wait_ms }: PathPacket): Promise<PathOutcome> {
    return outcomeOf(address, await this.#pingerFor(address).send(address, { wait_ms, shape: { ttl, flow } }));
  }

  async #pace(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const now = this.#clock.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + GAP_MS;
    if (at > now) await this.#clock.sleep(at - now, signal);
  }
}

function outcomeOf(address: string, { reply, error, unsent }: EchoOutcome): PathOutcome {
  if (reply) return { answer: { address, rtt_ms: reply.rtt_ms, ttl: reply.ttl, kind: 'echo_reply', type: 0, code: 0, labels: [] } };
  if (error) return { answer: error };
  return unsent === undefined ? {} : { unsent };
}
