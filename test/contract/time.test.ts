import type { Clock } from '@vedette/contract/ports';
import { unlessAborted, within } from '@vedette/contract/tools';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../probes/ping/virtual-clock.ts';

const late = () => new Error('late');
/** Work that takes `ms` and heeds its signal. */
const work = (clock: Clock, ms: number) => (signal: AbortSignal) => clock.sleep(ms, signal).then(() => 'done');

describe('within', () => {
  it('gives what the work gives in time, and leaves its signal alone', async () => {
    const clock = virtualClock();
    let seen: AbortSignal | undefined;
    const run = within(clock, 100, undefined, late, (signal) => {
      seen = signal;
      return work(clock, 99)(signal);
    });
    expect(await run).toBe('done');
    await clock.sleep(10);
    expect(seen!.aborted).toBe(false);
  });

  it('aborts the work with the reason when the time is up', async () => {
    const clock = virtualClock();
    await expect(within(clock, 100, undefined, late, work(clock, 101))).rejects.toThrow('late');
    expect(clock.now()).toBe(100);
  });

  it("aborts the work with the parent's reason", async () => {
    const clock = virtualClock();
    const parent = new AbortController();
    const run = within(clock, 100, parent.signal, late, work(clock, 99));
    parent.abort(new Error('gone'));
    await expect(run).rejects.toThrow('gone');
    await expect(within(clock, 100, parent.signal, late, work(clock, 99))).rejects.toThrow('gone');
  });

  it('makes the reason when the time is up, not before', async () => {
    const clock = virtualClock();
    let phase = 'connecting';
    const run = within(
      clock,
      100,
      undefined,
      () => new Error(phase),
      async (signal) => {
        await clock.sleep(50, signal);
        phase = 'reading';
        await clock.sleep(100, signal);
      },
    );
    await expect(run).rejects.toThrow('reading');
  });
});

describe('unlessAborted', () => {
  const never = new Promise<never>(() => {});

  it('settles as the work does', async () => {
    const { signal } = new AbortController();
    expect(await unlessAborted(signal, Promise.resolve('done'))).toBe('done');
    await expect(unlessAborted(signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it("rejects with the signal's reason as soon as it aborts, or at once", async () => {
    const control = new AbortController();
    const run = unlessAborted(control.signal, never);
    control.abort(new Error('gone'));
    await expect(run).rejects.toThrow('gone');
    await expect(unlessAborted(control.signal, never)).rejects.toThrow('gone');
  });

  it('ends work that takes no signal within a time', async () => {
    const clock = virtualClock();
    await expect(within(clock, 100, undefined, late, (signal) => unlessAborted(signal, never))).rejects.toThrow('late');
    expect(clock.now()).toBe(100);
  });
});
