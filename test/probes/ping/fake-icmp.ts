import type { Clock, EchoStrays, IcmpEngine } from '@vedette/contract';
import { pacedEchoes } from '../../../packages/probes/src/net/icmp/pace.ts';

/** What comes of each echo in turn: its round trip in ms, nothing, a refusal, or what this machine said instead of sending it. */
export type FakeEcho = number | null | string | { unsent: string };

export interface FakeIcmp extends IcmpEngine {
  /** When each echo left, and where to. */
  readonly sent: { at: number; address: string }[];
}

/** Hosts answer as told; an address that is not there is silent. */
export function fakeIcmp(
  clock: Clock,
  hosts: Record<string, FakeEcho[]>,
  families: { v4?: boolean; v6?: boolean } = {},
  strays?: EchoStrays,
): FakeIcmp {
  const sent: FakeIcmp['sent'] = [];
  return {
    name: 'kernel',
    overhead_ms: 0.0123,
    v4: families.v4 ?? true,
    v6: families.v6 ?? true,
    countsStrays: strays !== undefined,
    shapesEchoes: true,
    sent,
    echoes: (address, options) => {
      let next = 0;
      if (options.strays) Object.assign(options.strays, strays);
      return pacedEchoes(clock, options, async () => {
        sent.push({ at: clock.now(), address });
        const echo = hosts[address]?.[next++] ?? null;
        if (typeof echo === 'string') return { unreachable: echo };
        if (typeof echo === 'object' && echo !== null) return echo;
        await clock.sleep(Math.min(echo ?? Infinity, options.wait_ms));
        return echo === null ? {} : { reply: { rtt_ms: echo, ttl: 57, bytes: 64 } };
      });
    },
    close() {},
  };
}
