import type { Publish } from '../keys/invalidations.ts';
import type { DeniedTarget, DenyList } from '../limits/deny-list.ts';
import type { Lockout, Lockouts } from '../limits/lockouts.ts';
import type { Store } from '../store.ts';
import { type AccountAdmin, createAccountAdmin } from './accounts.ts';
import { createKeyAdmin, type KeyAdmin } from './keys.ts';
import type { DenyBody } from './schemas.ts';

/** What an operator may do. Changes reach the other gateways through the ledger's invalidations. */
export interface Admin extends AccountAdmin, KeyAdmin {
  listLockouts: () => Promise<Lockout[]>;
  clearLockout: (address: string) => Promise<{ cleared: boolean }>;
  listDenied: () => Promise<DeniedTarget[]>;
  deny: (body: DenyBody) => Promise<DeniedTarget>;
  allow: (target: string) => Promise<{ removed: boolean }>;
}

export function createAdmin(options: { store: Store; lockouts: Lockouts; denyList: DenyList; publish: Publish }): Admin {
  const { store, lockouts, denyList, publish } = options;
  return {
    ...createAccountAdmin(store, publish),
    ...createKeyAdmin(store, publish),
    listLockouts: lockouts.list,
    async clearLockout(address) {
      const cleared = await lockouts.clear(address);
      publish({ kind: 'lockouts' });
      return { cleared };
    },
    listDenied: denyList.list,
    async deny({ target, reason }) {
      const denied = await denyList.add(target, reason);
      publish({ kind: 'deny_list' });
      return denied;
    },
    async allow(target) {
      const removed = await denyList.remove(target);
      publish({ kind: 'deny_list' });
      return { removed };
    },
  };
}
