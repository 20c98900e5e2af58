import type { PathAnswer, PathOutcome } from '../net/icmp/path-types.ts';

/** A packet of a trace. `outcome` is undefined until it is known. */
export interface TracePacket {
  ttl: number;
  flow: number;
  outcome: PathOutcome | undefined;
}

/** Why packets of a flow need to go no further. */
type End = 'target' | 'unreachable' | 'loop';

interface FlowEnd {
  ttl: number;
  by: End;
}

/** Once a round was silent from there on, so many hops behind the last answer are tried in later ones: the next may only have lost it. */
const TRIED_BEYOND = 3;
/** A router between others that is seen so often sends packets in a circle. */
const SIGHTS_OF_A_LOOP = 3;

/** The packets of one trace and what came of them. */
export class Path {
  readonly target: string;
  readonly maxHops: number;
  readonly packets: TracePacket[] = [];
  readonly #ends: (FlowEnd | undefined)[];

  constructor(target: string, { max_hops, flows }: { max_hops: number; flows: number }) {
    this.target = target;
    this.maxHops = max_hops;
    this.#ends = Array.from({ length: flows }, () => undefined);
  }

  /** The packet is to be sent. */
  add(ttl: number, flow: number): TracePacket {
    const packet: TracePacket = { ttl, flow, outcome: undefined };
    this.packets.push(packet);
    return packet;
  }

  settle(packet: TracePacket, outcome: PathOutcome): void {
    packet.outcome = outcome;
    const { answer } = outcome;
    if (!answer) return;
    const end = this.#endBy(packet, answer);
    if (end && end.ttl <= (this.#ends[packet.flow]?.ttl ?? this.maxHops)) this.#ends[packet.flow] = end;
  }

  /** Where a flow ends, as far as is known: at the target, at a router that passes nothing on, or in a circle. */
  end(flow: number): FlowEnd | undefined {
    return this.#ends[flow];
  }

  /** Whether all flows have ended. */
  get ended(): boolean {
    return this.#ends.every((end) => end !== undefined);
  }

  get reached(): boolean {
    return this.#ends.some((end) => end?.by === 'target');
  }

  /** The last hop to send to. `again`: a round has passed, and its silence counts. */
  lastTtl(flow: number, again: boolean): number {
    const end = this.#ends[flow];
    if (end) return end.ttl;
    return again ? Math.min(this.maxHops, this.lastAnswered() + TRIED_BEYOND) : this.maxHops;
  }

  /** The farthest hop of which an answer came; 0 without one. */
  lastAnswered(): number {
    return this.packets.reduce((last, { ttl, outcome }) => (outcome?.answer ? Math.max(last, ttl) : last), 0);
  }

  #endBy({ ttl, flow }: TracePacket, answer: PathAnswer): FlowEnd | undefined {
    if (answer.address === this.target) return { ttl, by: 'target' };
    if (!isTimeExceeded(answer)) return { ttl, by: 'unreachable' };
    const loopAt = this.#loopAt(flow);
    return loopAt === undefined ? undefined : { ttl: loopAt, by: 'loop' };
  }

  /** The hop at which a router is seen for the third time, each time behind another. The same one twice in a row is a router's quirk, or a NAT. */
  #loopAt(flow: number): number | undefined {
    const byTtl = new Map<number, string>();
    for (const packet of this.packets)
      if (packet.flow === flow && packet.outcome?.answer) byTtl.set(packet.ttl, packet.outcome.answer.address);
    const sights = new Map<string, number>();
    let last = '';
    for (const [ttl, address] of [...byTtl].toSorted(([one], [other]) => one - other)) {
      if (address === last) continue;
      last = address;
      const seen = (sights.get(address) ?? 0) + 1;
      if (seen === SIGHTS_OF_A_LOOP) return ttl;
      sights.set(address, seen);
    }
    return undefined;
  }
}

/** ICMP type 11, ICMPv6 type 3: what a router says of a packet that may go no further. */
function isTimeExceeded({ address, kind, type }: PathAnswer): boolean {
  return kind === 'icmp' && type === (address.includes(':') ? 3 : 11);
}
