import type { Echo } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { type EchoOutcome, pacedEchoes } from '../../../../packages/probes/src/net/icmp/pace.ts';
import { virtualClock } from '../../ping/virtual-clock.ts';

const reply = (rtt_ms: number): EchoOutcome => ({ reply: { rtt_ms, ttl: 64, bytes: 64 } });

/** Echoes that each end after so many ms. */
function paced(ends: number[], signal?: AbortSignal) {
  const clock = virtualClock();
  const sentAt: number[] = [];
  let next = 0;
  const echoes = pacedEchoes(clock, { count: ends.length, interval_ms: 200, wait_ms: 1000, ...(signal && { signal }) }, async () => {
    sentAt.push(clock.now());
    const end = ends[next++]!;
    await clock.sleep(end);
    return end < 1000 ? reply(end) : {};
  });
  return { clock, sentAt, echoes };
}

async function seen(clock: { now(): number }, echoes: AsyncIterable<Echo>) {
  const list: [at: number, seq: number][] = [];
  let error: unknown;
  try {
    for await (const { icmp_seq } of echoes) list.push([clock.now(), icmp_seq]);
  } catch (caught) {
    error = caught;
  }
  return { list, error };
}

describe('paced echoes', () => {
  it('leave by the clock and come in order, whatever comes back', async () => {
    const { clock, sentAt, echoes } = paced([1000, 10, 10, 300]);
    // The second and third reply wait for the first echo to end.
    const list = [
      [1000, 1],
      [1000, 2],
      [1000, 3],
      [1000, 4],
    ];
    expect(await seen(clock, echoes)).toEqual({ list, error: undefined });
    expect(sentAt).toEqual([0, 200, 400, 600]);
  });

  it('stop at once when the signal aborts, after those that have ended', async () => {
    const stop = new AbortController();
    const { clock, sentAt, echoes } = paced([1000, 10, 1000, 10], stop.signal);
    void clock.sleep(500).then(() => stop.abort(new Error('enough')));
    expect(await seen(clock, echoes)).toEqual({ list: [[500, 2]], error: new Error('enough') });
    expect(sentAt).toEqual([0, 200, 400]);
  });

  it('do not start with a signal that has aborted', async () => {
    const { clock, sentAt, echoes } = paced([10], AbortSignal.abort(new Error('too late')));
    expect(await seen(clock, echoes)).toEqual({ list: [], error: new Error('too late') });
    expect(sentAt).toEqual([]);
  });

  it('stop leaving when nobody listens any more', async () => {
    const { clock, sentAt, echoes } = paced([10, 10, 10, 10]);
    for await (const { icmp_seq } of echoes) if (icmp_seq === 2) break;
    await clock.sleep(1000);
    expect(sentAt).toEqual([0, 200]);
  });

  it('pass on what the engine throws', async () => {
    const echoes = pacedEchoes(virtualClock(), { count: 2, interval_ms: 10, wait_ms: 10 }, () => Promise.reject(new Error('no socket')));
    expect(await seen(virtualClock(), echoes)).toEqual({ list: [], error: new Error('no socket') });
  });
});
