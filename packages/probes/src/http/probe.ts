import { count, defineProbe, Enum, HeaderLists, parseWebUrl, ProbeFailure } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { familyAsked, WantedFamily } from '../host/judge-host.ts';
import { CERTIFICATE_VERDICT } from '../net/handshake/chain-detail.ts';
import { prepareTls } from '../net/tls.ts';
import { detailOf, FOUND_NOTHING, patternsOf, search } from './detail.ts';
import { HttpAsked, HttpDetail } from './detail-schema.ts';
import type { Protocols } from './wire/exchange.ts';
import { followHops, type Hops, KEPT_MAX_BYTES } from './hops.ts';
import { measure } from './measure.ts';
import { headerLists, shownRedirect } from './wire/message.ts';
import { fetchToken } from './oauth2.ts';
import { JobRequest } from './request.ts';
import { bodyOf, HTTP_SHOWN, retainedFor, shownOf } from './asked/shown.ts';
import { dialFor } from '../proxy/through-proxy.ts';
import { Attempts, attemptsOf } from '../host/attempts.ts';
import { type HttpTrace, timingsOf } from './trace.ts';

/** The result of one GET, as geo-request prints it. */
export const HttpMeasured = Type.Object({
  status_code: Type.Integer({ description: 'HTTP status; 0 if no response arrived' }),
  status_message: Type.String({ description: 'Reason phrase of the response; over HTTP/2, the registered phrase' }),
  response_headers: HeaderLists,
  redirects_to: Type.String({ description: 'Absolute URL of a redirect that was not followed, with any password masked' }),
  timings: Type.Object(
    {
      dns_ms: count('Time to resolve the name, in ms, without the opt-out lookup'),
      connect_ms: count('Time to open the connection, in ms'),
      tls_ms: count('Time of the TLS handshake, in ms; 0 for http'),
      ttfb_ms: count('Time from the start to the first byte of the response, in ms'),
      total_ms: count('Time from the start to the end of the response, in ms'),
    },
    { description: 'Phases of the request; `dns_ms`, `connect_ms` and `tls_ms` are durations' },
  ),
  remote_addr: Type.String({ description: 'Address of the connection, otherwise the last one tried; empty if none was' }),
  attempts: Type.Optional(Attempts),
  network: Enum(['tcp4', 'tcp6', ''], { description: 'Address family of `remote_addr`; empty without a connection' }),
  http_version: Type.String({ description: 'HTTP version: HTTP/1.0, HTTP/1.1 or HTTP/2' }),
  tls_version: Type.String({ description: 'TLS version, such as TLSv1.3; empty for http' }),
  cipher_suite: Type.String({ description: 'IANA name of the cipher suite' }),
  error_message: Type.String({ description: 'Problem with the certificate; the response is reported anyway' }),
  tls_warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: 'TLS features, apart from the certificate, that current clients refuse or advise against; absent for http',
    }),
  ),
  elapsed_ms: count('Processing time at the location, in ms'),
  body_bytes: Type.Integer({ minimum: 0, description: 'Size of the body in bytes, as transferred' }),
  body_truncated: Type.Boolean({ description: 'The body is longer than the part that was read' }),
  certificate: Type.Optional(Type.Object(CERTIFICATE_VERDICT, { description: 'Certificate of the server; absent for http' })),
  ...HTTP_SHOWN,
});

const HttpJob = Type.Object({ url: Type.String({ maxLength: 8192 }), family: WantedFamily, ...HttpAsked });
type HttpJob = Static<typeof HttpJob>;

const HttpResult = Type.Object({
  ...HttpMeasured.properties,
  detail: Type.Optional(HttpDetail),
});
export type HttpResult = Static<typeof HttpResult>;

/**
 * One GET from this vantage point, each phase timed in the socket's own events. No redirect is followed and no session
 * resumed. An invalid certificate is a result (`error_message`), an HTTP error status too; a target that does not
 * answer throws, with what was measured as `partial`. A job may ask for more (`HttpAsked`).
 */
