import { distributed, entryHead, Host, LocationExtras, LocationFields, parseHost } from '@vedette/contract';
import { ping } from '@vedette/probes/ping';
import { Type } from 'typebox';

/** Round-trip times to a host from every location. A lost echo is loss, never a time. */
export const pingTest = distributed({
  name: 'ping-test',
  summary: 'Ping a host from many places',
  description:
    'Sends four ICMP echo requests from every location, 200 ms apart, and waits one second for each reply. IPv4 is used where the name has it, else IPv6.',
  cost: 5,
  deadline_ms: 10_000,
  references: ['RFC 792', 'RFC 4443'],
  request: Type.Object({ host: Host() }, { additionalProperties: false }),
  response: Type.Object({
    host: Type.String(),
    locations: Type.Array(
      Type.Object({
        ...LocationFields,
        ...LocationExtras,
        ping_output: Type.Object({ host: Type.String(), ...ping.result.properties }),
        error: Type.String({ description: 'Empty when the host answered' }),
      }),
    ),
  }),
  targets: [{ field: 'host', form: 'host' }],
  examples: [{ host: 'example.org' }],
  vantage: 'all',
  entries: 'locations',
  probe: ping,
  job: ({ host }) => ({ host: parseHost(host)!.host, family: 0 as const, count: 4, interval_ms: 200, wait_ms: 1000 }),
  entry: ({ host }, reply) => ({
    ...entryHead(reply),
    ping_output: { host, ...(reply.result ?? NO_PING) },
    error: reply.failure?.error ?? '',
  }),
  report: ({ host }, locations) => ({ host, locations: locations as never }),
});

const NO_PING = {
  ip_address: '',
  ip_hostname: '',
  is_valid_ip: false,
  is_private_ip: false,
  is_loopback_ip: false,
  is_reserved_ip: false,
  packets_sent: 0,
  packets_received: 0,
  percent_packet_loss: 0,
  icmp_requests: [],
  rtt: { min: 0, avg: 0, max: 0, mdev: 0 },
  elapsed_ms: 0,
};
