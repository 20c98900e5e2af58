import type { ApiErrorCode } from '@vedette/contract';
import type { Ledger, Reservation } from '@vedette/ledger';
import { afterEach, expect, it } from 'vitest';
import { describeOnEveryEngine } from './engines.ts';
import { createAccount, openLedger, sql, OPERATOR } from './servers.ts';

const request = (account: { id: string }, cost: number) => ({ account, cost, operation: 'dns-lookup', deadlineMs: 10_000 });

/** How many of the promises were kept, and the codes of the others. */
async function outcomes(promises: Promise<unknown>[]): Promise<{ ok: number; codes: ApiErrorCode[] }> {
  const settled = await Promise.allSettled(promises);
  const codes = settled.flatMap((result) => (result.status === 'rejected' ? [(result.reason as { code: ApiErrorCode }).code] : []));
  return { ok: settled.length - codes.length, codes: [...new Set(codes)] };
}

describeOnEveryEngine('credits', (database) => {
  const open: Ledger[] = [];
  const ledgerOn = async (url: string): Promise<Ledger> => {
    const ledger = await openLedger(url);
    open.push(ledger);
    return ledger;
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((ledger) => ledger.close()));
  });
  const charge = async (ledger: Ledger, account: { id: string }, cost: number): Promise<Reservation> => {
    const reservation = await ledger.reserve(request(account, cost));
    await ledger.settle(reservation);
    return reservation;
  };

  it('lets exactly 100 of 200 parallel requests pass a balance of 100', async () => {
    const ledger = await ledgerOn(await database());
    const account = await createAccount(ledger, 100);
    const results = await outcomes(Array.from({ length: 200 }, () => charge(ledger, account, 1)));
    expect(results).toEqual({ ok: 100, codes: ['insufficient_credits'] });
    expect(ledger.quota(account)).toMatchObject({ limit: 100, remaining: 0 });
    expect(await ledger.audit()).toEqual([]);
  });

  it('lets exactly 100 pass when two gateways ask for one account, and for many', async () => {
    const url = await database();
    const [one, two] = [await ledgerOn(url), await ledgerOn(url)];
    const accounts = await Promise.all(Array.from({ length: 5 }, () => createAccount(one, 100)));
    const results = await Promise.all(
      accounts.map((account) => outcomes(Array.from({ length: 200 }, (_, i) => charge(i % 2 === 0 ? one : two, account, 1)))),
    );
    expect(results).toEqual(accounts.map(() => ({ ok: 100, codes: ['insufficient_credits'] })));
    expect(await one.audit()).toEqual([]);
  });

  it('refuses no request that fits because a dearer one beside it does not', async () => {
    const ledger = await ledgerOn(await database());
    const account = await createAccount(ledger, 10);
    const [dear, cheap, alsoCheap] = await Promise.allSettled([
      charge(ledger, account, 20),
      charge(ledger, account, 4),
      charge(ledger, account, 6),
    ]);
    expect([dear.status, cheap.status, alsoCheap.status]).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });

  it('goes into overage up to its limit, where the plan allows it and the account has it on', async () => {
    const ledger = await ledgerOn(await database());
    const account = await createAccount(ledger, 10, 5);
    expect(await outcomes(Array.from({ length: 20 }, () => charge(ledger, account, 1)))).toEqual({
      ok: 15,
      codes: ['insufficient_credits'],
    });
    expect(await ledger.usage(account)).toMatchObject({ remaining: 0, overage: { allowed: true, enabled: true, consumed: 5, limit: 5 } });
    const off = await createAccount(ledger, 10, 5);
    await ledger.admin.setAccount(OPERATOR, off.id, { overage_enabled: false });
    expect((await outcomes(Array.from({ length: 20 }, () => charge(ledger, off, 1)))).ok).toBe(10);
  });

  it('holds credits from reserve on, and gives them back on release', async () => {
    const ledger = await ledgerOn(await database());
    const account = await createAccount(ledger, 10);
    const held = await ledger.reserve(request(account, 10));
    expect(ledger.quota(account)).toMatchObject({ remaining: 0 });
    await expect(ledger.reserve(request(account, 1))).rejects.toMatchObject({ code: 'insufficient_credits' });
    await ledger.release(held);
    expect(ledger.quota(account)).toMatchObject({ remaining: 10 });
    await ledger.release(held);
    await expect(ledger.settle(held)).rejects.toMatchObject({ code: 'deadline' });
    expect((await ledger.usage(account)).remaining).toBe(10);
    expect(await ledger.audit()).toEqual([]);
  });

  it('tells what was done with credits, how it ended and what shared a commit', async () => {
    const ended: string[] = [];
    const batches = new Map<string, number>();
    const audits: number[] = [];
    const ledger = await openLedger(await database(), {
      events: {
        ended: (work, outcome) => void ended.push(`${work} ${outcome}`),
        committed: (lane, requests, _ms, outcome) => void batches.set(`${lane} ${outcome}`, requests),
        swept: (reason, holds) => void ended.push(`${reason} ${holds}`),
        notKept() {},
        audited: (discrepancies) => void audits.push(discrepancies),
        upkeepFailed: () => void ended.push('upkeep'),
      },
    });
    open.push(ledger);
    const account = await createAccount(ledger, 10);
    const [paid, given] = await Promise.all([ledger.reserve(request(account, 4)), ledger.reserve(request(account, 5))]);
    expect(ledger.held()).toEqual({ holds: 2, credits: 9 });
    expect(batches).toEqual(new Map([['reserve ok', 2]])); // one commit
    await expect(ledger.reserve(request(account, 2))).rejects.toMatchObject({ code: 'insufficient_credits' });
    await ledger.reserve(request(account, 0));
    await ledger.settle(paid);
    await ledger.release(given);
    expect(ledger.held()).toEqual({ holds: 0, credits: 0 });
    expect(ledger.inDoubt()).toBe(0);
    expect(ended).toEqual(['reserve ok', 'reserve ok', 'reserve insufficient_credits', 'settle ok', 'release ok']);
    expect([...batches.keys()]).toEqual(['reserve ok', 'settle ok', 'release ok']);
    expect(audits).toEqual([]); // an hour has not gone
  });

  it('charges once however often a reservation is settled', async () => {
    const ledger = await ledgerOn(await database());
    const account = await createAccount(ledger, 10);
    const held = await charge(ledger, account, 3);
    await Promise.all([ledger.settle(held), ledger.settle(held)]);
    await ledger.release(held);
    expect((await ledger.usage(account)).remaining).toBe(7);
    expect(await ledger.audit()).toEqual([]);
  });

  it('refuses to settle a hold that has expired, and the sweeper gives it back', async () => {
    const url = await database();
    const ledger = await ledgerOn(url);
    const account = await createAccount(ledger, 10);
    const held = await ledger.reserve(request(account, 10));
    await sql(url, 'UPDATE reservations SET expires_at = now()');
    await expect(ledger.settle(held)).rejects.toMatchObject({ code: 'deadline', status: 504 });
    await expect.poll(() => sql(url, 'SELECT held FROM accounts WHERE id = $1', [account.id]), { timeout: 5_000 }).toEqual([{ held: '0' }]);
    expect((await ledger.usage(account)).remaining).toBe(10);
    expect(await sql(url, 'SELECT * FROM entries')).toEqual([]);
  });

  it('knows an account that is not there from one without credits', async () => {
    const ledger = await ledgerOn(await database());
    const account = await createAccount(ledger, 1);
    expect(await outcomes([charge(ledger, { id: 'nobody' }, 1), charge(ledger, account, 1)])).toEqual({ ok: 1, codes: ['key_unknown'] });
  });

  it('does not touch the database for what costs nothing', async () => {
    const url = await database();
    const ledger = await ledgerOn(url);
    const free = await ledger.reserve({ account: { id: 'nobody' }, cost: 0, operation: 'account-info', deadlineMs: 1_000 });
    await ledger.settle(free);
    await ledger.release(free);
    expect(await sql(url, 'SELECT id FROM reservations UNION ALL SELECT reservation_id FROM entries')).toEqual([]);
  });

  it('reports use by UTC day and month, newest first, equal to the entries', async () => {
    const url = await database();
    const ledger = await ledgerOn(url);
    const account = await createAccount(ledger, 1_000);
    await charge(ledger, account, 5);
    await charge(ledger, account, 7);
    await sql(
      url,
      `INSERT INTO usage_daily (account_id, day, credits) SELECT $1, (now() AT TIME ZONE 'UTC')::date - n, n FROM unnest(ARRAY[70, 71, 800]) AS n`,
      [account.id],
    );
    const [{ today, past, earlier }] = (await sql(
      url,
      `SELECT (now() AT TIME ZONE 'UTC')::date::text AS today, ((now() AT TIME ZONE 'UTC')::date - 70)::text AS past, ((now() AT TIME ZONE 'UTC')::date - 71)::text AS earlier`,
    )) as [{ today: string; past: string; earlier: string }];
    const usage = await ledger.usage(account);
    expect([...usage.daily]).toEqual([
      [today, 12],
      [past, 70],
      [earlier, 71],
    ]);
    expect([...usage.monthly.values()].reduce((sum, credits) => sum + credits, 0)).toBe(153);
    expect([...usage.monthly.keys()][0]).toBe(today.slice(0, 7));
  });
});
