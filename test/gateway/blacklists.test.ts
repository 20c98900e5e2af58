import type { BlacklistCheck } from '@vedette/intel/ports';
import { ENGINE_CATALOGUE, readEngineCatalogue } from '@vedette/intel/engines';
import { budgeted } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { engineRates, engineRoutes, onlineTest, openBlacklists, refreshEngines } from '../../packages/gateway/src/intel/blacklists.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { OutboundGate } from '../../packages/gateway/src/request/outbound-gate.ts';
import { Pools } from '../../packages/gateway/src/shares/pools.ts';
import { ipReputation } from '../../packages/operations/src/ip-reputation/index.ts';
import { TargetRates } from '../../packages/gateway/src/shares/target-rates.ts';
import { openApp } from './app-server.ts';
import { openResolver, zoneEngine } from '../intel/engines/open-blacklists.ts';
import { SHUT } from '../operations/shut.ts';
import { ManualClock } from '../intel/engines/manual-clock.ts';

/** As an operator asks for /admin/engines. */
const ASKED = { by: { actor: 'test', address: '127.0.0.1' }, param: '', input: {}, file: new Uint8Array() };
const log = () => {
  const lines: unknown[][] = [];
  const add = (...line: unknown[]): void => void lines.push(line);
  return { lines, log: { debug: add, info: add, warn: add, error: add } };
};

/** Two accounts before the same engine, through the gateway's own gate. */
async function setUp(rate = { per_s: 10, burst: 40 }, queueMs = 0) {
  const engines = readEngineCatalogue(JSON.stringify({ built_in: false, engines: { a: zoneEngine('bl.a.test', { rate }) } }));
  const { dnsbl, resolver, close } = await openResolver({ 'bl.a.test': {} });
  const clock = new ManualClock();
  const metrics = createMetrics();
  const { lines, log: logger } = log();
  const blacklists = openBlacklists({ engines, resolver, clock, cache: true, metrics, log: logger }, SHUT);
  const rates = new TargetRates({ clock, spares: [], gateways: () => 1, zones: engineRates(engines) });
  const pools = new Pools({
    clock: systemClock,
    parsers: 2,
    presence: { slots: () => 4 },
    renderers: { slots: () => 0 },
    gateways: () => 1,
  });
  const check = (account: string, address: string, signal = new AbortController().signal): Promise<BlacklistCheck> => {
    const gate = new OutboundGate({ demand: { account, targets: [], jobs: 0, asks: undefined }, pools, rates, waitMs: 1_000, queueMs });
    const options = { signal, exclude: [], key: undefined };
    return blacklists.address(address, { ...options, resolver: budgeted(resolver, {}, clock, gate) });
  };
  let last = 0;
  return {
    blacklists,
    clock,
    dnsbl,
    lines,
    metrics,
    check,
    /** How many of so many new questions were answered; the others were paced. */
    async flood(account: string, questions: number): Promise<number> {
      let answered = 0;
      for (let i = 0; i < questions; i++) {
        const { results, unanswered } = await check(account, `203.0.${113 + (last >> 8)}.${last++ & 255}`);
        answered += results.length;
        const paced = {
          name: 'bl.a.test',
          why: 'too much was asked of it for now',
          ours: { cause: 'paced', retry_after_s: expect.any(Number) },
        };
        expect(unanswered).toEqual(results.length === 1 ? [] : [paced]);
      }
      return answered;
    },
    async [Symbol.asyncDispose]() {
      blacklists.stop();
      await close();
    },
  };
}

describe('the rate of an engine', () => {
  it("one account's flood leaves the other its share, of the burst and of what comes after", async () => {
    await using engine = await setUp();
    expect(await engine.flood('a', 60)).toBe(20);
    expect(await engine.flood('b', 20)).toBe(20);
    expect(await engine.flood('b', 20)).toBe(0);
    for (let s = 0; s < 3; s++) {
      engine.clock.advance(2_000);
      expect(await engine.flood('a', 30)).toBe(10);
      expect(await engine.flood('b', 10)).toBe(10);
    }
  });

  it('is not used up by what is known already', async () => {
    await using engine = await setUp();
    for (let i = 0; i < 100; i++) expect((await engine.check('a', '203.0.113.1')).results).toHaveLength(1);
    expect(await engine.flood('a', 60)).toBe(20); // 203.0.113.1 among them
    expect(engine.dnsbl.asked.filter((question) => question === '1.113.0.203.bl.a.test A')).toHaveLength(1);
  });

  it('stands in the catalogue for each zone', () => {
    const rates = engineRates(ENGINE_CATALOGUE);
    expect(rates.get('bl.spameatingmonkey.net')).toEqual({ perS: 1, burst: 50 });
    expect(rates.get('bl.ipv6.spameatingmonkey.net')).toEqual({ perS: 1, burst: 50 });
    expect(rates.size).toBe(new Set(ENGINE_CATALOGUE.flatMap(({ zone, zone6 }) => [zone, zone6]).filter(Boolean)).size);
  });
});

