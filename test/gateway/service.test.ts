import type { NetworkCapability } from '@vedette/probes/health';
import { ApiError, isAnswer, type Resolver } from '@vedette/contract';
import { operations } from '@vedette/operations';
import { central, Host, type Operation } from '@vedette/operations/kit';
import { ping } from '@vedette/probes/ping';
import type { Reservation } from '@vedette/ledger';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { blank } from '../../packages/operations/src/kit/blank.ts';
import { Calls } from '../../packages/gateway/src/request/calls.ts';
import { OptOuts } from '@vedette/probes/host';
import { registrableDomain } from '../../packages/gateway/src/shares/registrable-domain.ts';
import type { Visit } from '../../packages/gateway/src/door/overload.ts';
import { type Call, callable } from '../../packages/gateway/src/request/service.ts';
import { TargetRates } from '../../packages/gateway/src/shares/target-rates.ts';
import { pingTest } from '../../packages/operations/src/ping-test/index.ts';
import { fakeResolver, type FakeZone } from '../intel/fake-resolver.ts';
import { SHUT } from '../operations/shut.ts';
import { type Given, partsOf } from './parts.ts';
import { fakeHealth } from '../probes/health/fake-health.ts';
import { accountOf } from '../ledger/account.ts';

const notAsked = () => Promise.reject(new Error('not asked for'));
const account = accountOf('a');

/** Says the host again: an operation that contacts it, for 5 credits. */
const echo = central({
  name: 'echo',
  subject: 'service',
  summary: 'Say the host again',
  cost: 5,
  deadline_ms: 10_000,
  request: Type.Object({ host: Host() }),
  response: Type.Object({ host: Type.String() }),
  targets: { host: 'host' },
  examples: [{ host: 'example.org' }],
  read: (_request, { host }) => ({ host: host.host }),
  run: async ({ host }) => ({ host }),
});

/** Asks for random names below a domain, and makes a report of what it heard. */
const search = central({
  ...echo,
  name: 'search',
  subject: 'service',
  contactsTarget: false,
  dns: { questions: 800, ms: 5_000 },
  async run({ host }, { resolver, signal }) {
    const asked = await Promise.all(Array.from({ length: 800 }, () => resolver.ask(`${random++}.${host}`, 'A', { signal })));
    return { host: `${host}: ${asked.filter(isAnswer).length} answers` };
  },
});
let random = 0;

/** Asks for a record of the host, and says what came. */
const asks = central({
  ...search,
  run: async ({ host }, { resolver, signal }) => ({ host: JSON.stringify(await resolver.ask(host, 'TXT', { signal })) }),
});
const UNBELIEVED = fakeHealth({ bad: ['resolver'], problem: 'no answer' });

/** A gateway with this one operation, and what the ledger and the DNS saw of each request, in order. */
function setUp(
  operation: Operation,
  zone: FakeZone,
  refusal?: ApiError,
  health: Given['health'] = fakeHealth(),
  locations: readonly string[] = [],
) {
  const seen: string[] = [];
  const dns = fakeResolver(zone);
  const resolver: Resolver = {
    ...dns,
    async query(name, type, options) {
      await options?.gate?.question(name, options.signal);
      seen.push(name);
      return dns.query(name, type, options);
    },
  };
  const reservation: Reservation = { id: 'r', accountId: 'a', operation: 'echo', cost: 5 };
  const clock = { now: () => 0, sleep: () => new Promise<void>(() => {}) };
  const { prepare, call } = callable(
    operation,
    partsOf({
      clock,
      ports: { ...SHUT, clock, resolver },
      asker: {
        async ask({ go, locations: asked, onReply }) {
          seen.push(go ? 'jobs, parked' : 'jobs');
          await go;
          seen.push('contact');
          const replies = asked.map((location) => ({
            location,
            agent: 'a',
            agent_state: 'ready' as const,
            simulated: false,
            result: blank(ping.result),
          }));
          replies.forEach((reply, index) => onReply?.(reply, index));
          return replies;
        },
      },
      presence: { isSimulated: () => false, route: () => ({ how: 'any' }) },
      known: { ids: locations },
      health,
      rates: new TargetRates({ clock, spares: [], gateways: () => 1 }),
      optOuts: new OptOuts({ resolver, clock, siteOf: registrableDomain }),
      calls: new Calls(),
      ledger: {
        isDenied: (host) => host === 'denied.test',
        usage: notAsked,
        reserve: async ({ idempotency }) => {
          seen.push('reserve');
          if (refusal) throw refusal;
          return idempotency ? { ...reservation, answer: '{"host":"as it was"}' } : reservation;
        },
        settle: async () => void seen.push('settle'),
        release: async () => void seen.push('release'),
      },
    }),
  );
  return async (
    idempotency?: Call['idempotency'],
    more: Partial<Pick<Call, 'account' | 'onEntry' | 'onReserved'>> = {},
    body: object = {},
  ) => {
    seen.length = 0;
    const request = {
      account,
      ...more,
      client: { requestId: 'r', address: '192.0.2.1' },
      visit: { away() {}, back() {} } as Visit,
      prepared: prepare({ host: 'Example.org', ...body }),
      idempotency,
      whenGone() {},
      print: JSON.stringify,
    };
    const outcome = await call(request).then(
      ({ body }) => JSON.parse(body.toString()) as object,
      (error: unknown) => error,
    );
    return { outcome, seen: [...seen] };
  };
}
const call = (zone: FakeZone, refusal?: ApiError) => setUp(echo, zone, refusal)();

