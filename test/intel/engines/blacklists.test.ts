import { setImmediate as nextTurn } from 'node:timers/promises';
import { FEED_CATALOGUE } from '@vedette/intel/datasets';
import { ENGINE_CATALOGUE } from '@vedette/intel/engines';
import { networksOver } from '@vedette/intel/networks';
import { corrected } from '@vedette/probes/health';
import { systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { ManualClock } from './manual-clock.ts';
import { openBlacklists, zoneEngine } from './open-blacklists.ts';

const DETECTED = '203.0.113.9';
const CLEAN = '203.0.113.10';
const LISTED = { listed: { [DETECTED]: ['127.0.0.2'] } };

/** A clock that has the date of this moment. */
const on = (moment: string) => Object.assign(new ManualClock(), { today: () => new Date(moment) });

/** Waits for what happens at real sockets. */
const until = async (what: () => boolean): Promise<void> => {
  while (!what()) await nextTurn();
};
const stateOf = (opened: { blacklists: { status(): { id: string; state: string }[] } }, id: string) =>
  opened.blacklists.status().find((engine) => engine.id === id)!.state;

describe('an address', () => {
  it('is told of by those that answer, detections first, and the others are named', async () => {
    await using opened = await openBlacklists({
      zones: {
        'a.test': {},
        'b.test': LISTED,
        'c.test': LISTED,
        dead: 'dead',
        'wild.test': 'wildcarded',
        'lies.test': 'lying',
        'no.test': 'refusing',
      },
      engines: {
        a: zoneEngine('a.test'),
        b: zoneEngine('b.test', { weight: 0.4, group: 'b-group' }),
        c: zoneEngine('c.test'),
        dead: zoneEngine('bl.dead'),
        wild: zoneEngine('wild.test'),
        lies: zoneEngine('lies.test'),
        no: zoneEngine('no.test'),
      },
    });
    opened.blacklists.start();
    const { results, unanswered } = await opened.address(DETECTED);
    expect(results.map(({ name, detected }) => [name, detected])).toEqual([
      ['b.test', true],
      ['c.test', true],
      ['a.test', false],
    ]);
    expect(results[0]).toEqual({
      id: 'b',
      name: 'b.test',
      detected: true,
      reference: 'https://example.org/203.0.113.9',
      elapsed_ms: expect.any(Number),
      confidence: 'high',
      doubtful: false,
      weight: 0.4,
      group: 'b-group',
      meanings: ['spam'],
    });
    expect(unanswered.map(({ name }) => name)).toEqual(['bl.dead', 'lies.test', 'no.test', 'wild.test']);
  });

  it('is asked for by nibbles where it is IPv6, and only of zones that know those', async () => {
    const address = '2001:db8::9';
    await using opened = await openBlacklists({
      zones: { 'both.test': {}, 'six.test': { listed: { [address]: ['127.0.0.2'] } }, 'four.test': {} },
      engines: {
        both: zoneEngine('both.test', { zone6: 'six.test', families: [4, 6] }),
        four: zoneEngine('four.test'),
      },
    });
    opened.blacklists.start();
    expect(await opened.address(address)).toMatchObject({ results: [{ id: 'both', detected: true }], unanswered: [] });
    expect(opened.dnsbl.asked).toContain(`9.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.six.test A`);
    expect(opened.dnsbl.asked.filter((question) => question.includes('8.b.d.0.1.0.0.2.four.test'))).toEqual([]);
  });

  it('is on a list in memory at once, with what the list says of it', async () => {
    await using opened = await openBlacklists({
      lists: ['drop'],
      marks: {
        [DETECTED]: [
          { list: 'drop', label: 'SBL1' },
          { list: 'other', label: '' },
        ],
      },
      engines: {
        drop: { ...zoneEngine(''), zone: undefined!, codes: undefined!, name: 'DROP', list: 'drop', meaning: 'hijacked' },
        gone: { ...zoneEngine(''), zone: undefined!, codes: undefined!, name: 'Gone', list: 'gone' },
      },
    });
    expect(await opened.address(DETECTED)).toMatchObject({
      results: [{ id: 'drop', detected: true, meanings: ['hijacked', 'SBL1'] }],
      unanswered: [{ name: 'Gone', why: 'its list is not loaded' }],
    });
    expect(await opened.address(CLEAN)).toMatchObject({ results: [{ id: 'drop', detected: false, meanings: [] }] });
    expect(opened.dnsbl.asked).toEqual([]);
  });

  it.each<[string, string[], number, object]>([
    ['says nothing of days', ['SBL1'], 0, { meanings: ['SBL1'], sightings: { first_seen: null, last_seen: null, age_days: 0 } }],
    [
      'says when it saw it first and last',
      ['Emotet/2026-08-01 12:00:00/2026-08-20'],
      0,
      { meanings: ['Emotet'], sightings: { first_seen: '2026-08-01', last_seen: '2026-08-20', age_days: 12 } },
    ],
    [
      'saw it once',
      ['win.x/2026-08-25 10:11:12/'],
      0,
      { meanings: ['win.x'], sightings: { first_seen: '2026-08-25', last_seen: null, age_days: 7 } },
    ],
    [
      'has it twice',
      ['a/2026-08-01/2026-08-20', 'b/2026-08-05/2026-08-30'],
      0,
      { meanings: ['a', 'b'], sightings: { first_seen: '2026-08-01', last_seen: '2026-08-30', age_days: 2 } },
    ],
    ['has not been confirmed for long', ['SBL1'], 3, { sightings: { first_seen: null, last_seen: null, age_days: 3 } }],
    [
      'has a wrong clock',
      ['a/2026-09-10/2026-09-11'],
      0,
      { sightings: { first_seen: '2026-09-10', last_seen: '2026-09-11', age_days: 0 } },
    ],
  ])('is as old as its list has it: a list that %s', async (_, labels, overdue, expected) => {
    await using opened = await openBlacklists({
      clock: on('2026-09-01T18:00:00Z'),
      lists: ['drop'],
      marks: { [DETECTED]: labels.map((label) => ({ list: 'drop', label })) },
      engines: { drop: { ...zoneEngine(''), zone: undefined!, codes: undefined!, name: 'DROP', list: 'drop' } },
    });
    opened.blacklists.ageBy({ overdueDays: (list) => (list === 'drop' ? overdue : 99), firstDay: () => null, isAwaited: () => false });
    expect(await opened.address(DETECTED)).toMatchObject({ results: [{ detected: true, ...expected }] });
    expect((await opened.address(CLEAN)).results[0]).not.toHaveProperty('sightings');
  });

  it.each([
    ['says nothing of it', [''], { first_seen: '2026-08-30', last_seen: null, age_days: 0 }],
    ['says when it first saw it', ['a/2026-08-01/'], { first_seen: '2026-08-01', last_seen: null, age_days: 31 }],
    ['says when it last saw it', ['a//2026-08-20'], { first_seen: null, last_seen: '2026-08-20', age_days: 12 }],
  ])('was first seen when our copies first had it, if its list %s', async (_, labels, sightings) => {
    await using opened = await openBlacklists({
      clock: on('2026-09-01T18:00:00Z'),
      lists: ['drop'],
      marks: { [DETECTED]: labels.map((label) => ({ list: 'drop', label })) },
      engines: { drop: { ...zoneEngine(''), zone: undefined!, codes: undefined!, name: 'DROP', list: 'drop' } },
    });
    const [network] = networksOver(DETECTED).slice(8);
    opened.blacklists.ageBy({
      overdueDays: () => 0,
      isAwaited: () => false,
      firstDay: (list, entries) => (list === 'drop' && entries.includes(network!) ? '2026-08-30' : null),
    });
    expect(await opened.address(DETECTED)).toMatchObject({ results: [{ detected: true, sightings }] });
  });

  it('is no older on a machine whose clock is 30 days ahead of the gateways', async () => {
    const ahead = 30 * 86_400_000;
    const machine = (): number => Date.parse('2026-09-01T18:00:00Z') + ahead;
    await using opened = await openBlacklists({
      clock: corrected(systemClock, () => ahead, machine),
      lists: ['drop'],
      marks: { [DETECTED]: [{ list: 'drop', label: 'Emotet/2026-08-01/2026-08-20' }] },
      engines: { drop: { ...zoneEngine(''), zone: undefined!, codes: undefined!, name: 'DROP', list: 'drop' } },
    });
    expect(await opened.address(DETECTED)).toMatchObject({ results: [{ detected: true, sightings: { age_days: 12 } }] });
  });

  it('is not asked for before the zones were tried, nor by those that never were', async () => {
    await using opened = await openBlacklists({ zones: { 'a.test': {} }, engines: { a: zoneEngine('a.test') }, clock: new ManualClock() });
    expect(opened.dnsbl.asked).toEqual([]);
    opened.blacklists.start();
    const { results } = await opened.address(CLEAN);
    expect(results).toHaveLength(1);
    expect(opened.dnsbl.asked).toEqual(['a.test NS', '2.0.0.127.a.test A', '1.0.0.127.a.test A', '10.113.0.203.a.test A']);
  });
});

describe('a zone whose data are in memory', () => {
  const ZONE = zoneEngine('a.test', {
    codes: { '127.0.0.2': 'spam', '127.0.0.6': 'ddos' },
    notices: { '127.0.0.10': 'policy' },
    families: [4, 6],
  });
  const mark = (label: string) => ({ list: 'a', label });
  const open = async (more: Parameters<typeof openBlacklists>[0] = {}) => {
    const opened = await openBlacklists({ zones: { 'a.test': {} }, engines: { a: ZONE }, lists: ['a'], ...more });
    opened.blacklists.start();
    return opened;
  };
  const QUESTION = '10.113.0.203.a.test A';

  it.each([
    ['listed', [mark('127.0.0.6')], true, ['ddos']],
    ['listed without a code', [mark('')], true, ['spam']],
    ['noticed', [mark('127.0.0.10')], false, ['policy']],
    ['not in it', [], false, []],
  ])('is not asked, of an address that is %s', async (_, marks, detected, meanings) => {
    await using opened = await open({ marks: { [CLEAN]: marks } });
    expect(await opened.address(CLEAN)).toMatchObject({ results: [{ id: 'a', detected, meanings }], unanswered: [] });
    expect(opened.dnsbl.asked).not.toContain(QUESTION);
  });

  it('is asked of IPv6, and of IPv4 once its file is too old', async () => {
    await using opened = await open();
    await opened.address('2001:db8::7');
    expect(opened.dnsbl.asked).toContainEqual(expect.stringMatching(/^7(\.0){23}.*8\.b\.d\.0\.1\.0\.0\.2\.a\.test A$/));
    await using without = await open({ lists: [] });
    await without.address(CLEAN);
    expect(without.dnsbl.asked).toContain(QUESTION);
  });

  it('is called as no list of another kind', () => {
    const lists = new Set(FEED_CATALOGUE.filter(({ format }) => format !== 'rbldnsd').map(({ list, name }) => list ?? name));
    expect(ENGINE_CATALOGUE.filter(({ id, zone }) => zone !== undefined && lists.has(id))).toEqual([]);
  });
});

describe('engines that are off', () => {
  it('are asked nothing, at the start either', async () => {
    await using opened = await openBlacklists({ zones: { 'a.test': {} }, engines: { a: zoneEngine('a.test', { enabled: false }) } });
    opened.blacklists.start();
    expect(await opened.address(CLEAN)).toMatchObject({ results: [], unanswered: [] });
    expect(opened.dnsbl.asked).toEqual([]);
    expect(stateOf(opened, 'a')).toBe('disabled');
  });

  it.each([
    ['SpamCop', 'a name'],
    ['spam-cop-id', 'an id'],
    ['SPAM COP', 'case and spaces'],
    ['Spam_Cop!', 'punctuation'],
  ])('are asked nothing when excluded as %s: %s', async (exclude) => {
    await using opened = await openBlacklists({
      zones: { 'a.test': {}, 'b.test': {} },
      engines: { 'spam-cop-id': zoneEngine('a.test', { name: 'Spamcop' }), b: zoneEngine('b.test') },
    });
    opened.blacklists.start();
    const { results, unanswered } = await opened.address(CLEAN, { exclude: ['Unknown', exclude] });
    expect([results.map(({ id }) => id), unanswered]).toEqual([['b'], []]);
    expect(opened.dnsbl.asked).not.toContain('10.113.0.203.a.test A');
  });
});

describe('time', () => {
  it('25 engines, 5 of them hanging: the others answer, and the block ends at 400 ms', async () => {
    const clock = new ManualClock();
    const ids = Array.from({ length: 25 }, (_, i) => `e${i}`);
    const hanging = ids.slice(0, 5);
    await using opened = await openBlacklists({
      clock,
      zones: Object.fromEntries(ids.map((id) => [`${id}.test`, {}])),
      engines: Object.fromEntries(ids.map((id) => [id, zoneEngine(`${id}.test`)])),
    });
    opened.blacklists.start();
    await until(() => ids.every((id) => stateOf(opened, id) === 'good'));
    for (const id of hanging) opened.dnsbl.zones.set(`${id}.test`, 'silent');

    const checked = opened.address(CLEAN);
    await until(() => opened.outcomes.length === 20);
    let ended = false;
    void checked.then(() => (ended = true));
    clock.advance(399);
    await nextTurn();
    expect(ended).toBe(false); // a late answer still counts
    clock.advance(1);
    const { results, unanswered, scan_time_ms } = await checked;
    expect([results.length, scan_time_ms]).toEqual([20, 400]);
    expect(unanswered).toEqual(hanging.map((id) => ({ name: `${id}.test`, why: 'no answer in time' })));
    expect(opened.dnsbl.asked.filter((question) => question.startsWith('10.113.0.203.'))).toHaveLength(25);
  });

  it('ends with the client', async () => {
    await using opened = await openBlacklists({ zones: { 'a.test': {} }, engines: { a: zoneEngine('a.test') } });
    opened.blacklists.start();
    await until(() => stateOf(opened, 'a') === 'good');
    opened.dnsbl.zones.set('a.test', 'silent');
    const client = new AbortController();
    const checked = opened.address(CLEAN, { signal: client.signal });
    await until(() => opened.dnsbl.asked.includes('10.113.0.203.a.test A'));
    client.abort(new Error('gone'));
    await expect(checked).rejects.toThrow('gone');
    expect(stateOf(opened, 'a')).toBe('good');
  });
});

describe('verdicts that are kept', () => {
  const counted = async (zone: Parameters<typeof openBlacklists>[0]['zones'], cache: boolean, then: number, address = CLEAN) => {
    const clock = new ManualClock();
    await using opened = await openBlacklists({ clock, cache, zones: zone!, engines: { a: zoneEngine('a.test') } });
    opened.blacklists.start();
    await opened.address(address);
    clock.advance(then);
    await opened.address(address);
    // The resolver below has a cache of its own, on the machine's clock.
    return opened.outcomes.map((outcome) => outcome.slice(2));
  };

  it.each([
    ['a denial for the SOA minimum', { 'a.test': { negativeTtl: 120 } }, 119_999, ['clean', 'kept']],
    ['and no longer', { 'a.test': { negativeTtl: 120 } }, 120_000, ['clean', 'clean']],
    ['for a minute at least', { 'a.test': { negativeTtl: 0 } }, 59_999, ['clean', 'kept']],
    ['for an hour at most', { 'a.test': { negativeTtl: 86_400 } }, 3_600_000, ['clean', 'clean']],
  ])('%s', async (_, zone, ms, outcomes) => {
    expect(await counted(zone, true, ms)).toEqual(outcomes);
  });

  it.each([
    ['a listing for its TTL', 90, 89_999, ['listed', 'kept']],
    ['and no longer', 90, 90_000, ['listed', 'listed']],
    ['for a minute at least', 1, 59_999, ['listed', 'kept']],
  ])('%s', async (_, ttl, ms, outcomes) => {
    expect(await counted({ 'a.test': { ...LISTED, ttl } }, true, ms, DETECTED)).toEqual(outcomes);
  });

  it('are not, where the operator wants none', async () => {
    expect(await counted({ 'a.test': {} }, false, 0)).toEqual(['clean', 'clean']);
  });

  it('and equal questions at once are one', async () => {
    await using opened = await openBlacklists({ zones: { 'a.test': {} }, engines: { a: zoneEngine('a.test') } });
    opened.blacklists.start();
    await until(() => stateOf(opened, 'a') === 'good');
    opened.dnsbl.zones.set('a.test', 'slow');
    const checked = [1, 2, 3].map(() => opened.address(CLEAN));
    await until(() => opened.dnsbl.asked.includes('10.113.0.203.a.test A'));
    opened.dnsbl.release();
    expect((await Promise.all(checked)).map(({ results }) => results.length)).toEqual([1, 1, 1]);
    expect(opened.dnsbl.asked.filter((question) => question === '10.113.0.203.a.test A')).toHaveLength(1);
  });
});
