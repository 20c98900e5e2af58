import {
  defineProbe,
  ENDED,
  type Exit,
  HeaderStrings,
  type ParsedUrl,
  ProbeFailure,
  type ProbePorts,
  type Reason,
  type TargetLimits,
  within,
} from '@vedette/contract';
import { type Static, Type } from 'typebox';
import { Basic } from '../http/detail-schema.ts';
import { exchangeWithin } from '../http/wire/exchange.ts';
import { measure } from '../http/measure.ts';
import { headerLists, type RequestFields } from '../http/wire/message.ts';
import { SignIns } from '../http/sign-in.ts';
import { parseTarget, resolveTargets } from '../http/target.ts';
import { type HttpTrace, restart as askAnew, timingsOf } from '../http/trace.ts';
import { Attempts, attemptsOf } from '../host/attempts.ts';
import { familiesOf, refuseProtected } from '../host/judge-host.ts';
import { type Addresses, PATIENT_MS } from '../host/staggered.ts';
import { ExitFailure } from './exits.ts';
import { PAGE_MAX_BYTES, pageText } from './page.ts';
import { unlessExitDies } from './stall.ts';

const VpnResult = Type.Object({
  exit: Type.String({ description: 'The exit used, without its credentials' }),
  remote_addr: Type.String({ description: 'The address that an exit was told to connect to' }),
  attempts: Type.Optional(Attempts),
  status_code: Type.Integer({ description: 'HTTP status; 0 if no response arrived' }),
  status_message: Type.String(),
  response_headers: HeaderStrings,
  html: Type.String({ description: 'The beginning of the page; empty when it is not text' }),
  error_message: Type.String({ description: 'What is wrong with the certificate' }),
  elapsed_ms: Type.Integer({ minimum: 0 }),
});
export type VpnResult = Static<typeof VpnResult>;

/**
 * One GET through a VPN exit. The name is resolved through the exit and judged here, and the exit is told an address. An exit
 * that fails is followed by the next one and never by a direct request; without a working one it throws no_vpn_exit.
 * No redirect is followed: a redirect is an answer.
 */
export const vpnProbe = defineProbe({
  kind: 'vpn',
  references: ['RFC 1928', 'RFC 1929', 'RFC 7766', 'RFC 9110'],
  job: Type.Object({ url: Type.String({ maxLength: 8192 }), basic: Basic }),
  result: VpnResult,
  min_budget_ms: 1_000,
  slots: 16,
  contacted: ({ remote_addr }) => remote_addr,
  async run({ url, basic }, ports) {
    if (ports.exits.length === 0) throw new ProbeFailure('no_vpn_exit');
    const answer: Answer = { exit: '', remote_addr: '', html: '' };
    return measure(
      ports,
      (trace, signal, next) =>
        getThroughAny({
          target: { ...parseTarget(url), ...(basic !== undefined && { basic }) },
          answer,
          trace,
          next,
          ports,
          signal,
          until: ports.clock.now() + ports.budget_ms,
        }),
      (trace, now) => resultOf(answer, trace, now),
    );
  },
});

type Answer = Pick<VpnResult, 'exit' | 'remote_addr' | 'html'>;

interface Get {
  target: ParsedUrl;
  /** Filled as it goes on, like the trace. */
  answer: Answer;
  trace: HttpTrace;
  /** Begins another trace. */
  next(): HttpTrace;
  ports: ProbePorts;
  signal: AbortSignal;
  /** When the job's budget ends, on the clock. */
  until: number;
}

/** No exit may use more than half of the remaining time, so that the next one always has some. */
const share = ({ ports, until }: Get): number => Math.max(0, (until - ports.clock.now()) / 2);

/** Reasons by which an exit does not fail: it lacks a way to the target. */
const NO_WAY: ReadonlySet<Reason> = new Set(['no_network', 'no_ipv6']);

/** Through the first exit that works. */
async function getThroughAny(get: Get): Promise<void> {
  const { ports, signal } = get;
  let last: ExitFailure | ProbeFailure | undefined;
  for (const exit of ports.exits) {
    if (last) restart(get);
    try {
      return await getThrough(exit, get);
    } catch (error) {
      // Another exit may have the family that this one lacks.
      const isForNext = error instanceof ExitFailure || (error instanceof ProbeFailure && NO_WAY.has(error.code));
      if (signal.aborted || !isForNext) throw error;
      last = error;
    }
  }
  if (last instanceof ProbeFailure) throw last;
  throw new ProbeFailure('no_vpn_exit', last?.message ?? '', { cause: last });
}

