import { type ParsedUrl, ProbeFailure, type Reason } from '@vedette/contract';
import { faultsBesideChain, type Hop, headerLists, type HttpHead, shownRedirect } from '@vedette/probes/http';
import type { Advertisements } from './advertised.ts';
import type { Attempt } from './attempt.ts';

export interface Evidence {
  origin: ParsedUrl;
  /** The answer over TCP. */
  tcp: Hop;
  advertisements: Advertisements;
  attempts: readonly Attempt[];
}

const PROTOCOLS: Readonly<Record<string, string>> = { 'HTTP/2': 'HTTP/2.0', 'HTTP/3': 'HTTP/3.0' };
const NO_HEADERS = { headers: [] };

/** The report, but for `url`. */
export function reportOf(evidence: Evidence) {
  const { origin, tcp, advertisements, attempts } = evidence;
  const supporting = attempts.filter((attempt) => supports(attempt, evidence));
  const answered = supporting.find(({ outcome }) => outcome?.head) ?? supporting[0];
  const head: HttpHead | undefined = answered?.outcome?.head ?? tcp.head;
  const { failure } = answered ?? attempts.find(({ outcome }) => outcome?.udp === 'answered') ?? attempts[0] ?? {};
  const whyNot = answered ? failure : (unverified(evidence) ?? failure);
  return {
    status_code: head?.status ?? 0,
    status_message: head?.statusMessage ?? '',
    http3_supported: answered !== undefined,
    protocol: head ? (PROTOCOLS[head.version] ?? head.version) : '',
    response_headers: headerLists(head ?? NO_HEADERS),
    alpn_identifiers: [...new Set(advertisements.list.map(({ alpn }) => alpn))],
    debug_message: debugOf(evidence, answered).join('. '),
    error: whyNot?.message ?? '',
    reason: whyNot?.code ?? '',
    udp: udpOf(answered ? [answered] : attempts),
    redirect_url: head ? shownRedirect(head, origin.url.href) : '',
    advertised: [...advertisements.list],
    attempts: attempts.map(({ endpoint, ip, outcome, failure: problem, addresses }) => ({
      ...endpoint,
      ip,
      udp: outcome?.udp ?? '',
      connected: outcome?.connected ?? false,
      status_code: outcome?.head?.status ?? 0,
      error: problem?.message ?? '',
      reason: problem?.code ?? '',
      addresses,
    })),
  };
}

/** Failures of an answer over a connection whose handshake the server has accepted. */
const AFTER_HANDSHAKE: readonly Reason[] = ['http_timeout', 'too_large'];

/** A handshake for h3 decides, whether the page behind it is quick or not. */
const supports = ({ outcome }: Attempt, evidence: Evidence): boolean =>
  outcome?.connected === true &&
  (outcome.failure === undefined || AFTER_HANDSHAKE.includes(outcome.failure.code)) &&
  unverified(evidence) === undefined;

/**
 * A certificate for an address can only be checked over TCP: without it, the origin is not proven. The same holds for what the QUIC library
 * does not look at, and clients refuse.
 */
function unverified({ origin, tcp }: Evidence): Pick<ProbeFailure, 'code' | 'message'> | undefined {
  if (origin.kind !== 'name')
    return tcp.tls?.certificate.valid === true
      ? undefined
      : { code: 'tls_cert_invalid', message: 'The certificate of an address is checked over TCP, and there it is not valid' };
  const fault = tcp.tls ? faultsBesideChain(tcp.tls.chain, origin, tcp.tls.stapled !== undefined) : '';
  return fault === '' ? undefined : new ProbeFailure('tls_cert_invalid', fault);
}

/** The common result of the attempts: an answer of one says more than the silence of another. */
function udpOf(attempts: readonly Attempt[]): 'answered' | 'refused' | 'silent' | '' {
  const seen = new Set(attempts.map(({ outcome }) => outcome?.udp));
  return (['answered', 'refused', 'silent'] as const).find((udp) => seen.has(udp)) ?? '';
}

/** Facts that the other fields do not show. */
function debugOf({ tcp, advertisements, attempts }: Evidence, answered: Attempt | undefined): string[] {
  const isAdvertised = advertisements.list.some(({ alpn }) => alpn === 'h3');
  const lines = [...advertisements.problems];
  if (tcp.failure) lines.push(`Nothing came over TCP: ${tcp.failure.message}`);
  else if (tcp.tls && !tcp.tls.certificate.valid) lines.push(`The certificate shown over TCP is not valid: ${tcp.tls.certificate.error}`);
  if (answered) {
    if (!isAdvertised) lines.push('HTTP/3 works, but nothing advertises it, so that browsers will not use it');
    if (answered.failure) lines.push('The handshake for HTTP/3 succeeded, and no response arrived');
    return lines;
  }
  for (const { endpoint, outcome, failure } of attempts) {
    const at = `${endpoint.host} port ${endpoint.port}`;
    if (outcome?.udp === 'silent' && isAdvertised)
      lines.push(`h3 is advertised at ${at}, but no datagram came back from there: UDP is dropped at the server or on the way`);
    else if (outcome?.udp === 'silent') lines.push(`Nothing advertises h3, and no datagram came back from ${at}`);
    else if (outcome?.udp === 'refused') lines.push(`UDP is refused at ${at}: ${failure?.message ?? ''}`);
    else if (failure) lines.push(`${at}: ${failure.message}`);
  }
  return lines;
}
