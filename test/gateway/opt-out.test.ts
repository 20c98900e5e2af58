import { ApiError, type Gate, type Resolver } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { OptOuts } from '@vedette/probes/host';
import { registrableDomain } from '../../packages/gateway/src/shares/registrable-domain.ts';
import { fakeResolver, type FakeZone } from '../intel/fake-resolver.ts';

const HOUR_MS = 3_600_000;
const life = { signal: new AbortController().signal };
const open = { question: () => () => {}, connection: () => () => {} };

/** A clock that is set by hand; its sleeps end when they are told to. */
function handClock() {
  const sleepers: (() => void)[] = [];
  const clock = { at: 0, now: () => clock.at, sleep: () => new Promise<void>((resolve) => sleepers.push(resolve)) };
  return { clock, runOut: () => sleepers.forEach((wake) => wake()) };
}

/** The zone may be changed while it is asked. */
function setUp(zone: FakeZone = {}) {
  const { clock } = handClock();
  const dns = fakeResolver(zone);
  const optOuts = new OptOuts({ siteOf: registrableDomain, resolver: dns, clock });
  return { zone, dns, clock, has: async (host: string) => optOuts.has(host, open, life) };
}

const WWW = '_probe-optout.www.shop.example.co.uk';
const DOMAIN = '_probe-optout.example.co.uk';

it.each<[what: string, zone: FakeZone, expected: boolean]>([
  ['nothing', { 'www.shop.example.co.uk': { A: ['192.0.2.1'] } }, false],
  ['a text at the registrable domain', { [DOMAIN]: { TXT: ['v=optout1'] } }, true],
  ['in capitals, with more', { [DOMAIN]: { TXT: ['V=OPTOUT1; thank you'] } }, true],
  ['an empty text', { [DOMAIN]: { TXT: [''] } }, false],
  ['another version', { [DOMAIN]: { TXT: ['v=optout12'] } }, false],
  ['a text at the host alone', { [WWW]: { TXT: ['v=optout1'] } }, false],
  ['hosts that speak for themselves', { [DOMAIN]: { TXT: ['v=optout1; scope=hosts'] }, [WWW]: { TXT: ['v=optout1'] } }, true],
  ['the same for other hosts', { [DOMAIN]: { TXT: ['v=optout1;Scope = hosts;'] } }, false],
  ['hosts, and all of them', { [DOMAIN]: { TXT: ['v=optout1; scope=hosts', 'v=optout1'] } }, true],
  [
    'a text in between',
    { [DOMAIN]: { TXT: ['v=optout1; scope=hosts'] }, '_probe-optout.shop.example.co.uk': { TXT: ['v=optout1'] } },
    false,
  ],
  ['a text at the public suffix', { '_probe-optout.co.uk': { TXT: ['v=optout1'] } }, false],
  ['what a wildcard brings along', { '*.example.co.uk': { TXT: ['v=spf1 -all', 'site-verification=v=optout1'] } }, false],
  ['SERVFAIL', { [DOMAIN]: 'SERVFAIL' }, false],
])('%s', async (_what, zone, expected) => {
  expect(await setUp(zone).has('www.shop.example.co.uk')).toBe(expected);
});

describe('asks a zone as seldom as can be', () => {
  it('once for any number of random names below a domain, at once or one after the other: each was a question', async () => {
    const { dns, has } = setUp();
    await Promise.all(Array.from({ length: 100 }, (_, i) => has(`label-${i}.example.org`)));
    for (let i = 100; i < 200; i++) await has(`label-${i}.example.org`);
    expect(dns.queries).toEqual(['_probe-optout.example.org TXT']);
  });
  it('again after an hour', async () => {
    const { zone, dns, clock, has } = setUp({ '_probe-optout.example.org': {} });
    expect(await has('www.example.org')).toBe(false);
    zone['_probe-optout.example.org'] = { TXT: ['v=optout1'] };
    clock.at = HOUR_MS - 1;
    expect(await has('www.example.org')).toBe(false);
    clock.at = HOUR_MS;
    expect(await has('www.example.org')).toBe(true);
    expect(dns.queries).toHaveLength(2);
  });
  it('once in a minute where it does not answer', async () => {
    const { dns, clock, has } = setUp({ '_probe-optout.example.org': 'TIMEOUT' });
    expect([await has('www.example.org'), await has('www.example.org')]).toEqual([false, false]);
    clock.at = 60_000;
    expect(await has('www.example.org')).toBe(false);
    expect(dns.queries).toHaveLength(2);
  });
});