describe('the queue of an engine, whose rate is 10 a second, 5 of them for one account, and 1 of 2 at once', () => {
  const open = async (queueMs = 1_000) => {
    const engine = await setUp({ per_s: 10, burst: 2 }, queueMs);
    while (engine.clock.next === undefined) await new Promise(setImmediate); // the zone was tried
    let last = 0;
    const ended: string[] = [];
    return {
      ...engine,
      ended,
      /** Asks about an address, a new one where none is given; `ended` is told of the answer. */
      async ask(account: string, { address = `203.0.113.${last++}`, signal = new AbortController().signal } = {}) {
        void engine.check(account, address, signal).then(
          ({ results, unanswered }) =>
            ended.push(results.length === 1 ? account : `${account} refused, ${unanswered[0]!.ours!.retry_after_s} s`),
          () => ended.push(`${account} left`),
        );
        await new Promise(setImmediate);
      },
      /** What has ended `ms` later since it was asked last: so many answers are waited for. */
      async after(ms: number, least: number): Promise<string[]> {
        engine.clock.advance(ms);
        for (let turn = 0; turn < 20 || ended.length < least; turn++) await new Promise(setImmediate);
        return ended.splice(0).toSorted();
      },
    };
  };

  it('serves each question at its time, and refuses at once what would wait too long', async () => {
    await using engine = await open();
    for (let i = 0; i < 8; i++) await engine.ask('a');
    expect(await engine.after(0, 3)).toEqual(['a', 'a refused, 1.2 s', 'a refused, 1.2 s']);
    const asked = engine.dnsbl.asked.length;
    expect(await engine.after(199, 0)).toEqual([]);
    expect(engine.dnsbl.asked).toHaveLength(asked);
    for (const ms of [1, 200, 200, 200, 200]) expect(await engine.after(ms, 1)).toEqual(['a']);
    expect(engine.dnsbl.asked).toHaveLength(asked + 5);
  });

  it('has half of itself left for others when two accounts have filled it', async () => {
    await using engine = await open();
    for (let i = 0; i < 9; i++) for (const account of ['a', 'b']) await engine.ask(account);
    // Each has one at once; then they wait until the next would come later than 500 ms.
    const refused = (await engine.after(0, 13)).filter((end) => end.includes('refused'));
    expect(refused).toHaveLength(11);
    await engine.ask('c');
    expect(engine.ended).toEqual([]);
    expect(await engine.after(600, 6)).toContain('c');
  });

  it('has one place for all requests about one address, of any account', async () => {
    await using engine = await open();
    await engine.ask('a');
    for (const account of ['a', 'b', 'a', 'c']) await engine.ask(account, { address: '198.51.100.1' });
    await engine.ask('a');
    expect(await engine.after(0, 1)).toEqual(['a']);
    expect(await engine.after(200, 4)).toEqual(['a', 'a', 'b', 'c']);
    expect(await engine.after(200, 1)).toEqual(['a']);
    expect(engine.dnsbl.asked.filter((question) => question.startsWith('1.100.51.198.'))).toHaveLength(1);
  });

  it('has the place of a client that leaves again, unless others wait for the same', async () => {
    await using engine = await open();
    await engine.ask('a');
    const [one, two] = [new AbortController(), new AbortController()];
    await engine.ask('a', { signal: one.signal });
    one.abort();
    await engine.ask('a', { address: '198.51.100.1', signal: two.signal });
    await engine.ask('b', { address: '198.51.100.1' });
    two.abort();
    expect(await engine.after(0, 3)).toEqual(['a', 'a left', 'a left']);
    expect(await engine.after(200, 1)).toEqual(['b']);
  });
});

describe('whether we are online', () => {
  it.each([
    [true, true, true],
    [false, true, false],
    [true, false, false],
  ])('resolvers that answer: %s, witnesses: %s', async (resolves, leadsOut, isOnline) => {
    const seen: string[] = [];
    const health = {
      unanswered: () => void seen.push('unanswered'), // what the resolvers said before does not count
      vouch: async () => (seen.push('resolvers'), resolves),
      networkSince: async (since: number) => (seen.push(`witnesses since ${since}`), leadsOut),
    };
    expect(await onlineTest(health, { ...systemClock, now: () => 7 })()).toBe(isOnline);
    expect(seen).toEqual(['unanswered', 'resolvers', 'witnesses since 7']);
  });
});

