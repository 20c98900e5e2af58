import { type Clock, parseIp } from '@vedette/contract';
import type { UncalibratedEngine } from '../calibrate.ts';
import { openIcmpSocket } from './icmp-socket.ts';
import { KernelPinger } from './pinger.ts';
import { loadLibc } from '../../libc.ts';
import { pacedEchoes } from '../pace.ts';
import { KernelTracer } from './tracer.ts';

/**
 * ICMP sockets with kernel timestamps. A family whose socket is refused is left out; throws when both are, or where
 * koffi does not run.
 */
export async function openKernelEngine(clock: Clock, text = ''): Promise<UncalibratedEngine> {
  const libc = await loadLibc();
  const refusals: unknown[] = [];
  const pingers = new Map<4 | 6, KernelPinger>();
  for (const family of [4, 6] as const) {
    try {
      pingers.set(family, new KernelPinger(libc, clock, openIcmpSocket(libc, family), text));
    } catch (error) {
      refusals.push(error);
    }
  }
  if (pingers.size === 0) throw new AggregateError(refusals, `no ICMP socket: ${refusals.join(', ')}`);
  const pingerFor = (address: string): KernelPinger => {
    const pinger = pingers.get(parseIp(address)?.version ?? 4);
    if (!pinger) throw new Error(`no ICMP socket for ${address}`);
    return pinger;
  };
  const tracer = new KernelTracer({ libc, clock, text, pingerFor });
  return {
    name: 'kernel',
    v4: pingers.has(4),
    v6: pingers.has(6),
    countsStrays: true,
    shapesEchoes: true,
    paths: tracer,
    counters: new Map([...pingers].map(([family, { table }]) => [family, table.counters])),
    echoes(address, options) {
      const pinger = pingerFor(address);
      return pacedEchoes(clock, options, () => pinger.send(address, options));
    },
    close() {
      tracer.close();
      for (const pinger of pingers.values()) pinger.close();
    },
  };
}
