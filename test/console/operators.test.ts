import { ago, attentionOf, selfTestOf, slotsOf, stateOfEngine, stateOfFeed, stateOfPeer, toneOf } from '@vedette/console/fleet';
import { barsOf, searchOf, shareOf, viewOf } from '@vedette/console/keys';
import { visible } from '@vedette/console/text';
import { describe, expect, it } from 'vitest';

type Feed = Parameters<typeof stateOfFeed>[0];
const FEED: Feed = {
  name: 'f',
  dataset: 'd',
  list: 'f',
  enabled: true,
  rows: 1,
  origin: 'source',
  confirmed_at: '',
  age_seconds: 0,
  every_hours: 24,
  problem: '',
  url: '',
  tells: '',
  licence: '',
  attribution: '',
  note: '',
};

describe('states of the fleet', () => {
  it.each<[Partial<Feed>, string, string]>([
    [{}, 'fresh', 'good'],
    [{ age_seconds: 73 * 3_600 }, 'old', 'warn'],
    [{ problem: 'refused' }, 'failing', 'warn'],
    [{ origin: 'none', problem: 'refused' }, 'not loaded', 'bad'],
    [{ origin: 'shipped' }, 'as shipped', 'none'],
    [{ origin: 'imported', enabled: false }, 'imported', 'good'],
    [{ enabled: false }, 'off', 'none'],
  ])('a feed with %j is %s', (more, word, tone) => {
    const state = stateOfFeed({ ...FEED, ...more });
    expect([state, toneOf(state)]).toEqual([word, tone]);
  });

  it.each(['good', 'off', 'disabled', 'resting', 'keyed'] as const)('an engine that is %s has a word that an agent has not', (state) => {
    const tones = { good: 'good', off: 'bad', disabled: 'none', resting: 'warn', keyed: 'none' };
    expect(toneOf(stateOfEngine({ state }))).toBe(tones[state]);
  });

  it('what fails in a self-test stands in front; what no witness told of is neither good nor bad', () => {
    const tests = (...results: ('works' | 'fails' | 'absent' | 'untested')[]) =>
      selfTestOf({ self_tests: results.map((result, i) => ({ name: `t${i}`, result })) });
    expect(tests('works', 'fails', 'absent', 'fails')).toEqual({ tone: 'bad', word: 'fails: t1, t3' });
    expect(tests('works', 'absent')).toEqual({ tone: 'good', word: '1 works' });
    expect(tests('works', 'works')).toEqual({ tone: 'good', word: '2 work' });
    expect(tests('untested', 'absent')).toEqual({ tone: 'none', word: 'untested' });
  });

  it('a state that no page knows is shown, and judged neither way', () => {
    expect(toneOf('constructor-to-be')).toBe('none');
    expect(stateOfPeer({ state: 'ready', outdated: true })).toBe('outdated');
  });

  it('attention goes to what is down, then to what is impaired', () => {
    const location = { state: 'down', down: [] };
    const found = attentionOf({
      impaired: [{ part: 'feeds', reason: 'not loaded' }],
      locations: [
        { ...location, id: 'eu-fra' },
        { ...location, id: 'us-ash', state: 'degraded', down: ['icmp4'] },
        { ...location, id: 'sg-sin', state: 'ready' },
      ] as never,
    });
    expect(found.map(({ tone, word }) => [tone, word])).toEqual([
      ['bad', 'eu-fra'],
      ['warn', 'feeds'],
      ['warn', 'us-ash'],
    ]);
  });

  it('slots are those of all kinds and agents; times are said in one unit', () => {
    const slot = { kind: 'ping', left_out: false };
    expect(slotsOf([{ slots: [{ ...slot, used: 1, max: 4 }] }, { slots: [{ ...slot, used: 2, max: 8 }] }])).toEqual({ used: 3, max: 12 });
    expect([0.4, 119, 120, 7_200, 172_800].map(ago)).toEqual(['0 s', '119 s', '2 min', '2 h', '2 days']);
  });
});

describe('usage', () => {
  const day = (credits: number, i: number) => ({ day: `2026-11-0${i + 1}`, credits, requests: credits });

  it('has a bar for each day, as high as its credits are to the most; a credit is seen beside a million', () => {
    const { bars, most, summary } = barsOf({ days: [0, 1, 1_000_000].map(day), credits: 1_000_001 });
    expect(bars.map(({ height }) => height)).toEqual([0, 1, 100]);
    expect(bars.map(({ y, height }) => y + height)).toEqual([100, 100, 100]);
    expect([most, summary]).toEqual([1_000_000, '1,000,001 credits in 3 days, most on 2026-11-03: 1,000,000']);
    expect(bars.slice(1).map(({ label }) => label)).toEqual([
      '2026-11-02: 1 credit, 1 request',
      '2026-11-03: 1,000,000 credits, 1,000,000 requests',
    ]);
  });

  it('of nothing has no height, and says so', () => {
    const { bars, summary } = barsOf({ days: [0, 0].map(day), credits: 0 });
    expect([bars.map(({ height }) => height), summary]).toEqual([[0, 0], 'Nothing was charged in 2 days']);
  });

  it('shares are whole percents; a small one is not nothing', () => {
    expect([shareOf(1, 3), shareOf(1, 1_000), shareOf(0, 5), shareOf(0, 0)]).toEqual(['33 %', '< 1 %', '0 %', '']);
  });

  it('is found by its address; what an address cannot mean is left', () => {
    const view = { days: 90, account: 'acct_1', key: 'person:a&b=c' };
    expect(viewOf(searchOf(view))).toEqual(view);
    expect(searchOf({ days: 30, account: '', key: '' })).toBe('');
    expect(viewOf('?days=1e9&account=%3Cscript%3E&key=a%20b')).toEqual({ days: 30, account: '', key: '' });
  });
});

it('names of accounts turn no choice around: what is invisible in them is named', () => {
  expect(visible('Acme\u202Emca\u200B')).toBe('AcmeU+202EmcaU+200B');
});
