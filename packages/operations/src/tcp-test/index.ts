import { ApiError, Enum } from '@vedette/contract';
import { fromRe2 } from '@vedette/probes/patterns';
import { alpnOf, ATTEMPTS_MAX, STARTTLS, TcpMeasured, tcpProbe } from '@vedette/probes/tcp';
import { Type } from 'typebox';
import { Defaulted, distributed, Flag, Host } from '../kit/index.ts';
import { refuseTls, sendable } from './send.ts';

export { refuseTls };

/** Whether a port is open from every location, what its server says, and over which TLS. */
export const tcpTest = distributed({
  name: 'tcp-test',
  subject: 'locations',
  summary: 'Connect to a TCP port from many places',
  description:
    'Every location opens `attempts` connections, 250 ms apart, to the addresses of the host in turn, and waits up to 5 s for each. The first accepted connection is used for the banner (up to 2 s), `starttls` or `tls`, `send` and `expect`; all are closed afterwards. A port that is not open has a `reason` and its `state`: refused (RST), rejected (ICMP, with its code in words) or filtered (silence). An invalid certificate is reported and does not end the test. After the server agrees to STARTTLS, plaintext is an injection and an error. `send` is one line; it is refused to ports of mail, printers, remote shells and others that take orders from strangers.',
  cost: { base: 5, of: ({ send }: Query) => (send === undefined ? 5 : 10), note: '5 more with `send`' },
  deadline_ms: 15_000,
  references: ['RFC 9293', 'RFC 3207', 'RFC 2595', 'RFC 4217', 'RFC 4511', 'RFC 6120'],
  request: Type.Object(
    {
      host: Host(),
      port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'TCP port', examples: [443] }),
      attempts: Defaulted(
        Type.Integer({ minimum: 1, maximum: ATTEMPTS_MAX, description: 'Connections from each location', examples: [1] }),
        3,
      ),
      tls: Flag(false, 'Start TLS at once'),
      starttls: Type.Optional(
        Enum(STARTTLS, { description: 'Protocol in which the server is asked to switch to TLS', examples: ['smtp'] }),
      ),
      send: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 512,
          description:
            'One line of printable ASCII to send, after 0.5 s for the banner; at most two line ends at its end, and none is added',
          examples: ['HELP\r\n'],
        }),
      ),
      expect: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 256,
          description: 'Regular expression (RE2) that is searched for in what the server sends, for up to 5 s and 8 kB',
          examples: ['^220 '],
        }),
      ),
      use_ipv6: Type.Optional(
        Type.Boolean({
          description: 'true: IPv6 only. false: IPv4 only, unless the host is an IPv6 address. Absent: IPv4 if available, otherwise IPv6',
          examples: [true],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    host: Type.String({ description: 'Host from the request' }),
    port: Type.Integer({ description: 'Port from the request' }),
  }),
  targets: { host: 'host' },
  examples: [{ host: 'example.org', port: 443, tls: true }],
  read({ host, port, attempts, tls, starttls, send, expect, use_ipv6 }, { host: target }): Query {
    if (tls && starttls !== undefined) throw new ApiError('parameter_conflict', 'tls and starttls', { param: 'starttls' });
    if (use_ipv6 && target.kind === 'ipv4')
      throw new ApiError('parameter_conflict', 'use_ipv6 and a host that is an IPv4 address', { param: 'use_ipv6' });
    if (tls || starttls !== undefined) refuseTls(port, tls ? 'tls' : 'starttls');
    if (expect !== undefined) refuseBadPattern(expect);
    return {
      requestedHost: host,
      host: target.host,
      port,
      attempts,
      tls,
      starttls,
      send: send === undefined ? undefined : sendable(send, port),
      expect,
      family: target.kind !== 'name' || use_ipv6 === undefined ? 0 : use_ipv6 ? 6 : 4,
    };
  },
  entries: 'locations',
  tellsInnerTarget: true,
  probe: tcpProbe,
  connects: ({ port, attempts }) => ({ port, times: attempts }),
  job: ({ host, port, attempts, tls, starttls, send, expect, family }) => ({
    host,
    port,
    family,
    attempts,
    ...(starttls !== undefined && { starttls }),
    ...(tls && { tls: { alpn: alpnOf(port) } }),
    ...(send !== undefined && { send }),
    ...(expect !== undefined && { expect }),
  }),
  entry: {
    schema: Type.Object({
      tcp_output: Type.Object(TcpMeasured.properties, { description: 'State of the port, and what its server said, at this location' }),
    }),
    of: (_query, { result }) => ({ tcp_output: result }),
  },
  report: ({ requestedHost, port }) => ({ host: requestedHost, port }),
});

interface Query {
  requestedHost: string;
  host: string;
  port: number;
  attempts: number;
  tls: boolean;
  starttls: (typeof STARTTLS)[number] | undefined;
  /** Octets in base64. */
  send: string | undefined;
  expect: string | undefined;
  family: 0 | 4 | 6;
}

function refuseBadPattern(text: string): void {
  try {
    fromRe2(text);
  } catch (error) {
    throw new ApiError('invalid_parameter', `expect: ${error instanceof Error ? error.message : String(error)}`, { param: 'expect' });
  }
}
