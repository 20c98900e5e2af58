import type { Reply } from '@vedette/operations/kit';
import type { dns } from '@vedette/probes/dns';
import type { Static } from 'typebox';
import { type Sample, seconds } from './exposition.ts';
import type { DnsModule, RecordRules } from '../probe-modules/modules.ts';
import {
  addressSamples,
  type AlwaysThere,
  failedBy,
  failureOf,
  NO_ADDRESS,
  type Outcome,
  phasesOf,
  verdict,
  withZeros,
} from './outcome.ts';
import type { Matching } from '../probe-modules/patterns.ts';

type DnsResult = Static<typeof dns.result>;
type Direct = NonNullable<DnsResult['direct']>;

const ALWAYS: AlwaysThere = [
  ...NO_ADDRESS,
  ['probe_dns_lookup_time_seconds', 0],
  ['probe_dns_query_succeeded', 0],
  ['probe_dns_answer_rrs', 0],
  ['probe_dns_authority_rrs', 0],
  ['probe_dns_additional_rrs', 0],
  ...phasesOf('probe_dns_duration_seconds', ['resolve', 'connect', 'request']),
];

/** Judges what one server answered, as blackbox_exporter does. */
export const serverOutcome = (module: DnsModule, reply: Reply<DnsResult>, matching: Matching): Outcome =>
  withZeros(heardOf(module, reply, matching), ALWAYS);

function heardOf(module: DnsModule, reply: Reply<DnsResult>, matching: Matching): Outcome {
  const { direct } = reply.result ?? {};
  const failure = failureOf(reply);
  if (!direct) return { failed: failure ?? failedBy('unsupported'), tookMs: undefined, samples: [] };
  const answered = direct.rcode !== '';
  // An answer is judged by what it says, also where the agent calls it a failure.
  const failed = answered ? answerVerdict(module, direct, matching) : (failure ?? failedBy('dns_timeout'));
  return {
    failed,
    tookMs: answered ? direct.resolve_ms + direct.connect_ms + direct.request_ms : undefined,
    samples: [
      ...addressSamples(hostOf(direct.server)),
      ['probe_dns_lookup_time_seconds', seconds(direct.resolve_ms)],
      ['probe_dns_query_succeeded', answered ? 1 : 0],
      ['probe_dns_duration_seconds', seconds(direct.resolve_ms), { phase: 'resolve' }],
      ...(answered ? directSamples(direct) : waited(direct, reply.took_ms)),
    ],
  };
}

/** The wait for a server that says nothing, in the phase of the request, as blackbox_exporter counts it. */
function waited({ server, resolve_ms, connect_ms }: Direct, tookMs: number | undefined): Sample[] {
  if (server === '' || tookMs === undefined) return [];
  return [['probe_dns_duration_seconds', seconds(Math.max(0, tookMs - resolve_ms - connect_ms)), { phase: 'request' }]];
}

const directSamples = (direct: Direct): Sample[] => [
  ['probe_dns_duration_seconds', seconds(direct.connect_ms), { phase: 'connect' }],
  ['probe_dns_duration_seconds', seconds(direct.request_ms), { phase: 'request' }],
  ['probe_dns_answer_rrs', direct.answer_rrs],
  ['probe_dns_authority_rrs', direct.authority_rrs],
  ['probe_dns_additional_rrs', direct.additional_rrs],
  ['probe_dns_serial', direct.serial ?? NaN],
];

function answerVerdict(module: DnsModule, direct: Direct, matching: Matching): Outcome['failed'] {
  if (!module.validRcodes.includes(direct.rcode)) return verdict('unexpected_rcode');
  const sections = [
    { rules: module.answer, records: direct.answer },
    { rules: module.authority, records: direct.authority },
    { rules: module.additional, records: direct.additional },
  ].filter(({ rules }) => Object.values(rules).some((patterns) => patterns.length > 0));
  if (sections.length === 0) return undefined;
  const broken = matching.inTime(() => sections.some(({ rules, records }) => breaks(rules, records)));
  if (broken === undefined) return verdict('pattern_timeout');
  return broken ? verdict('unexpected_records') : undefined;
}

/** Reads the rules as blackbox_exporter does. Where patterns have to match, a section without records fails. */
function breaks({ failIfMatches, failIfAllMatch, failIfNotMatches, failIfNoneMatches }: RecordRules, records: readonly string[]): boolean {
  if (records.length === 0) return failIfNotMatches.length > 0 || failIfNoneMatches.length > 0;
  const matched = (pattern: RegExp) => records.filter((record) => pattern.test(record)).length;
  return (
    failIfMatches.some((pattern) => matched(pattern) > 0) ||
    failIfNotMatches.some((pattern) => matched(pattern) < records.length) ||
    (failIfAllMatch.length > 0 && failIfAllMatch.every((pattern) => matched(pattern) === records.length)) ||
    (failIfNoneMatches.length > 0 && failIfNoneMatches.every((pattern) => matched(pattern) === 0))
  );
}

/** The series of an exporter that is told a server by its address: the resolvers of a location have theirs, and which of them was asked says nothing about the name. */
const NAMED: AlwaysThere = ALWAYS.filter(([family]) => !family.startsWith('probe_ip_'));

/** Judges what the resolvers of a location say of a name. */
export const namedOutcome = (module: DnsModule, reply: Reply<DnsResult>): Outcome => withZeros(resolved(module, reply), NAMED);

function resolved({ validRcodes, queryType }: DnsModule, reply: Reply<DnsResult>): Outcome {
  const [answer] = reply.result?.answers ?? [];
  const failure = failureOf(reply);
  if (!answer) return { failed: failure ?? failedBy('internal'), tookMs: undefined, samples: [] };
  const answered = answer.rcode !== '';
  const failed = answered ? (validRcodes.includes(answer.rcode) ? undefined : verdict('unexpected_rcode')) : failure;
  // For an answer that explains why the name has no records, the agents' own reason is better.
  const reason = failed && failure ? failure : failed;
  return {
    failed: reason,
    tookMs: undefined,
    samples: [
      ['probe_dns_query_succeeded', answered ? 1 : 0],
      ...(answered ? answerSamples(answer) : []),
      ['probe_dns_serial', queryType === 'SOA' ? serialOf(answer.records) : NaN],
    ],
  };
}

const answerSamples = ({
  records,
  request_ms = NaN,
  authority_rrs = NaN,
  additional_rrs = NaN,
}: DnsResult['answers'][number]): Sample[] => [
  ['probe_dns_lookup_time_seconds', 0],
  ['probe_dns_answer_rrs', records.length],
  ['probe_dns_authority_rrs', authority_rrs],
  ['probe_dns_additional_rrs', additional_rrs],
  ['probe_dns_duration_seconds', 0, { phase: 'resolve' }],
  ['probe_dns_duration_seconds', 0, { phase: 'connect' }],
  ['probe_dns_duration_seconds', seconds(request_ms), { phase: 'request' }],
];

function serialOf(records: DnsResult['answers'][number]['records']): number {
  const [first] = records;
  return typeof first === 'object' ? Number(first['serial'] ?? NaN) : NaN;
}

/** The address of one with its port. */
const hostOf = (server: string): string => server.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
