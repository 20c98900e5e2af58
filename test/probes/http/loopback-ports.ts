import { createAddressPolicy } from '@vedette/probes/host';
import { ProbeFailure, type ProbePorts, type Resolver } from '@vedette/contract';
import { createDialler, systemClock } from '@vedette/probes/net';
import { createTargetLimits } from '@vedette/probes/target-limits';

const unused = (what: string) => () => {
  throw new Error(`${what} is not part of this test`);
};

/** Real sockets to loopback only; names come from `hosts`. Anything not given fails as it would on the wire. */
export function loopbackPorts({
  hosts = {},
  ...overrides
}: Partial<ProbePorts> & { hosts?: Record<string, readonly string[]> } = {}): ProbePorts {
  return {
    resolver: hostsResolver(hosts),
    dialler: createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8', '::1/128'] }) }),
    limits: createTargetLimits({ clock: systemClock, enabled: true, spares: [] }),
    patterns: { match: unused('patterns'), groups: unused('patterns') },
    isDenied: () => false,
    icmp: {
      name: 'kernel',
      overhead_ms: 0,
      v4: false,
      v6: false,
      countsStrays: false,
      shapesEchoes: false,
      echoes: unused('icmp'),
      close() {},
    },
    clock: systemClock,
    exits: [],
    ca: [],
    userAgent: 'test',
    signal: new AbortController().signal,
    budget_ms: 10_000,
    ...overrides,
  };
}

/** Answers from a table of addresses, by family. */
export const hostsResolver = (hosts: Record<string, readonly string[]>): Resolver => ({
  servers: [],
  query: unused('resolver.query'),
  async addresses(host, family, options) {
    options?.signal?.throwIfAborted();
    const all = hosts[host];
    if (!all) throw new ProbeFailure('dns_nxdomain', host);
    const addresses = all.filter((address) => address.includes(':') === (family === 6));
    if (addresses.length === 0) throw new ProbeFailure('dns_no_address', host);
    return addresses;
  },
});
