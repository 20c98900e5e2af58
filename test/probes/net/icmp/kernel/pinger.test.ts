import { constants } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '@vedette/probes/net';
import { openIcmpSocket } from '../../../../../packages/probes/src/net/icmp/kernel/icmp-socket.ts';
import { KernelPinger } from '../../../../../packages/probes/src/net/icmp/kernel/pinger.ts';
import { type Arena, type Libc, loadLibc, MSG_ERRQUEUE } from '../../../../../packages/probes/src/net/libc.ts';

const WAIT_MS = 1000;
const EAGAIN = 11;
const HOUR_S = 3600n;
let pinger: KernelPinger | undefined;
afterEach(() => pinger?.close());

/** The stamps in received ancillary data: SOL_SOCKET, SCM_TIMESTAMPING. */
function* stampsIn({ view }: Arena): Generator<number> {
  for (let at = 0; at + 24 <= view.byteLength; at += 8)
    if (view.getBigUint64(at, true) === 64n && view.getInt32(at + 8, true) === 1 && view.getInt32(at + 12, true) === 37) yield at + 16;
}

/** The real system calls, but for what they tell of a packet's time. */
async function pingWith(change: (libc: Libc, arenas: Arena[]) => Partial<Libc>) {
  const libc = await loadLibc();
  const arenas: Arena[] = [];
  const changed: Libc = {
    ...libc,
    alloc(length) {
      const arena = libc.alloc(length);
      arenas.push(arena);
      return arena;
    },
    ...change(libc, arenas),
  };
  pinger = new KernelPinger(changed, systemClock, openIcmpSocket(libc, 4), '');
  return pinger.send('127.0.0.1', { wait_ms: WAIT_MS });
}

/** Changes the stamps of one queue as they are received. */
const restamped = (queue: 'sent' | 'received', change: (view: DataView, at: number) => void) => (libc: Libc, arenas: Arena[]) => ({
  recvmmsg(fd: number, messages: bigint, count: number, flags: number) {
    const received = libc.recvmmsg(fd, messages, count, flags);
    if (received > 0 && ((flags & MSG_ERRQUEUE) !== 0) === (queue === 'sent'))
      for (const arena of arenas) for (const at of stampsIn(arena)) change(arena.view, at);
    return received;
  },
});
const stepped = (queue: 'sent' | 'received', seconds: bigint) =>
  restamped(queue, (view, at) => view.setBigInt64(at, view.getBigInt64(at, true) + seconds, true));

describe('an echo is answered in its true time', () => {
  it.each([
    { title: 'put forward by an hour while it is on its way', change: stepped('received', HOUR_S) },
    { title: 'put back by an hour while it is on its way', change: stepped('received', -HOUR_S) },
    { title: 'put forward by an hour as it is sent', change: stepped('sent', HOUR_S) },
    { title: 'put back by an hour as it is sent', change: stepped('sent', -HOUR_S) },
  ])('although the clock is $title', async ({ change }) => {
    const { reply } = await pingWith(change);
    expect(reply).toMatchObject({ ttl: 64, bytes: 64 });
    expect(reply!.rtt_ms).toBeGreaterThan(0);
    expect(reply!.rtt_ms).toBeLessThanOrEqual(WAIT_MS);
  });

  it.each([
    {
      title: 'sending',
      change: (libc: Libc) => ({
        recvmmsg: (fd: number, messages: bigint, count: number, flags: number) =>
          (flags & MSG_ERRQUEUE) === 0 ? libc.recvmmsg(fd, messages, count, flags) : -EAGAIN,
      }),
    },
    { title: 'receiving', change: restamped('received', (view, at) => view.setInt32(at - 4, 0, true)) },
  ])('although the kernel has no stamp of $title it', async ({ change }) => {
    const { reply } = await pingWith(change);
    expect(reply!.rtt_ms).toBeGreaterThan(0);
    expect(reply!.rtt_ms).toBeLessThanOrEqual(WAIT_MS);
  });
});

describe('an echo that the kernel does not take', () => {
  const REDIRECT = 121; // EREMOTEIO
  const { EHOSTUNREACH, ENOBUFS, EPERM } = constants.errno;
  /** Answers as told, the last one from then on, 0 by sending. Counts. */
  async function sendWith(...errnos: number[]) {
    let calls = 0;
    const sent = pingWith((libc) => ({
      sendto: (...packet) => errnos[Math.min(calls++, errnos.length - 1)] || libc.sendto(...packet),
    }));
    const [outcome] = await Promise.allSettled([sent]);
    return { outcome: outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason), calls };
  }
  const REPLY = { reply: expect.objectContaining({ bytes: 64 }) };

  it.each([
    { title: "others' ICMP errors: sends it again", errnos: [...Array<number>(6).fill(REDIRECT), 0], outcome: REPLY, calls: 7 },
    { title: 'one that is told behind its queue entry', errnos: [EHOSTUNREACH, 0], outcome: REPLY, calls: 2 },
    { title: 'without end: gives up', errnos: [REDIRECT], outcome: 'SystemCallError: sendto: errno 121', calls: 8 },
    { title: 'no route: it was not sent', errnos: [EHOSTUNREACH], outcome: { unsent: 'EHOSTUNREACH' }, calls: 2 },
    { title: 'the firewall behind an ICMP error', errnos: [EHOSTUNREACH, EPERM], outcome: { unsent: 'EPERM' }, calls: 2 },
    { title: 'a reason of our own: rejects', errnos: [ENOBUFS], outcome: 'SystemCallError: sendto: ENOBUFS', calls: 1 },
  ])('$title', async ({ errnos, outcome, calls }) => {
    expect(await sendWith(...errnos)).toEqual({ outcome, calls });
  });
});
