import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startFakeDnsbl } from './fake-dnsbl.ts';
import { ManualClock } from './manual-clock.ts';
import { openBlacklists, zoneEngine } from './open-blacklists.ts';

const KEY = 'abcdefghij0123456789klmnop';
const QUESTION = '10.113.0.203.a.test A';
const until = async (what: () => boolean): Promise<void> => {
  while (!what()) await nextTurn();
};

describe.runIf(process.getuid?.() === 0)("a zone's own servers (needs root for port 53)", () => {
  const open = async (n: number) => {
    const [first, second] = [`127.0.53.${n}`, `127.0.53.${n + 1}`];
    const [one, two] = await Promise.all([first, second].map((address) => startFakeDnsbl({ zones: { 'a.test': {} }, address, port: 53 })));
    const clock = new ManualClock();
    // What the configured resolver would say: it is a public one, which the list refuses.
    const opened = await openBlacklists({
      clock,
      zones: { 'a.test': 'refusing' },
      servers: { 'a.test': [first, second] },
      engines: { a: zoneEngine('a.test') },
    });
    opened.blacklists.start();
    await until(() => clock.next !== undefined);
    const { servers } = opened.blacklists.status()[0]!;
    const [near, far] = servers[0] === first ? [one!, two!] : [two!, one!];
    return {
      opened,
      clock,
      servers,
      near,
      far,
      async [Symbol.asyncDispose]() {
        await opened[Symbol.asyncDispose]();
        await Promise.all([one!.close(), two!.close()]);
      },
    };
  };

  it('are found, tried and asked, without the configured resolver', async () => {
    await using zone = await open(11);
    expect([...zone.servers].sort()).toEqual(['127.0.53.11', '127.0.53.12']);
    const { results } = await zone.opened.address('203.0.113.10');
    expect(results).toMatchObject([{ id: 'a', detected: false }]);
    expect([zone.near, zone.far].map(({ asked }) => asked.filter((question) => question === QUESTION).length)).toEqual([1, 0]);
    expect(zone.opened.dnsbl.asked).not.toContain(QUESTION);
  });

  it('the second is asked too when the first has not answered for 120 ms', async () => {
    await using zone = await open(21);
    zone.near.zones.set('a.test', 'silent');
    const checked = zone.opened.address('203.0.113.10');
    await until(() => zone.near.asked.includes(QUESTION));
    zone.clock.advance(119);
    await nextTurn();
    expect(zone.far.asked).not.toContain(QUESTION);
    zone.clock.advance(1);
    expect((await checked).results).toMatchObject([{ id: 'a', detected: false, elapsed_ms: 120 }]);
  });

  it('the second is asked at once when the first says that it cannot', async () => {
    await using zone = await open(31);
    zone.near.zones.set('a.test', 'REFUSED');
    expect((await zone.opened.address('203.0.113.10')).results).toMatchObject([{ id: 'a', elapsed_ms: 0 }]);
    expect(zone.far.asked).toContain(QUESTION);
  });

  it('both failing is the failure of the zone', async () => {
    await using zone = await open(41);
    for (const server of [zone.near, zone.far]) server.zones.set('a.test', 'REFUSED');
    expect(await zone.opened.address('203.0.113.10')).toMatchObject({ results: [], unanswered: [{ why: 'it answered REFUSED' }] });
  });
});

it('a zone whose servers cannot be reached is asked by the configured resolvers', async () => {
  await using opened = await openBlacklists({
    zones: { 'a.test': {} },
    servers: { 'a.test': ['127.0.53.99'] }, // nothing listens there
    engines: { a: zoneEngine('a.test') },
  });
  opened.blacklists.start();
  expect((await opened.address('203.0.113.10')).results).toMatchObject([{ id: 'a', detected: false }]);
  expect(opened.blacklists.status()[0]!.servers).toEqual(['our resolvers']);
});

