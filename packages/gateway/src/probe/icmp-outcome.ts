import type { Reply } from '@vedette/operations/kit';
import type { ping } from '@vedette/probes/ping';
import type { Static } from 'typebox';
import { type Sample, seconds } from './exposition.ts';
import type { IcmpModule } from '../probe-modules/modules.ts';
import { addressSamples, type AlwaysThere, failedBy, failureOf, NO_ADDRESS, type Outcome, phasesOf, withZeros } from './outcome.ts';

type PingResult = Static<typeof ping.result>;

const ALWAYS: AlwaysThere = [
  ...NO_ADDRESS,
  ['probe_dns_lookup_time_seconds', 0],
  ...phasesOf('probe_icmp_duration_seconds', ['resolve', 'setup', 'rtt']),
];

/**
 * A success is one echo that was answered; how many were is told beside it. The duration is that of one echo, as
 * blackbox_exporter sends: with the 0.6 s of the three others, alerts on slow probes would fire too early.
 */
export const icmpOutcome = (module: IcmpModule, reply: Reply<PingResult>): Outcome => withZeros(measured(module, reply), ALWAYS);

function measured({ options }: IcmpModule, reply: Reply<PingResult>): Outcome {
  const { result } = reply;
  const failure = failureOf(reply);
  if (!result) return { failed: failure ?? failedBy('internal'), tookMs: undefined, samples: [] };
  const { packets_sent, packets_received, detail } = result;
  // An agent older than its gateway sends plain echoes, whatever it is asked for; where those were meant, they will do.
  const { payload_bytes, ttl, dont_fragment } = options;
  if (!detail && (payload_bytes !== undefined || ttl !== undefined || dont_fragment))
    return { failed: failure ?? failedBy('unsupported'), tookMs: undefined, samples: [] };
  return {
    failed: failure,
    tookMs: detail && packets_received > 0 ? detail.resolve_ms + detail.setup_ms + result.rtt.avg : result.elapsed_ms,
    samples: [
      ...addressSamples(result.ip_address),
      ...(detail && result.ip_address !== '' ? resolveSamples(detail.resolve_ms) : []),
      ['probe_icmp_packets_sent_count', packets_sent],
      ['probe_icmp_packets_received_count', packets_received],
      ...(packets_received > 0 ? replySamples(result) : []),
    ],
  };
}

const resolveSamples = (ms: number): Sample[] => [
  ['probe_dns_lookup_time_seconds', seconds(ms)],
  ['probe_icmp_duration_seconds', seconds(ms), { phase: 'resolve' }],
];

const replySamples = ({ rtt, detail, icmp_requests }: PingResult): Sample[] => [
  ['probe_icmp_duration_seconds', detail ? seconds(detail.setup_ms) : NaN, { phase: 'setup' }],
  ['probe_icmp_duration_seconds', seconds(rtt.avg), { phase: 'rtt' }],
  ['probe_icmp_duration_rtt_min_seconds', seconds(rtt.min)],
  ['probe_icmp_duration_rtt_max_seconds', seconds(rtt.max)],
  ['probe_icmp_duration_rtt_stddev_seconds', seconds(rtt.mdev)],
  // 0 where the engine cannot tell.
  ['probe_icmp_reply_hop_limit', detail?.reply_ttl || icmp_requests.at(-1)?.ttl || NaN],
];
