import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { Breaker } from '../../../packages/intel/src/engines/breaker.ts';
import { ManualClock } from './manual-clock.ts';
import { openBlacklists, zoneEngine } from './open-blacklists.ts';

const until = async (what: () => boolean): Promise<void> => {
  while (!what()) await nextTurn();
};
const broken = (outcomes: string): Breaker => {
  const breaker = new Breaker(new ManualClock(), () => {});
  for (const outcome of outcomes) {
    if (outcome === '-') breaker.failed();
    else breaker.succeeded();
  }
  return breaker;
};

describe('a breaker', () => {
  it.each([
    ['-'.repeat(9), 'closed', 'nine outcomes say little'],
    ['-'.repeat(10), 'open', 'all of ten'],
    ['++++-'.repeat(20), 'closed', 'a fifth'],
    ['+-'.repeat(20), 'open', 'a half'],
    [`${'+'.repeat(40)}---`, 'closed', 'three in a row, after a good time'],
    [`${'+'.repeat(40)}----`, 'open', 'four in a row'],
  ])('after %s is %s: %s', (outcomes, state) => {
    expect(broken(outcomes).state).toBe(state);
  });

  it('lets one question through after 60 s, and closes with its answer', () => {
    const clock = new ManualClock();
    let opened = 0;
    const breaker = new Breaker(clock, () => opened++);
    for (let i = 0; i < 10; i++) breaker.failed();
    clock.advance(59_999);
    expect([breaker.state, breaker.admits()]).toEqual(['open', false]);
    clock.advance(1);
    expect([breaker.state, breaker.admits(), breaker.admits()]).toEqual(['half-open', true, false]);
    breaker.failed();
    expect(breaker.state).toBe('open');
    clock.advance(60_000);
    expect(breaker.admits()).toBe(true);
    breaker.left(); // nobody waited for it
    expect(breaker.admits()).toBe(true);
    breaker.succeeded();
    expect([breaker.state, breaker.admits(), breaker.admits()]).toEqual(['closed', true, true]);
    expect(opened).toBe(2);
    breaker.failed();
    expect(breaker.state).toBe('closed');
  });
});

describe('an engine', () => {
  const open = async () => {
    const clock = new ManualClock();
    const opened = await openBlacklists({ clock, cache: false, zones: { 'a.test': {} }, engines: { a: zoneEngine('a.test') } });
    opened.blacklists.start();
    await opened.address('203.0.113.1');
    let last = 1;
    const ask = (more?: Parameters<typeof opened.address>[1]) => opened.address(`203.0.113.${++last}`, more);
    const end = () => opened[Symbol.asyncDispose]();
    return {
      [Symbol.asyncDispose]: end,
      opened,
      clock,
      ask,
      state: () => opened.blacklists.status()[0]!.state,
      /** Questions of requests: those of the trials are of 127.0.0.0/8. */
      asked: () => opened.dnsbl.asked.filter((question) => question.endsWith('.113.0.203.a.test A')).length,
    };
  };

  it('that fails again and again rests for a minute and is asked nothing, and recovers', async () => {
    await using engine = await open();
    const { opened, clock, ask, state, asked } = engine;
    opened.dnsbl.zones.set('a.test', 'refusing');
    for (let i = 0; i < 9; i++) expect((await ask()).unanswered[0]!.why).toBe('it refuses our questions (127.255.255.254)');
    expect(state()).toBe('resting');
    // It is tried anew meanwhile, since its servers may have moved: once, which is no verdict yet.
    await until(() => clock.next === 60_000);
    const before = asked();
    expect((await ask()).unanswered[0]!.why).toBe('it has failed too often; it is left alone for a minute');
    expect(asked()).toBe(before);
    opened.dnsbl.zones.set('a.test', {});
    clock.advance(60_000);
    expect((await ask()).results).toHaveLength(1);
    expect([state(), asked()]).toEqual(['good', before + 1]);
  });

  it('rests when it is too slow, as when it is silent', async () => {
    await using engine = await open();
    const { opened, clock, ask, state, asked } = engine;
    opened.dnsbl.zones.set('a.test', 'slow');
    for (let i = 0; i < 9; i++) {
      const before = asked();
      const late = ask();
      while (asked() === before) await nextTurn();
      clock.advance(400);
      expect((await late).unanswered).toEqual([{ name: 'a.test', why: 'no answer in time' }]);
    }
    expect(state()).toBe('resting');
  });

  it.each([
    ['what our own gate refuses', () => ({ question: () => Promise.reject(new ApiError('target_limited')), connection: () => () => {} })],
    [
      'where accounts wait for a permit',
      () => ({ question: () => Promise.reject(new ApiError('overloaded')), connection: () => () => {} }),
    ],
  ])('is not to blame for %s', async (_, gate) => {
    await using engine = await open();
    const { ask, state } = engine;
    for (let i = 0; i < 20; i++)
      expect(await ask({ gate: gate() })).toMatchObject({
        results: [],
        unanswered: [{ name: 'a.test', why: 'too much was asked of it for now' }],
      });
    expect(state()).toBe('good');
  });
});

