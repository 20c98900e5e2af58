import { ApiError, type ParsedHost, shownUrl } from '@vedette/contract';
import { distributed, HttpUrl } from '../kit/index.ts';
import { httpAsked, HttpMeasured, HttpOptions, httpProbe, namedIn } from '@vedette/probes/http';
import { Type } from 'typebox';

interface Query {
  requestedUrl: string;
  url: string;
  basic: string | undefined;
  options: HttpOptions;
  /** The host of a Host field. */
  named: ParsedHost | undefined;
}

/** One request from every location, with the time of each phase: a GET, and no redirect followed, unless the options say otherwise. IPv4 first, where the host has it. */
export const geoRequest = distributed({
  name: 'geo-request',
  subject: 'locations',
  summary: 'Request a URL from many places',
  description:
    '`dns_ms`, `connect_ms` and `tls_ms` are durations; `ttfb_ms` and `total_ms` count from the start. Like a browser, the agent tries all addresses of the host: if one fails or is silent for 200 ms, the next is tried. Connecting may take half of the time. `attempts` lists the addresses tried. If clients would refuse the certificate, `error_message` says why, and the response is still reported. The message covers every certificate of the chain, weak keys and signatures, and must-staple without a staple. `tls_warnings` has other problems (TLS 1.0, Diffie-Hellman with 1024 bits) and requests for a client certificate.',
  cost: {
    base: 5,
    of: ({ options: { show_body } }: Query) => (show_body === undefined ? 5 : 6),
    note: '1 more with `show_body`',
  },
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
      options: Type.Optional(HttpOptions),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ url: Type.String({ description: 'URL from the request, with any password masked' }) }),
  targets: { url: 'url' },
  examples: [{ url: 'https://example.org/' }],
  read({ url, use_ipv6, options = {} }, targets): Query {
    const { kind, url: target, basic } = targets.url;
    if (use_ipv6 && kind === 'ipv4')
      throw new ApiError('parameter_conflict', 'use_ipv6 and a url with an IPv4 address', { param: 'use_ipv6' });
    if (use_ipv6 !== undefined && options.family !== undefined)
      throw new ApiError('parameter_conflict', 'use_ipv6 and options.family', { param: 'options.family' });
    const family = kind !== 'name' || use_ipv6 === undefined ? (options.family ?? 0) : use_ipv6 ? 6 : 4;
    return {
      requestedUrl: shownUrl(url),
      url: target.href,
      basic,
      options: { ...options, family },
      named: hostIn(options),
    };
  },
  further: ({ named }) => (named === undefined ? {} : { 'options.headers.host': named }),
  entries: 'locations',
  probe: httpProbe,
  job: ({ url, basic, options }) => ({ url, ...httpAsked(options), ...(basic !== undefined && { basic }) }),
  entry: {
    schema: Type.Object({ request_output: Type.Object(HttpMeasured.properties, { description: 'Request and response at this location' }) }),
    of: (_query, { result }) => ({ request_output: result }),
  },
  report: ({ requestedUrl }) => ({ url: requestedUrl }),
});

/** The host that the headers name in place of the URL's. */
function hostIn({ headers }: HttpOptions): ParsedHost | undefined {
  try {
    return namedIn(headers);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ApiError('invalid_parameter', `options.headers: ${error.message}`, { param: 'options.headers' });
  }
}
