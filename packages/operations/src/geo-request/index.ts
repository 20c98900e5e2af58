import { ApiError, shownUrl } from '@vedette/contract';
import { distributed, HttpUrl } from '../kit/index.ts';
import { HttpMeasured, httpProbe } from '@vedette/probes/http';
import { Type } from 'typebox';

/** One GET from every location, with the time of each phase. No redirect is followed. IPv4 is used where the host has it and answers, else IPv6. */
export const geoRequest = distributed({
  name: 'geo-request',
  subject: 'locations',
  summary: 'Request a URL from many places',
  description:
    '`dns_ms`, `connect_ms` and `tls_ms` are durations; `ttfb_ms` and `total_ms` count from the start. Like a browser, the agent tries all addresses of the host: if one fails or is silent for 250 ms, the next is tried. `attempts` lists more than one attempt. If clients would refuse the certificate, `error_message` says why, and the response is still reported. The message covers every certificate of the chain, weak keys and signatures, and must-staple without a staple. `tls_warnings` has other problems (TLS 1.0, Diffie-Hellman with 1024 bits) and requests for a client certificate.',
  cost: 5,
  deadline_ms: 20_000,
  references: ['RFC 9110', 'RFC 9112', 'RFC 9113'],
  request: Type.Object(
    {
      url: HttpUrl(),
      use_ipv6: Type.Optional(
        Type.Boolean({
          description:
            'true: IPv6 only. false: IPv4 only, unless the URL has an IPv6 address. Absent: IPv4 if available and responding, otherwise IPv6',
          examples: [true],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ url: Type.String({ description: 'URL from the request, with any password masked' }) }),
  targets: { url: 'url' },
  examples: [{ url: 'https://example.org/' }],
  read({ url, use_ipv6 }, targets) {
    const { kind, url: target, basic } = targets.url;
    if (use_ipv6 && kind === 'ipv4')
      throw new ApiError('parameter_conflict', 'use_ipv6 and a url with an IPv4 address', { param: 'use_ipv6' });
    return {
      requestedUrl: shownUrl(url),
      url: target.href,
      basic,
      family: kind !== 'name' || use_ipv6 === undefined ? 0 : use_ipv6 ? 6 : 4,
    } as const;
  },
  entries: 'locations',
  probe: httpProbe,
  job: ({ url, basic, family }) => ({ url, family, ...(basic !== undefined && { basic }) }),
  entry: {
    schema: Type.Object({ request_output: Type.Object(HttpMeasured.properties, { description: 'Request and response at this location' }) }),
    of: (_query, { result }) => ({ request_output: result }),
  },
  report: ({ requestedUrl }) => ({ url: requestedUrl }),
});
