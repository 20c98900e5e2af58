import { failure, type Failure, ProbeFailure, type Reason, REASONS } from '@vedette/contract';
import { BrowserFailure } from '../browser/warm-browser.ts';
import type { JobEgress } from '../jobs/render.ts';

/**
 * Chromium's words about servers (net/base/net_error_list.h), first match wins. Other errors are about Chromium itself: its disk, memory,
 * cache or network, or an unknown cause (ERR_FAILED).
 */
const TARGET_ERRORS: readonly (readonly [RegExp, Reason])[] = [
  [/^CONNECTION_REFUSED$/, 'connect_refused'],
  [/^CONNECTION_TIMED_OUT$/, 'connect_timeout'],
  [/^TIMED_OUT$/, 'http_timeout'],
  [/^(?:ADDRESS_UNREACHABLE|TUNNEL_CONNECTION_FAILED)$/, 'connect_unreachable'],
  [/^(?:CERT_(?!VERIFIER_CHANGED|DATABASE_CHANGED)|BAD_SSL_CLIENT_AUTH_CERT$|SSL_PINNED_|SSL_SERVER_CERT_)/, 'tls_cert_invalid'],
  [/^(?:SSL_|ALPN_NEGOTIATION_FAILED$|TLS13_DOWNGRADE_DETECTED$|(?:WRONG_VERSION_ON_)?EARLY_DATA)/, 'tls_handshake'],
  [
    /^(?:BLOCKED_BY_(?!CLIENT$|ADMINISTRATOR$)|UNKNOWN_URL_SCHEME$|DISALLOWED_URL_SCHEME$|UNSAFE_|INVALID_(?:URL|REDIRECT)$|ACCESS_DENIED$)/,
    'blocked_policy',
  ],
  // A page that stops itself, or leaves for what is shown nowhere, is aborted.
  [/^(?:ABORTED|CONNECTION_(?:CLOSED|RESET|ABORTED)|EMPTY_RESPONSE|INVALID_(?:HTTP_)?RESPONSE|HTTP_1_1_REQUIRED)$/, 'http_protocol'],
  [/^(?:HTTP2_|INCOMPLETE_HTTP2_|RESPONSE_HEADERS_|CONTENT_|(?:INVALID|INCOMPLETE)_CHUNKED_ENCODING$)/, 'http_protocol'],
  [/^(?:TOO_MANY_(?:REDIRECTS|RETRIES|ACCEPT_CH_RESTARTS)|HTTP_RESPONSE_CODE_FAILURE|REQUEST_RANGE_NOT_SATISFIABLE)$/, 'http_protocol'],
  [/^(?:UNEXPECTED_PROXY_AUTH|(?:INVALID|MISSING)_AUTH_CREDENTIALS|UNSUPPORTED_AUTH_SCHEME|MALFORMED_IDENTITY)$/, 'http_protocol'],
  [/^(?:ZSTD_WINDOW_SIZE_TOO_BIG|DICTIONARY_LOAD_FAILED|UNEXPECTED_CONTENT_DICTIONARY_HEADER)$/, 'http_protocol'],
];

/** The kind of page in messages about its failure. */
export interface RequestedPage {
  /** The document that was asked for last; empty where the browser has asked for none. */
  url: string;
  /** The job's own URL; undefined where its page came with it. */
  jobUrl: string | undefined;
}

/**
 * Why no page came from `url`, with the browser's own word for it. Our way out knows better than the browser where it refused or failed. Throws
 * where nothing is known about the page: a `BrowserFailure` where the browser failed, a `ProbeFailure` where our network did, and where the job's own URL
 * may not be contacted, which is known only now that its name was resolved.
 */
export function pageFailure({ url, jobUrl }: RequestedPage, netError: string, egress: JobEgress): Failure {
  const origin = URL.canParse(url) ? placeOf(new URL(url)) : undefined;
  const refused = origin && egress.failureOf(...origin);
  if (refused === undefined) {
    const word = /ERR_([A-Z0-9_]+)/.exec(netError)?.[1] ?? '';
    const reason = TARGET_ERRORS.find(([pattern]) => pattern.test(word))?.[1];
    // Documents that came with the job are served on this machine: no network can fail them. And no server is late that was not asked.
    const isUnasked = url === egress.inputUrl || (url === '' && reason === 'http_timeout');
    if (reason === undefined || isUnasked) throw new BrowserFailure(`the browser could not open a page: ${netError}`);
    return failure(reason, netError);
  }
  if (REASONS[refused.reason].source === 'vantage') throw asThrown(refused);
  const isOwn = jobUrl !== undefined && String(placeOf(new URL(jobUrl))) === String(origin);
  if (isOwn && (refused.reason === 'blocked_private_address' || refused.reason === 'blocked_policy')) throw asThrown(refused);
  return refused;
}

const asThrown = ({ reason, error }: Failure): ProbeFailure =>
  new ProbeFailure(reason, error.slice(`${REASONS[reason].sentence}: `.length));

/** Host and port that a URL is asked of, as our way out knows them. */
export const placeOf = ({ hostname, port, protocol }: URL): [host: string, port: number] => [
  hostname.replace(/^\[|\]$/g, ''),
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
];
