import { ApiError, HeaderLists, type ParsedUrl, shownUrl, text } from '@vedette/contract';
import { central, type CentralContext, HttpUrl } from '../kit/index.ts';
import { readHttpsRecords } from '@vedette/web/http3';
import { Attempts, type Hop, visitPage } from '@vedette/probes/http';
import { Type } from 'typebox';
import { refusedTarget } from '../shared/names/refused-target.ts';
import { advertisementsOf, endpointsOf } from './advertised.ts';
import { refuseOwnFault, refuseName, tryEndpoint } from './attempt.ts';
import { reportOf } from './report.ts';

// Part of the 10 s, before the handshakes.
const TCP_MS = 4_000;
const DNS_MS = 3_500;
/** The part of the deadline kept for the question whether other hosts are silent too, and for the report. */
const VERDICT_MS = 1_300;
/** The most bytes that are read of a body: only the head counts. */
const BODY_MAX_BYTES = 4_096;

/** Whether an origin answers over HTTP/3, what it advertises, and what came of each place that it names. */
export const http3Status = central({
  name: 'http3-status',
  subject: 'web',
  summary: 'Check whether a URL is served over HTTP/3',
  description:
    'Requests the URL over TCP and reads Alt-Svc (RFC 7838) and HTTPS records (RFC 9460). Each endpoint advertised for `h3`, or otherwise the port of the URL, gets a QUIC handshake and a GET. Certificates are verified as over TCP. Weak keys and signatures, must-staple, and names found only in the common name are judged by the certificate presented over TCP. The handshake decides `http3_supported`, and response headers may take the rest of the 10 s. If no endpoint sends a packet back, well-known QUIC servers are tried. If these are silent too, or none is known, the silence says nothing and the request gets a free 502. `http:` URLs are requested over https, because HTTP/3 requires it. Redirects are not followed. Up to six addresses are tried, IPv6 first. The first to finish its handshake gets the request, and `error` counts those that were not tried.',
  cost: 1,
  deadline_ms: 10_000,
  dns: { questions: 40, ms: DNS_MS + 2_000 },
  references: ['RFC 7838', 'RFC 9000', 'RFC 9114', 'RFC 9460'],
  request: Type.Object({ url: HttpUrl() }, { additionalProperties: false }),
  response: Type.Object({
    url: text('URL from the request, with any password masked'),
    status_code: Type.Integer({ description: 'Status of the HTTP/3 response, otherwise of the response over TCP; 0 if none arrived' }),
    status_message: text('Meaning of the status code; over HTTP/1.1, the reason phrase that the server sent'),
    http3_supported: Type.Boolean({
      description: 'A QUIC handshake for h3 succeeded and the certificate was verified, even if no response arrived in time',
    }),
    protocol: text('Protocol of the response: HTTP/3.0, HTTP/2.0, HTTP/1.1 or HTTP/1.0; empty if none arrived'),
    response_headers: HeaderLists,
    alpn_identifiers: Type.Array(Type.String(), { description: 'ALPN identifiers from Alt-Svc and the HTTPS records, without duplicates' }),
    debug_message: text('Additional findings, such as advertised h3 while UDP is blocked; empty if there are none'),
    error: text('Reason why no response arrived over HTTP/3; empty if one did'),
    reason: text('Reason code why no response arrived over HTTP/3'),
    udp: text('UDP outcome: answered, refused (ICMP), or silent (no packet came back); empty if no packet was sent'),
    redirect_url: text('Absolute URL of a redirect; empty if the response is not a redirect'),
    advertised: Type.Array(
      Type.Object({
        source: text('Source of the advertisement: alt_svc or https_record'),
        alpn: text('ALPN identifier'),
        host: text('Host of the advertised endpoint'),
        port: Type.Integer({ description: 'Port of the advertised endpoint: UDP for h3, TCP for other protocols' }),
        max_age: Type.Integer({ description: 'Lifetime of an Alt-Svc entry in seconds (ma); 0 for a DNS record' }),
        persist: Type.Boolean({ description: 'The Alt-Svc entry stays valid when the client changes networks' }),
      }),
      { description: 'Advertised endpoints in their published order' },
    ),
    attempts: Type.Array(
      Type.Object({
        host: text('Host of the tested endpoint'),
        port: Type.Integer({ description: 'UDP port of the tested endpoint' }),
        ip: text('IP address that answered, otherwise the first one tried; empty if no packet was sent'),
        udp: text('UDP outcome: answered, refused, or silent; empty if no packet was sent'),
        connected: Type.Boolean({ description: 'The QUIC handshake completed' }),
        status_code: Type.Integer({ description: 'HTTP status; 0 if no response arrived' }),
        error: text('Reason why no response arrived; empty otherwise'),
        reason: text('Reason code why no response arrived'),
        addresses: Attempts,
      }),
      { description: 'Up to four endpoints advertised for h3, or the origin itself' },
    ),
  }),
  targets: { url: 'url' },
  examples: [{ url: 'https://example.org/' }],
  read: ({ url }, targets) => ({ requestedUrl: shownUrl(url), origin: overHttps(targets.url) }),
  async run({ requestedUrl, origin }, context) {
    const until = context.clock.now() + context.remainingMs() - VERDICT_MS;
    const [tcp, records] = await Promise.all([overTcp(origin, context), readRecords(origin, context)]);
    // Over QUIC, the server cannot ask for credentials first in time.
    const { basic: _basic, ...anonymous } = origin;
    const asker = tcp.signedIn ? origin : anonymous;
    const advertisements = advertisementsOf(origin.url, origin.host, tcp.head, records);
    const since = context.clock.now();
    const attempts = await Promise.all(
      endpointsOf(advertisements, origin).map((endpoint) =>
        tryEndpoint(asker, { host: endpoint.host, port: endpoint.port }, until, context),
      ),
    );
    await refuseOwnFault(attempts, origin.host, since, context);
    return { url: requestedUrl, ...reportOf({ origin, tcp, advertisements, attempts }) };
  },
});

/** The same over https; a port that is not http's own stays. */
function overHttps(target: ParsedUrl): ParsedUrl {
  const url = new URL(target.url);
  Object.assign(url, { protocol: 'https:' });
  return { ...target, url, port: url.port === '' ? 443 : Number(url.port) };
}

async function overTcp(origin: ParsedUrl, context: CentralContext): Promise<Hop> {
  const { resolver, dialler, clock, ca, userAgent, signal, isOptedOut } = context;
  const { hops } = await visitPage({
    resolver,
    dialler,
    clock,
    ca,
    userAgent,
    signal,
    url: origin.url.href,
    basic: origin.basic,
    now: context.today(),
    protocol: 'any',
    maxBytes: BODY_MAX_BYTES,
    maxRedirects: 0,
    hop_ms: TCP_MS,
    total_ms: TCP_MS,
    refuse: (name) => refuseName(name, context),
    isOptedOut,
    follows: () => false,
  });
  const [hop] = hops;
  const code = hop?.failure?.code;
  // The gateway's refusals by name also apply to the DNS answers: nothing was sent.
  if (code === 'blocked_private_address' || code === 'blocked_policy') throw await refusedTarget(hop!.failure!, origin.host, context);
  if (code === 'no_network') throw new ApiError('upstream_failed', `this service has no route to ${origin.host}`, { retryAfterS: 5 });
  return hop!;
}

async function readRecords(origin: ParsedUrl, { resolver: whole, signal }: CentralContext) {
  using resolver = whole.share({ ms: DNS_MS });
  return await readHttpsRecords(origin, origin.port, { resolver, signal });
}
