import { ProbeFailure, type Reason } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { type Addresses, outcomeOf, staggered, type StaggeredOptions, type Tried } from '../../packages/probes/src/host/staggered.ts';
import { virtualClock } from './ping/virtual-clock.ts';

/** What an address does: answers or fails after so many ms, or is silent. */
type Behaviour = { ms: number; reason?: Reason; error?: Error } | 'silent';

async function run(addresses: Addresses, behaviours: Record<string, Behaviour>, more: Partial<StaggeredOptions> = {}) {
  const clock = virtualClock();
  const tried: Tried[] = [];
  const given: string[] = [];
  const attempt = async (address: string, signal: AbortSignal): Promise<string> => {
    const does = behaviours[address]!;
    await clock.sleep(does === 'silent' ? 60_000 : does.ms, signal).catch(() => {
      given.push(address);
      throw new ProbeFailure('cancelled', '', { cause: signal.reason });
    });
    if (does === 'silent' || does.reason) throw new ProbeFailure(does === 'silent' ? 'connect_timeout' : does.reason!, `${address} seen`);
    if (does.error) throw does.error;
    return `from ${address}`;
  };
  const signal = new AbortController().signal;
  const came = await staggered(addresses, attempt, { clock, signal, tried, ...more }).then(
    ({ value }) => value,
    (error: Error & { code?: string; seen?: string }) => (error instanceof ProbeFailure ? `${error.code}: ${error.seen}` : error.message),
  );
  const began = tried.map(({ address, began: ms }) => `${address} ${ms}`);
  return { came, at: clock.now(), began, given, outcomes: tried.map((one) => outcomeOf(one, came.replace('from ', ''))) };
}
const EIGHT = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const none = async () => [];

describe('addresses are tried one after the other', () => {
  it('and one alone at once, with its own failure', async () => {
    expect(await run({ first: ['a'] }, { a: { ms: 900 } })).toMatchObject({ came: 'from a', at: 900, began: ['a 0'] });
    expect(await run({ first: ['a'] }, { a: { ms: 5, reason: 'connect_refused' } })).toMatchObject({
      came: 'connect_refused: a seen',
      at: 5,
    });
  });

  it('beside one that is silent, after 250 ms; what did not win is given up', async () => {
    const { outcomes, ...rest } = await run({ first: ['a', 'b', 'c'] }, { a: 'silent', b: { ms: 100 }, c: { ms: 1 } });
    expect(rest).toEqual({ came: 'from b', at: 350, began: ['a 0', 'b 250'], given: ['a'] });
    expect(outcomes).toEqual(['silent', 'connected']);
  });

  it('at once where one fails', async () => {
    expect(await run({ first: ['a', 'b'] }, { a: { ms: 2, reason: 'connect_refused' }, b: { ms: 3 } })).toMatchObject({
      came: 'from b',
      at: 5,
      outcomes: ['connect_refused', 'connected'],
    });
  });

  it('an answer that is late wins all the same, where it is the first', async () => {
    expect(await run({ first: ['a', 'b'] }, { a: { ms: 300 }, b: { ms: 300 } })).toMatchObject({ came: 'from a', given: ['b'] });
  });

  it('six of a family at most', async () => {
    const all = Object.fromEntries(EIGHT.map((name) => [name, { ms: 1, reason: 'connect_refused' as const }]));
    expect((await run({ first: EIGHT }, all)).began).toHaveLength(6);
  });
});

describe('where no address may begin after a time', () => {
  const all = Object.fromEntries([...EIGHT, 'v6'].map((name) => [name, 'silent' as const]));

  it('all begin sooner after each other, the other family too; the failure counts those that were not tried', async () => {
    const { began, came } = await run({ first: EIGHT, others: async () => ['v6'] }, all, { next_ms: 2_000, last: 4_000 });
    expect(began.map((one) => Math.round(Number(one.split(' ')[1])))).toEqual([0, 333, 667, 1_000, 1_333, 1_667, 2_667]);
    expect(came).toMatch(/^connect_timeout: 2 of 9 addresses were not tried, a seen/);
  });

  it('none begins later', async () => {
    const { began } = await run({ first: ['a', 'b', 'c', 'd'] }, all, { last: 600 });
    expect(began).toEqual(['a 0', 'b 250', 'c 500']);
    expect((await run({ first: ['a'] }, all, { last: -1 })).came).toBe('cancelled: no time was left to try an address');
  });
});

describe('the other family', () => {
  const others = async () => ['v6'];

  it('is not asked for where the first one answers, however far it is', async () => {
    let asked = 0;
    const counting = async () => (asked++, ['v6']);
    expect(await run({ first: ['a'], others: counting }, { a: { ms: 1_900 }, v6: { ms: 1 } })).toMatchObject({ came: 'from a', at: 1_900 });
    expect(asked).toBe(0);
  });

  it('is tried after two seconds of silence, and at once where all of the first have failed', async () => {
    expect(await run({ first: ['a'], others }, { a: 'silent', v6: { ms: 1 } })).toMatchObject({ came: 'from v6', at: 2_001 });
    expect(await run({ first: ['a'], others }, { a: { ms: 2, reason: 'connect_refused' }, v6: { ms: 1 } })).toMatchObject({ at: 3 });
  });

  it('changes nothing where there is none, or where it cannot be resolved', async () => {
    const refused = { a: { ms: 1, reason: 'connect_refused' as const } };
    for (const nothing of [none, () => Promise.reject(new ProbeFailure('dns_no_address'))])
      expect((await run({ first: ['a'], others: nothing }, refused)).came).toBe('connect_refused: a seen');
  });
});

describe('what all failed of', () => {
  it('names every address, by the first reason that is of the target', async () => {
    const { came } = await run(
      { first: ['a', 'b'], others: async () => ['v6'] },
      { a: { ms: 1, reason: 'connect_refused' }, b: { ms: 1, reason: 'connect_unreachable' }, v6: { ms: 0, reason: 'no_network' } },
    );
    expect(came).toBe('connect_refused: a seen, b seen, v6 seen');
    const own = await run({ first: ['a', 'b'] }, { a: { ms: 1, reason: 'no_network' }, b: { ms: 1, reason: 'connect_refused' } });
    expect(own.came).toBe('connect_refused: a seen, b seen');
  });

  it('is no address’s doing where it is the proxy’s, or a defect: the others are not tried', async () => {
    const broken = await run({ first: ['a', 'b'] }, { a: { ms: 1, error: new Error('defect') }, b: { ms: 1 } });
    expect([broken.came, broken.began]).toEqual(['defect', ['a 0']]);
    const isAtFault = (error: unknown) => error instanceof ProbeFailure && error.code === 'http_protocol';
    const proxied = await run({ first: ['a', 'b'] }, { a: { ms: 1, reason: 'http_protocol' }, b: { ms: 1 } }, { isAtFault });
    expect([proxied.came, proxied.began]).toEqual(['http_protocol: a seen', ['a 0']]);
  });

  it('is the word of who gave up', async () => {
    const over = AbortSignal.abort(new ProbeFailure('connect_timeout', 'no end'));
    expect((await run({ first: ['a'] }, { a: 'silent' }, { signal: over })).came).toBe('connect_timeout: no end');
  });
});
