import { endOf, phasesOf } from '@vedette/console/views';
import { describe, expect, it } from 'vitest';

describe('the phases of a request', () => {
  it('follow each other, and end at its total time', () => {
    const phases = phasesOf({ timings: { dns_ms: 10, connect_ms: 12, tls_ms: 11, ttfb_ms: 49, total_ms: 50 } });
    expect(phases).toEqual([
      { name: 'DNS', from: 0, ms: 10 },
      { name: 'Connect', from: 10, ms: 12 },
      { name: 'TLS', from: 22, ms: 11 },
      { name: 'First byte', from: 33, ms: 16 },
      { name: 'Transfer', from: 49, ms: 1 },
    ]);
    expect(endOf(phases)).toBe(50);
  });

  it('end with silence where no byte came', () => {
    expect(phasesOf({ timings: { dns_ms: 5, connect_ms: 0, tls_ms: 0, ttfb_ms: 0, total_ms: 100 } })).toEqual([
      { name: 'DNS', from: 0, ms: 5 },
      { name: 'No answer', from: 5, ms: 95 },
    ]);
  });

  it.each([{}, { timings: null }, { timings: { dns_ms: -4, total_ms: 'soon' } }])('of %j are none', (output) => {
    expect(phasesOf(output)).toEqual([]);
  });
});
