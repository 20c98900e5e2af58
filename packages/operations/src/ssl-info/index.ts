import { ApiError, isProtectedHost, type ParsedHost, ProbeFailure } from '@vedette/contract';
import { alpnOf, lookAtTls } from '@vedette/probes/tcp';
import { Type } from 'typebox';
import { central, type CentralContext } from '../kit/index.ts';
import { refusedTarget } from '../shared/names/refused-target.ts';
import { CAA_QUESTIONS, readCaa } from './caa.ts';
import { DANE_QUESTIONS, readTlsa } from './dane.ts';
import { Differences } from './differences.ts';
import { sslFromLocations } from './from-locations.ts';
import { serviceOf, STARTTLS_ASKED, StartTlsAsked, TlsPort } from './ports.ts';
import { readSslQuery, SSL_HEAD, type SslQuery } from './query.ts';
import { reportOf } from './report.ts';
import { SslReport } from './schema.ts';
import { sslScrape } from './scrape.ts';

export { serviceOf, STARTTLS_ASKED, StartTlsAsked, TlsPort };

/** The deadline leaves 9 s for missing certificates and revocation. */
const LOOK_MS = 8_000;
/** Questions about the host, and about the servers of its issuers, which may be of several chains. */
const QUESTIONS = 80;

/** Inspects a server's certificate and chain. */
export const sslInfo = central({
  ...SSL_HEAD,
  description:
    'Connects with TLS 1.0 to 1.3, and judges the certificate as OpenSSL does: trust, dates, names, strength. Missing certificates are fetched from the URLs in the chain (AIA), and reported as missing. Revocation is taken from the stapled response, else from the lists, else from the responders of the issuers; an issuer that cannot be reached leaves it unknown. SCTs are verified with the keys of the logs that Chrome knows. TLSA records count only if DNSSEC proves them. With `locations`, each of them shakes hands with the server, and every chain is judged in this way. The report is then about the certificate that most of them were shown. Each has an entry in `locations`, and `differences` compares the entries. docs/issues/ssl-info.md explains each finding, with the line to change.',
  cost: { base: 2, of: () => 2, note: '5 more with `locations`' },
  deadline_ms: 20_000,
  dns: { questions: QUESTIONS + DANE_QUESTIONS + CAA_QUESTIONS, ms: 18_000, optional: ({ host }: SslQuery) => host.kind !== 'name' },
  references: ['RFC 5280', 'RFC 6066', 'RFC 6698', 'RFC 6960', 'RFC 6962', 'RFC 7633', 'RFC 8659', 'RFC 9525'],
  response: Type.Object({
    ...SslReport.properties,
    locations: Type.Optional(
      Type.Array(sslFromLocations.entrySchema!, { description: 'One entry for each of `locations`; absent without them' }),
    ),
    differences: Type.Optional(Differences),
  }),
  scrape: sslScrape,
  read: readSslQuery,
  fromLocations: sslFromLocations,
  async run(query, context) {
    const [tlsa, caaAnswers, look] = await Promise.all([
      readTlsa(query.host, query.port, context),
      readCaa(query.server, context),
      lookAt(query, context),
    ]);
    return await reportOf(query, { look, tlsa, caaAnswers }, context);
  },
});

/** Rejects with `ApiError` for what is not contacted, and where this machine has no way out. */
async function lookAt({ host, port, server, starttls }: SslQuery, context: CentralContext) {
  const { resolver, dialler, clock, ca, signal } = context;
  const look = await lookAtTls(
    {
      host,
      port,
      server,
      starttls,
      alpn: starttls === undefined ? alpnOf(port) : [],
      ms: LOOK_MS,
      signal,
      refuse: (name) => refuseName(name, context),
    },
    { resolver, dialler, clock, ca },
  );
  const { failure } = look;
  if (failure?.code === 'blocked_private_address' || failure?.code === 'blocked_policy')
    throw await refusedTarget(failure, host.host, context, 'host');
  if (failure?.source === 'vantage')
    throw new ApiError('upstream_failed', `this service: ${failure.message}`, { retryAfterS: 5, cause: failure });
  return look;
}

/** Throws `ProbeFailure` blocked_policy for a name that is not contacted. */
function refuseName(name: ParsedHost['host'], { isDenied }: Pick<CentralContext, 'isDenied'>): void {
  if (isDenied(name) || isProtectedHost(name)) throw new ProbeFailure('blocked_policy', name);
}
