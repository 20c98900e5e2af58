import { constants } from 'node:os';
import type { Clock, EchoOptions } from '@vedette/contract';
import { EchoTable, type PendingEcho } from '../echo-table.ts';
import { mplsLabels } from './extensions.ts';
import { type IcmpSocket, keepWhole } from './icmp-socket.ts';
import { errnoName, type Libc, MSG_DONTWAIT, MSG_ERRQUEUE, SystemCallError } from '../../libc.ts';
import { MessageBatch, type SocketError } from './message-batch.ts';
import { Outgoing } from './outgoing.ts';
import { checksum, ECHO_BYTES, echoTemplate, HEADER_BYTES, ipv4HeaderBytes, readEcho, writeEchoRequest } from '../message.ts';
import type { EchoOutcome } from '../pace.ts';
import { ownAddresses } from '../../own-addresses.ts';
import type { PathAnswer } from '../path-types.ts';
import { roundTripMs } from './round-trip.ts';
import { addressAt, sameAddress, sockaddr } from './sockaddr.ts';
import { LOCAL_REFUSALS } from '../../local-refusals.ts';
import { unreachableText } from '../unreachable.ts';

const POLL_MS = 5;
/** Batches read per poll and queue: bounds what a flood of packets may cost. */
const MAX_BATCHES = 64;
const KNOWN_SOCKADDRS = 1024;
/** How often an echo is handed over, where an error of others comes each time before it: in a flood, one in a thousand needs a third time. */
const MAX_SENDS = 8;
/** The kernel queues an error before it makes it the socket's, so one may be left that was read from the queue before. Not twice. */
const MAX_UNQUEUED = 1;

const { EAGAIN, EACCES, ECONNREFUSED, EHOSTUNREACH, EMSGSIZE, ENETUNREACH, ENOPROTOOPT, EOPNOTSUPP, EPROTO } = constants.errno;
const [ENONET, EHOSTDOWN, EREMOTEIO] = [64, 112, 121]; // those that Node does not name
/** Errnos that this machine's routing gives too, and then at each send, whatever the queue holds. */
const MAY_BE_OURS: ReadonlySet<number> = new Set([EACCES, EHOSTUNREACH, ENETUNREACH]);
/** The errnos of ICMP errors: icmp_err_convert and ping_err in the kernel's net/ipv4, icmpv6_err_convert in net/ipv6. */
const TOLD_BY_ICMP: ReadonlySet<number> = new Set([
  ...MAY_BE_OURS,
  ECONNREFUSED,
  EHOSTDOWN,
  EMSGSIZE,
  ENONET,
  ENOPROTOOPT,
  EOPNOTSUPP,
  EPROTO,
  EREMOTEIO,
]);

/** Where routers older than RFC 4884 put extensions, behind 128 bytes of the packet: the quotation here lacks its IP header. */
const UNTOLD_EXTENSIONS_AT = { 4: 108, 6: 88 } as const;

const SO_EE_ORIGIN_LOCAL = 1;
const SO_EE_ORIGIN_ICMP = 2;
const SO_EE_ORIGIN_ICMP6 = 3;
const SO_EE_ORIGIN_TIMESTAMPING = 4;

/**
 * Echoes over one ICMP socket. The kernel stamps what leaves and what arrives, so replies can be collected lazily, every
 * few milliseconds and only while echoes are on their way: how busy the event loop is does not show in the times.
 */
export class KernelPinger {
  readonly table = new EchoTable();
  readonly #libc: Libc;
  readonly #clock: Clock;
  readonly #socket: IcmpSocket;
  readonly #batch: MessageBatch;
  readonly #outgoing: Outgoing;
  readonly #text: string;
  readonly #packet: Uint8Array;
  readonly #packetView: DataView;
  readonly #sockaddrs = new Map<string, Uint8Array>();
  #timer: NodeJS.Timeout | undefined;
  /** Echoes sent since the last poll. */
  #unread = 0;
  /** Everything that had arrived by then has been read. */
  #drainedAt = -Infinity;
  /** The MTU by which the interface last refused a packet. */
  #interfaceMtu = 0;
  #closed = false;

  constructor(libc: Libc, clock: Clock, socket: IcmpSocket, text: string) {
    this.#libc = libc;
    this.#clock = clock;
    this.#socket = socket;
    this.#batch = new MessageBatch(libc);
    this.#outgoing = new Outgoing(libc);
    this.#packet = echoTemplate(text);
    this.#packetView = new DataView(this.#packet.buffer);
    this.#text = text;
  }

