import { ApiError, failure, type Failure, type Reason, REASONS } from '@vedette/contract';
import type { JobEgress } from '../render.ts';

/** Chromium's words, first match wins: net/base/net_error_list.h. */
const NET_ERRORS: readonly (readonly [RegExp, Reason])[] = [
  [/ERR_NAME_NOT_RESOLVED|ERR_NAME_RESOLUTION_FAILED/, 'dns_nxdomain'],
  [/ERR_DNS_TIMED_OUT/, 'dns_timeout'],
  [/ERR_CONNECTION_REFUSED/, 'connect_refused'],
  [/ERR_CONNECTION_TIMED_OUT/, 'connect_timeout'],
  [/ERR_TIMED_OUT|ERR_NETWORK_IO_SUSPENDED/, 'http_timeout'],
  [/ERR_ADDRESS_UNREACHABLE|ERR_TUNNEL_CONNECTION_FAILED|ERR_PROXY_CONNECTION_FAILED|ERR_SOCKS/, 'connect_unreachable'],
  [/ERR_CERT_|ERR_BAD_SSL_CLIENT_AUTH_CERT|ERR_SSL_PINNED/, 'tls_cert_invalid'],
  [/ERR_SSL_|ERR_QUIC_HANDSHAKE/, 'tls_handshake'],
  [
    /ERR_BLOCKED_BY_|ERR_UNKNOWN_URL_SCHEME|ERR_UNSAFE_PORT|ERR_UNSAFE_REDIRECT|ERR_DISALLOWED_URL_SCHEME|ERR_ACCESS_DENIED/,
    'blocked_policy',
  ],
  [/ERR_/, 'http_protocol'],
];

/**
 * Why no page came from `url`, with the browser's own word for it. Our way out knows better than the browser where it refused or failed. Throws
 * `ApiError` where the fault is ours: then nothing is known about the page.
 */
export function pageFailure(url: string, netError: string, egress: JobEgress): Failure {
  const refused = URL.canParse(url) ? egress.failureOf(...placeOf(new URL(url))) : undefined;
  if (refused === undefined) return failure(NET_ERRORS.find(([pattern]) => pattern.test(netError))?.[1] ?? 'http_protocol', netError);
  if (refused.reason === 'target_limited') throw new ApiError('target_limited');
  if (REASONS[refused.reason].source === 'vantage')
    throw new ApiError('upstream_failed', 'the network of our browser has failed', { retryAfterS: 5 });
  return refused;
}

/** Host and port that a URL is asked of, as our way out knows them. */
export const placeOf = ({ hostname, port, protocol }: URL): [host: string, port: number] => [
  hostname.replace(/^\[|\]$/g, ''),
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
];