it('what the zone said last holds while it does not answer: who is flooded has not opted in', async () => {
  const { zone, clock, has } = setUp({ '_probe-optout.example.org': { TXT: ['v=optout1'] } });
  expect(await has('www.example.org')).toBe(true);
  zone['_probe-optout.example.org'] = 'TIMEOUT';
  clock.at = 2 * HOUR_MS;
  expect(await has('www.example.org')).toBe(true);
  zone['_probe-optout.example.org'] = {};
  clock.at += 60_000;
  expect(await has('www.example.org')).toBe(false);
});

it('waits no longer than its patience for a zone, and knows its answer when it has come', async () => {
  const dns = fakeResolver({ '_probe-optout.example.org': { TXT: ['v=optout1'] } });
  const { promise: silence, resolve: answer } = Promise.withResolvers<void>();
  const resolver: Resolver = { ...dns, query: (...args) => silence.then(() => dns.query(...args)) };
  const { clock, runOut } = handClock();
  const optOuts = new OptOuts({ siteOf: registrableDomain, resolver, clock });
  const first = optOuts.has('www.example.org', open, life);
  await new Promise(setImmediate);
  runOut();
  expect(await first).toBe(false);
  answer();
  expect(await optOuts.has('www.example.org', open, life)).toBe(true);
});

describe('one account and another', () => {
  /** A resolver that sends nothing before the gate lets it. */
  function gated() {
    const dns = fakeResolver({ '_probe-optout.example.org': { TXT: ['v=optout1'] } });
    const query: Resolver['query'] = async (name, type, options) => {
      await options?.gate?.question(name, options.signal);
      options?.signal?.throwIfAborted();
      return dns.query(name, type, options);
    };
    const { clock, runOut } = handClock();
    const optOuts = new OptOuts({ siteOf: registrableDomain, resolver: { ...dns, query }, clock });
    return { dns, runOut, has: async (gate: Gate, of: { signal: AbortSignal } = life) => optOuts.has('www.example.org', gate, of) };
  }
  const refusing: Gate = { ...open, question: () => Promise.reject(new ApiError('target_limited')) };
  /** As a gate without a permit does, it waits until the signal ends that. */
  const waiting: Gate = {
    ...open,
    question: (_name, signal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })),
  };

  it('what the gate refuses is asked by the next', async () => {
    const { dns, has } = gated();
    await expect(has(refusing)).rejects.toMatchObject({ code: 'target_limited' });
    expect(dns.queries).toEqual([]);
    expect(await has(open)).toBe(true);
  });
  it("whoever joins a look that is refused asks through their own gate: they were refused by another's", async () => {
    const { dns, has } = gated();
    const all = await Promise.allSettled([has(refusing), has(open), has(refusing), has(open)]);
    expect(all.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as ApiError).code))).toEqual([
      'target_limited',
      true,
      true,
      true,
    ]);
    expect(dns.queries).toHaveLength(1);
  });
  it('a client that leaves while its question waits sends none later, and leaves the others to ask', async () => {
    const { dns, has } = gated();
    const left = new AbortController();
    const first = has(waiting, left);
    const second = has(open);
    await new Promise(setImmediate);
    expect(dns.queries).toEqual([]);
    left.abort(new ApiError('client_gone'));
    await expect(first).rejects.toMatchObject({ code: 'client_gone' });
    expect(await second).toBe(true);
    expect(dns.queries).toHaveLength(1);
  });
  it('a question that cannot leave within its patience is no yes: it went on to the target, and was sent after that', async () => {
    const { dns, runOut, has } = gated();
    const first = has(waiting);
    await new Promise(setImmediate);
    runOut();
    await expect(first).rejects.toMatchObject({ code: 'overloaded' });
    expect(dns.queries).toEqual([]);
    expect(await has(open)).toBe(true);
  });
});
