import { ApiError, isProtectedHost, type ParsedUrl, parseHttpUrl, ProbeFailure, type Reason, SILENCE } from '@vedette/contract';
import type { CentralContext } from '../kit/index.ts';
import type { Http3Outcome } from '@vedette/probes/net';
import {
  type Addresses,
  type Attempts,
  attemptsOf,
  familiesOf,
  requestFields,
  resolveTargets,
  staggered,
  type Tried,
} from '@vedette/probes/http';
import type { Endpoint3 } from './advertised.ts';

// Part of the 10 s, after 4 s for TCP and the DNS; the rest is for the answer.
const RESOLVE_MS = 2_000;
const HANDSHAKE_MS = 2_500;
/** The silence of a server that has less than this says nothing. */
const HANDSHAKE_MIN_MS = 1_000;

/** One endpoint that was tried over QUIC. */
export interface Attempt {
  endpoint: Endpoint3;
  /** Empty where nothing was sent. */
  ip: string;
  /** Undefined where nothing was sent. */
  outcome: Http3Outcome | undefined;
  failure: ProbeFailure | undefined;
  /** The addresses that were tried. */
  addresses: Attempts;
}

/** The outcome of an address that was given up. */
const SILENT = { udp: 'silent', connected: false, head: undefined } as const;

/** Throws `ProbeFailure` blocked_policy for a name that is not contacted. */
export function refuseName(name: string, { isDenied }: Pick<CentralContext, 'isDenied'>): void {
  if (isDenied(name) || isProtectedHost(name)) throw new ProbeFailure('blocked_policy', name);
}

/**
 * Asks an endpoint for the page of the origin, as RFC 7838 has it: the certificate must be the origin's, and the endpoint is judged and resolved anew.
 * Its attempts end by `until`, a time on the clock. Rejects with the signal's reason, and with what the gate refuses.
 */
export async function tryEndpoint(origin: ParsedUrl, endpoint: Endpoint3, until: number, context: CentralContext): Promise<Attempt> {
  const { http3, userAgent, clock, signal, isOptedOut } = context;
  const outcomes = new Map<string, Http3Outcome>();
  const tried: Tried[] = [];
  const started = clock.now();
  const addressesTried = (connected?: string) => attemptsOf(tried, { started, connected, now: clock.now() });
  try {
    const target = parseHttpUrl(`https://${endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host}:${endpoint.port}/`);
    if (!target) throw new ProbeFailure('blocked_policy', `${endpoint.host} is no host`);
    refuseName(target.host, context);
    if (target.host !== origin.host && target.kind === 'name' && (await isOptedOut(target.host)))
      throw new ProbeFailure('blocked_policy', `the owner of ${target.host} does not want to be measured`);
    const leftMs = (): number => Math.max(1, Math.round(until - clock.now()));
    const [addresses] = await Promise.all([resolve(target, leftMs, context), http3.ready()]);
    const isElsewhere = target.host !== origin.host || target.port !== origin.port;
    if (leftMs() < HANDSHAKE_MIN_MS) throw new ProbeFailure('cancelled', 'no time was left to try an address');
    // The first to finish its handshake is the one that is asked.
    const ask = async (address: string, limited: AbortSignal): Promise<{ outcome: Promise<Http3Outcome> }> => {
      const connected = Promise.withResolvers<undefined>();
      const outcome = http3.get({
        address,
        port: target.port,
        host: origin,
        authority: origin.url.host,
        path: `${origin.url.pathname}${origin.url.search}`,
        fields: {
          ...requestFields(userAgent),
          ...(origin.basic !== undefined && { authorization: `Basic ${origin.basic}` }),
          ...(isElsewhere && { 'alt-used': target.url.host }),
        },
        handshake_ms: Math.min(HANDSHAKE_MS, leftMs()),
        answer_ms: leftMs(),
        onConnected: () => connected.resolve(undefined),
        signal: limited,
      });
      const ended = outcome.then((found) => {
        outcomes.set(address, found);
        return found.udp === 'answered' ? undefined : found.failure;
      });
      const failure = await Promise.race([connected.promise, ended]);
      if (failure) throw failure;
      return { outcome };
    };
    const { value, tried: winner } = await staggered(addresses, ask, { clock, signal, tried, until });
    const outcome = await value.outcome;
    const { failure, connected } = outcome;
    if (failure && !connected) winner.failure = failure;
    return { endpoint, ip: winner.address, outcome, failure, addresses: addressesTried(winner.address) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProbeFailure)) throw error;
    const isSilent = tried[0] && error.code === 'connect_timeout';
    const [[ip, outcome] = isSilent ? [tried[0]!.address, { ...SILENT, failure: error }] : ['', undefined]] = outcomes;
    return { endpoint, ip, outcome, failure: error, addresses: addressesTried() };
  }
}

async function resolve(target: ParsedUrl, leftMs: () => number, context: CentralContext): Promise<Addresses> {
  const timeout = AbortSignal.timeout(Math.min(RESOLVE_MS, leftMs()));
  try {
    return await resolveTargets(target, context, {
      families: familiesOf(target, 6),
      signal: AbortSignal.any([context.signal, timeout]),
      onAlias: (name) => refuseName(name, context),
    });
  } catch (error) {
    context.signal.throwIfAborted();
    throw timeout.aborted ? new ProbeFailure('dns_timeout', target.host, { cause: error }) : error;
  }
}

/** Why the silence of all endpoints says nothing about them. */
const UDP_FAULTS = {
  bad: 'no QUIC server answers this service over UDP',
  unknown: 'no packet came back, and this service knows no QUIC server that shows whose fault that is',
};

const OURS: readonly Reason[] = ['no_network', 'internal', 'cancelled'];

/**
 * Throws `ApiError` where our own network or QUIC client is, or may be, why nothing is known of any endpoint: upstream_failed, or deadline where no
 * time was left to ask one.
 */
export async function refuseOwnFault(
  attempts: readonly Attempt[],
  host: string,
  since: number,
  { http3 }: Pick<CentralContext, 'http3'>,
): Promise<void> {
  const sent = attempts.filter(({ outcome }) => outcome !== undefined);
  if (sent.length > 0 && sent.every(({ failure }) => failure && SILENCE.includes(failure.code))) {
    const verdict = await http3.udpVerdict(since);
    if (verdict !== 'good') throw new ApiError('upstream_failed', UDP_FAULTS[verdict], { retryAfterS: 5 });
  }
  const isOurs = attempts.every(({ failure }) => failure && OURS.includes(failure.code));
  if (!isOurs) return;
  if (attempts.some(({ failure }) => failure?.code === 'cancelled')) throw new ApiError('deadline');
  const why = attempts.some(({ failure }) => failure?.code === 'internal')
    ? 'our own QUIC client'
    : `this service has no route over UDP to ${host}`;
  throw new ApiError('upstream_failed', why, { retryAfterS: 5 });
}
