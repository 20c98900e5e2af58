import type { TraceJob } from './schema.ts';

/** Rounds that a router's usual limit of six answers at once lets through may follow each other quickly. */
const QUICK_PACKETS = 6;
const INTERVAL_MS = { quick: 200, slow: 1_000 };
const WAIT_MS = 1_000;
/** The target's port: the one of traceroute(8) over UDP, and the one of most servers over TCP. */
const PORTS = { icmp: 0, udp: 33_434, tcp: 443 } as const;

export const TRACE_PROTOCOLS = ['icmp', 'udp', 'tcp'] as const;

/** The choices of a client about its trace. */
export interface TraceOptions extends Pick<TraceJob, 'family' | 'protocol' | 'rounds' | 'max_hops' | 'flows'> {
  /** The target's port where it is not the usual one. */
  port?: number | undefined;
}

export const TRACE_DEFAULTS: TraceOptions = { family: 0, protocol: 'icmp', rounds: 3, max_hops: 30, flows: 1 };

/** The job of a trace. Rounds follow each other as quickly as usual routers answer. */
export const traceJob = (host: string, { port, ...options }: TraceOptions): TraceJob => ({
  host,
  ...options,
  port: port ?? PORTS[options.protocol],
  interval_ms: options.rounds * options.flows > QUICK_PACKETS ? INTERVAL_MS.slow : INTERVAL_MS.quick,
  wait_ms: WAIT_MS,
});
