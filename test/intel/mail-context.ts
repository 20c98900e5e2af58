import { createAddressPolicy, isSpecialUseName, type Resolver } from '@vedette/contract';
import { refusing } from '@vedette/probes/dns';
import type { Opened } from '../operations/answer.ts';
import { fakeResolver, type FakeResolver, type FakeZone } from './fake-resolver.ts';

/** What an operation that only asks the DNS works with. Time stands still until `outOfPatience` is called. */
export function mailContext(zone: FakeZone, wrap: (resolver: FakeResolver) => Resolver = (resolver) => resolver) {
  const dns = fakeResolver(zone);
  const sleepers: (() => void)[] = [];
  const nothing = () => Promise.reject(new Error('only the DNS may be asked'));
  const context: Opened = {
    resolver: refusing(wrap(dns), isSpecialUseName),
    dialler: { policy: createAddressPolicy(), tcp: nothing, operatorTcp: nothing },
    clock: {
      now: () => 0,
      sleep: (_ms, signal) =>
        new Promise((resolve, reject) => {
          sleepers.push(resolve);
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    },
    ca: [],
    trustAnchors: [],
    signal: new AbortController().signal,
    today: () => new Date('2026-11-21T00:00:00Z'),
    account: { id: 'test', usage: nothing },
  };
  return { context, dns, outOfPatience: () => sleepers.forEach((wake) => wake()) };
}
