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

const isReason = (text: string): text is Reason => Object.hasOwn(REASONS, text);

/**
 * Why no page came from `url`, with the browser's own word for it. Our way out knows better than the browser where it refused or failed. Throws
 * `ApiError` where the fault is ours: then nothing is known about the page.
 */
export function pageFailure(url: string, netError: string, egress: JobEgress): Failure {
  const refused = refusedFor(url, egress);
  if (refused === '') return failure(NET_ERRORS.find(([pattern]) => pattern.test(netError))?.[1] ?? 'http_protocol', netError);
  if (!isReason(refused)) return failure('connect_unreachable', refused);
  if (refused === 'target_limited') throw new ApiError('target_limited');
  if (REASONS[refused].source === 'vantage')
    throw new ApiError('upstream_failed', 'the network of our browser has failed', { retryAfterS: 5 });
  return failure(refused);
}

/** What our way out last said of the URL's host; empty where it let it through. */
function refusedFor(url: string, egress: JobEgress): string {
  if (!URL.canParse(url)) return '';
  const { hostname, port, protocol } = new URL(url);
  const wanted = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  return egress.records.findLast((record) => record.host === hostname && record.port === wanted)?.refused ?? '';
}