  /** Sends one echo, over UDP to a port. Rejects only for defects; a refusal by the network, or by this machine, is an outcome. */
  send(address: string, { wait_ms, strays, shape }: Pick<EchoOptions, 'wait_ms' | 'strays' | 'shape'>, port = 0): Promise<EchoOutcome> {
    return new Promise((resolve, reject) => {
      if (this.#closed) throw new Error('the engine was closed'); // its descriptor may be another file by now
      if (this.#timer === undefined) {
        this.#poll(); // stragglers of the last run would take the buffer's room
        this.#timer = setInterval(() => this.#poll(), POLL_MS);
      }
      const packet = shape?.payload_bytes === undefined ? this.#packet : echoTemplate(this.#text, HEADER_BYTES + shape.payload_bytes);
      using shaped = new DisposableStack();
      if (shape?.dont_fragment || shape?.probes_mtu) shaped.defer(keepWhole(this.#libc, this.#socket, shape));
      const sentAt = this.#clock.now();
      const stamp_ms = this.#libc.realtime();
      const echo = this.table.add(
        { sockaddr: this.#sockaddr(address, port), wait_ms, sentAt, stamp_ms, strays, settle: resolve },
        shape?.flow,
      );
      writeEchoRequest(
        packet === this.#packet ? this.#packetView : new DataView(packet.buffer),
        this.#socket.family,
        this.#socket.id,
        echo.seq,
        echo.cookie,
      );
      const errno = this.#transmit(echo, packet, shape?.ttl);
      // A burst is read as it goes: its stamps and replies would outgrow the socket's buffer, and the caches.
      if (++this.#unread >= this.#batch.size) this.#poll();
      if (errno === 0) return;
      if (errno === EMSGSIZE && shape?.probes_mtu) return resolve({ unsent: 'EMSGSIZE', interface_mtu: this.#interfaceMtu });
      if (errno === EMSGSIZE && shape?.dont_fragment) return resolve({ unreachable: 'Message too long' });
      const error = new SystemCallError('sendto', errno);
      if (LOCAL_REFUSALS.has(error.code)) resolve({ unsent: error.code });
      else reject(error);
    });
  }

  /** Closes the socket; echoes on their way end without a reply. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    this.table.expire(Infinity);
    this.#libc.close(this.#socket.fd);
    this.#batch.free();
    this.#outgoing.free();
  }

  /** Sends, or returns the errno; the echo is pending only when it was sent. */
  #transmit(echo: PendingEcho, packet: Uint8Array, ttl: number | undefined): number {
    const { fd, family } = this.#socket;
    const send = () =>
      ttl === undefined
        ? this.#libc.sendto(fd, packet, echo.sockaddr)
        : this.#outgoing.send(fd, family, { packet, address: echo.sockaddr, ttl });
    let errno = send();
    if (errno === 0) return 0;
    // An error in the queue about this echo comes from our own firewall: the echo was not sent.
    this.table.remove(echo);
    // The kernel tells of an ICMP error on the next call, whatever it is, and sends nothing then: it may be about an earlier echo, to someone
    // else. Reading the queue clears it; the next one may come before the next call.
    for (let tries = 1, quiet = 0; tries < MAX_SENDS && TOLD_BY_ICMP.has(errno); tries++) {
      if (!this.#readErrors(this.#clock.now()) && MAY_BE_OURS.has(errno) && ++quiet > MAX_UNQUEUED) break;
      errno = send();
      if (errno === 0) this.table.restore(echo);
    }
    return errno;
  }

  #sockaddr(address: string, port = 0): Uint8Array {
    const key = `${address} ${port}`;
    let known = this.#sockaddrs.get(key);
    if (!known) {
      if (this.#sockaddrs.size >= KNOWN_SOCKADDRS) this.#sockaddrs.clear();
      this.#sockaddrs.set(key, (known = sockaddr(address, port)));
    }
    return known;
  }

  #poll(): void {
    const now = this.#clock.now();
    this.#unread = 0;
    this.#readErrors(now);
    const drained = this.#drain(0, (index) => this.#readReply(index, now));
    this.table.expire(now);
    if (drained) this.#drainedAt = now;
    if (this.table.pending > 0 || this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Reads one of the socket's queues until it is empty. False when it was not emptied. */
  #drain(flags: number, read: (index: number) => void): boolean {
    for (let batches = 0; batches < MAX_BATCHES; batches++) {
      const received = this.#batch.receive(this.#socket.fd, flags | MSG_DONTWAIT);
      for (let index = 0; index < received; index++) read(index);
      // A negative count may be an ICMP error reported here, as above; EAGAIN shows up on the next round then.
      if (received >= 0 && received < this.#batch.size) return true;
      if (received === -EAGAIN) return true;
    }
    return false;
  }

  /** The error queue: stamps of what we sent, and ICMP errors about it. Returns whether there was such an error. */
  #readErrors(now: number): boolean {
    let hasError = false;
    this.#drain(MSG_ERRQUEUE, (index) => {
      const { stamp_ms, hops, error } = this.#batch.ancillary(index);
      const end = this.#batch.packetEnd(index);
      if (error?.origin === SO_EE_ORIGIN_TIMESTAMPING) {
        // The packet as it left, link and IP header included: the echo is its end.
        const echo = this.#find(end - ECHO_BYTES, end);
        if (!echo || stamp_ms === undefined || echo.stampedByKernel) return;
        echo.stamp_ms = stamp_ms;
        echo.stampedByKernel = true;
      } else if (error?.origin === SO_EE_ORIGIN_LOCAL) {
        if (error.errno === EMSGSIZE) this.#interfaceMtu = error.info;
      } else if (error?.origin === SO_EE_ORIGIN_ICMP || error?.origin === SO_EE_ORIGIN_ICMP6) {
        hasError = true;
        // The router's quotation of our packet, from the ICMP header on; the name is the packet's destination.
        const start = this.#batch.packetAt(index);
        const echo = this.#find(start, end);
        const unreachable = unreachableText(this.#socket.family, error.type, error.code);
        if (!echo || unreachable === undefined || !sameAddress(echo.sockaddr, this.#batch.bytes, this.#batch.nameAt(index))) return;
        if (this.#isOwn(error.offenderAt)) return this.table.settle(echo, { unsent: errnoName(error.errno) });
        const rtt_ms = this.#roundTrip(echo, stamp_ms, now);
        this.table.settle(echo, rtt_ms > echo.wait_ms ? {} : { unreachable, error: this.#answer(error, { start, end, rtt_ms, hops }) });
      }
    });
    return hasError;
  }

  #answer(
    { type, code, info, extensionsAt, offenderAt }: SocketError,
    { start, end, rtt_ms, hops }: { start: number; end: number; rtt_ms: number; hops: number },
  ): PathAnswer {
    const { view } = this.#batch;
    const { family, hidden } = this.#socket;
    const labels = mplsLabels(view, start + (extensionsAt || UNTOLD_EXTENSIONS_AT[family] - hidden), end);
    const isTooBig = family === 4 ? type === 3 && code === 4 : type === 2;
    const answer: PathAnswer = { address: addressAt(view, offenderAt), rtt_ms, ttl: hops, kind: 'icmp', type, code, labels };
    return isTooBig ? { ...answer, mtu: info } : answer;
  }

  /** Whether an address in the batch is this machine's: its firewall reports by ICMP too, and so it tells of a next hop that is gone. */
  #isOwn(offset: number): boolean {
    return ownAddresses().some((address) => sameAddress(this.#sockaddr(address), this.#batch.bytes, offset));
  }

  /** The pending echo whose request stands between two offsets of the batch. */
  #find(start: number, end: number): PendingEcho | undefined {
    const header = readEcho(this.#batch.view, start, end, this.#socket.family);
    return header?.request && header.id === this.#socket.id ? this.table.find(header) : undefined;
  }

  #readReply(index: number, now: number): void {
    const { family, raw, id, answersAnyhow } = this.#socket;
    const isFrom = (address: Uint8Array) => sameAddress(address, this.#batch.bytes, this.#batch.nameAt(index));
    if (answersAnyhow) {
      const echo = this.table.oldest(({ sockaddr: to }) => isFrom(to));
      if (echo) this.#settleReply(echo, index, now);
      return;
    }
    const end = this.#batch.packetEnd(index);
    let start = this.#batch.packetAt(index);
    if (raw && family === 4) {
      start += ipv4HeaderBytes(this.#batch.view, start);
      if (checksum(this.#batch.view, start, end) !== 0) return; // checked by the kernel on all other sockets
    }
    const header = readEcho(this.#batch.view, start, end, family);
    if (!header?.reply || header.id !== id) return;
    const echo = header.cookie && this.table.find(header);
    if (!echo || !isFrom(echo.sockaddr)) {
      this.table.countStray(header, isFrom);
      return;
    }
    if (!this.#settleReply(echo, index, now, end - start)) this.table.countStray(header, isFrom);
  }

  /** Returns whether the reply was in time. */
  #settleReply(echo: PendingEcho, index: number, now: number, bytes = 0): boolean {
    const { stamp_ms, hops } = this.#batch.ancillary(index);
    const rtt_ms = this.#roundTrip(echo, stamp_ms, now);
    const inTime = rtt_ms <= echo.wait_ms;
    this.table.settle(echo, inTime ? { reply: { rtt_ms, ttl: hops, bytes } } : {});
    return inTime;
  }
  #roundTrip({ sentAt, stamp_ms: left_ms }: PendingEcho, stamp_ms: number | undefined, now: number): number {
    const latest_ms = now - sentAt;
    return stamp_ms === undefined ? latest_ms : roundTripMs(stamp_ms - left_ms, this.#drainedAt - sentAt, latest_ms);
  }
}
