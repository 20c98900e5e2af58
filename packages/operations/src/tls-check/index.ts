import { ApiError, isProtectedHost, type ParsedHost, ProbeFailure } from '@vedette/contract';
import { familiesOf, resolveTargets } from '@vedette/probes/http';
import type { StartTls } from '@vedette/probes/tcp';
import { CONNECTIONS_MAX, scanTls, type TlsScan } from '@vedette/probes/tls';
import { readHttpsRecords } from '@vedette/web/http3';
import { type Static, Type } from 'typebox';
import { central, type CentralContext, Host } from '../kit/index.ts';
import { Family, familyOf } from '../shared/names/family.ts';
import { refusedTarget } from '../shared/names/refused-target.ts';
import { serviceOf, StartTlsAsked, TlsPort } from '../ssl-info/index.ts';
import { refuseTls } from '../tcp-test/index.ts';
import { reportOf } from './report.ts';
import { TlsReport } from './schema.ts';

const DEADLINE_MS = 60_000;
const COOL_DOWN_S = 60;
const DNS_MS = 5_000;
/** The part of the deadline that is kept for the question whether others are silent too, and for the report. */
const REPORT_MS = 2_000;

/** The SSL and TLS of a server, in all versions, without an attack. */
export const tlsCheck = central({
  name: 'tls-check',
  subject: 'web',
  summary: 'Check the SSL and TLS versions, suites and features of a server',
  description: `Opens up to ${CONNECTIONS_MAX} connections to one address of the host, one after the other and at most 20 a second. Nearly all of them end after the hellos, which are in the clear; up to eight handshakes are completed, to see whether sessions are resumed. Nothing is attacked: what a hello cannot tell is not told. A port of a host can be checked once a minute by all accounts together. If the server stops answering in the middle, what is not known by then is \`unknown\`. docs/tls-check.md explains the grade, and docs/issues/tls-check.md every finding. The certificate is a matter of ssl-info.`,
  cost: 10,
  deadline_ms: DEADLINE_MS,
  // An address is checked without the DNS.
  dns: { questions: 8, ms: DNS_MS, optional: ({ target }: Query) => target.kind !== 'name' },
  references: ['RFC 8446', 'RFC 5246', 'RFC 9325', 'RFC 8996', 'RFC 7507', 'RFC 5746'],
  request: Type.Object(
    {
      host: Host(),
      port: TlsPort(8443),
      starttls: StartTlsAsked,
      family: Family(),
    },
    { additionalProperties: false },
  ),
  response: TlsReport,
  targets: { host: 'host' },
  coolDownS: COOL_DOWN_S,
  examples: [{ host: 'example.org' }],
  read({ host, port, starttls, family }, targets): Query {
    const service = serviceOf(port, starttls);
    refuseTls(service.port, 'port');
    return { requestedHost: host, target: targets.host, ...service, family: familyOf(family, targets.host) };
  },
  connects: ({ port }) => ({ port, times: CONNECTIONS_MAX }),
  async run(query, context) {
    const [{ address, outcome }, ech] = await Promise.all([scanned(query, context), echOf(query, context)]);
    return reportOf({ host: query.requestedHost, port: query.port, starttls: query.starttls ?? 'none', ip_address: address, ech }, outcome);
  },
});

interface Query {
  requestedHost: string;
  target: ParsedHost;
  port: number;
  starttls: StartTls | undefined;
  family: 0 | 4 | 6;
}

/** The address, and the scan of it, or why there was none. Rejects with `ApiError`. */
async function scanned(
  { target, port, starttls, family }: Query,
  context: CentralContext,
): Promise<{ address: string; outcome: TlsScan | ProbeFailure }> {
  const { dialler, clock, signal, isDenied } = context;
  const refuse = (name: string) => {
    if (isDenied(name) || isProtectedHost(name)) throw new ProbeFailure('blocked_policy', name);
  };
  try {
    const families = family === 0 ? familiesOf(target) : [family];
    const { first } = await resolveTargets({ ...target, port }, context, { families, signal, service: 'port', onAlias: refuse });
    const address = first[0]!;
    const outcome = await scanTls({
      server: { address, host: target.host, port, starttls },
      serverName: target.kind === 'name' ? target.host : undefined,
      dialler,
      clock,
      ms: context.remainingMs() - REPORT_MS,
      signal,
    });
    return { address, outcome };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProbeFailure)) throw error;
    if (error.code === 'blocked_private_address' || error.code === 'blocked_policy')
      throw await refusedTarget(error, target.host, context, 'host');
    if (error.code === 'no_network')
      throw new ApiError('upstream_failed', `this service has no route to ${target.host}`, { retryAfterS: 5 });
    if (error.source !== 'resolver') throw error;
    return { address: '', outcome: error };
  }
}

/** Whether HTTPS records have a key for Encrypted Client Hello. */
async function echOf({ target, port, starttls }: Query, context: CentralContext): Promise<Static<typeof TlsReport>['ech']> {
  if (target.kind !== 'name' || starttls !== undefined) return 'not_applicable';
  const { bindings, problem } = await readHttpsRecords(target, port, context);
  return bindings.some(({ ech }) => ech) ? 'yes' : problem === '' ? 'no' : 'unknown';
}
