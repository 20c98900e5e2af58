import { constants } from 'node:os';
import { type Clock, parseIp } from '@vedette/contract';
import { AF_INET, AF_INET6, errnoName, int, type Libc, MSG_DONTWAIT, MSG_ERRQUEUE, SOCK_STREAM } from '../../libc.ts';
import { LOCAL_REFUSALS } from '../../local-refusals.ts';
import { ownAddresses } from '../../own-addresses.ts';
import type { PathAnswer, PathOutcome, PathPacket } from '../path-types.ts';
import { mplsLabels } from './extensions.ts';
import { tellAll } from './icmp-socket.ts';
import { MessageBatch } from './message-batch.ts';
import { roundTripMs } from './round-trip.ts';
import { addressAt, sockaddr } from './sockaddr.ts';

/** An RST has no stamp: it is as old as the last poll. */
const POLL_MS = 1;
const SOL_TCP = 6;
const TCP_INFO = 11;
const TCP_INFO_BYTES = 104;
const [RTT_AT, RETRANSMITS_AT] = [68, 100];
const [TCP_ESTABLISHED, TCP_SYN_SENT, TCP_CLOSE] = [1, 2, 7];
const HOPS = { 4: { level: 0, option: 2 /* IP_TTL */ }, 6: { level: 41, option: 16 /* IPV6_UNICAST_HOPS */ } } as const;
/** Behind 128 bytes of the packet: the quotation lacks its IP header. */
const UNTOLD_EXTENSIONS_AT = { 4: 108, 6: 88 } as const;
/** SO_EE_ORIGIN_ICMP and SO_EE_ORIGIN_ICMP6. */
const FROM_ICMP: ReadonlySet<number> = new Set([2, 3]);

interface PendingSyn {
  fd: number;
  family: 4 | 6;
  address: string;
  wait_ms: number;
  sentAt: number;
  stamp_ms: number;
  settle(outcome: PathOutcome): void;
}

/** Traces by SYNs: a socket for each, as a connection has the TTL of its socket. No octet of data is sent. */
export class SynTracer {
  readonly #libc: Libc;
  readonly #clock: Clock;
  readonly #pending = new Set<PendingSyn>();
  #batch: MessageBatch | undefined;
  #timer: NodeJS.Timeout | undefined;
  #polledAt = -Infinity;

  constructor(libc: Libc, clock: Clock) {
    this.#libc = libc;
    this.#clock = clock;
  }

  send(address: string, { port, ttl, wait_ms }: PathPacket): Promise<PathOutcome> {
    const family = parseIp(address)!.version;
    const fd = this.#libc.socket(family === 4 ? AF_INET : AF_INET6, SOCK_STREAM, 0);
    try {
      tellAll(this.#libc, fd, family);
      const { level, option } = HOPS[family];
      this.#libc.setsockopt(fd, level, option, int(ttl));
    } catch (error) {
      this.#libc.close(fd);
      throw error;
    }
    const sentAt = this.#clock.now();
    const stamp_ms = this.#libc.realtime();
    const errno = this.#libc.connect(fd, sockaddr(address, port));
    if (errno !== 0 && errno !== constants.errno.EINPROGRESS) {
      this.#libc.close(fd);
      const name = errnoName(errno);
      return LOCAL_REFUSALS.has(name) ? Promise.resolve({ unsent: name }) : Promise.reject(new Error(`connect: ${name}`));
    }
    this.#timer ??= setInterval(() => this.#poll(), POLL_MS);
    return new Promise((settle) => this.#pending.add({ fd, family, address, wait_ms, sentAt, stamp_ms, settle }));
  }

  /** Closes its sockets; SYNs on their way end without an answer. */
  close(): void {
    for (const syn of this.#pending) this.#end(syn, {});
    this.#batch?.free();
    this.#batch = undefined;
  }

  #poll(): void {
    const now = this.#clock.now();
    for (const syn of this.#pending) {
      const outcome = this.#reported(syn, now) ?? this.#connected(syn, now) ?? (now - syn.sentAt > syn.wait_ms ? {} : undefined);
      if (outcome) this.#end(syn, outcome);
    }
    this.#polledAt = now;
  }

  #end(syn: PendingSyn, outcome: PathOutcome): void {
    this.#pending.delete(syn);
    this.#libc.close(syn.fd);
    syn.settle(outcome);
    if (this.#pending.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The ICMP error about a SYN. Reading it clears the socket's own error, so the queue is looked at first. */
  #reported({ fd, family, stamp_ms: left_ms, sentAt }: PendingSyn, now: number): PathOutcome | undefined {
    const batch = (this.#batch ??= new MessageBatch(this.#libc));
    const received = batch.receive(fd, MSG_ERRQUEUE | MSG_DONTWAIT);
    for (let index = 0; index < received; index++) {
      const { stamp_ms, hops, error } = batch.ancillary(index);
      if (!error || !FROM_ICMP.has(error.origin)) continue;
      const address = addressAt(batch.view, error.offenderAt);
      if (ownAddresses().includes(address)) return { unsent: errnoName(error.errno) };
      const latest_ms = now - sentAt;
      const rtt_ms = stamp_ms === undefined ? latest_ms : roundTripMs(stamp_ms - left_ms, this.#polledAt - sentAt, latest_ms);
      const labels = mplsLabels(
        batch.view,
        batch.packetAt(index) + (error.extensionsAt || UNTOLD_EXTENSIONS_AT[family]),
        batch.packetEnd(index),
      );
      return { answer: { address, rtt_ms, ttl: hops, kind: 'icmp', type: error.type, code: error.code, labels } };
    }
    return undefined;
  }

  /** The target's own answer to a SYN: the kernel has measured the round trip of a SYN-ACK, but not that of an RST. */
  #connected(syn: PendingSyn, now: number): PathOutcome | undefined {
    const { fd, address, sentAt } = syn;
    const info = new Uint8Array(TCP_INFO_BYTES);
    this.#libc.getsockopt(fd, SOL_TCP, TCP_INFO, info);
    const view = new DataView(info.buffer);
    const state = info[0]!;
    if (state === TCP_SYN_SENT) return undefined;
    const answer = (kind: PathAnswer['kind'], rtt_ms: number): PathOutcome => ({
      answer: { address, rtt_ms, ttl: 0, kind, type: 0, code: 0, labels: [] },
    });
    // An ICMP error that came a moment ago ends the connection, too.
    if (state === TCP_CLOSE) return this.#reported(syn, now) ?? answer('rst', now - sentAt);
    const isSure = state === TCP_ESTABLISHED && view.getUint32(RETRANSMITS_AT, true) === 0;
    return answer('syn_ack', isSure ? view.getUint32(RTT_AT, true) / 1_000 : now - sentAt);
  }
}
