import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FakeZone } from './fake-dnsbl.ts';
import { ManualClock } from './manual-clock.ts';
import { openBlacklists, zoneEngine } from './open-blacklists.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
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

it('nothing is tried after the end', async () => {
  await using trial = await tried({});
  const { opened, clock } = trial;
  opened.blacklists.stop();
  const asked = opened.dnsbl.asked.length;
  clock.advance(HOUR);
  await nextTurn();
  expect(opened.dnsbl.asked).toHaveLength(asked);
});
