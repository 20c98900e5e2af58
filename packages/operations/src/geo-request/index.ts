import { ApiError, distributed, entryHead, HttpUrl, LocationExtras, LocationFields, parseHttpUrl } from '@vedette/contract';
import { httpProbe } from '@vedette/probes/http';
import { Type } from 'typebox';

/** One GET from every location, with the time of each phase. No redirect is followed. */
export const geoRequest = distributed({
  name: 'geo-request',
  summary: 'Request a URL from many places',
  description:
    '`dns_ms`, `connect_ms` and `tls_ms` are durations; `ttfb_ms` and `total_ms` count from the start. A certificate that does not verify is told in `error_message`, and the answer is given all the same.',
  cost: 5,
  deadline_ms: 20_000,
  references: ['RFC 9110', 'RFC 9112', 'RFC 9113'],
  request: Type.Object(
    {
      url: HttpUrl(),
      use_ipv6: Type.Optional(
        Type.Boolean({ default: false, description: 'Connect over IPv6; always to an IPv6 address', examples: [true] }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({
    url: Type.String(),
    locations: Type.Array(
      Type.Object({
        ...LocationFields,
        ...LocationExtras,
        request_output: httpProbe.result,
        error: Type.String({ description: 'Empty when the target answered' }),
      }),
    ),
  }),
  targets: [{ field: 'url', form: 'url' }],
  examples: [{ url: 'https://example.org/' }],
  check({ url, use_ipv6 }) {
    if (use_ipv6 && parseHttpUrl(url)?.kind === 'ipv4')
      throw new ApiError('parameter_conflict', 'use_ipv6, and a url with an IPv4 address');
  },
  vantage: 'all',
  entries: 'locations',
  probe: httpProbe,
  job({ url, use_ipv6 }) {
    const target = parseHttpUrl(url)!;
    return { url: target.url.href, family: use_ipv6 || target.kind === 'ipv6' ? (6 as const) : (4 as const) };
  },
  entry: (_request, reply) => ({ ...entryHead(reply), request_output: reply.result ?? NO_ANSWER, error: reply.failure?.error ?? '' }),
  report: ({ url }, locations) => ({ url, locations: locations as never }),
});

const NO_ANSWER = {
  status_code: 0,
  status_message: '',
  response_headers: {},
  redirects_to: '',
  timings: { dns_ms: 0, connect_ms: 0, tls_ms: 0, ttfb_ms: 0, total_ms: 0 },
  remote_addr: '',
  network: '',
  http_version: '',
  tls_version: '',
  cipher_suite: '',
  error_message: '',
  elapsed_ms: 0,
  body_bytes: 0,
  body_truncated: false,
};
