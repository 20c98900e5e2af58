import type { Clock } from '@vedette/contract';
import type { Store } from './store.ts';

/** How old the last success may be. */
const MAX_AGE_MS = 10_000;
/** More than half a page, so that every row needs a new one: what fits into old pages a full disk still takes. */
const FILLER_CHARS = 4_500;

/** Whether the database takes writes: a server whose disk is full, or that became a standby, still answers questions. */
export interface WriteCheck {
  /** Tries a write. Throws `ApiError` ledger_unavailable. */
  run: () => Promise<void>;
  /** The result of the last check. Answers from memory. */
  isWritable: () => boolean;
  /** How long the last one that succeeded took; NaN before the first. */
  commitMs: () => number;
  /** Removes what was written. */
  clear: () => Promise<void>;
}

export function createWriteCheck({ durable }: Store, clock: Clock): WriteCheck {
  let succeededAt = -Infinity;
  let commitMs = Number.NaN;
  return {
    async run() {
      const started = clock.now();
      try {
        await durable.query({
          name: 'write-check',
          text: `INSERT INTO write_checks (filler) VALUES (repeat('x', ${FILLER_CHARS}))`,
        });
        succeededAt = clock.now();
        commitMs = succeededAt - started;
      } catch (error) {
        succeededAt = -Infinity;
        throw error;
      }
    },
    commitMs: () => commitMs,
    isWritable: () => clock.now() - succeededAt < MAX_AGE_MS,
    async clear() {
      await durable.query({ text: 'TRUNCATE write_checks' });
    },
  };
}
