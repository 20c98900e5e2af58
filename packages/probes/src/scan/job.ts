import { Enum } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { WantedFamily } from '../host/judge-host.ts';
import { BANNER_MS } from '../tcp/conversation.ts';

export const PORTS_MAX = 100;
/** 20 connections a second, which is what one busy visitor of a site causes. */
export const SCAN_INTERVAL_MS = 50;
const SLOWEST_INTERVAL_MS = 1_000;
/** A kernel sends a lost SYN again after 1 s (RFC 6298 §2.1): an attempt ends before, so that each is one packet. */
export const WAIT_MS = 950;
/** A silent port is tried once more. */
export const TRIES = 2;
export const BANNER_OCTETS = 256;
/** Each octet may be escaped by four characters. */
const BANNER_CHARS = 4 * BANNER_OCTETS;
const ICMP_CHARS = 120;

const Port = (description?: string) => Type.Integer({ minimum: 1, maximum: 65_535, ...(description !== undefined && { description }) });

export const ScanJob = Type.Object({
  host: Type.String({ minLength: 1, maxLength: 1024 }),
  family: WantedFamily,
  ports: Type.Array(Port(), { minItems: 1, maxItems: PORTS_MAX, uniqueItems: true }),
  interval_ms: Type.Integer({
    minimum: SCAN_INTERVAL_MS,
    maximum: SLOWEST_INTERVAL_MS,
    description: 'Time between two connections; longer where several locations share the pace',
  }),
});
export type ScanJob = Static<typeof ScanJob>;

export const PORT_STATES = ['open', 'closed', 'filtered', ''] as const;

const ScannedPort = Type.Object({
  port: Port('TCP port'),
  state: Enum(PORT_STATES, {
    description:
      'State of the port. open: the connection was accepted. closed: RST. filtered: silence, twice, or ICMP. Empty: the measurement broke off before an answer',
  }),
  rtt_ms: Type.Number({ minimum: 0, description: 'Time from SYN to its answer, in ms; 0 without an answer' }),
  icmp: Type.String({
    maxLength: ICMP_CHARS,
    description: 'ICMP error that answered, in words, with type, code and sender; empty without one',
  }),
  banner: Type.String({
    maxLength: BANNER_CHARS,
    description: `First octets that the server sent by itself, at most ${BANNER_OCTETS}: printable ASCII as it is, the rest escaped as in C`,
  }),
});
export type ScannedPort = Static<typeof ScannedPort>;

export const ScanResult = Type.Object({
  ip_address: Type.String({ maxLength: 45 }),
  ports: Type.Array(ScannedPort, { maxItems: PORTS_MAX }),
  connections: Type.Integer({ minimum: 0, maximum: TRIES * PORTS_MAX }),
  elapsed_ms: Type.Integer({ minimum: 0 }),
});
export type ScanResult = Static<typeof ScanResult>;

/** The longest time that a scan takes once its host is resolved: every port is silent, and the last one open and mute. */
export const scanMs = ({ ports, interval_ms }: Pick<ScanJob, 'ports' | 'interval_ms'>): number =>
  TRIES * (ports.length * interval_ms + WAIT_MS) + BANNER_MS;
