import { ProbeFailure } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { BrowserFailure } from '../../../packages/renderer/src/browser/warm-browser.ts';
import { pageFailure } from '../../../packages/renderer/src/page/failure.ts';
import type { JobEgress } from '../../../packages/renderer/src/jobs/render.ts';

const PAGE = 'https://shop.test/list';
/** A way out that has nothing to say of these places, or this. */
const egress = (refused?: ReturnType<JobEgress['failureOf']>, inputUrl?: string): JobEgress =>
  ({ failureOf: () => refused, inputUrl }) as unknown as JobEgress;
const say = (word: string) => pageFailure({ url: PAGE, jobUrl: PAGE }, `net::ERR_${word}`, egress());

// Names of net/base/net_error_list.h.
describe('what Chromium says of a server', () => {
  it.each([
    ['EMPTY_RESPONSE', 'http_protocol'],
    ['CONNECTION_CLOSED', 'http_protocol'],
    ['CONNECTION_RESET', 'http_protocol'],
    ['INVALID_HTTP_RESPONSE', 'http_protocol'],
    ['INVALID_CHUNKED_ENCODING', 'http_protocol'],
    ['INCOMPLETE_CHUNKED_ENCODING', 'http_protocol'],
    ['CONTENT_LENGTH_MISMATCH', 'http_protocol'],
    ['CONTENT_DECODING_FAILED', 'http_protocol'],
    ['RESPONSE_HEADERS_TOO_BIG', 'http_protocol'],
    ['RESPONSE_HEADERS_MULTIPLE_LOCATION', 'http_protocol'],
    ['HTTP2_PROTOCOL_ERROR', 'http_protocol'],
    ['HTTP2_SERVER_REFUSED_STREAM', 'http_protocol'],
    ['TOO_MANY_REDIRECTS', 'http_protocol'],
    ['INVALID_AUTH_CREDENTIALS', 'http_protocol'],
    ['ABORTED', 'http_protocol'],
    ['TIMED_OUT', 'http_timeout'],
    ['TUNNEL_CONNECTION_FAILED', 'connect_unreachable'],
    ['SSL_PROTOCOL_ERROR', 'tls_handshake'],
    ['SSL_VERSION_OR_CIPHER_MISMATCH', 'tls_handshake'],
    ['CERT_AUTHORITY_INVALID', 'tls_cert_invalid'],
    ['CERT_COMMON_NAME_INVALID', 'tls_cert_invalid'],
    ['BLOCKED_BY_RESPONSE', 'blocked_policy'],
    ['UNSAFE_PORT', 'blocked_policy'],
    ['UNSAFE_REDIRECT', 'blocked_policy'],
    ['UNKNOWN_URL_SCHEME', 'blocked_policy'],
  ])('is data: %s', (word, reason) => {
    expect(say(word)).toMatchObject({ reason, error: expect.stringMatching(new RegExp(`net::ERR_${word}$`)) });
  });
});

describe('what Chromium says of itself, of its machine, or of nothing known', () => {
  it.each([
    'FAILED',
    'UNEXPECTED',
    'INSUFFICIENT_RESOURCES',
    'OUT_OF_MEMORY',
    'FILE_NO_SPACE',
    'FILE_NOT_FOUND',
    'FILE_PATH_TOO_LONG',
    'CONTEXT_SHUT_DOWN',
    'NOT_IMPLEMENTED',
    'INVALID_ARGUMENT',
    'INVALID_HANDLE',
    'NO_BUFFER_SPACE',
    'ADDRESS_IN_USE',
    'CACHE_MISS',
    'CACHE_READ_FAILURE',
    'CACHE_WRITE_FAILURE',
    'CERT_VERIFIER_CHANGED',
    'CERT_DATABASE_CHANGED',
    'INTERNET_DISCONNECTED',
    'NETWORK_CHANGED',
    'NETWORK_IO_SUSPENDED',
    'NETWORK_ACCESS_DENIED',
    'PROXY_CONNECTION_FAILED',
    'NAME_NOT_RESOLVED',
    'NAME_RESOLUTION_FAILED',
    'DNS_TIMED_OUT',
    'BLOCKED_BY_CLIENT',
    'A_WORD_OF_NEXT_YEAR',
  ])('is ours: %s', (word) => {
    expect(() => say(word)).toThrow(BrowserFailure);
  });
  it('is ours, too, where the driver fails, and where the browser asked for nothing', () => {
    expect(() => pageFailure({ url: PAGE, jobUrl: PAGE }, 'Protocol error (Page.navigate): Target closed', egress())).toThrow(
      BrowserFailure,
    );
    expect(() => pageFailure({ url: '', jobUrl: PAGE }, 'net::ERR_TIMED_OUT', egress())).toThrow(BrowserFailure);
  });
});

describe('HTML that came with the job', () => {
  const input = 'http://0123.invalid/';
  it('cannot fail of the network', () => {
    for (const word of ['EMPTY_RESPONSE', 'TIMED_OUT', 'CONNECTION_CLOSED'])
      expect(() => pageFailure({ url: input, jobUrl: undefined }, `net::ERR_${word}`, egress(undefined, input))).toThrow(BrowserFailure);
  });
  it('may lead to a page that does', () => {
    const failed = pageFailure({ url: PAGE, jobUrl: undefined }, 'net::ERR_EMPTY_RESPONSE', egress(undefined, input));
    expect(failed.reason).toBe('http_protocol');
  });
});

describe('what our way out says', () => {
  const refused = { reason: 'blocked_private_address', error: 'The address is not a public one: shop.test' } as const;
  it('comes first', () => {
    const failed = { reason: 'connect_refused', error: 'The target refused the connection' } as const;
    expect(pageFailure({ url: PAGE, jobUrl: PAGE }, 'net::ERR_FAILED', egress(failed))).toEqual(failed);
  });
  it('of the job’s own URL refuses the job, of one that it leads to it is data', () => {
    const own = () => pageFailure({ url: PAGE, jobUrl: 'https://shop.test/' }, 'net::ERR_TUNNEL_CONNECTION_FAILED', egress(refused));
    expect(own).toThrow(ProbeFailure);
    expect(own).toThrow(expect.objectContaining({ code: 'blocked_private_address', seen: 'shop.test' }));
    expect(pageFailure({ url: PAGE, jobUrl: 'https://other.test/' }, 'net::ERR_TUNNEL_CONNECTION_FAILED', egress(refused))).toEqual(
      refused,
    );
  });
  it('of our own network is ours', () => {
    const ours = { reason: 'no_network', error: 'x' } as const;
    expect(() => pageFailure({ url: PAGE, jobUrl: PAGE }, 'net::ERR_TUNNEL_CONNECTION_FAILED', egress(ours))).toThrow(
      expect.objectContaining({ code: 'no_network' }),
    );
  });
});
