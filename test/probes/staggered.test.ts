import { type Clock, ProbeFailure, type Reason } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { type Addresses, attemptsOf, staggered, type Tried } from '@vedette/probes/http';
import { virtualClock } from './ping/virtual-clock.ts';

type StaggeredOptions = Parameters<typeof staggered>[2];

/** What an address does: answers or fails after so many ms, or is silent. */
type Behaviour = { ms: number; reason?: Reason; error?: Error } | 'silent';

async function run(
  addresses: Addresses,
  behaviours: Record<string, Behaviour>,
  more: Partial<StaggeredOptions> = {},
  others?: (clock: Clock) => Promise<readonly string[]>,
) {
  const clock = virtualClock();
  const tried: Tried[] = [];
  const given: string[] = [];
  const attempt = async (address: string, signal: AbortSignal): Promise<string> => {
    const does = behaviours[address]!;
    await clock.sleep(does === 'silent' ? 60_000 : does.ms, signal).catch(() => {
      given.push(address);
      throw signal.reason instanceof ProbeFailure ? signal.reason : new ProbeFailure('cancelled');
    });
    if (does === 'silent' || does.reason) throw new ProbeFailure(does === 'silent' ? 'connect_timeout' : does.reason!, `${address} seen`);
    if (does.error) throw does.error;
    return `from ${address}`;
  };
  const signal = new AbortController().signal;
  const came = await staggered({ ...addresses, others: others?.(clock) }, attempt, { clock, signal, tried, until: 10_000, ...more }).then(
    ({ value }) => value,
    (error: Error & { code?: string; seen?: string }) => (error instanceof ProbeFailure ? `${error.code}: ${error.seen}` : error.message),
  );
  const began = tried.map(({ address, began: ms }) => `${address} ${ms}`);
  return {
    came,
    at: clock.now(),
    began,
    given,
    outcomes: attemptsOf(tried, { started: 0, connected: came.replace('from ', ''), now: clock.now() }).map(({ outcome }) => outcome),
  };
}
const EIGHT = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const refused = { ms: 1, reason: 'connect_refused' as const };

describe('addresses are tried one after the other', () => {
  it('and one alone at once, with its own failure', async () => {
    expect(await run({ first: ['a'] }, { a: { ms: 900 } })).toMatchObject({ came: 'from a', at: 900, began: ['a 0'] });
    expect(await run({ first: ['a'] }, { a: { ms: 5, reason: 'connect_refused' } })).toMatchObject({
      came: 'connect_refused: a seen',
      at: 5,
    });
  });

  it('beside one that is silent, after 200 ms; what did not win is given up', async () => {
    const { outcomes, ...rest } = await run({ first: ['a', 'b', 'c'] }, { a: 'silent', b: { ms: 100 }, c: { ms: 1 } });
    expect(rest).toEqual({ came: 'from b', at: 300, began: ['a 0', 'b 200'], given: ['a'] });
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

  it('six at most, and the failure counts the others', async () => {
    const { began, came } = await run({ first: EIGHT }, Object.fromEntries(EIGHT.map((name) => [name, refused])));
    expect(began).toHaveLength(6);
    expect(came).toMatch(/^connect_refused: 2 of 8 addresses were not tried, a seen, b seen/);
  });
});

describe('where all are silent', () => {
  const silent = Object.fromEntries([...EIGHT, '::6'].map((name) => [name, 'silent' as const]));

  it('three are open at a time, and each makes room after its slice: two seconds', async () => {
    const { began, given, came, at } = await run({ first: EIGHT.slice(0, 5) }, silent);
    expect(began).toEqual(['a 0', 'b 200', 'c 400', 'd 2000', 'e 2200']);
    expect([given, at]).toEqual([['a', 'b', 'c', 'd', 'e'], 10_000]);
    expect(came).toBe(
      'connect_timeout: a no answer in 2000 ms, b no answer in 2000 ms, c no answer in 9600 ms, d no answer in 8000 ms, e no answer in 7800 ms',
    );
  });

  it('or sooner, where less is left; a slice has at least the delay', async () => {
    const { began } = await run({ first: EIGHT }, silent, { until: 3_000 });
    expect(began).toEqual(['a 0', 'b 200', 'c 400', 'd 600', 'e 800', 'f 1050']);
    const slow = await run({ first: EIGHT }, silent, { until: 5_000, next_ms: 2_000 });
    expect(slow.began).toEqual(['a 0', 'b 2000', 'c 4000']);
  });

  it('none begins when it is over', async () => {
    expect((await run({ first: ['a'] }, silent, { until: -1 })).came).toBe('cancelled: no time was left to try an address');
  });
});

describe('the other family', () => {
  const later = (ms: number, addresses: readonly string[]) => async (clock: Clock) => (await clock.sleep(ms), addresses);

  it('comes in turn, wherever its addresses stand', async () => {
    const { began } = await run({ first: ['::1', '::2', 'a', 'b'] }, { '::1': refused, '::2': refused, a: refused, b: refused });
    expect(began).toEqual(['::1 0', 'a 1', '::2 2', 'b 3']);
  });

  it('joins as soon as it is known, before more of the first', async () => {
    const { began, came } = await run({ first: ['a', 'b'] }, { a: 'silent', b: 'silent', '::6': { ms: 1 } }, {}, later(100, ['::6']));
    expect([began, came]).toEqual([['a 0', '::6 200'], 'from ::6']);
  });

  it('is awaited where all of the first have failed', async () => {
    expect(await run({ first: ['a'] }, { a: refused, '::6': { ms: 1 } }, {}, later(30, ['::6']))).toMatchObject({
      came: 'from ::6',
      began: ['a 0', '::6 30'],
    });
  });

  it('changes nothing where there is none', async () => {
    expect((await run({ first: ['a'] }, { a: refused }, {}, later(30, []))).came).toBe('connect_refused: a seen');
  });
});

describe('what all failed of', () => {
  it('names every address, by the first reason that is of the target', async () => {
    const { came } = await run(
      { first: ['a', 'b', '::6'] },
      { a: { ms: 1, reason: 'connect_refused' }, b: { ms: 1, reason: 'connect_unreachable' }, '::6': { ms: 0, reason: 'no_network' } },
    );
    expect(came).toBe('connect_refused: a seen, ::6 seen, b seen');
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
