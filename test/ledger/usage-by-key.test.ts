import { afterEach, expect, it } from 'vitest';
import type { Ledger } from '@vedette/ledger';
import { describeOnEveryEngine } from './engines.ts';
import { createAccount, openLedger, OPERATOR, sql } from './servers.ts';

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

  it('disagree with the days: the audit says so', async () => {
    const url = await database();
    const ledger = await open(url);
    const { id } = await createAccount(ledger, 100);
    await ledger.settle(await ledger.reserve({ account: { id, keyId: 'k' }, operation: 'ping-test', cost: 5, ...DEADLINE }));
    await sql(url, 'UPDATE usage_by_key SET credits = 4');
    expect(await ledger.audit()).toEqual([{ accountId: id, what: 'by_key', recorded: 4, counted: 5 }]);
  });
});
