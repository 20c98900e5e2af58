import { type Clock, ProbeFailure } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import type { Answer } from 'dns-packet';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createResolver } from '@vedette/probes/dns';
import { NetworkHealth, type VerdictChange } from '@vedette/probes/health';
import { handClock } from '../dns/hand-clock.ts';
import { a, fastClock, response, type ScriptedServer, startServer } from '../dns/scripted-server.ts';

let opened = new AsyncDisposableStack();
beforeEach(() => {
  opened = new AsyncDisposableStack();
});
afterEach(() => opened.disposeAsync());

const NXDOMAIN = 3;
const REFUSED = 5;
const ROOT_NS: Answer = { type: 'NS', name: '.', data: 'a.root-servers.net', ttl: 518_400 };

/** https://www.iana.org/domains/root/servers */
const SERVERS: Record<string, string> = { 'a.root-servers.net': '198.41.0.4', 'k.root-servers.net': '193.0.14.129' };

const COMPARED = ['compared.example', 'nothing.example', 'slow.example'];

type Manner = 'sound' | 'intercepted' | 'refusing' | 'portal' | 'dead' | 'lying' | 'half-lying' | 'of-another-root';

/** A resolver's server that behaves as told at the time, and what tests the resolver. */
async function setUp(time?: Clock) {
  let manner: Manner = 'sound';
  const addressOf = (asked: string) => {
    const name = asked.toLowerCase();
    if (manner === 'of-another-root' && name in SERVERS) return { rcode: NXDOMAIN };
    if (name === 'nothing.example') return { rcode: NXDOMAIN };
    if (name === 'compared.example') return { answers: ['192.0.2.9', '192.0.2.10'].map((address) => a(asked, address)) };
    const isLie = manner === 'lying' || (manner === 'half-lying' && name !== 'k.root-servers.net');
    return { answers: [a(asked, isLie ? '10.6.6.6' : SERVERS[name])] };
  };
  const server: ScriptedServer = await startServer(({ query, question, reply }) => {
    if (manner === 'dead' || question.name.toLowerCase() === 'slow.example') return;
    if (manner === 'intercepted') reply(response(query, { rcode: NXDOMAIN }));
    else if (manner === 'refusing') reply(response(query, { rcode: REFUSED }));
    else if (manner === 'portal') reply(response(query, { answers: [a(question.name, '192.0.2.80')] }));
    else if (question.name === '.') reply(response(query, { answers: [ROOT_NS] }));
    else reply(response(query, addressOf(question.name)));
  });
  opened.defer(() => server.stop());
  let now = 0;
  const clock = time ?? { now: () => now, sleep: fastClock.sleep };
  const resolver = createResolver({
    servers: [server.endpoint],
    policy: createAddressPolicy(),
    clock: fastClock,
    cache: true,
    onUnanswered: () => test.unanswered(),
  });
  opened.defer(() => resolver.close());
  // One that may not be asked, so that the resolvers alone are tested.
  const witnesses = { dns: ['127.0.0.9'], icmp: [], tcp: [], quic: [], names: COMPARED };
  const health = new NetworkHealth({ witnesses, policy: createAddressPolicy(), resolver, clock, families: () => [4] });
  const test = opened.adopt(health, (started) => started.stop());
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
  later(5_000);
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
  ['dead', 'no answer'],
  ['lying', 'answered 10.6.6.6 for a.root-servers.net'],
])('resolvers that are %s are not believed', async (manner, problem) => {
  const { test, is } = await setUp();
  is(manner);
  expect(await test.vouch()).toBe(false);
  expect([test.verdict('resolver'), test.problem('resolver')]).toEqual(['bad', problem]);
});

it.each<Manner>(['half-lying', 'of-another-root'])('one that is %s is believed: a zone may be another here', async (manner) => {
  const { test, is } = await setUp();
  is(manner);
  expect(await test.vouch()).toBe(true);
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
  const told: VerdictChange[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  is('intercepted');
  test.watch((change) => {
    told.push(change);
    if (change.verdict === 'good') resolve();
    else is('sound');
  });
  test.start();
  await promise;
  expect(told).toEqual([
    { capability: 'resolver', verdict: 'bad', problem: 'answered NXDOMAIN for the root' },
    { capability: 'resolver', verdict: 'good', problem: '' },
  ]);
});

it('a failure that a request found is tested again after a second, though the loop had just begun to wait', async () => {
  const { clock, advance } = handClock();
  const { test, is, asked } = await setUp(clock);
  const told: string[] = [];
  const answered = (times: number) => expect.poll(asked, { interval: 5 }).toBe(times);
  test.watch(({ verdict }) => told.push(verdict));
  test.start();
  expect(await test.vouch()).toBe(true); // joins the first one
  is('intercepted');
  await advance(5_001);
  const verdict = test.vouch();
  await answered(2);
  await expect.poll(() => advance(300).then(() => told), { interval: 5 }).toEqual(['bad']);
  expect(await verdict).toBe(false);
  is('sound');
  const before = asked();
  await advance(100);
  expect(asked()).toBe(before);
  await advance(900);
  await answered(before + 1);
  await expect.poll(() => told, { interval: 5 }).toEqual(['bad', 'good']);
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

it('a resolver that was silent is well as soon as it answers, before the first question has timed out', async () => {
  const { clock, advance } = handClock();
  const { test, is, asked } = await setUp(clock);
  is('dead');
  const verdict = test.vouch();
  await expect.poll(asked, { interval: 5 }).toBe(1);
  is('sound');
  await advance(1_000);
  expect(await verdict).toBe(true);
  expect(asked()).toBe(2);
});

it('answers to names that others compare are told, and silence is none; nothing of resolvers that are not believed', async () => {
  const { test, is, later } = await setUp();
  expect(test.names()).toEqual([]);
  test.start();
  await vi.waitFor(() =>
    expect(test.names()).toEqual([
      { name: 'compared.example', answer: '192.0.2.10 192.0.2.9' },
      { name: 'nothing.example', answer: 'NXDOMAIN' },
    ]),
  );
  is('lying');
  later(1);
  test.unanswered();
  expect(await test.vouch()).toBe(false);
  expect(test.names()).toEqual([]);
});