/** Data that came through an exit which then failed is not part of the answer; the time that it took is. */
function restart(get: Get): void {
  get.trace = Object.assign(get.next(), { started: get.trace.started });
  Object.assign(get.answer, { exit: '', remote_addr: '' });
}

async function getThrough(exit: Exit, get: Get): Promise<void> {
  const { target, answer, trace, ports, until, signal } = get;
  const addresses = await addressesThrough(exit, get);
  trace.resolved = ports.clock.now();
  const body: Uint8Array[] = [];
  const ask = (requestFields: RequestFields, limited: AbortSignal) =>
    exchangeWithin(ports, {
      target,
      addresses,
      trace,
      requestFields,
      async dial(address, wanted) {
        answer.remote_addr = address;
        const socket = await exit.tcp({ address, port: target.port, signal: wanted });
        Object.assign(answer, { exit: exit.label, remote_addr: address });
        return socket;
      },
      next_ms: PATIENT_MS,
      until,
      onBody: (chunk) => body.push(chunk),
      bodyMaxBytes: PAGE_MAX_BYTES,
      signal: limited,
    });
  const run = async (limited: AbortSignal): Promise<void> => {
    await ask({}, limited);
    const signIns = new SignIns();
    signIns.learn(target);
    const signIn = signIns.answerTo(trace.head, target.url);
    if (!signIn) return;
    askAnew(trace);
    body.length = 0;
    await ask(signIn, limited);
  };
  try {
    await unlessExitDies({ exit, trace, clock: ports.clock, until }, signal, run);
  } catch (error) {
    throw await blame(exit, error, signal);
  }
  answer.html = await pageText(trace.head!, Buffer.concat(body));
}

/** The target's addresses as they are seen from the exit, judged, while the exit shows that it works. */
async function addressesThrough(exit: Exit, get: Get): Promise<Addresses> {
  const { target, ports, signal } = get;
  if (exit.works === false) await exit.ready(signal); // says why not; nothing is asked, so that the zone's rate is not charged
  const notReady = () => new ExitFailure(exit.label, 'it did not show in time that it works');
  const { dialler, clock } = ports;
  const over = new AbortController();
  const options = { families: familiesOf(target), signal: AbortSignal.any([signal, over.signal]), onAlias: refuseProtected };
  try {
    const ready = within(clock, share(get), signal, notReady, (limited) => exit.ready(limited));
    const [addresses] = await Promise.all([
      resolveTargets(target, { resolver: charged(exit.resolver, ports.limits), dialler, clock }, options),
      ready,
    ]);
    return addresses;
  } catch (error) {
    throw await blame(exit, error, signal);
  } finally {
    over.abort(ENDED);
  }
}

/** Charges the zone's rate for each question, when it is asked. */
const charged = (resolver: Exit['resolver'], limits: TargetLimits): Exit['resolver'] => ({
  async addresses(host, ...how) {
    limits.dns(host, 1);
    return resolver.addresses(host, ...how);
  },
});

/** How a target looks that does not answer, or hangs up, and an exit that has died since its last check. */
const SUSPECT: ReadonlySet<Reason> = new Set([
  'dns_timeout',
  'connect_timeout',
  'connect_unreachable',
  'tls_handshake',
  'http_protocol',
  'http_timeout',
]);

/** Decides who is at fault: a failure through an exit that does not pass a check is the exit's own, an `ExitFailure`. */
async function blame(exit: Exit, error: unknown, signal: AbortSignal): Promise<unknown> {
  if (signal.aborted || !(error instanceof ProbeFailure)) return error;
  try {
    if (SUSPECT.has(error.code)) await exit.check(signal);
    else if (error.source === 'resolver') await exit.ready(signal);
    return error;
  } catch (own) {
    return own;
  }
}

function resultOf(answer: Answer, trace: HttpTrace, now: number): VpnResult {
  const { head, tls, tried, started, remoteAddress } = trace;
  return {
    ...answer,
    attempts: attemptsOf(tried, { started, connected: remoteAddress, now }),
    status_code: head?.status ?? 0,
    status_message: head?.statusMessage ?? '',
    response_headers: Object.fromEntries(Object.entries(head ? headerLists(head) : {}).map(([name, values]) => [name, values.join(', ')])),
    error_message: tls?.certificate.error ?? '',
    elapsed_ms: timingsOf(trace, now).total_ms,
  };
}
