import { type Arena, type Libc, timespecMs } from '../../libc.ts';

const BATCH = 32;
// struct mmsghdr, iovec, sockaddr_in6 and the buffers, per message. A packet larger than its buffer is cut.
const MMSGHDR_BYTES = 64;
const IOVEC_BYTES = 16;
const NAME_BYTES = 32;
const PACKET_BYTES = 2048;
const CONTROL_BYTES = 256;
const CMSGHDR_BYTES = 16;
const EXTENDED_ERROR_BYTES = 16;
const EXTENSIONS_INVALID = 1;

const SOL_SOCKET = 1;
const SOL_IP = 0;
const SOL_IPV6 = 41;
const SCM_TIMESTAMPING = 37;
const IP_TTL = 2;
const IP_RECVERR = 11;
const IPV6_HOPLIMIT = 52;
const IPV6_RECVERR = 25;

/** The kernel's control data of a packet. */
export interface Ancillary {
  /** Software stamp of sending or receiving, CLOCK_REALTIME in ms; undefined without a stamp. */
  stamp_ms: number | undefined;
  /** TTL or hop limit of the packet as it arrived; 0 when not told. */
  hops: number;
  /** `struct sock_extended_err`, on the error queue only, and the offset of the reporter's sockaddr. */
  error: SocketError | undefined;
}

export interface SocketError {
  errno: number;
  origin: number;
  type: number;
  code: number;
  /** The next hop's MTU, of a packet that was too big. */
  info: number;
  /** Where the extensions of RFC 4884 start in the quotation; 0 where the message does not say, or has none in order. */
  extensionsAt: number;
  offenderAt: number;
}

/** Room for a batch of received messages, and how to read them where the kernel put them. */
export class MessageBatch {
  readonly size = BATCH;
  readonly view: DataView;
  readonly bytes: Uint8Array;
  readonly #libc: Libc;
  readonly #arena: Arena;

  constructor(libc: Libc) {
    this.#libc = libc;
    this.#arena = libc.alloc(BATCH * (MMSGHDR_BYTES + IOVEC_BYTES + NAME_BYTES + PACKET_BYTES + CONTROL_BYTES));
    this.view = this.#arena.view;
    this.bytes = this.#arena.bytes;
    const { pointer } = this.#arena;
    for (let index = 0; index < BATCH; index++) {
      const header = index * MMSGHDR_BYTES;
      const iovec = IOVECS + index * IOVEC_BYTES;
      this.view.setBigUint64(header, pointer + BigInt(this.nameAt(index)), true);
      this.view.setBigUint64(header + 16, pointer + BigInt(iovec), true);
      this.view.setBigUint64(header + 24, 1n, true);
      this.view.setBigUint64(header + 32, pointer + BigInt(CONTROLS + index * CONTROL_BYTES), true);
      this.view.setBigUint64(iovec, pointer + BigInt(this.packetAt(index)), true);
      this.view.setUint32(iovec + 8, PACKET_BYTES, true);
    }
  }

  /** Receives what is there, without waiting. Returns how many messages came, or -errno. */
  receive(fd: number, flags: number): number {
    for (let index = 0; index < BATCH; index++) {
      const header = index * MMSGHDR_BYTES;
      this.view.setUint32(header + 8, NAME_BYTES, true);
      this.view.setUint32(header + 40, CONTROL_BYTES, true);
    }
    return this.#libc.recvmmsg(fd, this.#arena.pointer, BATCH, flags);
  }

  /** Where the peer's sockaddr starts. */
  nameAt(index: number): number {
    return NAMES + index * NAME_BYTES;
  }

  packetAt(index: number): number {
    return PACKETS + index * PACKET_BYTES;
  }

  packetEnd(index: number): number {
    return this.packetAt(index) + this.view.getUint32(index * MMSGHDR_BYTES + 56, true);
  }

  ancillary(index: number): Ancillary {
    const found: Ancillary = { stamp_ms: undefined, hops: 0, error: undefined };
    const view = this.view;
    const start = CONTROLS + index * CONTROL_BYTES;
    const end = start + view.getUint32(index * MMSGHDR_BYTES + 40, true);
    for (let at = start; at + CMSGHDR_BYTES <= end;) {
      const length = view.getUint32(at, true);
      if (length < CMSGHDR_BYTES) break;
      const level = view.getInt32(at + 8, true);
      const type = view.getInt32(at + 12, true);
      const data = at + CMSGHDR_BYTES;
      if (level === SOL_SOCKET && type === SCM_TIMESTAMPING) found.stamp_ms = timespecMs(view, data) || undefined;
      else if ((level === SOL_IP && type === IP_TTL) || (level === SOL_IPV6 && type === IPV6_HOPLIMIT))
        found.hops = view.getInt32(data, true);
      else if ((level === SOL_IP && type === IP_RECVERR) || (level === SOL_IPV6 && type === IPV6_RECVERR))
        found.error = {
          errno: view.getUint32(data, true),
          origin: view.getUint8(data + 4),
          type: view.getUint8(data + 5),
          code: view.getUint8(data + 6),
          info: view.getUint32(data + 8, true),
          extensionsAt: (view.getUint8(data + 14) & EXTENSIONS_INVALID) === 0 ? view.getUint16(data + 12, true) : 0,
          offenderAt: data + EXTENDED_ERROR_BYTES,
        };
      at += (length + 7) & ~7;
    }
    return found;
  }

  free(): void {
    this.#arena.free();
  }
}

const IOVECS = BATCH * MMSGHDR_BYTES;
const NAMES = IOVECS + BATCH * IOVEC_BYTES;
const PACKETS = NAMES + BATCH * NAME_BYTES;
const CONTROLS = PACKETS + BATCH * PACKET_BYTES;
