import { ApiError } from '@vedette/contract';
import { distributed, Host } from '../kit/index.ts';
import { ping, pingConflict, pingJob, PingMeasured, PingOptions } from '@vedette/probes/ping';
import { Type } from 'typebox';

const USUAL_ECHOES = 4;

interface Query {
  requestedHost: string;
  host: string;
  options: PingOptions;
}

/** Round-trip times to a host from every location. A lost echo is loss, never a time. */
export const pingTest = distributed({
  name: 'ping-test',
  subject: 'locations',
  summary: 'Ping a host from many places',
  description:
    'Sends four ICMP echo requests from every location, 200 ms apart, and waits one second for each reply; `options` changes them. IPv4 is used if the name has it, otherwise IPv6. Duplicate, late and wrong replies are counted in `packets_duplicate`, `packets_late` and `packets_wrong`, not as received. For a name with an inner address nothing is sent, and the flags of the entry say so. If all locations that could resolve the name find an inner address, the report is free.',
  cost: {
    base: 5,
    of: ({ options: { count = USUAL_ECHOES } }: Query) => 5 + Math.ceil(Math.max(0, count - USUAL_ECHOES) / USUAL_ECHOES),
    note: '1 more for each further four echo requests, or part of four',
  },
  deadline_ms: 10_000,
  references: ['RFC 792', 'RFC 4443'],
  request: Type.Object({ host: Host(), options: Type.Optional(PingOptions) }, { additionalProperties: false }),
  response: Type.Object({ host: Type.String({ description: 'Host from the request' }) }),
  targets: { host: 'host' },
  examples: [{ host: 'example.org' }],
  read({ host, options = {} }, targets) {
    const conflict = pingConflict(options);
    if (conflict !== undefined) throw new ApiError('parameter_conflict', conflict, { param: 'options' });
    return { requestedHost: host, host: targets.host.host, options };
  },
  entries: 'locations',
  tellsInnerTarget: true,
  probe: ping,
  job: ({ host, options }) => pingJob(host, options),
  entry: {
    schema: Type.Object({
      ping_output: Type.Object(
        { host: Type.String({ description: 'Host from the request' }), ...PingMeasured.properties },
        { description: 'Result of the echo requests' },
      ),
    }),
    of: ({ requestedHost }, { result }) => ({ ping_output: { host: requestedHost, ...result } }),
  },
  report: ({ requestedHost }) => ({ host: requestedHost }),
});
