import { count, text } from '@vedette/contract';
import { mtu, MtuFamily } from '@vedette/probes/mtu';
import { Type } from 'typebox';
import { distributed, Host } from '../kit/index.ts';

/** The largest packet that reaches a host and comes back, over both families, from every location. */
export const mtuTest = distributed({
  name: 'mtu-test',
  subject: 'locations',
  summary: 'Find the path MTU to a host from many places',
  description:
    'Every location sends ICMP echo requests that no router may cut, over IPv4 and over IPv6, and looks for the largest size that is answered. A router that takes less says so: that is a small MTU, and tunnels have one. If larger packets vanish and no router says so, the path is a black hole: TCP connections open and then hang. The fault may be on either way, since a reply is as large as its request. A family without an address of the host, or that a location does not have, is empty.',
  cost: 5,
  deadline_ms: 30_000,
  references: ['RFC 1191', 'RFC 8201', 'RFC 2923 §2.1'],
  request: Type.Object({ host: Host() }, { additionalProperties: false }),
  response: Type.Object({ host: text('Host from the request') }),
  targets: { host: 'host' },
  examples: [{ host: 'example.org' }],
  read: ({ host }, targets) => ({ requestedHost: host, host: targets.host.host }),
  entries: 'locations',
  probe: mtu,
  job: ({ host }) => ({ host }),
  entry: {
    schema: Type.Object({
      mtu_output: Type.Object(
        {
          host: text('Host from the request'),
          ipv4: MtuFamily,
          ipv6: MtuFamily,
          elapsed_ms: count('Processing time at the location, in ms'),
        },
        { description: 'Path MTU of both families' },
      ),
    }),
    of: ({ requestedHost }, { result }) => ({ mtu_output: { host: requestedHost, ...result } }),
  },
  report: ({ requestedHost }) => ({ host: requestedHost }),
});
