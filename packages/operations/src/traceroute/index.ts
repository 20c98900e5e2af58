import { ApiError, Enum } from '@vedette/contract';
import {
  answerText,
  pathHash,
  trace,
  TRACE_DEFAULTS,
  TRACE_MAX,
  TRACE_PROTOCOLS,
  traceJob,
  type TraceOptions,
  type TraceResult,
} from '@vedette/probes/trace';
import { type Static, Type } from 'typebox';
import { Defaulted, distributed, Host } from '../kit/index.ts';
import { Family, familyOf } from '../shared/names/family.ts';
import { type AddressFacts, factsOf, NAMES_MAX, NO_FACTS } from './facts.ts';
import { TraceOutput } from './schema.ts';

const DEADLINE_MS = 30_000;
/** The price: that of a trace, and of the packets that may leave a location. */
const BASE_CREDITS = 4;
const PACKETS_PER_CREDIT = 15;

interface Query {
  requestedHost: string;
  host: string;
  options: TraceOptions;
}

const packetsOf = ({ rounds, flows, max_hops }: TraceOptions): number => rounds * flows * max_hops;

/** The path to a host from every location, hop by hop. */
export const traceroute = distributed({
  name: 'traceroute',
  subject: 'locations',
  summary: 'Trace the path to a host from many places',
  description:
    'Sends packets with a TTL of 1, 2, 3 and so on from every location, and lists every router that answers. The packets of a round leave together, 2 ms apart, and none goes farther than the target. All packets of a flow look alike to load balancers, which send them along one path; more `flows` show more paths. Over TCP each packet has a port of its own, so paths mix. A router that limits its answers has `answers_limited`: its loss is not that of the path. A report without an answer of the target is still paid for, since its routers were measured. Names, networks and places of up to 64 addresses are looked up by the service.',
  cost: {
    base: BASE_CREDITS + 6,
    of: ({ options }: Query) => BASE_CREDITS + Math.ceil(packetsOf(options) / PACKETS_PER_CREDIT),
    note: `with the default parameters. In general: ${BASE_CREDITS}, and 1 for each ${PACKETS_PER_CREDIT} packets, which are \`rounds\` × \`flows\` × \`max_hops\``,
  },
  deadline_ms: DEADLINE_MS,
  references: ['RFC 792', 'RFC 4443', 'RFC 4884', 'RFC 4950', 'RFC 9293 §3.5'],
  dns: { questions: NAMES_MAX, ms: DEADLINE_MS },
  request: Type.Object(
    {
      host: Host(),
      protocol: Defaulted(
        Enum(TRACE_PROTOCOLS, {
          description: 'Packets to send: ICMP echo requests, UDP datagrams or TCP SYNs',
          examples: ['tcp'],
        }),
        TRACE_DEFAULTS.protocol,
      ),
      port: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 65_535,
          description: 'Port of the target over UDP and TCP. Absent: 33434 over UDP, 443 over TCP',
          examples: [443],
        }),
      ),
      rounds: Defaulted(
        Type.Integer({ minimum: 1, maximum: TRACE_MAX.rounds, description: 'Packets to each hop, for each flow', examples: [3] }),
        TRACE_DEFAULTS.rounds,
      ),
      max_hops: Defaulted(
        Type.Integer({ minimum: 1, maximum: TRACE_MAX.hops, description: 'Hops after which the trace ends', examples: [30] }),
        TRACE_DEFAULTS.max_hops,
      ),
      flows: Defaulted(
        Type.Integer({
          minimum: 1,
          maximum: TRACE_MAX.flows,
          description: `Flows that load balancers may send along different paths. \`rounds\` × \`flows\` is at most ${TRACE_MAX.packets_per_hop}`,
          examples: [4],
        }),
        TRACE_DEFAULTS.flows,
      ),
      family: Family(),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ host: Type.String({ description: 'Host from the request' }) }),
  targets: { host: 'host' },
  examples: [{ host: 'example.org' }],
  read({ host, protocol, port, rounds, max_hops, flows, family }, targets): Query {
    if (rounds * flows > TRACE_MAX.packets_per_hop)
      throw new ApiError('parameter_conflict', `rounds × flows is more than ${TRACE_MAX.packets_per_hop}`, { param: 'rounds' });
    if (port !== undefined && protocol === 'icmp')
      throw new ApiError('parameter_conflict', 'port requires protocol udp or tcp', { param: 'port' });
    const options = { family: familyOf(family, targets.host), protocol, port, rounds, max_hops, flows };
    return { requestedHost: host, host: targets.host.host, options };
  },
  entries: 'locations',
  probe: trace,
  connects: ({ options: { port } }) => (port === undefined ? undefined : { port, times: 1 }),
  job: ({ host, options }) => traceJob(host, options),
  entry: {
    schema: Type.Object({ trace_output: TraceOutput }),
    of: ({ requestedHost }, { result }, facts: AddressFacts | undefined) => ({
      trace_output: { host: requestedHost, ...outputOf(result, facts ?? new Map()) },
    }),
  },
  lookUp: (_query, result, context) => factsOf(result, context),
  report: ({ requestedHost }) => ({ host: requestedHost }),
});

function outputOf({ hops, ...result }: TraceResult, facts: AddressFacts): Omit<Static<typeof TraceOutput>, 'host'> {
  return {
    ...result,
    path_hash: pathHash(hops),
    hops: hops.map(({ answers, ...hop }) => ({
      ...hop,
      percent_packet_loss: hop.packets_sent === 0 ? 0 : Math.round(((hop.packets_sent - hop.packets_received) / hop.packets_sent) * 100),
      answers: answers.map(({ kind, type, code, labels, ...answer }) => ({
        ...answer,
        ...(facts.get(answer.ip_address) ?? NO_FACTS),
        is_inner: answer.ip_address === '',
        answer: answerText(result.ip_address.includes(':') ? 6 : 4, { kind, type, code }),
        ...(kind === 'icmp' && { icmp_type: type, icmp_code: code }),
        mpls_labels: labels,
      })),
    })),
  };
}
