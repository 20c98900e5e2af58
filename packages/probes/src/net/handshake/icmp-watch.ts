import { Socket } from 'node:net';
import { formatIp, parseIp } from '@vedette/contract';
import { MessageBatch } from '../icmp/kernel/message-batch.ts';
import { unreachableText } from '../icmp/unreachable.ts';
import { ownAddresses } from '../own-addresses.ts';
import { AF_INET, AF_INET6, int, type Libc, loadLibc, MSG_DONTWAIT, MSG_ERRQUEUE, SOCK_STREAM } from '../libc.ts';

const RECVERR = { 4: { level: 0, option: 11 }, 6: { level: 41, option: 25 } } as const;
/** Origins of an error that came as a packet: `SO_EE_ORIGIN_ICMP`, `SO_EE_ORIGIN_ICMP6`. */
const FROM_ICMP = [2, 3];

/** The network refused a connection by ICMP. */
export class IcmpRejection extends Error {
  /** This machine's own firewall did: the target has not been asked. */
  readonly isOurs: boolean;

  /** `text`: such as "Packet filtered (3/13) from 192.0.2.1". */
  constructor(text: string, isOurs: boolean) {
    super(text);
    this.name = 'IcmpRejection';
    this.isOurs = isOurs;
  }
}

/** A neighbour that does not answer: the kernel says it of targets, too. */
const NO_NEIGHBOUR = { 4: [3, 1], 6: [1, 3] } as const;

/** An unconnected socket whose connect may be refused by ICMP, and what the refusal says. */
export interface WatchedSocket {
  socket: Socket;
  /** Call once the connect has failed. */
  rejection(): IcmpRejection | undefined;
  /** Call when the connect has ended, in either way. */
  release(): void;
}

let shared: Promise<{ libc: Libc; batch: MessageBatch } | undefined> | undefined;

/**
 * Node tells the errno of a failed connect, which several ICMP codes have in common and a reset too. The error queue has the packet: a second
 * descriptor keeps it when Node closes its own. Undefined where the system cannot do that.
 */
export async function watchedSocket(family: 4 | 6): Promise<WatchedSocket | undefined> {
  shared ??= loadLibc().then(
    (libc) => ({ libc, batch: new MessageBatch(libc) }),
    () => undefined,
  );
  const loaded = await shared;
  if (!loaded) return undefined;
  const { libc, batch } = loaded;
  const { level, option } = RECVERR[family];
  const fd = libc.socket(family === 4 ? AF_INET : AF_INET6, SOCK_STREAM, 0);
  let second: number;
  try {
    libc.setsockopt(fd, level, option, int(1));
    second = libc.duplicate(fd);
  } catch {
    libc.close(fd);
    return undefined;
  }
  return {
    socket: new Socket({ fd, readable: true, writable: true }),
    rejection: () => readQueue(batch, second, family),
    release() {
      // Otherwise any ICMP error would end the connection.
      libc.setsockopt(second, level, option, int(0));
      libc.close(second);
    },
  };
}

function readQueue(batch: MessageBatch, fd: number, family: 4 | 6): IcmpRejection | undefined {
  const count = batch.receive(fd, MSG_ERRQUEUE | MSG_DONTWAIT);
  for (let index = 0; index < count; index++) {
    const { error } = batch.ancillary(index);
    if (!error || !FROM_ICMP.includes(error.origin)) continue;
    const { type, code, offenderAt } = error;
    const words = unreachableText(family, type, code) ?? 'ICMP';
    const offender = offenderOf(batch.bytes, offenderAt);
    const [neighbourType, neighbourCode] = NO_NEIGHBOUR[family];
    const isOurs = ownAddresses().includes(offender) && !(type === neighbourType && code === neighbourCode);
    return new IcmpRejection(`${words} (${type}/${code})${offender === '' ? '' : ` from ${offender}`}`, isOurs);
  }
  return undefined;
}

/** The sender of the ICMP packet, from its `sockaddr`; empty without one. */
function offenderOf(bytes: Uint8Array, at: number): string {
  const family = bytes[at];
  if (family === AF_INET) return bytes.subarray(at + 4, at + 8).join('.');
  if (family !== AF_INET6) return '';
  const groups = Buffer.from(bytes.subarray(at + 8, at + 24))
    .toString('hex')
    .match(/.{4}/g)!;
  const ip = parseIp(groups.join(':'));
  return ip ? formatIp(ip) : '';
}
