import { chainVerdict, finalStatus } from '@vedette/web/redirects';
import { ProbeFailure, type Reason } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { chain, step } from './steps.ts';

describe('a chain', () => {
  it('is complete where the last URL answered and leads nowhere, whatever its status', () => {
    expect(chainVerdict(chain('http://a.test/', 'https://a.test/'), { kind: 'page' })).toEqual({
      chain_status: 'complete',
      debug_message: '',
    });
    expect(chainVerdict([step({ status: 500 })], { kind: 'page' })).toEqual({ chain_status: 'complete', debug_message: '' });
    expect(chainVerdict([step({ status: 304 })], { kind: 'page' })).toEqual({ chain_status: 'complete', debug_message: '' });
  });

  it('is complete where the request wanted no more to be followed', () => {
    expect(chainVerdict(chain('http://a.test/', '-https://a.test/'), { kind: 'switched_off' })).toEqual({
      chain_status: 'complete',
      debug_message: '',
    });
  });

  it.each([
    ['a redirect to nowhere', [step({ status: 302 })], { kind: 'page' }, 'hop 0 answers with status 302 and no URL that can be gone to'],
    ['a loop', chain('http://a.test/', '-http://a.test/'), { kind: 'loop' }, 'hop 0 leads back to http://a.test/, which was asked before'],
    [
      'a loop between http and https',
      chain('http://a.test/', 'https://a.test/', '-http://a.test/'),
      { kind: 'loop' },
      'hop 1 leads back to http://a.test/, which was asked before: http and https redirect to each other',
    ],
    [
      'a loop between the names',
      chain('http://a.test/', 'http://www.a.test/', '-http://a.test/'),
      { kind: 'loop' },
      'hop 1 leads back to http://a.test/, which was asked before: the names with and without www. redirect to each other',
    ],
    [
      'too many',
      chain('http://a.test/', 'http://a.test/1', '-http://a.test/2'),
      { kind: 'too_many', max: 1 },
      'hop 1 leads to http://a.test/2, and 1 redirects were followed before: no more are',
    ],
    [
      'its time',
      chain('http://a.test/', '-http://a.test/1'),
      { kind: 'out_of_time', ms: 50_000 },
      'the 50 s that a chain may take were over before http://a.test/1 had answered',
    ],
    [
      'a refusal',
      chain('http://a.test/', '-http://10.0.0.1/'),
      { kind: 'refused', why: 'The address is not a public one' },
      'hop 0 leads to http://10.0.0.1/, which is not requested: The address is not a public one',
    ],
    [
      'a server that is not there',
      [step({ status: 0, failure: new ProbeFailure('connect_refused', 'port 443') })],
      { kind: 'no_answer' },
      'hop 0, https://a.test/: The target refused the connection: port 443',
    ],
  ] as const)('is partial, and says so, where it stopped at %s', (_what, steps, end, message) => {
    expect(chainVerdict(steps, end)).toEqual({ chain_status: 'partial', debug_message: message });
  });
});

describe('the status of the final URL', () => {
  it.each([
    [200, 'ok'],
    [206, 'ok'],
    [302, 'redirect'],
    [304, 'redirect'],
    [404, 'client_error'],
    [503, 'server_error'],
    [999, 'unusual_status'],
    [150, 'unusual_status'],
  ] as const)('is of %d %s', (status, word) => {
    expect(finalStatus({ status, failure: undefined })).toBe(word);
  });

  it.each<[Reason, string]>([
    ['dns_nxdomain', 'not_resolved'],
    ['dns_timeout', 'not_resolved'],
    ['connect_refused', 'not_connected'],
    ['connect_timeout', 'not_connected'],
    ['tls_handshake', 'tls_failed'],
    ['http_timeout', 'timed_out'],
    ['http_protocol', 'invalid_answer'],
    ['too_large', 'invalid_answer'],
    ['proxy_failed', 'proxy_failed'],
  ])('is without an answer, because of %s, %s', (reason, word) => {
    expect(finalStatus({ status: 0, failure: new ProbeFailure(reason) })).toBe(word);
  });
});
