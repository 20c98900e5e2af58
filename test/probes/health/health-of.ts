import type { AddressPolicy, Endpoint } from '@vedette/contract';
import { systemClock } from '@vedette/probes/net';
import { NetworkHealth } from '@vedette/probes/health';

/** The health of a machine by these QUIC servers alone. */
export const healthOf = (quic: readonly Endpoint[], policy: AddressPolicy): NetworkHealth =>
  new NetworkHealth({
    witnesses: { dns: [], icmp: [], tcp: [], quic, names: [] },
    policy,
    clock: systemClock,
    families: () => [4, 6],
    resolver: { query: () => Promise.reject(new Error('not asked')) },
  });
