import type { Reply } from '@vedette/operations/kit';
import type { tcpProbe } from '@vedette/probes/tcp';
import type { Static } from 'typebox';
import { type Sample, seconds } from './exposition.ts';
import { chainSamples, versionSamples } from './http-outcome.ts';
import { addressSamples, type AlwaysThere, failedBy, failureOf, NO_ADDRESS, type Outcome, verdict, withZeros } from './outcome.ts';

type TcpResult = Static<typeof tcpProbe.result>;
type Detail = NonNullable<TcpResult['detail']>;

const ALWAYS: AlwaysThere = [
  ...NO_ADDRESS,
  ['probe_dns_lookup_time_seconds', 0],
  ['probe_failed_due_to_regex', 0],
  ['probe_failed_due_to_bytes', 0],
];

/** Judges a connection and what was said over it as blackbox_exporter does. */
export const tcpOutcome = (reply: Reply<TcpResult>): Outcome => withZeros(measured(reply), ALWAYS);

function measured(reply: Reply<TcpResult>): Outcome {
  const { result } = reply;
  const failure = failureOf(reply);
  if (!result) return { failed: failure ?? failedBy('internal'), tookMs: undefined, samples: [] };
  const { ip_address, timings, tls, detail } = result;
  if (!detail) return { failed: failure ?? failedBy('unsupported'), tookMs: undefined, samples: [] };
  return {
    failed: failure ?? verdictOf(detail),
    tookMs: timings.total_ms,
    samples: [
      ...addressSamples(ip_address),
      ...(ip_address === '' ? [] : [['probe_dns_lookup_time_seconds', seconds(timings.dns_ms)] satisfies Sample]),
      ...(failure ? [] : scriptSamples(detail)),
      ...(tls ? versionSamples(tls.version) : []),
      ...(detail.chain ? chainSamples(detail.chain) : []),
    ],
  };
}

const VERDICTS = {
  no_match: 'unexpected_response',
  no_bytes: 'unexpected_bytes',
  ended: 'unexpected_end',
  pattern_timeout: 'pattern_timeout',
} as const;

const verdictOf = ({ script }: Detail): Outcome['failed'] => (script === 'done' || script === '' ? undefined : verdict(VERDICTS[script]));

const scriptSamples = ({ script, labels }: Detail): Sample[] => [
  ['probe_failed_due_to_regex', script === 'no_match' ? 1 : 0],
  ['probe_failed_due_to_bytes', script === 'no_bytes' ? 1 : 0],
  // The same series twice would cost the whole scrape.
  ...new Map(labels.map((own) => [JSON.stringify(own), own])).values().map((own): Sample => {
    return ['probe_expect_info', 1, Object.fromEntries(own.map(({ name, value }) => [name, value]))];
  }),
];
