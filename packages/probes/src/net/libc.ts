/**
 * System calls that Node does not have, through koffi. Loaded on first use: an agent that never pings never pays for it.
 * Linux on 64-bit little-endian machines only; struct layouts here and in `message-batch.ts` rely on it.
 */
import { constants, endianness } from 'node:os';

export const AF_INET = 2;
export const AF_INET6 = 10;
export const SOCK_STREAM = 1;
export const SOCK_DGRAM = 2;
export const SOCK_RAW = 3;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
export const IPPROTO_ICMP = 1;
export const IPPROTO_ICMPV6 = 58;
export const MSG_DONTWAIT = 0x40;
export const MSG_ERRQUEUE = 0x2000;
const CLOCK_REALTIME = 0;
const F_DUPFD_CLOEXEC = 1030;

/** Such as `EACCES`. */
export const errnoName = (errno: number): string =>
  Object.entries(constants.errno).find(([, value]) => value === errno)?.[0] ?? `errno ${errno}`;

/** A system call refused; `code` is the errno's name. */
export class SystemCallError extends Error {
  readonly code: string;

  constructor(call: string, errno: number) {
    const code = errnoName(errno);
    super(`${call}: ${code}`);
    this.name = 'SystemCallError';
    this.code = code;
  }
}

/** Memory that the kernel writes to and that never moves. */
export interface Arena {
  /** The kernel's name for it. */
  pointer: bigint;
  bytes: Uint8Array;
  view: DataView;
  free(): void;
}

export interface Libc {
  /** A non-blocking socket. Throws `SystemCallError`. */
  socket(domain: number, type: number, protocol: number): number;
  /** Throws `SystemCallError`. */
  setsockopt(fd: number, level: number, option: number, value: Uint8Array): void;
  /** Reads an option into `value`. Throws `SystemCallError`. */
  getsockopt(fd: number, level: number, option: number, value: Uint8Array): void;
  /** Begins to connect; 0, or the errno. */
  connect(fd: number, address: Uint8Array): number;
  /** A second descriptor of the same socket. Throws `SystemCallError`. */
  duplicate(fd: number): number;
  /** Binds, or returns the errno. */
  bind(fd: number, address: Uint8Array): number;
  /** 0, or the errno. */
  sendto(fd: number, packet: Uint8Array, address: Uint8Array): number;
  /** Sends what a `struct msghdr` says; 0, or the errno. */
  sendmsg(fd: number, message: bigint): number;
  /** How many messages came, or -errno. */
  recvmmsg(fd: number, messages: bigint, count: number, flags: number): number;
  /** CLOCK_REALTIME in ms: the clock of the kernel's packet stamps. */
  realtime(): number;
  alloc(length: number): Arena;
  close(fd: number): void;
}

/** An `int` as socket options take it. */
export const int = (value: number): Uint8Array => new Uint8Array(new Int32Array([value]).buffer);

/** A `timespec` in ms. A double holds today's epoch to a quarter of a microsecond, well below what is reported. */
export const timespecMs = (view: DataView, offset: number): number =>
  (view.getInt32(offset + 4, true) * 2 ** 32 + view.getUint32(offset, true)) * 1000 + view.getUint32(offset + 8, true) / 1e6;

export async function loadLibc(): Promise<Libc> {
  if (process.platform !== 'linux' || endianness() !== 'LE' || !['x64', 'arm64'].includes(process.arch))
    throw new Error(`no ICMP sockets for ${process.platform} on ${process.arch}`);
  const { default: koffi } = await import('koffi');
  const self = koffi.load(null); // the process itself has libc linked, glibc or musl
  const socket = self.func('int socket(int, int, int)');
  const setsockopt = self.func('int setsockopt(int, int, int, const void *, uint32_t)');
  const getsockopt = self.func('int getsockopt(int, int, int, _Out_ void *, _Inout_ uint32_t *)');
  const connect = self.func('int connect(int, const void *, uint32_t)');
  const fcntl = self.func('int fcntl(int, int, int)');
  const bind = self.func('int bind(int, const void *, uint32_t)');
  const sendto = self.func('long sendto(int, const void *, size_t, int, const void *, uint32_t)');
  const sendmsg = self.func('long sendmsg(int, void *, int)');
  const recvmmsg = self.func('int recvmmsg(int, void *, unsigned int, int, void *)');
  const clockGettime = self.func('int clock_gettime(int, void *)');
  const close = self.func('int close(int)');
  const time = new DataView(new ArrayBuffer(16));
  return {
    socket(domain, type, protocol) {
      const fd: number = socket(domain, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
      if (fd < 0) throw new SystemCallError('socket', koffi.errno());
      return fd;
    },
    setsockopt(fd, level, option, value) {
      if (setsockopt(fd, level, option, value, value.length) < 0)
        throw new SystemCallError(`setsockopt(${level}, ${option})`, koffi.errno());
    },
    getsockopt(fd, level, option, value) {
      if (getsockopt(fd, level, option, value, [value.length]) < 0)
        throw new SystemCallError(`getsockopt(${level}, ${option})`, koffi.errno());
    },
    connect: (fd, address) => (connect(fd, address, address.length) < 0 ? koffi.errno() : 0),
    duplicate(fd) {
      const second: number = fcntl(fd, F_DUPFD_CLOEXEC, 0);
      if (second < 0) throw new SystemCallError('fcntl', koffi.errno());
      return second;
    },
    bind: (fd, address) => (bind(fd, address, address.length) < 0 ? koffi.errno() : 0),
    sendto: (fd, packet, address) => (sendto(fd, packet, packet.length, 0, address, address.length) < 0 ? koffi.errno() : 0),
    sendmsg: (fd, message) => (sendmsg(fd, message, 0) < 0 ? koffi.errno() : 0),
    recvmmsg(fd, messages, count, flags) {
      const received: number = recvmmsg(fd, messages, count, flags, null);
      return received < 0 ? -koffi.errno() : received;
    },
    realtime() {
      clockGettime(CLOCK_REALTIME, time);
      return timespecMs(time, 0);
    },
    alloc(length) {
      const pointer = koffi.alloc('uint8_t', length) as unknown as bigint;
      const buffer = koffi.view(pointer, length);
      const bytes = new Uint8Array(buffer).fill(0);
      return { pointer, bytes, view: new DataView(buffer), free: () => koffi.free(pointer) };
    },
    close: (fd) => void close(fd),
  };
}
