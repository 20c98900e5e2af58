import { type Clock, parseIp } from '@vedette/contract';
import type { UncalibratedEngine } from '../calibrate.ts';
import { NetPingProcess } from './process.ts';
import { pacedEchoes } from '../pace.ts';

/**
 * net-ping in a process of its own, one session per family; it is started again when it ends. Needs CAP_NET_RAW and the
 * compiled addon; throws without.
 */
export async function openNetPingEngine(clock: Clock, text = ''): Promise<UncalibratedEngine> {
  let running = Promise.resolve(await NetPingProcess.start(clock, text));
  const { families } = await running;
  let closed = false;

  const current = async (): Promise<NetPingProcess> => {
    if (closed) throw new Error('the engine was closed');
    const known = running;
    const usable = await known.then(
      ({ ended }) => !ended,
      () => false,
    );
    // Several echoes may find it gone: the first one starts the next.
    if (!usable && running === known) running = NetPingProcess.start(clock, text);
    return running;
  };

  return {
    name: 'net-ping',
    v4: families.includes(4),
    v6: families.includes(6),
    countsStrays: false,
    shapesEchoes: false,
    echoes(address, options) {
      const family = parseIp(address)?.version ?? 4;
      return pacedEchoes(clock, options, async () => (await current()).ping(family, address, options.wait_ms));
    },
    async close() {
      closed = true;
      (await running.catch(() => undefined))?.close();
    },
  };
}
