import { ApiError } from '@vedette/contract';
import type { Database, Store } from '../store/store.ts';
import { type AnswerClaim, type Claim, forgetClaims, GIVE_BACK_RERUNS, judgeClaims } from './idempotency.ts';
import type { Quotas } from './quotas.ts';
import { type AccountRow, CHARGED, RELEASE, RESERVE, SETTLE } from './statements.ts';

/** Credits held for one request, until it is settled or released, or expires. */
export interface Reservation {
  readonly id: string;
  readonly accountId: string;
  /** The key that asked; undefined for requests without one. */
  readonly keyId?: string | undefined;
  readonly operation: string;
  /** 0 when there is nothing to pay: a free operation, or the repetition of a paid request. */
  readonly cost: number;
  /** The key under which the answer of a request with an Idempotency-Key is kept. */
  readonly claim?: AnswerClaim;
  /** Set: the request had this answer before, and it is paid for. Nothing is to be done, settled or released. */
  readonly answer?: string;
}

/** A reservation that is still to be made. */
export interface Hold extends Reservation {
  holdMs: number;
}

/** The same of a request with an Idempotency-Key. */
export interface ClaimedHold {
  held: Hold;
  claim: Claim;
}

/** Operations on a batch of reservations, each in one statement or transaction. Outcomes stand in the order of the batch. */
export function createHolds({ durable }: Store, quotas: Quotas, lease: string) {
  /** Holds the cost of each, or says why not. */
  async function hold(database: Pick<Database, 'query'>, batch: Hold[]): Promise<(undefined | ApiError)[]> {
    const rows = await database.query<AccountRow & { refused: string[] }>({
      ...RESERVE,
      values: [
        uuids(batch),
        batch.map(({ accountId }) => accountId),
        `{${batch.map(({ cost }) => cost).join()}}`,
        batch.map(({ operation }) => operation),
        `{${batch.map(({ holdMs }) => holdMs).join()}}`,
        accountsOf(batch),
        lease,
      ],
    });
    for (const row of rows) quotas.remember(row);
    const known = new Set(rows.map((row) => row.account_id));
    const refused = new Set(rows.flatMap((row) => row.refused));
    return batch.map(({ id, accountId }) => {
      if (!known.has(accountId)) return new ApiError('key_unknown');
      return refused.has(id) ? new ApiError('insufficient_credits') : undefined;
    });
  }

  /** Charges each, or says why not. Sums of what was charged tell whether all were; only when not, the entries are read, in a new snapshot. */
  async function charge(batch: Reservation[]): Promise<(undefined | ApiError)[]> {
    const rows = await durable.query<AccountRow & { charged: number }>({
      ...SETTLE,
      values: [uuids(batch), accountsOf(batch), batch.map(({ keyId }) => keyId ?? '')],
    });
    for (const row of rows) quotas.remember(row);
    if (rows.reduce((sum, { charged }) => sum + charged, 0) === batch.length) return batch.map(() => undefined);
    const found = await durable.query<{ id: string }>({ ...CHARGED, values: [uuids(batch)] });
    const charged = new Set(found.map(({ id }) => id));
    return batch.map(({ id }) => (charged.has(id) ? undefined : new ApiError('deadline', 'the reservation of its credits has expired')));
  }

  /** Holds the cost of those that are the first with their key; the others are repetitions, or refused. */
  async function holdClaimed(database: Pick<Database, 'query'>, batch: ClaimedHold[]): Promise<(Reservation | ApiError)[]> {
    const claims = batch.map(({ claim }) => claim);
    const verdicts = await judgeClaims(database, claims, lease);
    const isFirst = verdicts.map((verdict) => !(verdict instanceof ApiError) && verdict.first);
    const firsts = batch.filter((_, i) => isFirst[i]).map(({ held }) => held);
    const outcomes = firsts.length === 0 ? [] : await hold(database, firsts);
    const refusals = new Map(firsts.flatMap(({ id }, i) => (outcomes[i] ? [[id, outcomes[i]] as const] : [])));
    const refused = claims.filter(({ id }) => refusals.has(id));
    await forgetClaims(database, refused);
    return batch.map(({ held, claim: { key } }, i) => {
      const verdict = verdicts[i]!;
      if (verdict instanceof ApiError) return verdict;
      if (verdict.first) return refusals.get(held.id) ?? { ...held, claim: { key, paidBy: held.id } };
      const { paidBy, answer } = verdict;
      return { ...held, cost: 0, claim: { key, paidBy }, ...(answer !== undefined && { answer }) };
    });
  }

  async function release(batch: Reservation[]): Promise<undefined[]> {
    const reruns = batch.filter(({ cost }) => cost === 0);
    const holds = batch.filter(({ cost }) => cost > 0);
    if (reruns.length > 0) await durable.query({ ...GIVE_BACK_RERUNS, values: [uuids(reruns)] });
    const rows = holds.length === 0 ? [] : await durable.query<AccountRow>({ ...RELEASE, values: [uuids(holds), accountsOf(holds)] });
    for (const row of rows) quotas.remember(row);
    return batch.map(() => undefined);
  }

  return { hold, holdClaimed, charge, release };
}

const uuids = (batch: Reservation[]): string => `{${batch.map(({ id }) => id).join()}}`;

const accountsOf = (batch: Reservation[]): string[] => [...new Set(batch.map(({ accountId }) => accountId))];
