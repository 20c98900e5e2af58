import type { Ledger, Reservation } from '@vedette/ledger';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeOnEveryEngine } from './engines.ts';
import { createAccount, openLedger, sql } from './servers.ts';

const MONTHLY = 20;
const OVERAGE = 5;

type Step =
  | { kind: 'reserve'; gateway: number; cost: number }
  | { kind: 'settle' | 'release' | 'expire'; gateway: number; which: number }
  | { kind: 'reset' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('reserve' as const), gateway: fc.nat(1), cost: fc.integer({ min: 1, max: 9 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('settle' as const, 'release' as const, 'expire' as const),
      gateway: fc.nat(1),
      which: fc.nat(9),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'reset' as const }) },
);

/** The balance in memory: what the database must agree with after every step. */
interface Model {
  spent: number;
  charged: number;
  held: Map<Reservation, 'held' | 'expired' | 'settled' | 'released'>;
}

const heldCredits = (model: Model): number =>
  [...model.held].filter(([, state]) => state === 'held' || state === 'expired').reduce((sum, [{ cost }]) => sum + cost, 0);

const DONE = { actual: 'done', expected: 'done' };

/** Does one step; what came of it, and what the model says should. */
async function apply(
  action: Step,
  model: Model,
  gateways: Ledger[],
  account: { id: string },
  url: string,
): Promise<{ actual: string; expected: string }> {
  if (action.kind === 'reset') {
    // The period ends now, for the account and for the entries that it paid.
    await sql(
      url,
      `WITH ended AS (UPDATE accounts SET period_ends = now() WHERE id = $1 AND period_ends > now())
      UPDATE entries SET period_ends = now() WHERE account_id = $1 AND period_ends > now()`,
      [account.id],
    );
    model.spent = 0;
    return DONE;
  }
  const ledger = gateways[action.gateway]!;
  if (action.kind === 'reserve') {
    const fits = model.spent + heldCredits(model) + action.cost <= MONTHLY + OVERAGE;
    const outcome = await ledger
      .reserve({ account, cost: action.cost, operation: 'dns-lookup', deadlineMs: 60_000 })
      .catch((err: unknown) => (err as { code: string }).code);
    if (typeof outcome !== 'string') model.held.set(outcome, 'held');
    return { actual: typeof outcome === 'string' ? outcome : 'granted', expected: fits ? 'granted' : 'insufficient_credits' };
  }
  const [reservation, state] = [...model.held][action.which] ?? [];
  if (!reservation) return DONE;
  if (action.kind === 'expire') {
    await sql(url, `UPDATE reservations SET expires_at = now() WHERE id = $1`, [reservation.id]);
    if (state === 'held') model.held.set(reservation, 'expired');
  } else if (action.kind === 'release') {
    await ledger.release(reservation);
    if (state === 'held' || state === 'expired') model.held.set(reservation, 'released');
  } else {
    const outcome = await ledger.settle(reservation).then(
      () => 'charged',
      (err: unknown) => (err as { code: string }).code,
    );
    if (state === 'held') {
      model.held.set(reservation, 'settled');
      model.spent += reservation.cost;
      model.charged += reservation.cost;
    }
    return { actual: outcome, expected: state === 'held' || state === 'settled' ? 'charged' : 'deadline' };
  }
  return DONE;
}

describeOnEveryEngine('any sequence of reserve, settle, release, expiry and reset by two gateways', (database) => {
  it('leaves what a model in memory says', async () => {
    const url = await database();
    // Sweeping is the test's own step: the upkeep's clock stands still.
    const still = {
      now: () => performance.now(),
      sleep: (_: number, signal?: AbortSignal) => new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
    };
    const gateways = [await openLedger(url, { clock: still }), await openLedger(url, { clock: still })];
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
          const account = await createAccount(gateways[0]!, MONTHLY, OVERAGE);
          const model: Model = { spent: 0, charged: 0, held: new Map() };
          const outcomes = [];
          for (const action of steps) outcomes.push(await apply(action, model, gateways, account, url));
          expect(outcomes.map(({ actual }) => actual)).toEqual(outcomes.map(({ expected }) => expected));
          const usage = await gateways[1]!.usage(account);
          expect(usage.remaining).toBe(Math.max(0, MONTHLY - model.spent - heldCredits(model)));
          expect(usage.overage.consumed).toBe(Math.max(0, model.spent - MONTHLY));
          expect([...usage.daily.values()].reduce((sum, credits) => sum + credits, 0)).toBe(model.charged);
        }),
        { numRuns: 40 },
      );
      expect(await gateways[0]!.audit()).toEqual([]);
    } finally {
      await Promise.all(gateways.map((ledger) => ledger.close()));
    }
  });
});
