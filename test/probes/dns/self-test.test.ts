import { type Clock, ProbeFailure } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import type { Answer } from 'dns-packet';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createResolver } from '@vedette/probes/dns';
import { type ResolverState, ResolverSelfTest } from '../../../packages/probes/src/dns/self-test.ts';
import { handClock } from './hand-clock.ts';
import { a, fastClock, response, type ScriptedServer, startServer } from './scripted-server.ts';

let opened = new AsyncDisposableStack();
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

const NXDOMAIN = 3;
const REFUSED = 5;
const ROOT_NS: Answer = { type: 'NS', name: '.', data: 'a.root-servers.net', ttl: 518_400 };

type Manner = 'sound' | 'intercepted' | 'refusing' | 'portal' | 'dead';

/** A resolver's server that behaves as told at the time, and what tests the resolver. */
async function setUp(time?: Clock) {
  let manner: Manner = 'sound';
  const server: ScriptedServer = await startServer(({ query, question, reply }) => {
    if (manner === 'dead' || question.name.toLowerCase() === 'slow.example') return;
    if (manner === 'intercepted') reply(response(query, { rcode: NXDOMAIN }));
    else if (manner === 'refusing') reply(response(query, { rcode: REFUSED }));
    else if (manner === 'portal') reply(response(query, { answers: [a(question.name, '192.0.2.80')] }));
    else reply(response(query, { answers: question.name === '.' ? [ROOT_NS] : [a(question.name)] }));
  });
  opened.defer(() => server.stop());
  let now = 0;
  const clock = time ?? { now: () => now, sleep: fastClock.sleep };
  const resolver = createResolver({
    servers: [server.endpoint],
    policy: createAddressPolicy(),
    clock: fastClock,
    cache: true,
    onUnanswered: () => test.silent(),
  });
  opened.defer(() => resolver.close());
  const test = opened.adopt(new ResolverSelfTest(resolver, clock), (started) => started.stop());
  return {
    test,
    resolver,
    is: (next: Manner) => (manner = next),
    later: (ms: number) => (now += ms),
    /** How often the root was asked for. */
    asked: () => server.asked.filter(({ question }) => question.name === '.').length,
  };
}

it('resolvers that answer for the root are believed, and asked again only after five seconds', async () => {
  const { test, later, asked } = await setUp();
  expect(await test.vouch()).toBe(true);
  expect(await Promise.all([test.vouch(), test.vouch()])).toEqual([true, true]);
  later(4_999);
  await test.vouch();
  expect(asked()).toBe(1);
  later(1);
  await Promise.all([test.vouch(), test.vouch()]);
  expect(asked()).toBe(2);
});

it.each<[Manner, string]>([
  ['intercepted', 'answered NXDOMAIN for the root'],
  ['refusing', 'answered REFUSED for the root'],
  ['portal', 'answered without the name servers of the root'],
  ['dead', 'The resolver did not answer in time: no answer'],
])('resolvers that are %s are not believed', async (manner, problem) => {
  const { test, is } = await setUp();
  is(manner);
  expect(await test.vouch()).toBe(false);
  expect(test.state).toEqual({ ok: false, problem });
});

it('a question without an answer makes it ask again: the zone was silent, or everybody', async () => {
  const { test, resolver, is, later, asked } = await setUp();
  await test.vouch();
  later(1);
  await expect(resolver.query('slow.example', 'A')).rejects.toThrow('did not answer');
  expect(await test.vouch()).toBe(true);
  expect(asked()).toBe(2);
  is('dead');
  later(1);
  await expect(resolver.query('any.example', 'A')).rejects.toThrow('did not answer');
  expect(await test.vouch()).toBe(false);
});

it.each([
  ['has what he wants', new Error('enough'), 1],
  ['was told to stop', new ProbeFailure('cancelled'), 1],
  ['has no more time', new ProbeFailure('dns_timeout'), 2],
])('a question whose caller leaves makes it ask again only where nobody answered in time: he %s', async (_why, reason, times) => {
  const { test, resolver, later, asked } = await setUp();
  await test.vouch();
  later(1);
  const caller = new AbortController();
  const answer = resolver.query('slow.example', 'A', { signal: caller.signal });
  caller.abort(reason);
  await expect(answer).rejects.toBe(reason);
  expect(await test.vouch()).toBe(true);
  expect(asked()).toBe(times);
});

it('while it fails it asks again by itself, and tells when that changes', async () => {
  const { test, is } = await setUp();
  const told: ResolverState[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  is('intercepted');
  test.start((state) => {
    told.push(state);
    if (state.ok) resolve();
    else is('sound');
  });
  await promise;
  expect(told).toEqual([
    { ok: false, problem: 'answered NXDOMAIN for the root' },
    { ok: true, problem: '' },
  ]);
});

it('a failure that a request found is tested again after a second, though the loop had just begun to wait', async () => {
  const { clock, advance } = handClock();
  const { test, is, asked } = await setUp(clock);
  const told: boolean[] = [];
  const answered = (times: number) => expect.poll(asked, { interval: 5 }).toBe(times);
  test.start(({ ok }) => told.push(ok));
  expect(await test.vouch()).toBe(true); // joins the first one
  is('intercepted');
  await advance(5_000);
  expect(await test.vouch()).toBe(false);
  is('sound');
  const before = asked();
  await advance(999);
  expect(asked()).toBe(before);
  await advance(1);
  await answered(before + 1);
  await expect.poll(() => told, { interval: 5 }).toEqual([false, true]);
  expect(await test.vouch()).toBe(true);
});

it('a request that finds a failure older than a second asks again, though the loop is busy elsewhere', async () => {
  const { test, is, later, asked } = await setUp();
  is('intercepted');
  expect(await test.vouch()).toBe(false);
  const before = asked();
  is('sound');
  later(999);
  expect(await test.vouch()).toBe(false);
  expect(asked()).toBe(before);
  later(1);
  expect(await test.vouch()).toBe(true);
  expect(asked()).toBe(before + 1);
});
