import type { Clock, IcmpEngine } from '@vedette/contract';
import { loopbackRoundTrip, type UncalibratedEngine } from './calibrate.ts';
import { openKernelEngine } from './kernel/engine.ts';
import { openNetPingEngine } from './net-ping/engine.ts';

interface Engine {
  name: IcmpEngine['name'];
  open: (clock: Clock, text: string) => Promise<UncalibratedEngine>;
}

const KERNEL: Engine = { name: 'kernel', open: openKernelEngine };
const NET_PING: Engine = { name: 'net-ping', open: openNetPingEngine };

export interface IcmpEngineOptions {
  clock: Clock;
  /** Whether net-ping is tried where the kernel's engine does not work: its addon is compiled for those alone who want it. */
  netPing?: boolean;
  /** The text of every echo behind its cookie, at most 48 bytes of ASCII. */
  text?: string;
  /** Why an engine was passed over, for the log. */
  onNote?: (note: string, cause?: unknown) => void;
}

export type OpenedIcmpEngine = UncalibratedEngine & Pick<IcmpEngine, 'overhead_ms'>;

/**
 * The best ICMP engine that hears the loopback, calibrated against it; else, uncalibrated, the best one that got its
 * sockets, since a machine may refuse to answer echoes. Undefined when none did.
 */
export async function openIcmpEngine({
  clock,
  netPing = false,
  text = '',
  onNote,
}: IcmpEngineOptions): Promise<OpenedIcmpEngine | undefined> {
  let uncalibrated: UncalibratedEngine | undefined;
  for (const { name, open } of netPing ? [KERNEL, NET_PING] : [KERNEL]) {
    try {
      const engine = await open(clock, text);
      const overhead_ms = await loopbackRoundTrip(engine);
      if (overhead_ms !== undefined) {
        await uncalibrated?.close();
        return Object.assign(engine, { overhead_ms });
      }
      onNote?.(`ICMP engine ${name} does not hear the loopback`);
      if (uncalibrated) await engine.close();
      else uncalibrated = engine;
    } catch (error) {
      onNote?.(`ICMP engine ${name} does not work here`, error);
    }
  }
  return uncalibrated && Object.assign(uncalibrated, { overhead_ms: 0 });
}
