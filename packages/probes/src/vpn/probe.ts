import { defineProbe, HeaderStrings, type ParsedUrl, ProbeFailure, type ProbePorts, type VpnExit } from '@vedette/contract';
import type { Socket } from 'node:net';
import { type Static, Type } from 'typebox';
import { exchange } from '../http/exchange.ts';
import { measure } from '../http/measure.ts';
import { headerLists } from '../http/message.ts';
import { familiesOf, refuseProtected } from '../judge-host.ts';
import { parseTarget, resolveTarget } from '../http/target.ts';
import { type HttpTrace, timingsOf } from '../http/trace.ts';
import { ExitFailure } from './exits.ts';
import { byHealth, exitFailed, exitWorked } from './health.ts';
import { PAGE_MAX_BYTES, pageText } from './page.ts';
import { openTunnel } from './tunnel.ts';

const VpnResult = Type.Object({
  exit: Type.String({ description: 'The exit used, without its credentials' }),
  status_code: Type.Integer({ description: '0 when no answer came' }),
  status_message: Type.String(),
  response_headers: HeaderStrings,
  html: Type.String({ description: 'The beginning of the page; empty when it is not text' }),
  error_message: Type.String({ description: 'What is wrong with the certificate' }),
  elapsed_ms: Type.Integer({ minimum: 0 }),
});
export type VpnResult = Static<typeof VpnResult>;

/**
 * One GET through a VPN exit. The name is judged here and, where the exit can, resolved again at its far side. An exit
 * that fails is followed by the next one and never by a direct request; without a working one it throws no_vpn_exit.
 * No redirect is followed: a redirect is an answer.
 */
export const vpnProbe = defineProbe({
  kind: 'vpn',
  references: ['RFC 1928', 'RFC 1929', 'RFC 9110'],
  job: Type.Object({ url: Type.String({ maxLength: 8192 }) }),
  result: VpnResult,
  min_budget_ms: 1_000,
  slots: 16,
  async run({ url }, ports) {
    if (ports.exits.length === 0) throw new ProbeFailure('no_vpn_exit');
    const answer = { exit: '', html: '' };
    return measure(
      ports,
      async (trace, signal) => {
        const target = parseTarget(url);
        const address = await judgeTarget(target, ports, signal);
        trace.resolved = ports.clock.now();
        const release = ports.limits.http(address, target.host);
        const body: Uint8Array[] = [];
        try {
          await exchange({
            target,
            trace,
            async open() {
              const { exit, socket } = await openThroughAny(target, address, ports, signal);
              answer.exit = exit.label;
              return socket;
            },
            onBody: (chunk) => body.push(chunk),
            bodyMaxBytes: PAGE_MAX_BYTES,
            ca: ports.ca,
            userAgent: ports.userAgent,
            clock: ports.clock,
            signal,
          });
        } finally {
          release();
        }
        answer.html = await pageText(trace.head!, Buffer.concat(body));
      },
      (trace, now) => resultOf(answer, trace, now),
    );
  },
});

/** Judges every address of both families: we do not know which of them the exit will take. */
async function judgeTarget(target: ParsedUrl, ports: ProbePorts, signal: AbortSignal): Promise<string> {
  const found = await Promise.allSettled(
    familiesOf(target).map((family) => resolveTarget(target, ports, { families: [family], signal, onAlias: refuseProtected })),
  );
  const refused = found.find((result) => result.status === 'rejected' && !isAbsence(result.reason));
  const first = found.find((result) => result.status === 'fulfilled');
  if (refused?.status === 'rejected') throw refused.reason;
  if (first) return first.value;
  throw (found[0] as PromiseRejectedResult).reason;
}

/** A family without an address does not speak against the other one. A query without an answer does: it may hide an inner address. */
const isAbsence = (error: unknown): boolean =>
  error instanceof ProbeFailure && (error.code === 'dns_no_address' || error.code === 'dns_nxdomain');

/** The first exit that works, healthy ones first. */
async function openThroughAny(
  target: ParsedUrl,
  address: string,
  ports: ProbePorts,
  signal: AbortSignal,
): Promise<{ exit: VpnExit; socket: Socket }> {
  let last: ExitFailure | undefined;
  for (const exit of byHealth(ports.exits, ports.clock.now())) {
    try {
      const socket = await openTunnel(exit, target, address, ports, signal);
      exitWorked(exit);
      return { exit, socket };
    } catch (error) {
      if (signal.aborted || !(error instanceof ExitFailure)) throw error;
      exitFailed(exit, ports.clock.now());
      last = error;
    }
  }
  throw new ProbeFailure('no_vpn_exit', last?.message ?? '', { cause: last });
}

function resultOf(answer: { exit: string; html: string }, trace: HttpTrace, now: number): VpnResult {
  const { head, tls } = trace;
  return {
    ...answer,
    status_code: head?.status ?? 0,
    status_message: head?.statusMessage ?? '',
    response_headers: Object.fromEntries(Object.entries(head ? headerLists(head) : {}).map(([name, values]) => [name, values.join(', ')])),
    error_message: tls?.certificate.error ?? '',
    elapsed_ms: timingsOf(trace, now).total_ms,
  };
}
