import { recordAct, type Operator } from '../audit/acts.ts';
import type { Invalidation, Publish } from '../keys/invalidations.ts';
import type { Queries, Store } from '../store/store.ts';

/** The result of an act before its commit. */
export interface Done<R> {
  result: R;
  subject: string;
  /** The requested values, without secrets. */
  detail: object;
  /** The entries that gateways must look up again. */
  changed?: Invalidation;
}

/** Makes an act of an operator: its change and its line in the trail are one transaction, and gateways are told when it is committed. */
export type MakeAct = <A extends unknown[], R>(
  act: string,
  work: (database: Queries, ...args: A) => Promise<Done<R>>,
) => (by: Operator, ...args: A) => Promise<R>;

export const actMaker =
  ({ durable }: Store, publish: Publish): MakeAct =>
  (act, work) =>
  async (by, ...args) => {
    const { result, changed } = await durable.transaction(async (database) => {
      const done = await work(database, ...args);
      await recordAct(database, by, { act, subject: done.subject, detail: { ...done.detail } });
      return done;
    });
    if (changed) await publish(changed);
    return result;
  };