describe('engines that fail together', () => {
  const ids = Array.from({ length: 16 }, (_, i) => `e${i}`);
  const open = async () => {
    const clock = new ManualClock();
    const opened = await openBlacklists({
      clock,
      cache: false,
      zones: Object.fromEntries(ids.map((id) => [`${id}.test`, {}])),
      engines: Object.fromEntries(ids.map((id) => [id, zoneEngine(`${id}.test`)])),
    });
    opened.blacklists.start();
    await until(() => opened.blacklists.status().every(({ state }) => state === 'good'));
    const behave = (which: readonly string[], zone: Parameters<typeof opened.dnsbl.zones.set>[1]) =>
      which.forEach((id) => opened.dnsbl.zones.set(`${id}.test`, zone));
    let last = 1;
    /** So many checks at once, of fresh subjects, whose silent engines run out of time. */
    const checksAtOnce = async (count: number, answering: number) => {
      const before = opened.outcomes.length;
      const checks = Array.from({ length: count }, () => opened.address(`203.0.113.${++last}`));
      const questions = () => opened.dnsbl.asked.filter((question) => /^\d+\.113\.0\.203\./.test(question)).length;
      await until(() => questions() >= (last - 1) * ids.length && opened.outcomes.length >= before + count * answering);
      clock.advance(400);
      return await Promise.all(checks);
    };
    const resting = () =>
      opened.blacklists
        .status()
        .filter(({ state }) => state === 'resting')
        .map(({ id }) => id);
    return { opened, behave, checksAtOnce, resting, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  };

  it('are not to blame: a stall of our own line leaves none of them alone, and the next report has them all', async () => {
    await using engines = await open();
    engines.behave(ids, 'silent');
    const stalled = await engines.checksAtOnce(12, 0);
    for (const { results, unanswered } of stalled) {
      expect([results.length, unanswered.length]).toEqual([0, 16]);
      expect(unanswered.every(({ ours }) => ours?.cause === 'network')).toBe(true);
    }
    expect(engines.resting()).toEqual([]);
    engines.behave(ids, {});
    expect((await engines.opened.address('203.0.113.200')).results).toHaveLength(16);
  });

  it('are named as our own fault where most of them fail, though others were heard', async () => {
    await using engines = await open();
    engines.behave(ids.slice(0, 9), 'silent');
    const [stalled] = await engines.checksAtOnce(1, 7);
    expect(stalled!.results).toHaveLength(7);
    expect(stalled!.unanswered.map(({ ours }) => ours?.cause)).toEqual(ids.slice(0, 9).map(() => 'network'));
  });

  it('are to blame where most of the others answered in the same moments', async () => {
    await using engines = await open();
    engines.behave(['e3', 'e7'], 'silent');
    const checks = await engines.checksAtOnce(12, 14);
    expect(checks.flatMap(({ unanswered }) => unanswered.flatMap(({ ours }) => ours ?? []))).toEqual([]);
    expect(engines.resting()).toEqual(['e3', 'e7']);
  });
});

describe('one engine or two that are silent', () => {
  /** Ten checks of as many engines, which all stay silent, one after the other; `control` is what is asked beside them. */
  async function stall(engines: number, control: (() => Promise<boolean>) | undefined) {
    const clock = new ManualClock();
    const ids = Array.from({ length: engines }, (_, i) => `e${i}`);
    let controls = 0;
    const isOnline =
      control &&
      (() => {
        controls++;
        return control();
      });
    await using opened = await openBlacklists({
      clock,
      cache: false,
      zones: Object.fromEntries(ids.map((id) => [`${id}.test`, {}])),
      engines: Object.fromEntries(ids.map((id) => [id, zoneEngine(`${id}.test`)])),
      ...(isOnline && { isOnline }),
    });
    opened.blacklists.start();
    await until(() => opened.blacklists.status().every(({ state }) => state === 'good'));
    for (const id of ids) opened.dnsbl.zones.set(`${id}.test`, 'silent');
    const questions = () => opened.dnsbl.asked.filter((question) => /^\d+\.113\.0\.203\./.test(question)).length;
    for (let i = 1; i <= 10; i++) {
      const check = opened.address(`203.0.113.${i}`);
      await until(() => questions() >= i * engines);
      clock.advance(120);
      await until(() => !control || controls === i);
      await nextTurn();
      clock.advance(280);
      expect((await check).unanswered).toHaveLength(engines);
    }
    return opened.blacklists.status().map(({ state }) => state);
  }

  it.each([
    ['one', 1, 'nothing of ours answers', () => new Promise<boolean>(() => {}), 'good'],
    ['two', 2, 'nothing of ours answers', () => new Promise<boolean>(() => {}), 'good'],
    ['two', 2, 'our resolver fails', () => Promise.resolve(false), 'good'],
    ['one', 1, 'our network answers', () => Promise.resolve(true), 'resting'],
    ['two', 2, 'our network answers', () => Promise.resolve(true), 'resting'],
    ['two', 2, 'our network is not tested', undefined, 'resting'],
  ])('%s of %i, while %s', async (_, engines, __, control, state) => {
    expect(await stall(engines, control)).toEqual(Array.from({ length: engines }, () => state));
  });

  it.each([
    [false, 'good'],
    [true, 'resting'],
  ])('one whose questions fail at once, while it is %s that our network answers, is %s', async (online, state) => {
    const clock = new ManualClock();
    const isOnline = async () => online;
    await using opened = await openBlacklists({
      clock,
      cache: false,
      isOnline,
      zones: { 'a.test': {} },
      engines: { a: zoneEngine('a.test') },
    });
    opened.blacklists.start();
    await until(() => opened.blacklists.status()[0]!.state === 'good');
    opened.dnsbl.zones.set('a.test', 'REFUSED');
    for (let i = 1; i <= 10; i++) {
      const check = opened.address(`203.0.113.${i}`);
      await until(() => opened.outcomes.length >= i);
      clock.advance(120);
      expect((await check).unanswered).toMatchObject([{ why: 'it answered REFUSED' }]);
    }
    expect(opened.blacklists.status()[0]!.state).toBe(state);
  });

  it('an engine that refuses at once is to blame, and nothing is asked beside it', async () => {
    const clock = new ManualClock();
    let controls = 0;
    const isOnline = async () => ++controls > 0;
    await using opened = await openBlacklists({
      clock,
      cache: false,
      isOnline,
      zones: { 'a.test': {} },
      engines: { a: zoneEngine('a.test') },
    });
    opened.blacklists.start();
    await until(() => opened.blacklists.status()[0]!.state === 'good');
    opened.dnsbl.zones.set('a.test', 'refusing');
    for (let i = 1; i <= 10; i++) await opened.address(`203.0.113.${i}`);
    expect([opened.blacklists.status()[0]!.state, controls]).toEqual(['resting', 0]);
  });
});
