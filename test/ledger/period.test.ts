import { expect, it } from 'vitest';
import { describeOnEveryEngine } from './engines.ts';
import { createAccount, openLedger, sql } from './servers.ts';

// now, reset day, next reset
const RESETS: [string, number, string][] = [
  ['2026-01-15T12:00:00Z', 1, '2026-02-01T00:00:00.000Z'],
  ['2026-01-01T00:00:00Z', 1, '2026-02-01T00:00:00.000Z'], // at the instant itself the next one is meant
  ['2025-12-31T23:59:59Z', 1, '2026-01-01T00:00:00.000Z'],
  ['2026-12-31T00:00:00Z', 1, '2027-01-01T00:00:00.000Z'],
  ['2026-01-15T00:00:00Z', 20, '2026-01-20T00:00:00.000Z'],
  ['2026-01-20T00:00:00Z', 20, '2026-02-20T00:00:00.000Z'],
  ['2026-01-31T10:00:00Z', 31, '2026-02-28T00:00:00.000Z'], // shorter months end it early
  ['2026-02-28T00:00:00Z', 31, '2026-03-31T00:00:00.000Z'], // and the day comes back
  ['2026-04-01T00:00:00Z', 31, '2026-04-30T00:00:00.000Z'],
  ['2028-02-01T00:00:00Z', 29, '2028-02-29T00:00:00.000Z'], // leap year
  ['2028-02-28T23:59:59Z', 31, '2028-02-29T00:00:00.000Z'],
  ['2027-02-01T00:00:00Z', 29, '2027-02-28T00:00:00.000Z'], // common year
  ['2100-02-01T00:00:00Z', 30, '2100-02-28T00:00:00.000Z'], // a century is no leap year
  ['2000-02-01T00:00:00Z', 30, '2000-02-29T00:00:00.000Z'], // but for every fourth
  ['2026-03-29T00:30:00Z', 29, '2026-04-29T00:00:00.000Z'], // the night of a clock change in Europe
];

describeOnEveryEngine('the period', (database) => {
  it('ends on the reset day, 00:00 UTC, or on the last day of a shorter month', async () => {
    const url = await database();
    await (await openLedger(url)).close();
    for (const zone of ['UTC', 'America/New_York', 'Pacific/Kiritimati']) {
      const rows = await sql<{ reset: Date }>(
        `${url}&options=-c%20timezone%3D${zone}`,
        'SELECT next_reset(moment, day) AS reset FROM unnest($1::timestamptz[], $2::integer[]) AS r (moment, day)',
        [RESETS.map(([moment]) => moment), RESETS.map(([, day]) => day)],
      );
      expect(rows.map(({ reset }) => reset.toISOString())).toEqual(RESETS.map(([, , reset]) => reset));
    }
  });

  it('begins anew at the first request after it: credits are back, holds stay, entries tell their period', async () => {
    const url = await database();
    const ledger = await openLedger(url);
    try {
      const account = await createAccount(ledger, 10);
      const charge = async (cost: number): Promise<void> => {
        await ledger.settle(await ledger.reserve({ account, cost, operation: 'dns-lookup', deadlineMs: 10_000 }));
      };
      await charge(8);
      const pending = await ledger.reserve({ account, cost: 2, operation: 'dns-lookup', deadlineMs: 10_000 });
      const before = (await ledger.usage(account)).next_reset;
      await sql(url, `UPDATE accounts SET period_ends = now() WHERE id = $1`, [account.id]);
      await sql(url, `UPDATE entries SET period_ends = (SELECT period_ends FROM accounts WHERE id = $1)`, [account.id]);
      expect((await ledger.usage(account)).remaining).toBe(8); // shown at once, though nothing was written
      await charge(5);
      await ledger.settle(pending);
      const usage = await ledger.usage(account);
      expect(usage).toMatchObject({ remaining: 3, next_reset: before });
      expect(ledger.quota(account)).toEqual({ limit: 10, remaining: 3, reset: before.getTime() / 1000 });
      expect([...usage.daily.values()]).toEqual([15]);
      expect(await ledger.audit()).toEqual([]);
    } finally {
      await ledger.close();
    }
  });

  it('of an account that nobody has used since long ago adds up', async () => {
    const url = await database();
    const ledger = await openLedger(url);
    try {
      const account = await createAccount(ledger, 10);
      await ledger.settle(await ledger.reserve({ account, cost: 8, operation: 'dns-lookup', deadlineMs: 10_000 }));
      await sql(url, `UPDATE accounts SET period_ends = period_ends - interval '3 months'`);
      await sql(url, `UPDATE entries SET period_ends = period_ends - interval '3 months', charged_at = charged_at - interval '3 months'`);
      await sql(url, `UPDATE usage_daily SET day = day - interval '3 months'`);
      await sql(url, `UPDATE usage_by_key SET day = day - interval '3 months'`);
      expect(await ledger.audit()).toEqual([]);
      await sql(url, `UPDATE accounts SET period_ends = now() + interval '1 day'`);
      expect(await ledger.audit()).toEqual([{ accountId: account.id, what: 'spent', recorded: 8, counted: 0 }]);
    } finally {
      await ledger.close();
    }
  });
});
