import {
  ApiError,
  central,
  type CentralContext,
  HeaderLists,
  HttpUrl,
  type ParsedUrl,
  parseHttpUrl,
  shownUrl,
  text,
} from '@vedette/contract';
import { readHttpsRecords } from '@vedette/web/http3';
import { type Hop, visitPage } from '@vedette/probes/http';
import { Type } from 'typebox';
import { refusedTarget } from '../shared/names/refused-target.ts';
import { advertisementsOf, endpointsOf } from './advertised.ts';
import { refuseOwnFault, refuseName, tryEndpoint } from './attempt.ts';
import { reportOf } from './report.ts';

// Of 10 s, before the handshakes.
const TCP_MS = 4_000;
const DNS_MS = 3_500;
/** What is kept of the deadline to ask who else is silent, and to tell. */
const VERDICT_MS = 1_300;
/** What is read of a body: the head is all that counts. */
const BODY_MAX_BYTES = 4_096;

/** Whether an origin answers over HTTP/3, what it advertises, and what came of each place that it names. */
export const http3Status = central({
  name: 'http3-status',
  summary: 'Whether a URL is served over HTTP/3',
  description:
    'Asks for the URL over TCP, reads Alt-Svc (RFC 7838) and HTTPS records (RFC 9460), and makes a QUIC handshake and a GET at every endpoint that they advertise for `h3`, or else at the port of the URL itself. Certificates are verified as over TCP; weak keys and signatures, must-staple and a name in the common name alone are judged by the certificate that is shown over TCP. The head of an answer may take what is left of the 10 s. Where no endpoint sends anything back, well-known QUIC servers are asked: if they are silent too, it is our own network, and a free 502. A URL with `http:` is asked for over https, since nothing else has HTTP/3. Redirects are not followed. IPv4 is used where a host has it and answers, else IPv6; of each family up to six addresses are tried as far as the time allows, and those that are not tried are counted in `error`.',
  cost: 1,
  deadline_ms: 10_000,
  dns: { questions: 40, ms: DNS_MS + 2_000 },
  references: ['RFC 7838', 'RFC 9000', 'RFC 9114', 'RFC 9460'],
  request: Type.Object({ url: HttpUrl() }, { additionalProperties: false }),
  response: Type.Object({
    url: text('As asked for, a password in it masked'),
    status_code: Type.Integer({ description: 'Of the answer over HTTP/3, or else over TCP; 0 where none came' }),
    status_message: text('What the code means; over HTTP/1.1 what the server calls it'),
    http3_supported: Type.Boolean({ description: 'A QUIC handshake succeeded, the certificate was verified, and an answer came' }),
    protocol: text('HTTP/3.0, HTTP/2.0, HTTP/1.1 or HTTP/1.0: what the answer came over; empty where none came'),
    response_headers: HeaderLists,
    alpn_identifiers: Type.Array(Type.String(), { description: 'Each once, as Alt-Svc and the HTTPS records name them' }),
    debug_message: text(
      'What the other fields do not tell, such as h3 that is advertised though UDP is dropped; empty where there is nothing to say',
    ),
    error: text('Why HTTP/3 is not supported, where it was tried; empty where it is'),
    reason: text('The same as one of the codes of failed measurements'),
    udp: text('What came back over UDP: answered, refused (ICMP), silent (nothing at all); empty where nothing was sent'),
    redirect_url: text('Where the answer leads, absolute; empty where it is no redirect'),
    advertised: Type.Array(
      Type.Object({
        source: text('alt_svc or https_record'),
        alpn: text('ALPN identifier'),
        host: text('Where it is spoken'),
        port: Type.Integer({ description: 'UDP for h3, TCP for the others' }),
        max_age: Type.Integer({ description: 'Seconds for which an Alt-Svc holds (ma); 0 for a record' }),
        persist: Type.Boolean({ description: 'An Alt-Svc holds on other networks too' }),
      }),
      { description: 'Everything that is advertised, in its order' },
    ),
    attempts: Type.Array(
      Type.Object({
        host: text('Endpoint that was tried'),
        port: Type.Integer({ description: 'UDP' }),
        ip: text('Its address that answered, else the first that was tried; empty where nothing was sent'),
        udp: text('As in the report'),
        connected: Type.Boolean({ description: 'The QUIC handshake was finished' }),
        status_code: Type.Integer({ description: '0 where no answer came' }),
        error: text('Why none came; empty where one did'),
        reason: text('The same as a code'),
      }),
      { description: 'At most four endpoints that are advertised for h3, or the origin itself' },
    ),
  }),
  targets: { url: 'url' },
  examples: [{ url: 'https://example.org/' }],
  read: ({ url }, targets) => ({ asked: shownUrl(url), origin: overHttps(targets.url) }),
  async run({ asked, origin }, context) {
    const until = context.clock.now() + context.remainingMs() - VERDICT_MS;
    const [tcp, records] = await Promise.all([overTcp(origin, context), readRecords(origin, context)]);
    // Over QUIC there is no time to be asked first.
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
    return { url: asked, ...reportOf({ origin, tcp, advertisements, attempts }) };
  },
});

/** The same over https; a port that is not http's own stays. */
function overHttps({ url, basic }: ParsedUrl): ParsedUrl {
  const secure = new URL(url);
  secure.protocol = 'https:';
  return { ...parseHttpUrl(secure.href)!, ...(basic !== undefined && { basic }) };
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
  // What the gateway refuses by its name is refused by what the DNS says of it, too: nothing was sent.
  if (code === 'blocked_private_address' || code === 'blocked_policy') throw await refusedTarget(hop!.failure!, origin.host, context);
  if (code === 'no_network') throw new ApiError('upstream_failed', `this machine has no way to ${origin.host}`, { retryAfterS: 5 });
  return hop!;
}

async function readRecords(origin: ParsedUrl, { resolver: whole, signal }: CentralContext) {
  using resolver = whole.share({ ms: DNS_MS });
  return await readHttpsRecords(origin, origin.port, { resolver, signal });
}
