import { isSpecialUseName, type Resolver } from '@vedette/contract';
import { refusing } from '@vedette/probes/dns';
import type { Opened } from '../operations/answer.ts';
import { SHUT } from '../operations/shut.ts';
import { fakeResolver, type FakeResolver, type FakeZone } from './fake-resolver.ts';

/** What an operation that only asks the DNS works with. Time stands still until `outOfPatience` is called. */
export function mailContext(zone: FakeZone, wrap: (resolver: FakeResolver) => Resolver = (resolver) => resolver) {
  const dns = fakeResolver(zone);
  const sleepers: (() => void)[] = [];
  const context: Opened = {
    ...SHUT,
    resolver: refusing(wrap(dns), isSpecialUseName),
    clock: {
      now: () => 0,
      sleep: (_ms, signal) =>
        new Promise((resolve, reject) => {
          sleepers.push(resolve);
          signal?.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    },
  };
  return { context, dns, outOfPatience: () => sleepers.forEach((wake) => wake()) };
}
