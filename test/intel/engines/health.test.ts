import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FakeZone } from './fake-dnsbl.ts';
import { ManualClock } from './manual-clock.ts';
import { openBlacklists, zoneEngine } from './open-blacklists.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const { zone: _zone, codes: _codes, ...listEngine } = zoneEngine('a.test');
type Opened = Awaited<ReturnType<typeof openBlacklists>>;

const until = async (what: () => boolean): Promise<void> => {
  while (!what()) await nextTurn();
};
const status = ({ blacklists }: Opened) => blacklists.status()[0]!;
/** The next check has ended: the zone sleeps again. */
const checked = async (clock: ManualClock, ms: number): Promise<void> => {
  clock.advance(ms);
  await until(() => clock.next !== undefined);
};

async function tried(zone: FakeZone, more: Parameters<typeof zoneEngine>[1] = {}) {
  const clock = new ManualClock();
  const opened = await openBlacklists({ clock, zones: { 'a.test': zone }, engines: { a: zoneEngine('a.test', more) } });
  opened.blacklists.start();
  await until(() => clock.next !== undefined);
  return { opened, clock, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}

describe('a zone is believed when it lists its test entry and not what is never listed', () => {
  it.each([
    ['good', {}, ''],
    ['dead', 'dead', 'it does not list its own test entry (NXDOMAIN)'],
    ['bought by somebody', 'wildcarded', 'it lists what is never listed (127.0.0.2)'],
    ['behind a resolver that rewrites', 'lying', 'it does not list its own test entry (198.51.100.80)'],
    ['refusing by a code', 'refusing', 'it does not list its own test entry (127.255.255.254)'],
    ['refusing', 'REFUSED', 'it does not list its own test entry (REFUSED)'],
    ['broken', 'SERVFAIL', 'it does not list its own test entry (SERVFAIL)'],
  ] satisfies [string, FakeZone, string][])('%s', async (_, zone, problem) => {
    await using trial = await tried(zone);
    const { opened, clock } = trial;
    expect(status(opened)).toMatchObject({ problem });
    // Once may be bad luck; what never passed is not asked.
    expect(clock.next).toBe(problem === '' ? HOUR : MINUTE);
    expect(status(opened).state).toBe(problem === '' ? 'good' : 'untried');
    expect(opened.health).toEqual([]);
    await checked(clock, clock.next ?? 0);
    expect(status(opened).state).toBe(problem === '' ? 'good' : 'off');
    expect(opened.health).toEqual(problem === '' ? [] : [`a 4 off ${problem}`]);
    expect(clock.next).toBe(HOUR);
  });

  it('asks for the entries that the family, or the catalogue, says', async () => {
    const asked = async (more: Parameters<typeof zoneEngine>[1], zone: FakeZone = {}) => {
      await using trial = await tried(zone, more);
      const { opened } = trial;
      return opened.dnsbl.asked.filter((question) => question.endsWith(' A')).sort();
    };
    expect(await asked({ families: [4, 6] })).toEqual(
      [
        '1.0.0.127.a.test A',
        `1.0.0.0.0.0.f.7.f.f.f.f.${'0.'.repeat(20)}a.test A`,
        '2.0.0.127.a.test A',
        `2.0.0.0.0.0.f.7.f.f.f.f.${'0.'.repeat(20)}a.test A`,
      ].sort(),
    );
    expect(await asked({ subject: 'name' })).toEqual(['invalid.a.test A', 'test.a.test A']);
    const test = { listed: 'bad.example', clean: 'good.example' };
    expect(await asked({ subject: 'name', test }, { listed: { 'bad.example': ['127.0.0.2'] } })).toEqual([
      'bad.example.a.test A',
      'good.example.a.test A',
    ]);
  });

  it('tries only what is never listed where there is no test entry', async () => {
    await using trial = await tried('dead', { no_test: true });
    const { opened } = trial;
    expect(status(opened).state).toBe('good');
    await using bought = await tried('wildcarded', { no_test: true });
    expect(status(bought.opened).state).toBe('untried');
  });

  it('switches off one family, and leaves the other', async () => {
    const clock = new ManualClock();
    await using opened = await openBlacklists({
      clock,
      zones: { 'a.test': {}, 'six.test': 'dead' },
      engines: { a: zoneEngine('a.test', { zone6: 'six.test', families: [4, 6] }) },
    });
    opened.blacklists.start();
    await until(() => clock.next !== undefined);
    await checked(clock, MINUTE);
    expect(opened.health).toEqual(['a 6 off it does not list its own test entry (NXDOMAIN)']);
    expect(status(opened).state).toBe('partly');
    expect(await opened.address('203.0.113.1')).toMatchObject({ results: [{ id: 'a' }] });
    expect(await opened.address('2001:db8::1')).toMatchObject({
      results: [],
      unanswered: [{ name: 'a.test', why: 'switched off: it does not list its own test entry (NXDOMAIN)' }],
    });
  });
});

it('two failures in a row switch a zone off, one does not, and it comes back when it passes', async () => {
  await using trial = await tried({});
  const { opened, clock } = trial;
  opened.dnsbl.zones.set('a.test', 'wildcarded');
  await checked(clock, HOUR);
  expect([status(opened).state, clock.next]).toEqual(['good', MINUTE]);
  await checked(clock, MINUTE);
  expect([status(opened).state, clock.next]).toEqual(['off', HOUR]);
  const asked = opened.dnsbl.asked.length;
  expect(await opened.address('203.0.113.1')).toMatchObject({ results: [], unanswered: [{ name: 'a.test' }] });
  expect(opened.dnsbl.asked).toHaveLength(asked);
  opened.dnsbl.zones.set('a.test', {});
  await checked(clock, HOUR);
  expect(opened.health).toEqual(['a 4 off it lists what is never listed (127.0.0.2)', 'a 4 good ']);
  expect(await opened.address('203.0.113.1')).toMatchObject({ results: [{ id: 'a', detected: false }] });
});

describe('a zone that lists everybody all of a sudden', () => {
  const NEVER = '1.0.0.127.a.test A';
  const open = async (zone: FakeZone, more: Parameters<typeof zoneEngine>[1] = {}) => {
    const trial = await tried({}, more);
    const { opened } = trial;
    opened.dnsbl.zones.set('a.test', zone);
    opened.dnsbl.asked.length = 0;
    const asked = (question: string) => opened.dnsbl.asked.filter((other) => other === question).length;
    return { ...trial, asked };
  };
  const WHY = [{ name: 'a.test', why: 'it lists what is never listed' }];

  it('accuses nobody, is named, keeps nothing, and is off as soon as its trials say so', async () => {
    await using trial = await open('wildcarded');
    const { opened, clock } = trial;
    const checks = await Promise.all(Array.from({ length: 40 }, () => opened.address('203.0.113.7')));
    expect(checks.map(({ results, unanswered }) => ({ results, unanswered }))).toEqual(
      Array.from({ length: 40 }, () => ({ results: [], unanswered: WHY })),
    );
    // Tried at once, and again a minute later: that is two failures.
    await until(() => clock.next === MINUTE);
    await checked(clock, MINUTE);
    expect(opened.health).toEqual(['a 4 off it lists what is never listed (127.0.0.2)']);
    opened.dnsbl.zones.set('a.test', {});
    await checked(clock, HOUR);
    expect(await opened.address('203.0.113.7')).toMatchObject({ results: [{ detected: false }], unanswered: [] });
  });

  it('is seen by one question a minute, which nobody asks where nothing is listed', async () => {
    await using trial = await open({ listed: { '203.0.113.7': ['127.0.0.2'], '203.0.113.9': ['127.0.0.2'] } });
    const { opened, clock, asked } = trial;
    const detected = async (address: string) => (await opened.address(address)).results.map((result) => result.detected);
    expect([await detected('203.0.113.8'), asked(NEVER)]).toEqual([[false], 0]);
    expect([await detected('203.0.113.7'), await detected('203.0.113.9'), asked(NEVER)]).toEqual([[true], [true], 1]);
    clock.advance(MINUTE);
    opened.dnsbl.zones.set('a.test', 'wildcarded');
    // What was said while it could be believed stands for as long as its TTL says.
    expect([await detected('203.0.113.7'), await detected('203.0.113.10'), asked(NEVER)]).toEqual([[true], [], 2]);
  });

  it('asks of each family, of names, and with a client’s key, for what is never listed there', async () => {
    await using six = await open('wildcarded', { families: [4, 6] });
    expect(await six.opened.address('2001:db8::7')).toMatchObject({ results: [], unanswered: WHY });
    await using names = await open('wildcarded', { subject: 'name', test: { listed: 'test', clean: 'never.example' } });
    expect(await names.opened.host('www.shop.example.org')).toMatchObject({ results: [], unanswered: WHY });
    expect(names.asked('never.example.a.test A')).toBe(1);
    const engines = { a: zoneEngine('a.test', { key: true }) };
    await using keyed = await openBlacklists({ zones: { 'a.test': 'wildcarded' }, engines });
    expect(await keyed.address('203.0.113.7', { key: 'abcdefghij0123456789klmnop' })).toMatchObject({ results: [], unanswered: WHY });
  });

  it('a listing stands where there was no time for that question, and the zone is tried instead', async () => {
    await using trial = await open('slow');
    const { opened, clock, asked } = trial;
    opened.dnsbl.zones.set('a.test', 'slow-to-deny');
    const checked = opened.address('203.0.113.7');
    await until(() => asked(NEVER) === 1);
    clock.advance(400);
    expect((await checked).results).toMatchObject([{ detected: true }]);
    // The trial, which waits for the same answer.
    await until(() => asked(NEVER) === 2);
  });
});

describe('a zone that lists all but what is never listed', () => {
  it('is tried with bystanders after ten listings in a row, and is off', async () => {
    await using trial = await tried('sparing');
    const { opened, clock } = trial;
    for (let i = 1; i <= 9; i++) expect((await opened.address(`203.0.113.${i}`)).results).toMatchObject([{ detected: true }]);
    expect(opened.dnsbl.asked).not.toContain('4.0.41.198.a.test A');
    await opened.address('203.0.113.10');
    await until(() => status(opened).state === 'off');
    expect(opened.health).toEqual(['a 4 off it lists every subject, 198.41.0.4 and 192.33.4.12 too']);
    expect(await opened.address('203.0.113.11')).toMatchObject({ results: [], unanswered: [{ name: 'a.test' }] });
    // It stays off until its trial, bystanders included, passes.
    await until(() => clock.next === HOUR);
    await checked(clock, HOUR);
    expect(status(opened).state).toBe('off');
    opened.dnsbl.zones.set('a.test', {});
    await checked(clock, HOUR);
    expect(status(opened).state).toBe('good');
  });

  it('a good zone that is asked about spammers alone stays on', async () => {
    const spammers = Array.from({ length: 12 }, (_, i) => `203.0.113.${i + 1}`);
    await using trial = await tried({ listed: Object.fromEntries(spammers.map((address) => [address, ['127.0.0.2']])) });
    const { opened, clock } = trial;
    for (const address of spammers) expect((await opened.address(address)).results).toMatchObject([{ detected: true }]);
    await until(() => opened.dnsbl.asked.includes('4.0.41.198.a.test A') && clock.next === HOUR);
    expect([status(opened).state, opened.health]).toEqual(['good', []]);
  });
});

describe('while our own network does not answer', () => {
  const open = async (zone: FakeZone) => {
    const network = { isUp: false };
    const clock = new ManualClock();
    const opened = await openBlacklists({
      clock,
      zones: { 'a.test': zone },
      engines: { a: zoneEngine('a.test') },
      isOnline: async () => network.isUp,
    });
    opened.blacklists.start();
    await until(() => clock.next !== undefined);
    return { network, clock, opened, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  };

  it('trials fail no zone, however often, and it is tried again in seconds', async () => {
    await using trial = await open('SERVFAIL');
    const { network, clock, opened } = trial;
    for (let i = 0; i < 5; i++) {
      expect([clock.next, status(opened).state]).toEqual([5_000, 'untried']);
      await checked(clock, 5_000);
    }
    expect(await opened.address('203.0.113.1')).toMatchObject({
      results: [],
      unanswered: [{ name: 'a.test', why: 'our own network failed when it was tried', ours: { cause: 'network' } }],
    });
    network.isUp = true;
    opened.dnsbl.zones.set('a.test', {});
    await checked(clock, 5_000);
    expect([status(opened).state, opened.health]).toEqual(['good', []]);
  });

  it('and a zone that fails while it answers is off after two trials', async () => {
    await using trial = await open('SERVFAIL');
    const { network, clock, opened } = trial;
    network.isUp = true;
    await checked(clock, 5_000);
    await checked(clock, MINUTE);
    expect(status(opened).state).toBe('off');
  });
});

it('nothing is tried after the end', async () => {
  await using trial = await tried({});
  const { opened, clock } = trial;
  opened.blacklists.stop();
  const asked = opened.dnsbl.asked.length;
  clock.advance(HOUR);
  await nextTurn();
  expect(opened.dnsbl.asked).toHaveLength(asked);
});

describe('a check of an engine, on or off', () => {
  it.each([
    ['ok', 'a.test at our resolvers', {}],
    ['moved', 'no servers of a.test are found', 'dead'],
    ['lists_too_much', 'it lists what no list has', 'wildcarded'],
    ['lists_too_much', '198.41.0.4 and 192.33.4.12', 'sparing'],
    ['shape', '198.51.100.80, which is no answer of a blacklist', 'lying'],
    ['refused', '127.255.255.254', 'refusing'],
    ['refused', 'REFUSED', 'REFUSED'],
    ['failing', 'SERVFAIL', 'SERVFAIL'],
  ] satisfies [string, string, FakeZone][])('says %s (%s)', async (verdict, detail, zone) => {
    await using opened = await openBlacklists({
      zones: { 'a.test': zone },
      engines: { a: zoneEngine('a.test', { enabled: false }), keyed: zoneEngine('b.test', { key: true }) },
    });
    expect(await opened.blacklists.tryEngine('a')).toEqual({ name: 'a', verdict, detail: expect.stringContaining(detail) });
    expect(status(opened).state).toBe('disabled');
    expect(await opened.blacklists.tryEngine('keyed')).toMatchObject({ verdict: 'refused' });
    expect(await opened.blacklists.tryEngine('other')).toBeUndefined();
  });

  it('names the family with the problem, and tells of lists in memory whether they are loaded', async () => {
    await using opened = await openBlacklists({
      zones: { 'a.test': {}, 'six.test': 'REFUSED' },
      engines: {
        a: zoneEngine('a.test', { families: [4, 6], zone6: 'six.test' }),
        there: { ...listEngine, name: 'there', list: 'there' },
        gone: { ...listEngine, name: 'gone', list: 'gone' },
      },
      lists: ['there'],
    });
    const found = await Promise.all(['a', 'there', 'gone'].map((id) => opened.blacklists.tryEngine(id)));
    expect(found.map((check) => [check?.verdict, check?.detail])).toEqual([
      ['refused', 'IPv6: it answers REFUSED'],
      ['ok', 'the list there is loaded'],
      ['unreachable', 'the list gone is not loaded: `vedette feeds check`'],
    ]);
  });
});
