import { Enum } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { Ipv6First, WantedFamily } from '../host/judge-host.ts';
import { Rtt } from '../ping/rtt.ts';

/** Limits of a trace. Packets to a hop are rounds times flows. */
export const TRACE_MAX = { rounds: 16, hops: 30, flows: 8, packets_per_hop: 24 } as const;
const LABELS_MAX = 16;
const ANSWERS_MAX = 32;

export const TraceJob = Type.Object({
  host: Type.String({ minLength: 1, maxLength: 1024 }),
  family: WantedFamily,
  ipv6_first: Ipv6First,
  protocol: Enum(['icmp', 'udp', 'tcp']),
  port: Type.Integer({ minimum: 0, maximum: 65_535, description: '0 over ICMP' }),
  rounds: Type.Integer({ minimum: 1, maximum: TRACE_MAX.rounds }),
  max_hops: Type.Integer({ minimum: 1, maximum: TRACE_MAX.hops }),
  flows: Type.Integer({ minimum: 1, maximum: TRACE_MAX.flows }),
  interval_ms: Type.Integer({ minimum: 50, maximum: 2_000, description: 'From round to round' }),
  wait_ms: Type.Integer({ minimum: 10, maximum: 2_000 }),
});
export type TraceJob = Static<typeof TraceJob>;

const Octet = (description: string) => Type.Integer({ minimum: 0, maximum: 255, description });

export const MplsStack = Type.Array(
  Type.Object(
    {
      label: Type.Integer({ minimum: 0, maximum: 0xfffff, description: 'Label' }),
      traffic_class: Type.Integer({ minimum: 0, maximum: 7, description: 'Traffic class (EXP bits)' }),
      bottom: Type.Boolean({ description: 'The label is the last of its stack' }),
      ttl: Octet('TTL of the label'),
    },
    { title: 'MplsLabel' },
  ),
  { maxItems: LABELS_MAX, description: 'MPLS labels that the packet had there, as the router tells them (RFC 4950)' },
);

const Answer = Type.Object({
  ip_address: Type.String({ maxLength: 45, description: 'Empty for an inner address' }),
  kind: Enum(['icmp', 'echo_reply', 'datagram', 'syn_ack', 'rst']),
  type: Octet('Of an ICMP error'),
  code: Octet('Of an ICMP error'),
  packets_received: Type.Integer({ minimum: 1 }),
  rtt: Rtt,
  ttl: Octet('Hops left of the answer; 0 when not known'),
  flows: Type.Array(Type.Integer({ minimum: 0, maximum: TRACE_MAX.flows - 1 }), { maxItems: TRACE_MAX.flows }),
  labels: MplsStack,
});
export type Answer = Static<typeof Answer>;

const Hop = Type.Object({
  hop: Type.Integer({ minimum: 1, maximum: TRACE_MAX.hops }),
  packets_sent: Type.Integer({ minimum: 0 }),
  packets_received: Type.Integer({ minimum: 0 }),
  answers_limited: Type.Boolean(),
  rtt: Rtt,
  answers: Type.Array(Answer, { maxItems: ANSWERS_MAX }),
});
export type Hop = Static<typeof Hop>;

export const STOPS = ['', 'target', 'unreachable', 'loop', 'max_hops', 'silence', 'deadline'] as const;

export const TraceResult = Type.Object({
  ip_address: Type.String({ maxLength: 45, description: 'Address of the target; empty if there was none' }),
  reached: Type.Boolean(),
  stopped_by: Enum(STOPS),
  packets_sent: Type.Integer({ minimum: 0 }),
  packets_received: Type.Integer({ minimum: 0 }),
  hops: Type.Array(Hop, { maxItems: TRACE_MAX.hops }),
  elapsed_ms: Type.Integer({ minimum: 0 }),
});
export type TraceResult = Static<typeof TraceResult>;
