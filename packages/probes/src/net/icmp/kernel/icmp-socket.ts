import { randomInt } from 'node:crypto';
import type { EchoShape } from '@vedette/contract';
import { AF_INET, AF_INET6, int, IPPROTO_ICMP, IPPROTO_ICMPV6, type Libc, SOCK_DGRAM, SOCK_RAW, SystemCallError } from '../../libc.ts';
import { sockaddr } from './sockaddr.ts';

const SOL_SOCKET = 1;
const SO_RCVBUF = 8;
const SO_ATTACH_FILTER = 26;
const SO_TIMESTAMPING = 37;
// Stamps of sending and receiving, made in software. Not OPT_TSONLY: the packet that comes back beside its stamp says whose it is.
const TIMESTAMPING = 0x2 /* TX_SOFTWARE */ | 0x8 /* RX_SOFTWARE */ | 0x10; /* SOFTWARE */
const RECEIVE_BUFFER_BYTES = 4 << 20; // the kernel caps it at net.core.rmem_max

const FAMILIES = {
  4: {
    domain: AF_INET,
    protocol: IPPROTO_ICMP,
    any: '0.0.0.0',
    level: 0,
    recvHops: 12 /* IP_RECVTTL */,
    recvErrors: 11 /* IP_RECVERR */,
    extensions: 26 /* IP_RECVERR_RFC4884 */,
  },
  6: {
    domain: AF_INET6,
    protocol: IPPROTO_ICMPV6,
    any: '::',
    level: 41,
    recvHops: 51 /* IPV6_RECVHOPLIMIT */,
    recvErrors: 25,
    extensions: 31,
  },
} as const;

const MTU_DISCOVER = { 4: 10 /* IP_MTU_DISCOVER */, 6: 23 /* IPV6_MTU_DISCOVER */ } as const;
const IPV6_DONTFRAG = 62;
const UDP_HEADER_BYTES = 8;
const [PMTUDISC_WANT, PMTUDISC_DO, PMTUDISC_PROBE] = [1, 2, 3];

/** Keeps what the socket sends whole; the returned function resets that. Call both in one turn, since all echoes share the socket. */
export function keepWhole(libc: Libc, { fd, family }: IcmpSocket, { probes_mtu }: EchoShape): () => void {
  const { level } = FAMILIES[family];
  const set = (discover: number, whole: number) => {
    libc.setsockopt(fd, level, MTU_DISCOVER[family], int(discover));
    if (family === 6) libc.setsockopt(fd, level, IPV6_DONTFRAG, int(whole));
  };
  set(probes_mtu ? PMTUDISC_PROBE : PMTUDISC_DO, 1);
  return () => set(PMTUDISC_WANT, 0);
}

export interface IcmpSocket {
  fd: number;
  family: 4 | 6;
  /** Whether packets come with their IPv4 header, and those of other processes too. */
  raw: boolean;
  /** The ICMP identifier, random. */
  id: number;
  /** Bytes before the echo in a packet that are not in a router's quotation as the kernel hands it over, beside the IP header. */
  hidden: number;
  /** Whether a target answers an echo in whatever way it likes, and not with an echo reply. */
  answersAnyhow: boolean;
}

/**
 * An ICMP socket that stamps what it sends and receives. A datagram one, which needs no capability, where
 * net.ipv4.ping_group_range lets us; else a raw one, which needs CAP_NET_RAW. Throws `SystemCallError`.
 */
export function openIcmpSocket(libc: Libc, family: 4 | 6): IcmpSocket {
  const { domain, protocol } = FAMILIES[family];
  const { fd, raw } = openEither(libc, domain, protocol);
  try {
    tellAll(libc, fd, family);
    const id = raw ? randomInt(1, 0x10000) : bindRandomId(libc, fd, family);
    if (raw) acceptOnlyReplies(libc, fd, family, id);
    return { fd, family, raw, id, hidden: 0, answersAnyhow: false };
  } catch (error) {
    libc.close(fd);
    throw error;
  }
}

/**
 * A UDP socket with a source port of its own, whose packets are echoes in UDP. It needs no right at all. Throws `SystemCallError`.
 */
