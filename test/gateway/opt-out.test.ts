import type { Resolver } from '@vedette/contract';
import { expect, it } from 'vitest';
import { hasOptedOut } from '../../packages/gateway/src/opt-out.ts';
import { fakeResolver, type FakeZone } from '../intel/fake-resolver.ts';

/** A clock whose sleeps end when they are told to. */
function impatience() {
  const sleepers: (() => void)[] = [];
  const clock = { now: () => 0, sleep: () => new Promise<void>((resolve) => sleepers.push(resolve)) };
  return { clock, runOut: () => sleepers.forEach((wake) => wake()) };
}

it.each<[what: string, zone: FakeZone, expected: boolean]>([
  ['nothing', { 'www.shop.example.co.uk': { A: ['192.0.2.1'] } }, false],
  ['a text at the host', { '_probe-optout.www.shop.example.co.uk': { TXT: ['v=optout1'] } }, true],
  ['in capitals, with more', { '_probe-optout.www.shop.example.co.uk': { TXT: ['V=OPTOUT1; thank you'] } }, true],
  ['an empty text', { '_probe-optout.www.shop.example.co.uk': { TXT: [''] } }, false],
  ['another version', { '_probe-optout.www.shop.example.co.uk': { TXT: ['v=optout12'] } }, false],
  ['a text at its registrable domain', { '_probe-optout.example.co.uk': { TXT: ['v=optout1'] } }, true],
  ['a text in between', { '_probe-optout.shop.example.co.uk': { TXT: ['v=optout1'] } }, false],
  ['a text at the public suffix', { '_probe-optout.co.uk': { TXT: ['v=optout1'] } }, false],
  ['what a wildcard brings along', { '*.example.co.uk': { TXT: ['v=spf1 -all', 'site-verification=v=optout1'] } }, false],
  ['SERVFAIL', { '_probe-optout.example.co.uk': 'SERVFAIL' }, false],
  [
    'silence at one, a text at the other',
    { '_probe-optout.www.shop.example.co.uk': 'TIMEOUT', '_probe-optout.example.co.uk': { TXT: ['v=optout1'] } },
    true,
  ],
])('%s', async (_what, zone, expected) => {
  expect(await hasOptedOut('www.shop.example.co.uk', { resolver: fakeResolver(zone), clock: impatience().clock })).toBe(expected);
});

it('waits no longer than its patience for a name server, and keeps what another has answered', async () => {
  const dns = fakeResolver({ '_probe-optout.example.org': { TXT: ['v=optout1'] } });
  const resolver: Resolver = {
    ...dns,
    query: (name, type, options) =>
      name === '_probe-optout.example.org'
        ? dns.query(name, type, options)
        : new Promise((_, reject) => options?.signal?.addEventListener('abort', () => reject(options.signal!.reason as Error))),
  };
  const told = impatience();
  const optedOut = hasOptedOut('www.example.org', { resolver, clock: told.clock });
  const neither = hasOptedOut('www.example.net', { resolver, clock: told.clock });
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  told.runOut();
  expect([await optedOut, await neither]).toEqual([true, false]);
});
