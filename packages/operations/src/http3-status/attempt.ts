import {
  ApiError,
  type CentralContext,
  type Http3Outcome,
  isProtectedHost,
  type ParsedUrl,
  parseHttpUrl,
  ProbeFailure,
} from '@vedette/contract';
import { requestFields, resolveTarget } from '@vedette/probes/http';
import type { Endpoint3 } from './advertised.ts';

// Of 10 s, behind 4 s for TCP and the DNS.
const RESOLVE_MS = 2_000;
const HANDSHAKE_MS = 2_500;
const ANSWER_MS = 1_000;

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
 * Rejects with the signal's reason, and with what the gate refuses.
 */
export async function tryEndpoint(origin: ParsedUrl, endpoint: Endpoint3, context: CentralContext): Promise<Attempt> {
  const { http3, userAgent, signal, isOptedOut } = context;
  let ip = '';
  try {
    const target = parseHttpUrl(`https://${endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host}:${endpoint.port}/`);
    if (!target) throw new ProbeFailure('blocked_policy', `${endpoint.host} is no host`);
    refuseName(target.host, context);
    if (target.host !== origin.host && target.kind === 'name' && (await isOptedOut(target.host)))
      throw new ProbeFailure('blocked_policy', `the owner of ${target.host} does not want to be measured`);
    ip = await resolve(target, context);
    const isElsewhere = target.host !== origin.host || target.port !== origin.port;
    const outcome = await http3.get({
      address: ip,
      port: target.port,
      host: origin,
      authority: origin.url.host,
      path: `${origin.url.pathname}${origin.url.search}`,
      fields: { ...requestFields(userAgent), ...(isElsewhere && { 'alt-used': target.url.host }) },
      handshake_ms: HANDSHAKE_MS,
      answer_ms: ANSWER_MS,
      signal,
    });
    return { endpoint, ip, outcome, failure: outcome.failure };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ProbeFailure)) throw error;
    return { endpoint, ip: '', outcome: undefined, failure: error };
  }
}

async function resolve(target: ParsedUrl, context: CentralContext): Promise<string> {
  const timeout = AbortSignal.timeout(RESOLVE_MS);
  try {
    return await resolveTarget(target, context, {
      families: [4, 6],
      signal: AbortSignal.any([context.signal, timeout]),
      onAlias: (name) => refuseName(name, context),
    });
  } catch (error) {
    context.signal.throwIfAborted();
    throw timeout.aborted ? new ProbeFailure('dns_timeout', target.host, { cause: error }) : error;
  }
}

/** Throws `ApiError` upstream_failed where it is our doing that nothing is known of any endpoint. */
export function refuseBlind(attempts: readonly Attempt[], host: string): void {
  const isOurs = attempts.every(({ failure }) => failure?.code === 'no_network' || failure?.code === 'internal');
  if (!isOurs) return;
  const why = attempts.some(({ failure }) => failure?.code === 'internal')
    ? 'our own QUIC client'
    : `this machine has no way over UDP to ${host}`;
  throw new ApiError('upstream_failed', why, { retryAfterS: 5 });
}