describe('a request', () => {
  it('knows the brands of its account, and no other does', async () => {
    const operation = central({
      ...echo,
      run: async (_query, { names }) => ({ host: names.brands().token('zundkraft')?.brand.name ?? 'unknown' }),
    });
    const ask = async (of: typeof account) => (await setUp(operation, {})(undefined, { account: of })).outcome;
    const guarded = { ...accountOf('guarded'), brands: 'Zündkraft; zuendkraft-konto.de' };
    expect(await ask(guarded)).toMatchObject({ host: 'Zündkraft' });
    expect(await ask(accountOf('beside'))).toMatchObject({ host: 'unknown' });
  });

  it('knows the deny-list, for what a record leads to', async () => {
    const asking = central({
      ...echo,
      run: async (_query, { isDenied }) => ({ host: ['denied.test', 'a.test'].map((name) => `${name} ${isDenied(name)}`).join() }),
    });
    expect(await setUp(asking, {})()).toMatchObject({ outcome: { host: 'denied.test true,a.test false' } });
  });

  it('has a context of plain values: with getters, V8 makes a hidden class for each request, and that keeps the request in memory', async () => {
    const asking = central({
      ...echo,
      run: async (_query, context) => ({
        host: Object.entries(Object.getOwnPropertyDescriptors(context))
          .flatMap(([name, { get }]) => (get ? [name] : []))
          .join(),
      }),
    });
    expect(await setUp(asking, {})()).toMatchObject({ outcome: { host: '' } });
  });

  it('knows who has opted out, for where a redirect leads', async () => {
    const asking = central({
      ...echo,
      run: async (_query, { isOptedOut }) => ({ host: (await Promise.all(['quiet.test', 'a.test'].map(isOptedOut))).join() }),
    });
    const { outcome, seen } = await setUp(asking, { '_probe-optout.quiet.test': { TXT: ['v=optout1'] } })();
    expect(outcome).toMatchObject({ host: 'true,false' });
    expect(seen).toEqual(['reserve', '_probe-optout.example.org', '_probe-optout.quiet.test', '_probe-optout.a.test', 'settle']);
  });

  it('is paid for before a question leaves, and charged after its report', async () => {
    expect(await call({})).toEqual({
      outcome: { host: 'example.org', elapsed_ms: 0 },
      seen: ['reserve', '_probe-optout.example.org', 'settle'],
    });
  });

  it('that cannot be paid asks nobody anything', async () => {
    const refusal = new ApiError('insufficient_credits');
    expect(await call({}, refusal)).toEqual({ outcome: refusal, seen: ['reserve'] });
  });

  it('about a target whose owner has opted out gives its credits back', async () => {
    const { outcome, seen } = await call({ '_probe-optout.example.org': { TXT: ['v=optout1'] } });
    expect(outcome).toMatchObject({ code: 'denied_target' });
    expect(seen).toEqual(['reserve', '_probe-optout.example.org', 'release']);
  });

  it('of ssl-info names no server in `sni` that may not be contacted, for free', async () => {
    const sslInfo = operations.find(({ name }) => name === 'ssl-info')!;
    const ask = setUp(sslInfo, { '_probe-optout.quiet.test': { TXT: ['v=optout1'] } });
    for (const sni of ['www.agency.gov', 'denied.test'])
      await expect(ask(undefined, {}, { sni })).rejects.toMatchObject({ status: 400, param: 'sni' });
    const { outcome, seen } = await ask(undefined, {}, { sni: 'www.quiet.test' });
    expect(outcome).toMatchObject({ code: 'denied_target' });
    expect(seen.toSorted()).toEqual(['_probe-optout.example.org', '_probe-optout.quiet.test', 'release', 'reserve']);
  });

  it('sends its jobs while the owner is asked, parked until then: a name that nobody asked about lately costs no wait of its own', async () => {
    const request = setUp(pingTest, {}, undefined, undefined, ['eu-fra', 'us-ash']);
    expect((await request()).seen).toEqual(['reserve', 'jobs, parked', '_probe-optout.example.org', 'contact', 'settle']);
    expect((await request()).seen).toEqual(['reserve', 'jobs', 'contact', 'settle']);
  });

  it('about a target whose owner has opted out contacts nobody, and tells no entry', async () => {
    const told: string[] = [];
    const zone: FakeZone = { '_probe-optout.example.org': { TXT: ['v=optout1'] } };
    const request = setUp(pingTest, zone, undefined, undefined, ['eu-fra']);
    for (const seen of [
      ['reserve', 'jobs, parked', '_probe-optout.example.org', 'release'],
      ['reserve', 'release'],
    ]) {
      const more = { onEntry: () => void told.push('entry'), onReserved: () => void told.push('reserved') };
      expect(await request(undefined, more)).toMatchObject({ outcome: { code: 'denied_target' }, seen });
    }
    expect(told).toEqual([]);
  });

  it('tells that its price is held, and each entry, once the owner has been heard', async () => {
    const told: string[] = [];
    const request = setUp(pingTest, {}, undefined, undefined, ['eu-fra']);
    await request(undefined, {
      onEntry: ({ location }) => void told.push(String(location)),
      onReserved: (cost) => void told.push(`${cost} credits`),
    });
    expect(told).toEqual(['5 credits', 'eu-fra']);
  });

  it('that would ask a zone more than its rate ends as a whole, free: a report with holes would be a false one', async () => {
    const request = setUp(search, {});
    expect(await request()).toMatchObject({ outcome: { host: 'example.org: 800 answers' }, seen: { 0: 'reserve', 801: 'settle' } });
    const { outcome, seen } = await request();
    expect(outcome).toMatchObject({ code: 'target_limited', status: 429, retryAfterS: 2, message: expect.stringContaining('example.org') });
    expect([seen.length, seen[0], seen.at(-1)]).toEqual([402, 'reserve', 'release']);
    expect(await request()).toMatchObject({ outcome: { code: 'target_limited', retryAfterS: 2 }, seen: [] });
    const retry = { key: 'k', bodySha256: new Uint8Array(32) };
    expect(await request(retry)).toEqual({ outcome: { host: 'as it was' }, seen: ['reserve'] });
  });

  it('whose report rests on resolvers that cannot be believed is a free 502, whatever they said', async () => {
    let believed = true;
    const bad: NetworkCapability[] = [];
    const request = setUp(asks, {}, undefined, fakeHealth({ bad, vouches: () => believed }));
    expect(await request()).toMatchObject({
      outcome: { host: expect.stringContaining('NXDOMAIN') },
      seen: ['reserve', 'example.org', 'settle'],
    });
    believed = false;
    expect(await request()).toMatchObject({
      outcome: { code: 'upstream_failed', status: 502 },
      seen: ['reserve', 'example.org', 'release'],
    });
    bad.push('resolver');
    expect(await request()).toMatchObject({ outcome: { code: 'upstream_failed', status: 502, retryAfterS: 5 }, seen: [] });
    const retry = { key: 'k', bodySha256: new Uint8Array(32) };
    expect(await request(retry)).toEqual({ outcome: { host: 'as it was' }, seen: ['reserve'] });
  });

  // A resolver with nothing but its cache left knows the root and says SERVFAIL of everything else: six operations sold that.
  it.each<[string, FakeZone]>([
    ['SERVFAIL', { 'example.org': 'SERVFAIL' }],
    ['silence', { 'example.org': 'TIMEOUT' }],
  ])('that ended in %s is answered where the witnesses answer, and a free 502 where they do not', async (_what, zone) => {
    let online = true;
    const request = setUp(asks, zone, undefined, fakeHealth({ up: () => online }));
    expect(await request()).toMatchObject({ seen: ['reserve', 'example.org', 'settle'] });
    online = false;
    expect(await request()).toMatchObject({
      outcome: { code: 'upstream_failed', status: 502 },
      seen: ['reserve', 'example.org', 'release'],
    });
  });

  it('in which nothing was left unanswered asks no witness', async () => {
    const request = setUp(asks, {}, undefined, { ...fakeHealth(), dnsSince: notAsked });
    expect(await request()).toMatchObject({ seen: ['reserve', 'example.org', 'settle'] });
  });

  it('that asks no resolver of ours is answered while they fail', async () => {
    const request = setUp(echo, {}, undefined, UNBELIEVED);
    expect(await request()).toMatchObject({ outcome: { host: 'example.org' } });
  });

  it.each([
    ['asks nothing', false, { outcome: { host: 'example.org' }, seen: ['reserve', 'settle'] }],
    ['asks', true, { outcome: { code: 'upstream_failed', status: 502 }, seen: ['reserve', 'example.org', 'release'] }],
  ])('that may ask them, and %s, while they fail', async (_what, does, expected) => {
    const either = central({
      ...asks,
      dns: { questions: 1, ms: 5_000, optional: () => true },
      run: async ({ host }, { resolver, signal }) => {
        if (does) await resolver.ask(host, 'TXT', { signal });
        return { host };
      },
    });
    const request = setUp(either, {}, undefined, UNBELIEVED);
    expect(await request()).toMatchObject(expected);
  });

  it('whose report says nothing of the DNS are served while they fail', async () => {
    const led = central({
      ...asks,
      dns: { questions: 1, ms: 5_000, unreported: true },
      run: async ({ host }, { resolver, signal }) => {
        await resolver.ask(host, 'TXT', { signal });
        return { host };
      },
    });
    const request = setUp(led, {}, undefined, UNBELIEVED);
    expect(await request()).toMatchObject({ outcome: { host: 'example.org' }, seen: ['reserve', 'example.org', 'settle'] });
  });
});
