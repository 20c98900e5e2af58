import type { X509Certificate } from 'node:crypto';
import type { Static } from 'typebox';
import { defineProbe, parseHost, type ParsedHost, ProbeFailure, type ProbePorts, within } from '@vedette/contract';
import { familiesOf, familyAsked, refuseProtected } from '../host/judge-host.ts';
import { resolveTargets } from '../http/target.ts';
import { abortFailure } from '../net/dialler.ts';
import { chainDetail } from '../net/handshake/chain-detail.ts';
import { chainOf, type Shown } from '../net/tls.ts';
import { readCa } from '../net/ca.ts';
import { issuersOf } from '../net/certificate.ts';
import { rttSummary, toMicroseconds } from '../ping/rtt.ts';
import { connectAll } from './attempts.ts';
import { converse } from './conversation.ts';
import { TcpJob } from './job.ts';
import { type PortState, TcpResult } from './result.ts';
import { tlsShown } from './shown.ts';
import { escaped } from './talk.ts';
import { startTrace, type TcpTrace, timeoutOf } from './trace.ts';

/** Ending so much before the budget leaves time to say what was measured. */
const REPORT_MS = 100;
/** Resolution may take so much of the time. */
const DNS_SHARE = 1 / 2;

/**
 * The state of a TCP port from this vantage point, and what its server says: connections by the clock, one of them talked over. A port that is
 * not open throws, with what was measured as `partial`; silence may be our own. An invalid certificate is a result.
 */
export const tcpProbe = defineProbe({
  kind: 'tcp',
  references: ['RFC 9293', 'RFC 8446', 'RFC 2595', 'RFC 3207', 'RFC 4217', 'RFC 4511', 'RFC 6120'],
  job: TcpJob,
  result: TcpResult,
  min_budget_ms: 500,
  slots: 32,
  since: ({ tls }) => (tls?.show ? '1.5' : undefined),
  family: familyAsked,
  contacted: ({ ip_address }) => ip_address,
  async run(job, ports) {
    const { clock } = ports;
    const trace = startTrace(clock.now());
    const budget = Math.max(0, ports.budget_ms - REPORT_MS);
    return await within(
      clock,
      budget,
      ports.signal,
      () => timeoutOf(trace, budget),
      async (signal) => {
        try {
          await measure(job, trace, ports, signal, budget);
        } catch (error) {
          // Closing the sockets makes whatever was waited for fail in some way; the signal knows why it did.
          const failure = signal.aborted ? abortFailure(signal) : error;
          if (!(failure instanceof ProbeFailure)) throw failure;
          throw new ProbeFailure(failure.code, failure.seen, { cause: failure, partial: resultOf(job, trace, ports) });
        }
        return resultOf(job, trace, ports);
      },
    );
  },
});

async function measure(job: TcpJob, trace: TcpTrace, ports: ProbePorts, signal: AbortSignal, budget: number): Promise<void> {
  const server = parseHost(job.host);
  if (!server) throw new ProbeFailure('blocked_policy', 'not a host');
  refuseProtected(server.host);
  const addresses = await addressesOf(server, job, trace, ports, signal, budget);
  trace.resolved = ports.clock.now();
  trace.phase = 'connect';
  await connectAll(
    trace,
    {
      host: server.host,
      port: job.port,
      addresses,
      count: job.attempts,
      signal,
      talk: (socket) => converse(socket, trace, { job, server, signal }, ports),
    },
    ports,
  );
}

/** The addresses of one family. Rejects with `ProbeFailure` dns_… and blocked_…. */
async function addressesOf(
  server: ParsedHost,
  job: TcpJob,
  trace: TcpTrace,
  ports: ProbePorts,
  signal: AbortSignal,
  budget: number,
): Promise<readonly string[]> {
  const families = job.family === 0 ? familiesOf(server, job.ipv6_first ? 6 : 4) : [job.family];
  const ms = budget * DNS_SHARE;
  const { first } = await within(
    ports.clock,
    ms,
    signal,
    () => timeoutOf(trace, ms),
    (limited) =>
      resolveTargets({ ...server, port: job.port }, ports, { families, signal: limited, service: 'port', onAlias: refuseProtected }),
  );
  return first;
}

const span = (from: number | undefined, to: number | undefined): number =>
  from === undefined || to === undefined ? 0 : toMicroseconds(Math.max(0, to - from));

function resultOf(job: TcpJob, trace: TcpTrace, { clock, ca }: ProbePorts): Static<typeof TcpResult> {
  const { started, resolved, talked, switched, securing, secured, firstOctet, attempts, session, shown, detail } = trace;
  const now = clock.now();
  const open = attempts.filter(({ state }) => state === 'open');
  const begun = securing === undefined ? talked?.connected : secured;
  return {
    ip_address: talked?.address ?? attempts[0]?.ip_address ?? '',
    state: trace.reset ? 'reset' : stateOf(attempts.map(({ state }) => state)),
    attempts: attempts.map((attempt) => ({ ...attempt })),
    rtt: rttSummary(open.map(({ rtt_ms }) => rtt_ms)),
    banner: escaped(trace.banner),
    response: escaped(trace.response),
    ...(job.expect !== undefined && { expect_matched: trace.matched === true }),
    closed_by_server: trace.closed,
    timings: {
      dns_ms: span(started, resolved),
      connect_ms: span(talked?.connecting, talked?.connected),
      starttls_ms: span(talked?.connected, switched),
      tls_ms: span(securing, secured),
      // With STARTTLS the server speaks before TLS.
      first_octet_ms: span(job.starttls === undefined ? begun : talked?.connected, firstOctet),
      total_ms: span(started, now),
    },
    ...(session && {
      tls: {
        version: session.version,
        cipher_suite: session.cipherSuite,
        group: session.group,
        alpn: session.alpn,
        warnings: session.warnings,
      },
    }),
    ...(shown && { certificate: certificateOf(shown) }),
    ...(shown && job.tls?.show && { shown: tlsShown(shown) }),
    elapsed_ms: Math.round(now - started),
    ...(job.script && {
      detail: {
        ...detail,
        ...(shown && { chain: chainDetail(shown.leaf, session?.certificate.valid ? verifiedChain(shown, job, ca) : undefined) }),
      },
    }),
  };
}

/** A connection that was accepted counts most, then an answer of the host, then one of the network. */
const stateOf = (states: readonly PortState[]): PortState | '' =>
  (['open', 'refused', 'rejected', 'filtered'] as const).find((state) => states.includes(state)) ?? '';

function certificateOf({ leaf, certificate }: Shown): NonNullable<Static<typeof TcpResult>['certificate']> {
  const { subject, issuer, subject_alternative: names, fingerprint_sha256, serial_number } = chainDetail(leaf, undefined);
  return { ...certificate, subject, issuer, names, fingerprint_sha256, serial_number };
}

function verifiedChain({ leaf }: Shown, { tls }: TcpJob, ca: readonly string[]): readonly X509Certificate[] {
  const roots = tls?.terms?.roots;
  return roots === undefined ? chainOf(leaf, ca) : issuersOf(leaf, readCa(roots), new Date());
}
