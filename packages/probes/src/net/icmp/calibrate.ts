import type { IcmpEngine } from '@vedette/contract';
import type { IcmpCounters } from './echo-table.ts';

/** An engine whose addition to a round trip is not yet measured. */
export interface UncalibratedEngine extends Omit<IcmpEngine, 'overhead_ms'> {
  /** Packets that looked like answers but did not count, by family, since the start. Only the kernel engine counts them. */
  readonly counters?: ReadonlyMap<4 | 6, Readonly<IcmpCounters>>;
}

const ECHOES = { count: 10, interval_ms: 10, wait_ms: 500 };

/**
 * The median round trip to this machine itself, ms. Undefined where the loopback does not answer; rejects, and closes the engine, when it
 * fails.
 */
export async function loopbackRoundTrip(engine: UncalibratedEngine): Promise<number | undefined> {
  const times: number[] = [];
  try {
    for await (const { reply } of engine.echoes(engine.v4 ? '127.0.0.1' : '::1', ECHOES)) if (reply) times.push(reply.rtt_ms);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}
