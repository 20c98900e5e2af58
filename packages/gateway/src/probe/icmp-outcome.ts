import type { Reply } from '@vedette/contract';
import type { ping } from '@vedette/probes/ping';
import type { Static } from 'typebox';
import { type Sample, seconds } from './exposition.ts';
import { addressSamples, failedBy, failureOf, type Outcome } from './outcome.ts';

type PingResult = Static<typeof ping.result>;

/** A success is one echo that was answered; how many were is told beside it. */
export function icmpOutcome(reply: Reply<PingResult>): Outcome {
  const { result } = reply;
  const failure = failureOf(reply);
  if (!result) return { failed: failure ?? failedBy('internal'), tookMs: undefined, samples: [] };
  if (!result.detail) return { failed: failure ?? failedBy('unsupported'), tookMs: undefined, samples: [] };
  const { packets_sent, packets_received, detail } = result;
  const resolved = result.ip_address !== '';
  return {
    failed: failure,
    tookMs: result.elapsed_ms,
    samples: [
      ...addressSamples(result.ip_address),
      ...(resolved ? resolveSamples(detail.resolve_ms) : []),
      ['probe_icmp_packets_sent_count', packets_sent],
      ['probe_icmp_packets_received_count', packets_received],
      ...(packets_received > 0 ? replySamples(result, detail) : []),
    ],
  };
}

const resolveSamples = (ms: number): Sample[] => [
  ['probe_dns_lookup_time_seconds', seconds(ms)],
  ['probe_icmp_duration_seconds', seconds(ms), { phase: 'resolve' }],
];

const replySamples = ({ rtt }: PingResult, { setup_ms, reply_ttl }: NonNullable<PingResult['detail']>): Sample[] => [
  ['probe_icmp_duration_seconds', seconds(setup_ms), { phase: 'setup' }],
  ['probe_icmp_duration_seconds', seconds(rtt.avg), { phase: 'rtt' }],
  ['probe_icmp_duration_rtt_min_seconds', seconds(rtt.min)],
  ['probe_icmp_duration_rtt_max_seconds', seconds(rtt.max)],
  ['probe_icmp_duration_rtt_stddev_seconds', seconds(rtt.mdev)],
  ['probe_icmp_reply_hop_limit', reply_ttl > 0 ? reply_ttl : NaN],
];
