import { ApiError, distributed, HttpUrl, shownUrl } from '@vedette/contract';
import { HttpMeasured, httpProbe } from '@vedette/probes/http';
import { Type } from 'typebox';

/** One GET from every location, with the time of each phase. No redirect is followed. IPv4 is used where the host has it and answers, else IPv6. */
export const geoRequest = distributed({
  name: 'geo-request',
  summary: 'Request a URL from many places',
  description:
    '`dns_ms`, `connect_ms` and `tls_ms` are durations; `ttfb_ms` and `total_ms` count from the start. All addresses of the host are tried, as browsers do: the next one where one fails or is silent for 250 ms; `attempts` tells where it was more than one. A certificate that clients refuse is told in `error_message`, and the answer is given all the same: what is wrong with which one of the chain, weak keys and signatures, and must-staple without a staple too. What else they refuse (TLS 1.0, Diffie-Hellman with 1024 bits), and that the server asks for a client certificate, is in `tls_warnings`.',
  cost: 5,
  deadline_ms: 20_000,
  references: ['RFC 9110', 'RFC 9112', 'RFC 9113'],
  request: Type.Object(
    {
      url: HttpUrl(),
      use_ipv6: Type.Optional(
        Type.Boolean({
          description:
            'true: over IPv6 only; false: over IPv4 only, but to an IPv6 address in the url. Absent: over IPv4 where the host has it, else, or where no IPv4 address answers, IPv6',
          examples: [true],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ url: Type.String({ description: 'As asked for, a password in it masked' }) }),
  targets: { url: 'url' },
  examples: [{ url: 'https://example.org/' }],
  read({ url, use_ipv6 }, targets) {
    const { kind, url: target, basic } = targets.url;
    if (use_ipv6 && kind === 'ipv4')
      throw new ApiError('parameter_conflict', 'use_ipv6, and a url with an IPv4 address', { param: 'use_ipv6' });
    return {
      asked: shownUrl(url),
      url: target.href,
      basic,
      family: kind !== 'name' || use_ipv6 === undefined ? 0 : use_ipv6 ? 6 : 4,
    } as const;
  },
  entries: 'locations',
  probe: httpProbe,
  job: ({ url, basic, family }) => ({ url, family, ...(basic !== undefined && { basic }) }),
  entry: {
    schema: Type.Object({ request_output: Type.Object(HttpMeasured.properties, { description: 'What was asked for and answered' }) }),
    of: (_query, { result }) => ({ request_output: result }),
  },
  report: ({ asked }) => ({ url: asked }),
});
