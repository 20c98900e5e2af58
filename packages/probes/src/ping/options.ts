import { type Static, Type } from 'typebox';
import { WantedFamily } from '../host/judge-host.ts';

/** The payload that fills an Ethernet frame together with its headers. */
const PAYLOAD_MAX_BYTES = 1472;
/** Longest time from the first echo to the last. */
const SPAN_MAX_MS = 6_000;

/** The choices of a ping, for clients and for agents. */
export const PING_ASKED = {
  count: Type.Integer({ minimum: 1, maximum: 16, description: 'Number of echo requests; default 4' }),
  interval_ms: Type.Integer({
    minimum: 10,
    maximum: SPAN_MAX_MS,
    description: `Time between two echo requests in ms; default 200. All of them must leave within ${SPAN_MAX_MS / 1_000} s`,
  }),
  payload_bytes: Type.Integer({ minimum: 8, maximum: PAYLOAD_MAX_BYTES, description: 'Payload of each echo request in bytes; default 56' }),
  ttl: Type.Integer({ minimum: 1, maximum: 255, description: 'Number of hops that an echo request may take: TTL or hop limit' }),
  dont_fragment: Type.Boolean({ description: 'An echo request that is too large for the path is refused, not fragmented' }),
  family: WantedFamily,
};

export const PingOptions = Type.Partial(Type.Object(PING_ASKED), {
  additionalProperties: false,
  title: 'PingOptions',
  description: 'Choices of the ping. All are optional',
  examples: [{ count: 10, family: 6 }],
});
export type PingOptions = Static<typeof PingOptions>;

const USUAL = { count: 4, interval_ms: 200 };

/** The agents' job for a ping: a single echo would make every lost packet an outage, so four are usual. */
export const pingJob = (host: string, options: PingOptions = {}) => ({ host, family: 0 as const, ...USUAL, wait_ms: 1_000, ...options });

/** A sentence about options that do not fit together; undefined if they do. */
export function pingConflict(options: PingOptions): string | undefined {
  const { count, interval_ms } = { ...USUAL, ...options };
  const span = (count - 1) * interval_ms;
  return span > SPAN_MAX_MS
    ? `count and interval_ms: ${count} echo requests would take ${span / 1_000} s, and ${SPAN_MAX_MS / 1_000} s are allowed`
    : undefined;
}
