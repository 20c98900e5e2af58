import type { Store } from '../store/store.ts';

/** When keys were last used, told to the database once a minute: no request waits for it. */
export interface LastUse {
  note: (keyId: string) => void;
  /** Throws `ApiError` ledger_unavailable; what was noted is kept then. */
  write: () => Promise<void>;
}

// Sorted, so that two gateways that write the same keys do not deadlock.
const WRITE = {
  name: 'last-use',
  text: `
  UPDATE api_keys SET last_used_at = date_trunc('minute', now())
  WHERE id IN (SELECT id FROM api_keys WHERE id = ANY($1) AND last_used_at IS DISTINCT FROM date_trunc('minute', now()) ORDER BY id FOR UPDATE)`,
};

export function createLastUse({ relaxed }: Store): LastUse {
  let used = new Set<string>();
  return {
    note: (keyId) => void used.add(keyId),
    async write() {
      if (used.size === 0) return;
      const writing = used;
      used = new Set();
      try {
        await relaxed.query({ ...WRITE, values: [[...writing]] });
      } catch (error) {
        for (const keyId of writing) used.add(keyId);
        throw error;
      }
    },
  };
}
