import type { Reply } from '@vedette/operations/kit';
import type { httpProbe } from '@vedette/probes/http';
import type { Static } from 'typebox';
import { type Sample, seconds } from './exposition.ts';
import { laterKeys } from '../probe-modules/jobs.ts';
import type { HttpModule, Pattern } from '../probe-modules/modules.ts';
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

type HttpResult = Static<typeof httpProbe.result>;
type Detail = NonNullable<HttpResult['detail']>;

const ALWAYS: AlwaysThere = [
  ...NO_ADDRESS,
  ['probe_dns_lookup_time_seconds', 0],
  ['probe_failed_due_to_regex', 0],
  ['probe_http_content_length', 0],
  ['probe_http_redirects', 0],
  ['probe_http_ssl', 0],
  ['probe_http_status_code', 0],
  ['probe_http_uncompressed_body_length', 0],
  ['probe_http_version', 0],
  ...phasesOf('probe_http_duration_seconds', ['resolve', 'connect', 'tls', 'processing', 'transfer']),
];

/** Judges an answer as blackbox_exporter does, and makes its series. */
export const httpOutcome = (module: HttpModule, reply: Reply<HttpResult>): Outcome =>
  reply.result && reply.result.status_code > 0 ? measured(module, reply) : withZeros(measured(module, reply), ALWAYS);

function measured(module: HttpModule, reply: Reply<HttpResult>): Outcome {
  const { result } = reply;
  const failure = failureOf(reply);
  if (!result) return { failed: failure ?? failedBy('internal'), tookMs: undefined, samples: [] };
  const { detail } = result;
  // An agent older than its gateway made one plain GET: that is not what was asked for.
  if (!detail) return { failed: failure ?? failedBy('unsupported'), tookMs: undefined, samples: [] };
  const heeds = detail.heeds ?? [];
  if (Object.keys(laterKeys(module)).some((key) => !heeds.includes(key)))
    return { failed: failedBy('unsupported'), tookMs: undefined, samples: [] };
  const answered = result.status_code > 0;
  const patterns = answered ? patternVerdict(module, result, detail) : undefined;
  const failed = failure ?? verdictOf(module, result) ?? patterns;
  const { phases } = detail;
  const inPhasesMs = phases.resolve_ms + phases.connect_ms + phases.tls_ms + phases.processing_ms + phases.transfer_ms;
  return {
    failed,
    // The phase in which time ran out is none of them.
    tookMs: answered && inPhasesMs > 0 ? inPhasesMs : Math.max(inPhasesMs, result.elapsed_ms),
    samples: [
      // blackbox_exporter tries one address, and shows that one.
      ...addressSamples(result.network === '' ? (detail.tried_address ?? '') : result.remote_addr),
      ...(result.attempts ? [failedAddresses(result.attempts)] : []),
      ['probe_failed_due_to_regex', patterns ? 1 : 0],
      // One that is not to be followed counts for blackbox_exporter, too.
      ['probe_http_redirects', detail.redirects + (module.options.max_redirects !== 0 || result.redirects_to === '' ? 0 : 1)],
      ...phaseSamples(detail, answered || failure === undefined),
      ...(answered ? answerSamples(result, detail) : []),
      ...tlsSamples(result, detail),
    ],
  };
}

function verdictOf({ validStatusCodes, validHttpVersions, failIfTls, failIfNotTls }: HttpModule, result: HttpResult): Outcome['failed'] {
  const { status_code: status, http_version: version, tls_version } = result;
  const wanted = validStatusCodes.length > 0 ? validStatusCodes.includes(status) : status >= 200 && status < 300;
  if (!wanted) return verdict('unexpected_status');
  // The file says HTTP/2.0, as Go does; the answer HTTP/2.
  if (validHttpVersions.length > 0 && !validHttpVersions.some((each) => each.replace(/\.0$/, '') === version.replace(/\.0$/, '')))
    return verdict('unexpected_http_version');
  if (failIfTls && tls_version !== '') return verdict('unexpected_tls');
  return failIfNotTls && tls_version === '' ? verdict('missing_tls') : undefined;
}

