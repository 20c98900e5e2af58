import type { DenyList } from '../limits/deny-list.ts';
import type { Locations } from '../store/locations.ts';
import type { Lockouts } from '../limits/lockouts.ts';
import type { Log } from '@vedette/process/log';
import type { Authenticator } from './authenticate.ts';

/** Something that gateways keep in memory has changed. Plain data, to be sent over the bus as it is. */
export type Invalidation =
  | { kind: 'key'; keyId: string }
  | { kind: 'account'; accountId: string }
  | { kind: 'lockouts' }
  | { kind: 'deny_list' }
  | { kind: 'locations' };

/** Resolves when the change holds on this gateway. */
export type Publish = (invalidation: Invalidation) => Promise<void>;

/** Carries changes to the other gateways: what `subscribe` hears is broadcast, and what the bus brings is given to `apply`. */
export interface Invalidations {
  /** Applies a change here and tells the subscribers. */
  publish: Publish;
  /** Applies a change that another gateway made. */
  apply: (invalidation: Invalidation) => Promise<void>;
  /** Returns the function that ends the subscription. */
  subscribe: (listener: (invalidation: Invalidation) => void) => () => void;
}

export function createInvalidations(options: {
  authenticator: Authenticator;
  lockouts: Lockouts;
  denyList: DenyList;
  locations: Locations;
  log: Log;
}): Invalidations {
  const { authenticator, log } = options;
  const kept = { lockouts: options.lockouts, deny_list: options.denyList, locations: options.locations };
  const listeners = new Set<(invalidation: Invalidation) => void>();

  async function apply(invalidation: Invalidation): Promise<void> {
    if (invalidation.kind === 'key' || invalidation.kind === 'account') {
      authenticator.forget(invalidation);
      return;
    }
    await kept[invalidation.kind]
      .refresh()
      .catch((err: unknown) => log.warn({ err, kind: invalidation.kind }, 'could not take over a change'));
  }

  return {
    apply,
    publish(invalidation) {
      for (const listener of listeners) listener(invalidation);
      return apply(invalidation);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