export function openUdpSocket(libc: Libc, family: 4 | 6): IcmpSocket {
  const { domain, any } = FAMILIES[family];
  const fd = libc.socket(domain, SOCK_DGRAM, 0);
  try {
    tellAll(libc, fd, family);
    const errno = libc.bind(fd, sockaddr(any));
    if (errno !== 0) throw new SystemCallError('bind', errno);
    return { fd, family, raw: false, id: randomInt(1, 0x10000), hidden: UDP_HEADER_BYTES, answersAnyhow: true };
  } catch (error) {
    libc.close(fd);
    throw error;
  }
}

/** Has the kernel tell of what arrives, and of what becomes of what is sent: stamps, hops left, ICMP errors. */
export function tellAll(libc: Libc, fd: number, family: 4 | 6): void {
  const { level, recvHops, recvErrors, extensions } = FAMILIES[family];
  libc.setsockopt(fd, SOL_SOCKET, SO_RCVBUF, int(RECEIVE_BUFFER_BYTES));
  libc.setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, int(TIMESTAMPING));
  libc.setsockopt(fd, level, recvHops, int(1));
  libc.setsockopt(fd, level, recvErrors, int(1));
  tellExtensions(libc, fd, level, extensions);
}

/** Kernels before 5.9 do not say where the extensions of an ICMP error start. */
function tellExtensions(libc: Libc, fd: number, level: number, option: number): void {
  try {
    libc.setsockopt(fd, level, option, int(1));
  } catch (error) {
    if (!(error instanceof SystemCallError)) throw error;
  }
}

function openEither(libc: Libc, domain: number, protocol: number): { fd: number; raw: boolean } {
  try {
    return { fd: libc.socket(domain, SOCK_DGRAM, protocol), raw: false };
  } catch (error) {
    if (!(error instanceof SystemCallError) || error.code !== 'EACCES') throw error;
    return { fd: libc.socket(domain, SOCK_RAW, protocol), raw: true };
  }
}

const BIND_TRIES = 16;

function bindRandomId(libc: Libc, fd: number, family: 4 | 6): number {
  let errno = 0;
  for (let tries = 0; tries < BIND_TRIES; tries++) {
    const id = randomInt(1, 0x10000);
    errno = libc.bind(fd, sockaddr(FAMILIES[family].any, id));
    if (errno === 0) return id;
  }
  throw new SystemCallError('bind', errno);
}

/** A raw socket gets a copy of every ICMP packet of the machine; this classic BPF program lets only replies with our id wake us. */
function acceptOnlyReplies(libc: Libc, fd: number, family: 4 | 6, id: number): void {
  const [reply, offset] = family === 4 ? [0, 0x40] : [129, 0x20]; // addressing mode: relative to X, or absolute
  const program: [code: number, jumpTrue: number, jumpFalse: number, k: number][] = [
    [0xb1, 0, 0, 0], // ldx 4*([0]&0xf): the IPv4 header's length; harmless for IPv6, whose packets come without header
    [0x10 | offset, 0, 0, 0], // ldb type
    [0x15, 0, 3, reply], // jeq
    [0x08 | offset, 0, 0, 4], // ldh id
    [0x15, 0, 1, id], // jeq
    [0x06, 0, 0, 0xffff], // ret: accept
    [0x06, 0, 0, 0], // ret: drop
  ];
  const arena = libc.alloc(16 + program.length * 8); // struct sock_fprog, then its instructions
  arena.view.setUint16(0, program.length, true);
  arena.view.setBigUint64(8, arena.pointer + 16n, true);
  for (const [index, [code, jumpTrue, jumpFalse, k]] of program.entries()) {
    const at = 16 + index * 8;
    arena.view.setUint16(at, code, true);
    arena.view.setUint8(at + 2, jumpTrue);
    arena.view.setUint8(at + 3, jumpFalse);
    arena.view.setUint32(at + 4, k, true);
  }
  try {
    libc.setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, arena.bytes.slice(0, 16));
  } finally {
    arena.free();
  }
}