function patternVerdict(
  { bodyPatterns, headerPatterns }: HttpModule,
  { response_headers }: HttpResult,
  { body_matches, header_matches }: Detail,
): Outcome['failed'] {
  if (body_matches.length < bodyPatterns.length || header_matches.length < headerPatterns.length) return verdict('pattern_timeout');
  const fails = ({ fails }: Pattern, matches: boolean) => matches === (fails === 'present');
  if (bodyPatterns.some((pattern, i) => fails(pattern, body_matches[i]!))) return verdict('unexpected_body');
  const badHeader = headerPatterns.some((pattern, i) =>
    response_headers[pattern.header] === undefined ? !pattern.allowMissing : fails(pattern, header_matches[i]!),
  );
  return badHeader ? verdict('unexpected_header') : undefined;
}

/** Phases that a failed probe did not come to have no time, not even none. */
function phaseSamples({ phases }: Detail, whole: boolean): Sample[] {
  const times = {
    resolve: phases.resolve_ms,
    connect: phases.connect_ms,
    tls: phases.tls_ms,
    processing: phases.processing_ms,
    transfer: phases.transfer_ms,
  };
  return [
    ...(whole || phases.resolve_ms > 0 ? [['probe_dns_lookup_time_seconds', seconds(phases.resolve_ms)] satisfies Sample] : []),
    ...Object.entries(times)
      .filter(([, ms]) => whole || ms > 0)
      .map(([phase, ms]): Sample => ['probe_http_duration_seconds', seconds(ms), { phase }]),
  ];
}

/** The addresses of the last URL that failed; an address that was given up for one that answered did not. */
const failedAddresses = (attempts: NonNullable<HttpResult['attempts']>): Sample => [
  'probe_failed_addresses',
  attempts.filter(({ outcome }) => outcome !== 'connected' && outcome !== 'silent').length,
];

const answerSamples = (
  { status_code, http_version, tls_version }: HttpResult,
  { content_length, uncompressed_body_bytes, last_modified }: Detail,
): Sample[] => [
  ['probe_http_status_code', status_code],
  ['probe_http_version', Number(/^HTTP\/(\d+(?:\.\d+)?)$/.exec(http_version)?.[1])],
  ['probe_http_ssl', tls_version === '' ? 0 : 1],
  ['probe_http_uncompressed_body_length', uncompressed_body_bytes],
  ['probe_http_content_length', content_length ?? NaN],
  ['probe_http_last_modified_timestamp_seconds', last_modified ?? NaN],
];

function tlsSamples({ tls_version, cipher_suite }: HttpResult, { tls }: Detail): Sample[] {
  return [
    ...(tls_version === '' ? [] : versionSamples(tls_version)),
    ...(cipher_suite === '' ? [] : [['probe_tls_cipher_info', 1, { cipher: cipher_suite }] satisfies Sample]),
    ...(tls ? chainSamples(tls) : []),
  ];
}

/** Go writes TLS 1.3, node TLSv1.3. */
export const versionSamples = (version: string): Sample[] => [
  ['probe_tls_version_info', 1, { version: version.replace(/^TLSv1(?!\.)/, 'TLS 1.0').replace('v', ' ') }],
];

export const chainSamples = (tls: NonNullable<Detail['tls']>): Sample[] => [
  ['probe_ssl_earliest_cert_expiry', tls.earliest_not_after],
  ['probe_ssl_last_chain_expiry_timestamp_seconds', tls.verified_not_after ?? NaN],
  [
    'probe_ssl_last_chain_info',
    1,
    {
      fingerprint_sha256: tls.fingerprint_sha256,
      subject: tls.subject,
      issuer: tls.issuer,
      subjectalternative: tls.subject_alternative,
      serialnumber: tls.serial_number,
    },
  ],
];
