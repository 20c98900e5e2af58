import type { Arena, Libc } from '../../libc.ts';

// struct msghdr, iovec, sockaddr_in6, one control message with an int, and the packet.
const IOVEC_AT = 56;
const NAME_AT = 72;
const CONTROL_AT = 104;
const CONTROL_BYTES = 24;
const PACKET_AT = 128;
/** A jumbo frame. */
const PACKET_MAX_BYTES = 9_216;

/** The control message that says how many hops a packet may take. */
const HOPS = { 4: { level: 0, type: 2 /* IP_TTL */ }, 6: { level: 41, type: 52 /* IPV6_HOPLIMIT */ } } as const;

/** Room for one packet with its own TTL: it is told beside the packet, so the socket is as before for the next. */
export class Outgoing {
  readonly #libc: Libc;
  readonly #arena: Arena;

  constructor(libc: Libc) {
    this.#libc = libc;
    this.#arena = libc.alloc(PACKET_AT + PACKET_MAX_BYTES);
    const { view, pointer } = this.#arena;
    view.setBigUint64(0, pointer + BigInt(NAME_AT), true);
    view.setBigUint64(16, pointer + BigInt(IOVEC_AT), true);
    view.setBigUint64(24, 1n, true);
    view.setBigUint64(32, pointer + BigInt(CONTROL_AT), true);
    view.setBigUint64(40, BigInt(CONTROL_BYTES), true);
    view.setBigUint64(IOVEC_AT, pointer + BigInt(PACKET_AT), true);
    view.setBigUint64(CONTROL_AT, 20n, true);
  }

  /** 0, or the errno. */
  send(fd: number, family: 4 | 6, { packet, address, ttl }: { packet: Uint8Array; address: Uint8Array; ttl: number }): number {
    const { view, bytes, pointer } = this.#arena;
    const { level, type } = HOPS[family];
    bytes.set(address, NAME_AT);
    view.setUint32(8, address.length, true);
    view.setInt32(CONTROL_AT + 8, level, true);
    view.setInt32(CONTROL_AT + 12, type, true);
    view.setInt32(CONTROL_AT + 16, ttl, true);
    bytes.set(packet, PACKET_AT);
    view.setBigUint64(IOVEC_AT + 8, BigInt(packet.length), true);
    return this.#libc.sendmsg(fd, pointer);
  }

  free(): void {
    this.#arena.free();
  }
}
