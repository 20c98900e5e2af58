import { redirectStats, requestStats, SLOW_MS, type Step } from '@vedette/web/redirects';
import { ProbeFailure } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { chain, step } from './steps.ts';

const duplicates = (steps: readonly Step[]) => redirectStats(steps).duplicate_redirects;

describe('the statistics of redirects', () => {
  it('count every redirect by what it changes, followed or not', () => {
    expect(redirectStats(chain('http://a.test/', 'https://a.test/', 'https://www.a.test/', 'http://b.test/', '-http://b.test/x'))).toEqual({
      redirects_found: 4,
      followed_redirects: 3,
      duplicate_redirects: 0,
      http_to_https_redirects: 1,
      https_to_http_redirects: 1,
      external_redirects: 1,
      same_origin_redirects: 1,
      cross_origin_redirects: 3,
    });
  });

  it('are all 0 without one', () => {
    expect(new Set(Object.values(redirectStats(chain('https://a.test/'))))).toEqual(new Set([0]));
  });
});

describe('duplicate redirects', () => {
  it('are those that lead back to what was asked before', () => {
    expect(duplicates(chain('http://a.test/', 'http://a.test/b', '-http://a.test/'))).toBe(1);
    expect(duplicates(chain('http://a.test/', '-http://a.test/'))).toBe(1);
    expect(duplicates(chain('http://a.test/', 'https://a.test/', 'http://a.test/', '-https://a.test/'))).toBe(2);
  });

  it('are not those to another URL of the same page', () => {
    expect(duplicates(chain('http://a.test/', 'http://a.test/?once', 'http://a.test/?twice'))).toBe(0);
  });

  it('are those that differ by what no server sees', () => {
    expect(duplicates(chain('http://a.test/', '-http://a.test/#part'))).toBe(1);
  });

  it('are not a return with a cookie that was set in between, as after a log-in', () => {
    const [front, login, back] = chain('https://a.test/', 'https://login.test/?back', 'https://a.test/');
    expect(duplicates([front!, { ...login!, setsCookies: true }, back!])).toBe(0);
    expect(duplicates([{ ...front!, setsCookies: true }, login!, back!])).toBe(0);
    expect(duplicates([front!, login!, { ...back!, setsCookies: true }])).toBe(1);
  });

  it('are further returns whatever is set', () => {
    const round = chain('https://a.test/', 'https://a.test/', 'https://a.test/', '-https://a.test/').map((one) => ({
      ...one,
      setsCookies: true,
    }));
    expect(duplicates(round)).toBe(2);
  });
});

describe('the statistics of requests', () => {
  it('count what was sent, and what came of it', () => {
    const steps = [
      step({ elapsed_ms: SLOW_MS + 1 }),
      step({ elapsed_ms: SLOW_MS, tlsFault: true }),
      step({ elapsed_ms: 0, status: 0, failure: new ProbeFailure('connect_refused') }),
    ];
    expect(requestStats(steps)).toEqual({
      total_requests: 3,
      failed_requests: 1,
      slow_requests: 1,
      ssl_errors: 1,
      avg_elapsed_ms: 2_000,
      max_elapsed_ms: 3_001,
    });
  });
});