export const httpProbe = defineProbe({
  kind: 'http',
  references: ['RFC 9110', 'RFC 9112', 'RFC 9113', 'RFC 9525'],
  job: HttpJob,
  result: HttpResult,
  min_budget_ms: 500,
  slots: 32,
  family: ({ url, family, proxy }) => (proxy ? undefined : familyAsked({ host: parseWebUrl(url)?.host ?? '', family })),
  contacted: ({ remote_addr }) => remote_addr,
  since: (job) => (isSince13(job) ? '1.3' : isSince12(job) ? '1.2' : undefined),
  run(job, ports) {
    prepareTls(ports.ca);
    const hops: Hops = { traces: [], url: job.url, urls: [], chunks: [] };
    let found = FOUND_NOTHING;
    let body: HttpResult['body'];
    const until = ports.clock.now() + ports.budget_ms;
    return measure(
      ports,
      async (trace, signal, next) => {
        const patterns = readPatterns(job);
        let first = trace;
        let token: string | undefined;
        if (job.oauth2)
          try {
            token = await fetchToken(job.oauth2, trace, ports, until, signal);
          } finally {
            first = next(); // nothing of the token's server is reported as the target's
          }
        const options = {
          request: new JobRequest(job.url, job, token),
          follows: job.follow_redirects === true,
          maxRedirects: job.max_redirects,
          retained: job.detail ? KEPT_MAX_BYTES : retainedFor(job),
          family: job.family,
          ipv6First: job.ipv6_first === true,
          protocol: protocolOf(job),
          verify: job.verify_certificate,
          dialTo: dialFor(job.proxy, ports),
          until,
          // blackbox_exporter has one limit, for all of it.
          connectUntil: job.detail === true ? until : undefined,
          next,
          signal,
        };
        await followHops(hops, first, options, ports);
        if (job.show_body !== undefined) body = await bodyOf(hops, job.show_body);
        if (!job.detail) return;
        const searched = await search(hops, patterns, job, ports.patterns, signal);
        found = searched.found;
        if (searched.fault) throw searched.fault;
      },
      (trace, now) => ({
        ...resultOf(hops.url, trace, now),
        ...shownOf(hops, job),
        ...(body && { body }),
        ...(job.detail && { detail: detailOf(hops, found, ports.ca, now) }),
      }),
    );
  },
});

const isSince13 = ({ method, max_redirects, show_body, show_certificates }: HttpJob): boolean =>
  method === 'OPTIONS' || max_redirects !== undefined || show_body !== undefined || show_certificates === true;

/** Agents of 1.1 ignore these parts; with `detail` the result shows it. */
const isSince12 = ({ method = 'GET', headers, http_versions, detail }: HttpJob): boolean =>
  !detail && (method !== 'GET' || headers !== undefined || http_versions !== undefined);

function protocolOf({ http_versions: versions = ['HTTP/1.1', 'HTTP/2'] }: HttpJob): Protocols {
  if (!versions.includes('HTTP/2')) return 'http/1.1';
  return versions.includes('HTTP/1.1') ? 'any' : 'h2';
}

function readPatterns(job: HttpJob): ReturnType<typeof patternsOf> {
  try {
    return patternsOf(job);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ProbeFailure('unsupported', 'pattern', { cause: error });
  }
}

function resultOf(url: string, trace: HttpTrace, now: number): HttpResult {
  const { head, tls, tried, started, remoteAddress } = trace;
  const timings = timingsOf(trace, now);
  return {
    status_code: head?.status ?? 0,
    status_message: head?.statusMessage ?? '',
    response_headers: head ? headerLists(head) : {},
    redirects_to: head ? shownRedirect(head, url) : '',
    timings,
    remote_addr: remoteAddress ?? tried.at(-1)?.address ?? '',
    attempts: attemptsOf(tried, { started, connected: remoteAddress, now }),
    network: remoteAddress === undefined ? '' : remoteAddress.includes(':') ? 'tcp6' : 'tcp4',
    http_version: head?.version ?? '',
    tls_version: tls?.version ?? '',
    cipher_suite: tls?.cipherSuite ?? '',
    error_message: tls?.certificate.error ?? '',
    elapsed_ms: timings.total_ms,
    body_bytes: trace.bodyBytes,
    body_truncated: trace.bodyTruncated,
    ...(tls && { certificate: tls.certificate, tls_warnings: tls.warnings }),
  };
}