describe("a client's key", () => {
  const gate = () => {
    const told: string[] = [];
    return { told, gate: { question: (name: string) => (told.push(name), () => {}), connection: () => () => {} } };
  };
  const open = async (key = KEY, clock = new ManualClock()) => {
    const opened = await openBlacklists({
      clock,
      zones: {
        [`${key}.zen.test`]: { listed: { '203.0.113.9': ['127.0.0.4'], '203.0.113.8': ['127.0.0.10'] } },
        'zen.test': 'REFUSED',
        [`${key}.zrd.test`]: { listed: { 'young.example': ['127.0.2.5'] } },
      },
      engines: {
        zen: zoneEngine('zen.test', { key: true, codes: { '127.0.0.2-7': 'compromised' }, notices: { '127.0.0.10-11': 'policy' } }),
        zrd: zoneEngine('zrd.test', { key: true, no_test: true, subject: 'name', codes: undefined!, notices: { '127.0.2.2-24': 'new' } }),
      },
    });
    opened.blacklists.start();
    return opened;
  };

  it('has its engines asked, for this request', async () => {
    await using opened = await open();
    expect(await opened.address('203.0.113.9')).toMatchObject({ results: [], unanswered: [] });
    expect(opened.dnsbl.asked).toEqual([]);
    expect(opened.blacklists.status()[0]!.state).toBe('keyed');
    expect((await opened.address('203.0.113.9', { key: KEY })).results).toMatchObject([
      { id: 'zen', detected: true, meanings: ['compromised'] },
    ]);
  });

  it('finds policy, and young names, to be no detections', async () => {
    await using opened = await open();
    expect((await opened.address('203.0.113.8', { key: KEY })).results).toMatchObject([{ detected: false, meanings: ['policy'] }]);
    expect((await opened.host('young.example', { key: KEY })).results).toMatchObject([{ detected: false, meanings: ['new'] }]);
  });

  it('that does not work is no clean bill of health, and no fault of the zone', async () => {
    await using opened = await open();
    const refused = { results: [], unanswered: [{ name: 'zen.test' }] };
    for (let i = 0; i < 20; i++) expect(await opened.address('203.0.113.9', { key: 'z'.repeat(26) })).toMatchObject(refused);
    expect((await opened.address('203.0.113.9', { key: KEY })).results).toHaveLength(1);
  });

  it('of a contract that has ended, where nothing is listed any more, is no clean bill of health either', async () => {
    await using opened = await open();
    opened.dnsbl.zones.set(`${KEY}.zen.test`, 'dead');
    for (let i = 0; i < 2; i++)
      expect(await opened.address('203.0.113.9', { key: KEY })).toMatchObject({
        results: [],
        unanswered: [{ name: 'zen.test', why: 'your key does not work there' }],
      });
  });

  it('keeps what it was told to itself: another key is asked for anew', async () => {
    const other = 'other0other0other0other0ot';
    await using opened = await open();
    opened.dnsbl.zones.set(`${other}.zen.test`, {});
    const detected = async (key: string) => (await opened.address('203.0.113.9', { key })).results.map((result) => result.detected);
    expect([await detected(KEY), await detected(other), await detected(KEY)]).toEqual([[true], [false], [true]]);
    expect(opened.outcomes).toEqual(['zen listed', 'zen clean', 'zen kept']);
  });

  it('is told to nobody but the server: not to the gate, nor in what did not answer, nor in any status', async () => {
    await using opened = await open();
    const { told, gate: opening } = gate();
    const heard = [
      await opened.address('203.0.113.9', { key: KEY, gate: opening }),
      await opened.address('203.0.113.9', { key: 'z'.repeat(26), gate: opening }),
      opened.blacklists.status(),
      opened.health,
      told,
    ];
    expect(told).toContain('9.113.0.203.zen.test');
    expect(JSON.stringify(heard)).not.toMatch(new RegExp(`${KEY}|zzzzz`));
    expect(opened.dnsbl.asked.some((question) => question.includes(KEY))).toBe(true);
  });
});
