import { count, Enum, flag, text } from '@vedette/contract';
import { PingMeasured } from '@vedette/probes/ping';
import { MplsStack, STOPS } from '@vedette/probes/trace';
import { type Static, Type } from 'typebox';

const { rtt: Rtt } = PingMeasured.properties;

const HopAnswer = Type.Object(
  {
    ip_address: text('Address that answered; empty for an inner address'),
    is_inner: flag("The address is not public, or one of the location's own: it is counted and not shown"),
    ip_hostname: text('Name in the PTR record of the address; empty if there is none or the DNS did not answer'),
    asn: text('Autonomous system of the address, such as AS64496; empty if unknown'),
    isp: text('Organization that announces the address; empty if unknown'),
    country_code: text('Country of the address, ISO 3166-1 alpha-2; empty if unknown'),
    country_name: text('English name of the country'),
    city_name: text('English name of the city'),
    answer: text('Kind of answer in words, such as `Time to live exceeded`, `Echo reply` or `Packet filtered`'),
    icmp_type: Type.Optional(count('Type of the ICMP error; absent for other answers')),
    icmp_code: Type.Optional(count('Code of the ICMP error; absent for other answers')),
    packets_received: count('Number of answers from this address'),
    rtt: Rtt,
    ttl: count('Hops left of the last answer (TTL or hop limit). It tells the length of the way back; 0 if unknown'),
    flows: Type.Array(Type.Integer(), { description: 'Flows that met this address, counted from 0' }),
    mpls_labels: MplsStack,
  },
  { title: 'HopAnswer' },
);
export type HopAnswer = Static<typeof HopAnswer>;

const Hop = Type.Object(
  {
    hop: count('Number of the hop, from 1'),
    packets_sent: count('Number of packets sent with this TTL; packets that the local system refused do not count'),
    packets_received: count('Number of answers in time'),
    percent_packet_loss: Type.Integer({ minimum: 0, maximum: 100, description: 'Percentage of packets without an answer' }),
    answers_limited: flag(
      'The loss is that of answers, not of the path: a later hop lost fewer packets, or the router answered the first packets only',
    ),
    rtt: Rtt,
    answers: Type.Array(HopAnswer, { description: 'Every address that answered; empty if none did' }),
  },
  { title: 'Hop' },
);

export const TraceOutput = Type.Object(
  {
    host: text('Host from the request'),
    ip_address: text('Address that the packets went to; empty if there was none'),
    reached: flag('The target answered'),
    stopped_by: Enum(STOPS, {
      description:
        'Reason for the end of the list; empty if nothing was measured. unreachable: a router passes nothing on. loop: routers pass packets in a circle. silence: no later hop answered',
    }),
    path_hash: text('Digest of the addresses of all hops: the same value, the same path. Empty without an answer'),
    packets_sent: count('Number of packets sent, those beyond the target included'),
    packets_received: count('Number of answers in time'),
    hops: Type.Array(Hop, { description: 'Hops up to the target, or to the last that answered' }),
    elapsed_ms: count('Processing time at the location, in ms'),
  },
  { description: 'Path to the host' },
);
