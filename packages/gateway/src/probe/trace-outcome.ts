import type { Reply } from '@vedette/operations/kit';
import { pathHash, type TraceResult } from '@vedette/probes/trace';
import { type Sample, seconds } from './exposition.ts';
import { addressSamples, type AlwaysThere, failureOf, failedBy, NO_ADDRESS, type Outcome, verdict, withZeros } from './outcome.ts';

const ALWAYS: AlwaysThere = [...NO_ADDRESS, ['probe_trace_hops', 0], ['probe_trace_reached', 0]];

/** The target's answer is a success. Each hop has its loss and its round trip; inner hops have no address. */
export const traceOutcome = (reply: Reply<TraceResult>): Outcome => withZeros(measured(reply), ALWAYS);

function measured(reply: Reply<TraceResult>): Outcome {
  const { result } = reply;
  const failure = failureOf(reply);
  if (!result) return { failed: failure ?? failedBy('internal'), tookMs: undefined, samples: [] };
  const hash = pathHash(result.hops);
  return {
    failed: failure ?? (result.reached ? undefined : verdict('target_not_reached')),
    tookMs: result.elapsed_ms,
    samples: [
      ...addressSamples(result.ip_address),
      ['probe_trace_reached', result.reached ? 1 : 0],
      ['probe_trace_hops', result.hops.length],
      ...(hash === '' ? [] : [['probe_trace_path_hash', Number.parseInt(hash.slice(0, 8), 16)] satisfies Sample]),
      ...result.hops.flatMap(hopSamples),
    ],
  };
}

function hopSamples({ hop, packets_sent, packets_received, answers_limited, rtt, answers }: TraceResult['hops'][number]): Sample[] {
  const labels = { hop: String(hop), address: answers.map(({ ip_address }) => ip_address || 'inner').join(' ') };
  return [
    ['probe_trace_hop_packets_sent_count', packets_sent, labels],
    ['probe_trace_hop_packets_received_count', packets_received, labels],
    ['probe_trace_hop_answers_limited', answers_limited ? 1 : 0, labels],
    ...(packets_received > 0 ? [['probe_trace_hop_rtt_seconds', seconds(rtt.avg), labels] satisfies Sample] : []),
  ];
}
