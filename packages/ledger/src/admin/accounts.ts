import { randomBytes } from 'node:crypto';
import { ApiError } from '@vedette/contract';
import type { Publish } from '../keys/invalidations.ts';
import { iso, type Store } from '../store.ts';
import type { AccountBody, AccountPatch, AccountSummary, Plan, PlanBody } from './schemas.ts';

const PLAN = 'id, monthly_credits, overage_allowed, overage_limit, unmetered_probe';

const ACCOUNTS = `
  SELECT a.id, a.name, a.plan_id AS plan, a.overage_enabled, a.reset_day, ${iso('a.created_at')} AS created_at, p.monthly_credits, a.held,
    CASE WHEN a.period_ends <= now() THEN 0 ELSE a.spent END AS spent,
    ${iso('CASE WHEN a.period_ends <= now() THEN next_reset(now(), a.reset_day) ELSE a.period_ends END')} AS next_reset
  FROM accounts a JOIN plans p ON p.id = a.plan_id`;

export interface AccountAdmin {
  listPlans: () => Promise<Plan[]>;
  /** Makes the plan or changes all of it; its accounts follow at once. */
  setPlan: (id: string, plan: PlanBody) => Promise<Plan>;
  listAccounts: () => Promise<AccountSummary[]>;
  /** Throws `ApiError` invalid_parameter for an unknown plan or an id in use. */
  createAccount: (account: AccountBody) => Promise<AccountSummary>;
  /** A new reset day takes effect when the current period ends. Throws `ApiError` invalid_parameter for an unknown account or plan. */
  setAccount: (id: string, patch: AccountPatch) => Promise<AccountSummary>;
}

export function createAccountAdmin({ durable }: Store, publish: Publish): AccountAdmin {
  async function assertPlan(plan: string | undefined): Promise<void> {
    if (plan === undefined) return;
    const rows = await durable.query({ text: 'SELECT FROM plans WHERE id = $1', values: [plan] });
    if (rows.length === 0) throw new ApiError('invalid_parameter', `there is no plan "${plan}"`);
  }
  async function account(id: string): Promise<AccountSummary> {
    const [row] = await durable.query<AccountSummary>({ text: `${ACCOUNTS} WHERE a.id = $1`, values: [id] });
    if (!row) throw new ApiError('invalid_parameter', `there is no account "${id}"`);
    return row;
  }
  return {
    listPlans: () => durable.query<Plan>({ text: `SELECT ${PLAN} FROM plans ORDER BY id` }),
    async setPlan(id, { monthly_credits, overage_allowed = false, overage_limit = 0, unmetered_probe = false }) {
      const [row] = await durable.query<Plan>({
        text: `INSERT INTO plans (${PLAN}) VALUES ($1, $2, $3, $4, $5)
          ON CONFLICT (id) DO UPDATE SET monthly_credits = excluded.monthly_credits, overage_allowed = excluded.overage_allowed,
            overage_limit = excluded.overage_limit, unmetered_probe = excluded.unmetered_probe
          RETURNING ${PLAN}`,
        values: [id, monthly_credits, overage_allowed, overage_limit, unmetered_probe],
      });
      return row!;
    },
    listAccounts: () => durable.query<AccountSummary>({ text: `${ACCOUNTS} ORDER BY a.created_at, a.id` }),
    async createAccount({ id = `acct_${randomBytes(6).toString('hex')}`, name, plan, overage_enabled = false, reset_day = 1 }) {
      await assertPlan(plan);
      const created = await durable.query({
        text: `INSERT INTO accounts (id, name, plan_id, overage_enabled, reset_day, period_ends)
          VALUES ($1, $2, $3, $4, $5::integer, next_reset(now(), $5::integer)) ON CONFLICT DO NOTHING RETURNING id`,
        values: [id, name, plan, overage_enabled, reset_day],
      });
      if (created.length === 0) throw new ApiError('invalid_parameter', `the id "${id}" is in use`);
      return await account(id);
    },
    async setAccount(id, { name, plan, overage_enabled, reset_day }) {
      await assertPlan(plan);
      await durable.query({
        text: `UPDATE accounts SET name = coalesce($2, name), plan_id = coalesce($3, plan_id),
          overage_enabled = coalesce($4, overage_enabled), reset_day = coalesce($5, reset_day) WHERE id = $1`,
        values: [id, name, plan, overage_enabled, reset_day],
      });
      publish({ kind: 'account', accountId: id });
      return await account(id);
    },
  };
}
