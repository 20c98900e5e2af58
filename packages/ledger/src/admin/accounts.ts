import { randomBytes } from 'node:crypto';
import { ApiError } from '@vedette/contract';
import type { Operator } from '../audit/acts.ts';
import { iso, type Queries, type Store } from '../store/store.ts';
import type { MakeAct } from './act.ts';
import type { AccountBody, AccountPatch, AccountSummary, Plan, PlanBody, SuspendBody } from './schemas.ts';

const PLAN = 'id, monthly_credits, overage_allowed, overage_limit, unmetered_probe, port_scan';

const ACCOUNTS = `
  SELECT a.id, a.name, a.plan_id AS plan, a.overage_enabled, a.reset_day, ${iso('a.created_at')} AS created_at, p.monthly_credits, a.held,
    ${iso('a.suspended_at')} AS suspended_at, a.suspended_reason,
    CASE WHEN a.period_ends <= now() THEN 0 ELSE a.spent END AS spent,
    ${iso('CASE WHEN a.period_ends <= now() THEN next_reset(now(), a.reset_day) ELSE a.period_ends END')} AS next_reset
  FROM accounts a JOIN plans p ON p.id = a.plan_id`;

export interface AccountAdmin {
  listPlans: () => Promise<Plan[]>;
  /** Makes the plan or changes all of it; its accounts follow at once. */
  setPlan: (by: Operator, id: string, plan: PlanBody) => Promise<Plan>;
  listAccounts: () => Promise<AccountSummary[]>;
  /** Throws `ApiError` invalid_parameter for an unknown plan or an id in use. */
  createAccount: (by: Operator, account: AccountBody) => Promise<AccountSummary>;
  /** A new reset day takes effect when the current period ends. Throws `ApiError` invalid_parameter for an unknown account or plan. */
  setAccount: (by: Operator, id: string, patch: AccountPatch) => Promise<AccountSummary>;
  /** Refuses the account's keys from now on, on every gateway; what is under way ends as it would. Throws `ApiError` invalid_parameter for an unknown account. */
  suspendAccount: (by: Operator, id: string, options: SuspendBody) => Promise<AccountSummary>;
  /** Ends a suspension. Throws `ApiError` invalid_parameter for an unknown account. */
  resumeAccount: (by: Operator, id: string) => Promise<AccountSummary>;
  /** The brands that the account protects. Throws `ApiError` invalid_parameter for an unknown account. */
  brandsOfAccount: (id: string) => Promise<AccountBrands>;
  /** Replaces them, checked by the caller. Throws `ApiError` invalid_parameter for an unknown account. */
  setBrandsOfAccount: (by: Operator, id: string, brands: string) => Promise<AccountBrands>;
}

/** Brands of an account, one a line, as they were written. */
export interface AccountBrands {
  account: string;
  brands: string;
}

export function createAccountAdmin({ durable }: Store, act: MakeAct): AccountAdmin {
  return {
    listPlans: () => durable.query<Plan>({ text: `SELECT ${PLAN} FROM plans ORDER BY id` }),
    setPlan: act('plan.set', async (database, id: string, plan: PlanBody) => {
      const { monthly_credits, overage_allowed = false, overage_limit = 0, unmetered_probe = false, port_scan = false } = plan;
      const [row] = await database.query<Plan>({
        text: `INSERT INTO plans (${PLAN}) VALUES ($1, $2, $3, $4, $5, $6)
          ON CONFLICT (id) DO UPDATE SET monthly_credits = excluded.monthly_credits, overage_allowed = excluded.overage_allowed,
            overage_limit = excluded.overage_limit, unmetered_probe = excluded.unmetered_probe,
            port_scan = excluded.port_scan
          RETURNING ${PLAN}`,
        values: [id, monthly_credits, overage_allowed, overage_limit, unmetered_probe, port_scan],
      });
      return { result: row!, subject: id, detail: plan };
    }),
    listAccounts: () => durable.query<AccountSummary>({ text: `${ACCOUNTS} ORDER BY a.created_at, a.id` }),
    createAccount: act('account.create', async (database, body: AccountBody) => {
      const { id = `acct_${randomBytes(6).toString('hex')}`, name, plan, overage_enabled = false, reset_day = 1 } = body;
      await assertPlan(database, plan);
      const created = await database.query({
        text: `INSERT INTO accounts (id, name, plan_id, overage_enabled, reset_day, period_ends)
          VALUES ($1, $2, $3, $4, $5::integer, next_reset(now(), $5::integer)) ON CONFLICT DO NOTHING RETURNING id`,
        values: [id, name, plan, overage_enabled, reset_day],
      });
      if (created.length === 0) throw new ApiError('invalid_parameter', `the id "${id}" is in use`);
      return { result: await findAccount(database, id), subject: id, detail: body };
    }),
    setAccount: act('account.set', async (database, id: string, patch: AccountPatch) => {
      const { name, plan, overage_enabled, reset_day } = patch;
      await assertPlan(database, plan);
      await database.query({
        text: `UPDATE accounts SET name = coalesce($2, name), plan_id = coalesce($3, plan_id),
          overage_enabled = coalesce($4, overage_enabled), reset_day = coalesce($5, reset_day) WHERE id = $1`,
        values: [id, name, plan, overage_enabled, reset_day],
      });
      return { result: await findAccount(database, id), subject: id, detail: patch, changed: { kind: 'account', accountId: id } };
    }),
    suspendAccount: act('account.suspend', async (database, id: string, { reason = '' }: SuspendBody) => {
      await database.query({
        text: 'UPDATE accounts SET suspended_at = coalesce(suspended_at, now()), suspended_reason = $2 WHERE id = $1',
        values: [id, reason],
      });
      return { result: await findAccount(database, id), subject: id, detail: { reason }, changed: { kind: 'account', accountId: id } };
    }),
    brandsOfAccount: async (id) => {
      const [row] = await durable.query<AccountBrands>({ text: 'SELECT id AS account, brands FROM accounts WHERE id = $1', values: [id] });
      return row ?? refuseUnknown(id);
    },
    setBrandsOfAccount: act('account.brands', async (database, id: string, brands: string) => {
      const [row] = await database.query<AccountBrands>({
        text: 'UPDATE accounts SET brands = $2 WHERE id = $1 RETURNING id AS account, brands',
        values: [id, brands],
      });
      return {
        result: row ?? refuseUnknown(id),
        subject: id,
        detail: { characters: brands.length },
        changed: { kind: 'account', accountId: id },
      };
    }),
    resumeAccount: act('account.resume', async (database, id: string) => {
      await database.query({ text: 'UPDATE accounts SET suspended_at = NULL, suspended_reason = NULL WHERE id = $1', values: [id] });
      return { result: await findAccount(database, id), subject: id, detail: {}, changed: { kind: 'account', accountId: id } };
    }),
  };
}

async function assertPlan(database: Queries, plan: string | undefined): Promise<void> {
  if (plan === undefined) return;
  const rows = await database.query({ text: 'SELECT FROM plans WHERE id = $1', values: [plan] });
  if (rows.length === 0) throw new ApiError('invalid_parameter', `the plan "${plan}" does not exist`);
}

async function findAccount(database: Queries, id: string): Promise<AccountSummary> {
  const [row] = await database.query<AccountSummary>({ text: `${ACCOUNTS} WHERE a.id = $1`, values: [id] });
  return row ?? refuseUnknown(id);
}

function refuseUnknown(id: string): never {
  throw new ApiError('invalid_parameter', `the account "${id}" does not exist`);
}
