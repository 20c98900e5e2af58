import { ApiError, isProtectedHost, type ParsedUrl, parseHttpUrl, ProbeFailure, type Reason, SILENCE } from '@vedette/contract';
import type { CentralContext } from '../kit/index.ts';
import type { Http3Outcome } from '@vedette/probes/net';
import { type Addresses, PATIENT_MS, requestFields, resolveTargets, staggered } from '@vedette/probes/http';
import type { Endpoint3 } from './advertised.ts';

// Part of the 10 s, after 4 s for TCP and the DNS; the rest is for the answer.
const RESOLVE_MS = 2_000;
const HANDSHAKE_MS = 2_500;
/** An address that has less than this is not tried: its silence would say nothing. */
const HANDSHAKE_MIN_MS = 1_000;

/** One endpoint that was tried over QUIC. */
export interface Attempt {
  endpoint: Endpoint3;
  /** Empty where nothing was sent. */
  ip: string;
  /** Undefined where nothing was sent. */
  outcome: Http3Outcome | undefined;
  failure: ProbeFailure | undefined;
}

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
  try {
    const target = parseHttpUrl(`https://${endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host}:${endpoint.port}/`);
    if (!target) throw new ProbeFailure('blocked_policy', `${endpoint.host} is no host`);
    refuseName(target.host, context);
    if (target.host !== origin.host && target.kind === 'name' && (await isOptedOut(target.host)))
      throw new ProbeFailure('blocked_policy', `the owner of ${target.host} does not want to be measured`);
    const leftMs = (): number => Math.max(1, Math.round(until - clock.now()));
    const addresses = await resolve(target, leftMs, context);
    const isElsewhere = target.host !== origin.host || target.port !== origin.port;
    const ask = async (address: string, limited: AbortSignal): Promise<Http3Outcome> => {
      const outcome = await http3.get({
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
        signal: limited,
      });
      outcomes.set(address, outcome);
      if (outcome.failure && outcome.udp !== 'answered') throw outcome.failure;
      return outcome;
    };
    const last = until - HANDSHAKE_MIN_MS;
    const { value, tried } = await staggered(addresses, ask, { clock, signal, tried: [], next_ms: PATIENT_MS, last });
    return { endpoint, ip: tried.address, outcome: value, failure: value.failure };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProbeFailure)) throw error;
    const [[ip, outcome] = ['', undefined]] = outcomes;
    return { endpoint, ip, outcome, failure: error };
  }
}

async function resolve(
  target: ParsedUrl,
  leftMs: () => number,
  context: CentralContext,
  families: readonly (4 | 6)[] = [4, 6],
): Promise<Addresses> {
  const timeout = AbortSignal.timeout(Math.min(RESOLVE_MS, leftMs()));
  try {
    const { first, others } = await resolveTargets(target, context, {
      families,
      signal: AbortSignal.any([context.signal, timeout]),
      onAlias: (name) => refuseName(name, context),
    });
    // By then the time of this look-up is long over.
    return { first, others: others && (async () => (await resolve(target, leftMs, context, [6])).first) };
  } catch (error) {
    context.signal.throwIfAborted();
    throw timeout.aborted ? new ProbeFailure('dns_timeout', target.host, { cause: error }) : error;
  }
}

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
  if (sent.length > 0 && sent.every(({ failure }) => failure && SILENCE.includes(failure.code)) && !(await http3.udpWorks(since)))
    throw new ApiError('upstream_failed', 'no QUIC server answers this service over UDP', { retryAfterS: 5 });
  const isOurs = attempts.every(({ failure }) => failure && OURS.includes(failure.code));
  if (!isOurs) return;
  if (attempts.some(({ failure }) => failure?.code === 'cancelled')) throw new ApiError('deadline');
  const why = attempts.some(({ failure }) => failure?.code === 'internal')
    ? 'our own QUIC client'
    : `this service has no route over UDP to ${host}`;
  throw new ApiError('upstream_failed', why, { retryAfterS: 5 });
}
