import { ApiError, Enum, isProtectedHost, type ParsedHost, ProbeFailure } from '@vedette/contract';
import { alpnOf, lookAtTls } from '@vedette/probes/tcp';
import { Type } from 'typebox';
import { central, type CentralContext, Host, parseTarget } from '../kit/index.ts';
import { refusedTarget } from '../shared/names/refused-target.ts';
import { refuseTls } from '../tcp-test/index.ts';
import { CAA_QUESTIONS, readCaa } from './caa.ts';
import { DANE_QUESTIONS, readTlsa } from './dane.ts';
import { serviceOf, STARTTLS_ASKED } from './ports.ts';
import type { SslQuery } from './query.ts';
import { reportOf } from './report.ts';
import { SslReport } from './schema.ts';
import { sslScrape } from './scrape.ts';

export { serviceOf, STARTTLS_ASKED };

/** The deadline leaves 9 s for missing certificates and revocation. */
const LOOK_MS = 8_000;
/** Questions about the host, and about the servers of its issuers. */
const QUESTIONS = 40;

/** Inspects a server's certificate and chain. */
export const sslInfo = central({
  name: 'ssl-info',
  subject: 'web',
  summary: 'Inspect the TLS certificate and chain of a server',
  description:
    'Connects with TLS 1.0 to 1.3, and judges the certificate as OpenSSL does: trust, dates, names, strength. Missing certificates are fetched from the URLs in the chain (AIA), and reported as missing. Revocation is taken from the stapled response, else from the lists, else from the responders of the issuers; an issuer that cannot be reached leaves it unknown. SCTs are verified with the keys of the logs that Chrome knows. TLSA records count only if DNSSEC proves them. docs/issues/ssl-info.md explains each finding, with the line to change.',
  cost: 2,
  deadline_ms: 20_000,
  dns: { questions: QUESTIONS + DANE_QUESTIONS + CAA_QUESTIONS, ms: 18_000, optional: ({ host }: SslQuery) => host.kind !== 'name' },
  references: ['RFC 5280', 'RFC 6066', 'RFC 6698', 'RFC 6960', 'RFC 6962', 'RFC 7633', 'RFC 8659', 'RFC 9525'],
  request: Type.Object(
    {
      host: Host(),
      port: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 65_535,
          description: 'TCP port; the usual one of `starttls` by default, otherwise 443',
          examples: [443],
        }),
      ),
      sni: Type.Optional(Host({ description: 'Server name to send in place of the host; the certificate must cover it' })),
      starttls: Type.Optional(
        Enum(STARTTLS_ASKED, {
          description: 'Protocol in which the server is asked to switch to TLS; by default the one that is usual for the port',
          examples: ['smtp'],
        }),
      ),
    },
    { additionalProperties: false },
  ),
  response: SslReport,
  targets: { host: 'host' },
  scrape: sslScrape,
  examples: [{ host: 'example.org' }, { host: 'example.org', starttls: 'smtp' }],
  read({ host, port, sni, starttls }, { host: target }): SslQuery {
    const service = serviceOf(port, starttls);
    refuseTls(service.port, starttls === undefined ? 'port' : 'starttls');
    return { requestedHost: host, host: target, ...service, server: sni === undefined ? target : parseTarget('name', sni, 'sni') };
  },
  further: ({ host, server }) => (server.host === host.host ? {} : { sni: server }),
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
