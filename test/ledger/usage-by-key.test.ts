import { afterEach, describe, expect, it } from 'vitest';
import type { Ledger } from '@vedette/ledger';
import { expireUsage } from '../../packages/ledger/src/credits/usage-by-key.ts';
import { openStore } from '../../packages/ledger/src/store/store.ts';
import { describeOnEveryEngine } from './engines.ts';
import { clock, createAccount, openLedger, OPERATOR, silent, sql } from './servers.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(url: string): Promise<Ledger> {
  const ledger = await openLedger(url);
  closers.push(() => ledger.close());
  return ledger;
}

const DEADLINE = { deadlineMs: 10_000 };

describeOnEveryEngine('charges by day, operation and key', (database) => {
  it('are the sums of the entries: of one account, of one key, of all', async () => {
    const ledger = await open(await database());
    const acme = await createAccount(ledger, 1_000);
    const other = await createAccount(ledger, 1_000);
    const web = await ledger.admin.createKey(OPERATOR, { account: acme.id, name: 'web' });
    const charge = async (account: { id: string; keyId?: string }, operation: string, cost: number) =>
      ledger.settle(await ledger.reserve({ account, operation, cost, ...DEADLINE }));
    const byWeb = { id: acme.id, keyId: web.id };
    await Promise.all([
      charge(byWeb, 'ping-test', 5),
      charge(byWeb, 'ping-test', 5),
      charge(byWeb, 'dns-lookup', 1),
      charge({ id: acme.id, keyId: 'bootstrap' }, 'dns-lookup', 1),
      charge(acme, 'site-trust', 10),
      charge({ id: other.id, keyId: 'k' }, 'ping-test', 5),
    ]);
    const { days, ...usage } = await ledger.admin.usageByKey({ account: acme.id, days: 3 });
    expect(days.map(({ credits, requests }) => [credits, requests])).toEqual([
      [0, 0],
      [0, 0],
      [22, 5],
    ]);
    expect(days.map(({ day }) => day)).toEqual([usage.since, expect.stringMatching(/^\d{4}-\d\d-\d\d$/), usage.until]);
    expect(usage).toMatchObject({
      credits: 22,
      requests: 5,
      operations: [
        { operation: 'ping-test', credits: 10, requests: 2 },
        { operation: 'site-trust', credits: 10, requests: 1 },
        { operation: 'dns-lookup', credits: 2, requests: 2 },
      ],
      keys: [
        { id: web.id, name: 'web', account: acme.id, credits: 11, requests: 3 },
        { id: '', name: '', account: acme.id, credits: 10, requests: 1 },
        { id: 'bootstrap', name: '', account: acme.id, credits: 1, requests: 1 },
      ],
    });
    expect(await ledger.admin.usageByKey({ account: acme.id, key: web.id, days: 1 })).toMatchObject({
      credits: 11,
      keys: [{ id: web.id }],
    });
    // The key of another account is not this account's to look at.
    expect(await ledger.admin.usageByKey({ account: other.id, key: web.id, days: 90 })).toMatchObject({
      credits: 0,
      operations: [],
      keys: [],
    });
    expect(await ledger.admin.usageByKey({ days: 90 })).toMatchObject({ credits: 27, requests: 6 });
    expect(await ledger.audit()).toEqual([]);
  });

  it('of a request whose key is rotated and revoked midway are one charge, under the key that asked', async () => {
    const ledger = await open(await database());
    const { id: account } = await createAccount(ledger, 100);
    const { id: keyId, key } = await ledger.admin.createKey(OPERATOR, { account, name: 'web' });
    const hold = await ledger.reserve({ account: await ledger.authenticate(key), operation: 'ping-test', cost: 5, ...DEADLINE });
    await ledger.admin.rotateKey(OPERATOR, keyId, { overlap_hours: 0 });
    await ledger.admin.revokeKey(OPERATOR, keyId);
    await ledger.settle(hold);
    await ledger.settle(hold); // what a broken connection makes of it
    expect(await ledger.admin.usageByKey({ account, days: 1 })).toMatchObject({ credits: 5, requests: 1, keys: [{ id: keyId }] });
    expect(await ledger.audit()).toEqual([]);
  });

  it('come along from before there were sums, and go with entries that are taken back', async () => {
    const url = await database();
    const ledger = await open(url);
    const { id } = await createAccount(ledger, 100);
    const old = await ledger.reserve({ account: { id, keyId: 'k' }, operation: 'ping-test', cost: 5, ...DEADLINE });
    await ledger.settle(old);
    await sql(url, 'DELETE FROM entries');
    expect(await ledger.admin.usageByKey({ account: id, days: 1 })).toMatchObject({ credits: 0, requests: 0, operations: [] });
    // As a gateway of the version before writes it.
    await sql(
      url,
      `INSERT INTO entries (reservation_id, account_id, cost, operation, charged_at, period_ends)
       SELECT gen_random_uuid(), $1, 7, 'dns-lookup', now() - day * interval '1 day', now() FROM generate_series(0, 100) AS day`,
      [id],
    );
    const { days, keys } = await ledger.admin.usageByKey({ account: id, days: 90 });
    expect(new Set(days.map(({ credits }) => credits))).toEqual(new Set([7]));
    expect(keys).toEqual([{ id: '', name: '', account: id, credits: 630, requests: 90 }]);
  });

  describe('are kept for 92 days', () => {
    const DAYS = "SELECT DISTINCT (now() AT TIME ZONE 'UTC')::date - day AS ago FROM usage_by_key ORDER BY ago";
    /** Sums of so many keys on each of these days. */
    const fill = (url: string, keys: number) =>
      sql(
        url,
        `INSERT INTO usage_by_key
         SELECT 'a', (now() AT TIME ZONE 'UTC')::date - ago, 'k' || k, 'ping-test', 1, 1
         FROM unnest(ARRAY[0, 61, 90, 91, 92, 93, 500]) AS ago, generate_series(1, $1::integer) AS k`,
        [keys],
      );

    it('and then go in small parts, which two gateways remove at once', async () => {
      const url = await database();
      await open(url);
      await fill(url, 50);
      const stores = [openStore(url, silent), openStore(url, silent)];
      closers.push(...stores.map((store) => () => store.close()));
      await Promise.all(stores.map((store) => expireUsage(store, 7)));
      expect(await sql(url, 'SELECT count(*)::integer AS n FROM usage_by_key')).toEqual([{ n: 4 * 50 }]);
      expect(await sql(url, DAYS)).toEqual([0, 61, 90, 91].map((ago) => ({ ago })));
    });

    it('and a row that another transaction holds holds up nothing, and goes later', async () => {
      const url = await database();
      await open(url);
      await fill(url, 3);
      const store = openStore(url, silent);
      closers.push(() => store.close());
      await store.withClient(async (client) => {
        await client.query('BEGIN');
        await client.query(`SELECT FROM usage_by_key WHERE key_id = 'k2' FOR UPDATE`);
        await expireUsage(store, 2);
        await client.query('COMMIT');
      });
      expect(
        (await sql<{ key_id: string }>(url, `SELECT DISTINCT key_id FROM usage_by_key WHERE day <= current_date - 93`)).map(
          ({ key_id }) => key_id,
        ),
      ).toEqual(['k2']);
      await expireUsage(store, 2);
      expect(await sql(url, DAYS)).toEqual([0, 61, 90, 91].map((ago) => ({ ago })));
    });

    it('by the upkeep of every gateway; the charges themselves stay, and are as they were', async () => {
      const url = await database();
      // What comes each hour comes soon.
      const sleepless = { ...clock, sleep: (ms: number, signal?: AbortSignal) => clock.sleep(ms >= 3_600_000 ? 100 : ms, signal) };
      const ledger = await openLedger(url, { clock: sleepless });
      closers.push(() => ledger.close());
      const { id } = await createAccount(ledger, 100);
      await sql(
        url,
        `INSERT INTO entries (reservation_id, account_id, cost, operation, charged_at, period_ends)
         SELECT gen_random_uuid(), $1, 7, 'dns-lookup', now() - day * interval '1 day', now() FROM generate_series(90, 200) AS day`,
        [id],
      );
      await expect.poll(() => sql(url, DAYS), { timeout: 20_000 }).toEqual([{ ago: 90 }, { ago: 91 }]);
      expect(await sql(url, 'SELECT count(*)::integer AS n FROM entries')).toEqual([{ n: 111 }]);
      // An old charge that is taken back has no sum any more.
      await sql(url, `DELETE FROM entries WHERE charged_at < now() - interval '100 days'`);
      expect(await ledger.audit()).toEqual([]);
    });
  });

  it('disagree with the days: the audit says so', async () => {
    const url = await database();
    const ledger = await open(url);
    const { id } = await createAccount(ledger, 100);
    await ledger.settle(await ledger.reserve({ account: { id, keyId: 'k' }, operation: 'ping-test', cost: 5, ...DEADLINE }));
    await sql(url, 'UPDATE usage_by_key SET credits = 4');
    expect(await ledger.audit()).toEqual([{ accountId: id, what: 'by_key', recorded: 4, counted: 5 }]);
  });
});
