import { shown } from '../tools/shown.ts';

/**
 * Why a vantage point has no measurement, or only a partial one. One closed list for JSON, metrics and logs; codes are
 * never reused. The sentence is what `error` starts with.
 */
export const REASONS = {
  dns_nxdomain: { source: 'resolver', sentence: 'The name does not exist' },
  dns_servfail: { source: 'resolver', sentence: 'The resolver could not answer for this name' },
  dns_timeout: { source: 'resolver', sentence: 'The resolver did not answer in time' },
  dns_no_address: { source: 'resolver', sentence: 'The name has no address of the wanted family' },
  connect_refused: { source: 'target', sentence: 'The target refused the connection' },
  connect_timeout: { source: 'target', sentence: 'The target did not accept the connection in time' },
  connect_unreachable: { source: 'target', sentence: 'The target cannot be reached from here' },
  connect_reset: { source: 'target', sentence: 'The target accepted the connection and reset it' },
  starttls_failed: { source: 'target', sentence: 'The target did not switch to TLS' },
  tls_handshake: { source: 'target', sentence: 'The TLS handshake failed' },
  tls_cert_invalid: { source: 'target', sentence: 'The certificate is not valid for this name' },
  answer_timeout: { source: 'target', sentence: 'The target did not say in time what was waited for' },
  http_timeout: { source: 'target', sentence: 'The target did not finish its answer in time' },
  http_protocol: { source: 'target', sentence: 'The answer is not valid HTTP' },
  icmp_timeout: { source: 'target', sentence: 'No echo reply came back' },
  icmp_unreachable: { source: 'target', sentence: 'The network says the target cannot be reached' },
  blocked_policy: { source: 'target', sentence: 'This target is not allowed' },
  blocked_private_address: { source: 'target', sentence: 'The address is not a public one' },
  no_page: { source: 'target', sentence: 'The answer is a file to keep, and no page' },
  too_large: { source: 'target', sentence: 'The answer is larger than the limit' },
  cancelled: { source: 'vantage', sentence: 'The measurement was cancelled' },
  agent_busy: { source: 'vantage', sentence: 'The agents of this location are busy' },
  agent_lost: { source: 'vantage', sentence: 'The agent stopped answering' },
  no_agent: { source: 'vantage', sentence: 'No agent is connected at this location' },
  no_network: { source: 'vantage', sentence: 'This location has no working network of its own' },
  no_ipv6: { source: 'vantage', sentence: 'This location has no working IPv6' },
  icmp_blocked: { source: 'vantage', sentence: 'This location cannot ping: no witness answers its echoes' },
  no_vpn_exit: { source: 'vantage', sentence: 'No VPN exit is available' },
  proxy_failed: { source: 'client', sentence: 'The proxy that the request named failed' },
  target_limited: { source: 'vantage', sentence: 'This target is being measured too often' },
  unsupported: { source: 'vantage', sentence: 'The agent cannot do this measurement' },
  internal: { source: 'vantage', sentence: 'The measurement failed for a reason of our own' },
} as const satisfies Record<string, { source: 'target' | 'resolver' | 'vantage' | 'client'; sentence: string }>;

export type Reason = keyof typeof REASONS;
type FailureSource = (typeof REASONS)[Reason]['source'];

/** The reasons that a lost network causes. Every other reason comes from a server or router, and so says something about the target. */
export const SILENCE: readonly Reason[] = [
  'icmp_timeout',
  'icmp_unreachable',
  'connect_timeout',
  'connect_unreachable',
  'dns_timeout',
  'dns_servfail',
];

/** A failed measurement as clients, metrics and logs see it. */
export interface Failure {
  reason: Reason;
  /** The reason's fixed sentence, plus what was seen. */
  error: string;
}

const SEEN_MAX_CHARS = 200;

/** Builds the `error` text. The seen text may be untrusted: invisible characters are removed, and the length is capped. */
export function failure(reason: Reason, seen = ''): Failure {
  const tail = shown(seen, SEEN_MAX_CHARS).trim();
  return { reason, error: tail === '' ? REASONS[reason].sentence : `${REASONS[reason].sentence}: ${tail}` };
}

/**
 * A probe could not measure. `partial` holds what it did measure (2 of 4 echoes, the address of a refused connection);
 * it must satisfy the probe's result schema.
 */
export class ProbeFailure extends Error {
  readonly code: Reason;
  readonly seen: string;
  readonly partial: unknown;

  constructor(code: Reason, seen = '', options: { partial?: unknown; cause?: unknown } = {}) {
    super(failure(code, seen).error, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ProbeFailure';
    this.code = code;
    this.seen = seen;
    this.partial = options.partial;
  }

  get source(): FailureSource {
    return REASONS[this.code].source;
  }
}