describe('an operator', () => {
  it('is told of engines that are switched off and come back, by log, metrics and /admin/engines', async () => {
    await using engine = await setUp();
    const tried = async (ms: number) => {
      engine.clock.advance(ms);
      while (engine.clock.next === undefined) await new Promise(setImmediate);
    };
    await tried(0);
    const shown = async () => {
      refreshEngines(engine.metrics, engine.blacklists);
      const text = await engine.metrics.registry.metrics();
      const [route] = engineRoutes(engine.blacklists);
      const status = (await route!.handle(ASKED)) as ReturnType<typeof engine.blacklists.status>;
      return [status.map(({ id, state }) => `${id} ${state}`), text.split('\n').filter((line) => /engine_state\{/.test(line))];
    };
    const stateOf = (state: string) => [[`a ${state}`], [`vedette_gateway_engine_state{engine="a",state="${state}"} 1`]];
    expect(await shown()).toEqual(stateOf('good'));
    engine.dnsbl.zones.set('bl.a.test', 'wildcarded');
    await tried(3_600_000);
    await tried(60_000);
    expect(await shown()).toEqual(stateOf('off'));
    engine.dnsbl.zones.set('bl.a.test', {});
    await tried(3_600_000);
    expect(await shown()).toEqual(stateOf('good'));
    const about = { engine: 'a', zone: 'bl.a.test', family: 4 };
    expect(engine.lines).toEqual([
      [{ ...about, problem: 'it lists what is never listed (127.0.0.2)' }, expect.stringContaining('switched off')],
      [about, expect.stringContaining('passes its test again')],
    ]);
  });

  it('counts what engines came to', async () => {
    await using engine = await setUp();
    await engine.check('a', '203.0.113.1');
    await engine.check('a', '203.0.113.1');
    const text = await engine.metrics.registry.metrics();
    expect(text).toContain('vedette_gateway_engine_answers_total{engine="a",outcome="clean"} 1');
    expect(text).toContain('vedette_gateway_engine_answers_total{engine="a",outcome="kept"} 1');
    expect(text).toContain('vedette_gateway_engine_seconds_count{engine="a"} 1');
  });
});

describe("a client's key", () => {
  const KEY = 'abcdefghij0123456789klmnop';
  const engine = { key: true, codes: { '127.0.0.2-7': 'compromised' } };

  it('leaves no trace but at the server that it is for: not in a log, a metric, the measurement log or an answer', async () => {
    const engines = readEngineCatalogue(JSON.stringify({ built_in: false, engines: { zen: zoneEngine('zen.dq.example.com', engine) } }));
    const { dnsbl, resolver, close } = await openResolver({
      [`${KEY}.zen.dq.example.com`]: { listed: { '8.8.8.8': ['127.0.0.4'] } },
      'zen.dq.example.com': 'REFUSED',
    });
    const metrics = createMetrics();
    const { lines, log: logger } = log();
    const blacklists = openBlacklists({ engines, resolver, clock: new ManualClock(), cache: true, metrics, log: logger }, SHUT);
    const departures: unknown[] = [];
    await using api = await openApp({
      operations: [ipReputation],
      ports: { ...SHUT, clock: systemClock, resolver, blacklists },
      metrics,
      measurements: { record: (departure) => void departures.push(departure), close: async () => {} },
    });
    const ask = async (body: object): Promise<string> => {
      const response = await fetch(`http://127.0.0.1:${api.port}/v2/ip-reputation`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'key-of-a' },
        body: JSON.stringify({ ip: '8.8.8.8', disable_reverse_dns: true, ...body }),
      });
      return `${response.status} ${await response.text()}`;
    };
    const answers = [
      await ask({ blocklist_key: KEY }),
      await ask({ blocklist_key: 'zzzzzzzzzzzzzzzzzzzzzzzzzz' }), // refused by the zone, so nobody answered
      await ask({ blocklist_key: `${KEY}.${KEY}` }), // no key at all
      await ask({ blocklist_key: KEY.toUpperCase() }),
    ];
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['200', '502', '400', '400']);
    expect(answers[0]).toContain('"detections":1');
    expect(dnsbl.asked).toContain(`8.8.8.8.${KEY}.zen.dq.example.com A`);
    expect(departures).not.toEqual([]);
    const told = JSON.stringify([answers, api.log, lines, departures, await metrics.registry.metrics(), blacklists.status()]);
    expect(told).not.toMatch(new RegExp(`${KEY}|zzzzz`, 'i'));
    blacklists.stop();
    await close();
  });
});
