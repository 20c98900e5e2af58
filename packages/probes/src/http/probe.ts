import { defineProbe, Enum, HeaderLists } from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { refuseProtected, WantedFamily } from '../judge-host.ts';
import { prepareTls } from '../net/tls.ts';
import { HttpAsked, HttpDetail } from './detail-schema.ts';
import { exchangeWithin } from './exchange.ts';
import { measure } from './measure.ts';
import { headerLists, redirectTarget } from './message.ts';
import { parseTarget, resolveTarget } from './target.ts';
import { type HttpTrace, timingsOf } from './trace.ts';

const Ms = (description: string) => Type.Integer({ minimum: 0, description });

/** What one GET shows: what geo-request prints. */
export const HttpMeasured = Type.Object({
  status_code: Type.Integer({ description: '0 when no answer came' }),
  status_message: Type.String({ description: "The answer's reason phrase; over HTTP/2 the registered one" }),
  response_headers: HeaderLists,
  redirects_to: Type.String({ description: 'Absolute URL that a redirect leads to; it is not followed' }),
  timings: Type.Object(
    {
      dns_ms: Ms('Looking up the name, without the opt-out'),
      connect_ms: Ms('Opening the connection'),
      tls_ms: Ms('TLS handshake; 0 for http'),
      ttfb_ms: Ms('From the start to the first octet of the answer'),
      total_ms: Ms('From the start to the end of the answer'),
    },
    { description: 'When each phase was over; the first three are durations' },
  ),
  remote_addr: Type.String({ description: 'The address connected to' }),
  network: Enum(['tcp4', 'tcp6', ''], { description: 'The family of remote_addr; empty without a connection' }),
  http_version: Type.String({ description: 'HTTP/1.0, HTTP/1.1 or HTTP/2' }),
  tls_version: Type.String({ description: 'Such as TLSv1.3; empty for http' }),
  cipher_suite: Type.String({ description: 'IANA name' }),
  error_message: Type.String({ description: 'What is wrong with the certificate; the answer is given all the same' }),
  tls_warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: 'What clients of today refuse or advise against, besides the certificate; where TLS was spoken',
    }),
  ),
  elapsed_ms: Ms('Time at the location, ms'),
  body_bytes: Type.Integer({ minimum: 0, description: 'Of the body, as transferred' }),
  body_truncated: Type.Boolean({ description: 'The body is longer than what was read of it' }),
  certificate: Type.Optional(
    Type.Object(
      {
        valid: Type.Boolean({ description: 'It is trusted, current and for this name' }),
        error: Type.String({ description: 'Why it is not; empty when it is' }),
        not_before: Type.String({ description: 'From when, RFC 3339' }),
        not_after: Type.String({ description: 'Until when, RFC 3339' }),
      },
      { description: "The server's own certificate; absent for http" },
    ),
  ),
});

const HttpResult = Type.Object({
  ...HttpMeasured.properties,
  detail: Type.Optional(HttpDetail),
});
export type HttpResult = Static<typeof HttpResult>;

/** Enough to time a page; what is read is thrown away. */
const BODY_MAX_BYTES = 5 * 1024 * 1024;

/**
 * One GET from this vantage point, each phase timed in the socket's own events. No redirect is followed and no session
 * resumed. An invalid certificate is a result (`error_message`), an HTTP error status too; a target that does not
 * answer throws, with what was measured as `partial`.
 */
export const httpProbe = defineProbe({
  kind: 'http',
  references: ['RFC 9110', 'RFC 9112', 'RFC 9113', 'RFC 9525'],
  job: Type.Object({ url: Type.String({ maxLength: 8192 }), family: WantedFamily, ...HttpAsked }),
  result: HttpResult,
  min_budget_ms: 500,
  slots: 32,
  contacted: ({ remote_addr }) => remote_addr,
  run({ url, family }, ports) {
    prepareTls(ports.ca);
    return measure(
      ports,
      async (trace, signal) => {
        const target = parseTarget(url);
        const address = await resolveTarget(target, ports, {
          families: family === 0 ? [4, 6] : [family],
          signal,
          onAlias: refuseProtected,
        });
        trace.resolved = ports.clock.now();
        await exchangeWithin(ports, {
          target,
          address,
          trace,
          open: () => ports.dialler.tcp({ address, port: target.port, signal }),
          bodyMaxBytes: BODY_MAX_BYTES,
          signal,
        });
      },
      (trace, now) => resultOf(url, trace, now),
    );
  },
});

function resultOf(url: string, trace: HttpTrace, now: number): HttpResult {
  const { head, tls, remoteAddress } = trace;
  const timings = timingsOf(trace, now);
  return {
    status_code: head?.status ?? 0,
    status_message: head?.statusMessage ?? '',
    response_headers: head ? headerLists(head) : {},
    redirects_to: head ? redirectTarget(head, url) : '',
    timings,
    remote_addr: remoteAddress ?? '',
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
