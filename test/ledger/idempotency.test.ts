import type { Ledger } from '@vedette/ledger';
import { afterEach, expect, it } from 'vitest';
import { describeOnEveryEngine } from './engines.ts';
import { createAccount, openLedger, sql } from './servers.ts';

const body = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

describeOnEveryEngine('Idempotency-Key', (database) => {
  let ledger: Ledger;
  let url: string;
  let account: { id: string };
  const setUp = async (credits: number): Promise<void> => {
    url = await database();
    ledger = await openLedger(url);
    account = await createAccount(ledger, credits);
  };
  afterEach(async () => {
    await ledger.close();
  });
  const reserve = (key: string, bodySha256 = body(1), operation = 'ping-test') =>
    ledger.reserve({ account, cost: 5, operation, deadlineMs: 10_000, idempotency: { key, bodySha256 } });

  it('makes two repetitions of a paid request free, and refuses a third', async () => {
    await setUp(100);
    await ledger.settle(await reserve('k'));
    for (let rerun = 0; rerun < 2; rerun++) {
      const repeated = await reserve('k');
      expect(repeated).toMatchObject({ cost: 0 });
      await ledger.settle(repeated);
    }
    await expect(reserve('k')).rejects.toThrow('This Idempotency-Key cannot be used for this request: its 2 free reruns are used up');
    expect((await ledger.usage(account)).remaining).toBe(95);
  });

  it('refuses another body and another operation', async () => {
    await setUp(100);
    await ledger.settle(await reserve('k'));
    await expect(reserve('k', body(2))).rejects.toMatchObject({
      code: 'idempotency_conflict',
      status: 409,
      message: 'This Idempotency-Key cannot be used for this request: it was used with another operation or body',
    });
    await expect(reserve('k', body(1), 'dns-lookup')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('debits once when two requests with one key run in parallel', async () => {
    await setUp(100);
    const results = await Promise.allSettled([reserve('k'), reserve('k'), reserve('k')]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await sql(url, 'SELECT count(*)::integer AS holds FROM reservations')).toEqual([{ holds: 1 }]);
  });

  it('judges requests that arrive together one by one: those that are refused leave nothing behind', async () => {
    await setUp(10);
    const results = await Promise.allSettled(['a', 'b', 'c'].map(async (key) => ({ key, reservation: await reserve(key) })));
    const held = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const [refused] = ['a', 'b', 'c'].filter((key) => !held.some((other) => other.key === key));
    expect(held).toHaveLength(2);
    await ledger.release(held[0]!.reservation);
    expect(await reserve(refused!, body(2))).toMatchObject({ cost: 5 });
    await expect(reserve(held[1]!.key, body(2))).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('takes a request whose first try was not paid as the first', async () => {
    await setUp(100);
    await ledger.release(await reserve('k'));
    const again = await reserve('k');
    expect(again).toMatchObject({ cost: 5 });
    await ledger.settle(again);
    expect((await ledger.usage(account)).remaining).toBe(95);
  });

  it('does not remember a request that was refused for lack of credits', async () => {
    await setUp(4);
    await expect(reserve('k')).rejects.toMatchObject({ code: 'insufficient_credits' });
    expect(await sql(url, 'SELECT * FROM idempotency_keys')).toEqual([]);
  });

  it('forgets after ten minutes, and keeps accounts apart', async () => {
    await setUp(100);
    await ledger.settle(await reserve('k'));
    const other = await createAccount(ledger, 100);
    expect(
      await ledger.reserve({
        account: other,
        cost: 5,
        operation: 'ping-test',
        deadlineMs: 1,
        idempotency: { key: 'k', bodySha256: body(9) },
      }),
    ).toMatchObject({ cost: 5 });
    await sql(url, `UPDATE idempotency_keys SET expires_at = expires_at - interval '10 minutes'`);
    expect(await reserve('k', body(2))).toMatchObject({ cost: 5 });
  });
});
