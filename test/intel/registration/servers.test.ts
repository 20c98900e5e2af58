import { type Clock, ProbeFailure } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { PauseRequest, Servers, UselessAnswer } from '../../../packages/intel/src/registration/servers.ts';

/** Servers by a clock that moves when somebody sleeps, or is told to. */
function open(gateways = 1, limits = true) {
  let now = 0;
  const slept: number[] = [];
  const clock: Clock = {
    now: () => now,
    async sleep(ms) {
      slept.push(ms);
      now += ms;
    },
  };
  const servers = new Servers({ clock, gateways: () => gateways, limits, today: () => new Date('2026-11-21T12:00:00Z') });
  const { signal } = new AbortController();
  const ask = (
    work: () => Promise<string> = async () => 'said',
    { server = 'rdap.example', account = 'a', left = 20_000, patience = 20_000 } = {},
  ) => servers.ask(server, 'rdap', { account, signal, timeLeft: () => left, patience: () => patience }, 8_000, work);
  return { ask, slept, later: (ms: number) => void (now += ms) };
}
const pausing = (retryAfter: string) => () => Promise.reject(new PauseRequest('status 429', retryAfter));
const failing =
  (code: ProbeFailure['code'] = 'connect_timeout') =>
  () =>
    Promise.reject(new ProbeFailure(code));

describe('a server', () => {
  it.each([
    ['120', 120],
    ['0', 1],
    ['999999999', 3_600],
    ['Sat, 21 Nov 2026 12:02:00 GMT', 120],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 1],
    ['soon', 30],
    ['', 30],
    ['-5', 30],
  ])('that wants to be left alone for %j is, for %i s', async (sent, pause) => {
    const { ask, later } = open();
    expect(await ask(pausing(sent))).toEqual({ why: 'rdap.example: status 429', retry_after_s: 0 });
    expect(await ask()).toEqual({ why: `rdap.example is not asked for another ${pause} s`, retry_after_s: 0 });
    later(pause * 1_000 - 1);
    expect(await ask()).toMatchObject({ why: 'rdap.example is not asked for another 1 s' });
    expect(await ask(undefined, { server: 'other.example' })).toEqual({ answer: 'said' });
    later(1);
    expect(await ask()).toEqual({ answer: 'said' });
  });

  it('that failed three times in a row is asked once in ten seconds, until it answers', async () => {
    const { ask, later } = open();
    for (let i = 0; i < 3; i++) expect(await ask(failing())).toMatchObject({ why: expect.stringContaining('did not accept') });
    expect(await ask()).toMatchObject({ why: 'rdap.example is not asked for another 10 s' });
    later(10_000);
    expect(await ask(failing())).toMatchObject({ why: expect.stringContaining('did not accept') });
    expect(await ask()).toMatchObject({ why: 'rdap.example is not asked for another 10 s' });
    later(10_000);
    expect(await ask()).toEqual({ answer: 'said' });
    expect(await ask(failing())).toMatchObject({ why: expect.stringContaining('did not accept') });
    expect(await ask()).toEqual({ answer: 'said' });
  });

  it.each<[string, () => Promise<string>]>([
    ['a request that went', failing('cancelled')],
    ['a machine without network', failing('no_network')],
    ['an answer that is for this question', () => Promise.reject(new UselessAnswer('status 400', false))],
  ])('is not blamed for %s', async (_, work) => {
    const { ask } = open();
    for (let i = 0; i < 5; i++) await ask(work);
    expect(await ask()).toEqual({ answer: 'said' });
  });

  it('is asked at its rate: a burst, then whoever can wait; an account has half', async () => {
    const { ask, slept } = open();
    for (let i = 0; i < 10; i++) expect(await ask()).toEqual({ answer: 'said' });
    expect(slept).toEqual([]);
    await ask();
    expect(slept).toEqual([1_000]);
    for (let i = 0; i < 9; i++) expect(await ask(undefined, { account: 'b' })).toEqual({ answer: 'said' });
    expect(slept).toEqual([1_000]);
    expect(await ask(undefined, { left: 1_500 })).toMatchObject({ retry_after_s: 1, why: 'rdap.example is being asked too often' });
  });

  it('is waited for by a client for half of its time, in the order of the questions', async () => {
    const { ask, slept } = open();
    for (let i = 0; i < 10; i++) await ask();
    expect(await ask(undefined, { patience: 1_500 })).toMatchObject({ retry_after_s: 1 });
    expect(await ask(undefined, { patience: 2_000 })).toEqual({ answer: 'said' });
    expect(slept).toEqual([1_000]);
  });

  it('is asked half as often by each of two gateways, and without limits as often as one likes', async () => {
    const two = open(2);
    for (let i = 0; i < 11; i++) await two.ask();
    expect(two.slept).toEqual([2_000]);
    const unlimited = open(1, false);
    for (let i = 0; i < 100; i++) expect(await unlimited.ask()).toEqual({ answer: 'said' });
    expect(unlimited.slept).toEqual([]);
  });

  it('is not told of a defect of ours as if it were its own', async () => {
    await expect(open().ask(() => Promise.reject(new TypeError('x is undefined')))).rejects.toThrow(TypeError);
  });
});
