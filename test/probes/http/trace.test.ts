import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HttpTrace, startTrace, timeoutOf, timingsOf } from '../../../packages/probes/src/http/trace.ts';

describe('timingsOf', () => {
  it('floors durations and counts ttfb and total from the start', () => {
    const trace: HttpTrace = {
      ...startTrace(100.5),
      resolved: 110.9,
      connecting: 111,
      connected: 121.9,
      secured: 132.8,
      firstByte: 150,
      ended: 151.4,
    };
    expect(timingsOf(trace, 999)).toEqual({ dns_ms: 10, connect_ms: 10, tls_ms: 10, ttfb_ms: 49, total_ms: 50 });
  });

  it('gives phases that were not reached as 0, and the total until now', () => {
    expect(timingsOf({ ...startTrace(10), resolved: 12, connecting: 12 }, 40)).toEqual({
      dns_ms: 2,
      connect_ms: 0,
      tls_ms: 0,
      ttfb_ms: 0,
      total_ms: 30,
    });
  });

  it('keeps dns + connect + tls ≤ ttfb ≤ total', () => {
    const step = fc.double({ min: 0, max: 5000, noNaN: true });
    fc.assert(
      fc.property(fc.tuple(step, step, step, step, step, step, step), ([started, ...steps]) => {
        let at = started;
        const [resolved, connecting, connected, secured, firstByte, ended] = steps.map((ms) => (at += ms)) as [
          number,
          number,
          number,
          number,
          number,
          number,
        ];
        const timings = timingsOf({ ...startTrace(started), resolved, connecting, connected, secured, firstByte, ended }, ended);
        expect(timings.dns_ms + timings.connect_ms + timings.tls_ms).toBeLessThanOrEqual(timings.ttfb_ms);
        expect(timings.ttfb_ms).toBeLessThanOrEqual(timings.total_ms);
      }),
    );
  });
});

it.each([
  ['resolve', 'dns_timeout'],
  ['connect', 'connect_timeout'],
  ['tls', 'tls_handshake'],
  ['answer', 'http_timeout'],
] as const)('out of time in phase %s is %s', (phase, code) => {
  expect(timeoutOf({ ...startTrace(0), phase }, 900)).toMatchObject({ code, seen: 'no end after 900 ms' });
});
