import type { Ledger } from '@vedette/ledger';
import { afterEach, expect, it } from 'vitest';
import { countNothing } from '../../packages/ledger/src/store/events.ts';
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

  it('has the answer of a paid request ready for its repetitions, free: they were measured again twice, and then refused', async () => {
    await setUp(100);
    await ledger.settle(await reserve('k'), '{"once":1}');
    for (let i = 0; i < 3; i++) expect(await reserve('k')).toMatchObject({ cost: 0, answer: '{"once":1}' });
    expect((await ledger.usage(account)).remaining).toBe(95);
    expect(await ledger.audit()).toEqual([]);
  });

  it('reads an answer that was paid for: for its account alone, and without running or charging anything', async () => {
    await setUp(100);
    await ledger.settle(await reserve('k'), '{"once":1}');
    await reserve('held');
    const other = await createAccount(ledger, 100);
    expect(await ledger.keptAnswer(account, 'k')).toMatchObject({ operation: 'ping-test', answer: '{"once":1}' });
    const { askedAt, keptUntil } = (await ledger.keptAnswer(account, 'k'))!;
    expect(keptUntil.getTime() - askedAt.getTime()).toBe(600_000);
    expect(await ledger.keptAnswer(other, 'k')).toBeUndefined();
    expect(await ledger.keptAnswer(account, 'held')).toBeUndefined();
    expect(await ledger.keptAnswer(account, 'never')).toBeUndefined();
    // A key that was only read is still free for its first request.
    expect(await reserve('never')).toMatchObject({ cost: 5 });
    await sql(url, 'UPDATE idempotency_keys SET expires_at = now()');
    expect(await ledger.keptAnswer(account, 'k')).toBeUndefined();
    expect((await ledger.usage(account)).remaining).toBe(85);
  });

  it('reads no answer that was not charged: that of a reservation that ended before', async () => {
    await setUp(100);
    const unpaid = await reserve('k');
    await sql(url, 'UPDATE reservations SET expires_at = now()');
    await expect(ledger.settle(unpaid, '{"unpaid":1}')).rejects.toMatchObject({ code: 'deadline' });
    expect(await ledger.keptAnswer(account, 'k')).toBeUndefined();
  });

  it('makes one rerun free where a paid request left no answer, and keeps what that one has', async () => {
    await setUp(100);
    await ledger.settle(await reserve('left'));
    const rerun = await reserve('left');
    expect([rerun.cost, rerun.answer]).toEqual([0, undefined]);
    await expect(reserve('left')).rejects.toMatchObject({
      message: 'This Idempotency-Key cannot be used for this request: the free rerun of the request is still running',
      retryAfterS: 1,
    });
    await ledger.settle(rerun, '{"again":1}');
    expect(await reserve('left')).toMatchObject({ cost: 0, answer: '{"again":1}' });
    expect((await ledger.usage(account)).remaining).toBe(95);
  });

  it('gives a rerun back that ended without an answer, once: every later retry was refused for ten minutes', async () => {
    await setUp(100);
    await ledger.settle(await reserve('k'));
    const refused = await reserve('k');
    await ledger.release(refused);
    const second = await reserve('k');
    expect([second.cost, second.answer]).toEqual([0, undefined]);
    await ledger.release(refused); // late, and not of the one that runs now
    await expect(reserve('k')).rejects.toMatchObject({ code: 'idempotency_conflict' });
    await ledger.settle(second, '{"again":1}');
    await ledger.release(second);
    expect(await reserve('k')).toMatchObject({ cost: 0, answer: '{"again":1}' });
    expect((await ledger.usage(account)).remaining).toBe(95);
    expect(await ledger.audit()).toEqual([]);
  });

  it('has used up a rerun whose client left after something was sent for it', async () => {
    await setUp(100);
    await ledger.settle(await reserve('k'));
    const left = await reserve('k');
    await ledger.settle(left);
    await ledger.release(left);
    await expect(reserve('k')).rejects.toMatchObject({
      message: 'This Idempotency-Key cannot be used for this request: its free rerun is used up and left no answer; use another key',
      retryAfterS: undefined, // it said 1, every second, until the key expired
    });
  });

  it('gives no answer free: one that was not charged, or no longer is, is measured and paid for again', async () => {
    await setUp(100);
    const unpaid = await reserve('k');
    await sql(url, 'UPDATE reservations SET expires_at = now()');
    await expect(ledger.settle(unpaid, '{"unpaid":1}')).rejects.toMatchObject({ code: 'deadline' });
    const paid = await reserve('k');
    expect(paid).toMatchObject({ cost: 5 });
    expect(paid.answer).toBeUndefined();
    await ledger.settle(paid, '{"paid":1}');
    // As if it had been in doubt and was taken back.
    await sql(url, 'DELETE FROM entries');
    const again = await reserve('k');
    expect([again.cost, again.answer]).toEqual([5, undefined]);
    // What comes late for the charge that was taken back is not this one's.
    await ledger.settle({ ...paid, cost: 0 }, '{"late":1}');
    await ledger.settle(again);
    expect((await reserve('k')).answer).toBeUndefined();
  });

  it('does not keep an answer of more than a megabyte: its request runs again, once', async () => {
    await setUp(100);
    await ledger.settle(await reserve('k'), 'x'.repeat(1_048_577));
    const again = await reserve('k');
    expect([again.cost, again.answer]).toEqual([0, undefined]);
    await ledger.settle(again, 'x'.repeat(1_048_577));
    await expect(reserve('k')).rejects.toMatchObject({ code: 'idempotency_conflict' });
  });

  it('refuses another body and another operation', async () => {
    await setUp(100);
    await ledger.settle(await reserve('k'));
    await expect(reserve('k', body(2))).rejects.toMatchObject({
      code: 'idempotency_conflict',
      status: 409,
      message: 'This Idempotency-Key cannot be used for this request: the key was used with another operation or body',
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

  it('keeps so much for an account and no more, whatever it sends: 450 credits wrote 881 MB, and the disk was full for everybody', async () => {
    await setUp(1_000);
    const megabyte = `"${'x'.repeat(1_048_570)}"`;
    const kept: string[] = [];
    for (let n = 0; n < 20; n++) await ledger.settle(await reserve(`k${n}`), megabyte);
    for (let n = 0; n < 20; n++) {
      const again = await reserve(`k${n}`);
      expect(again.cost).toBe(0);
      if (again.answer !== undefined) kept.push(again.answer);
      await ledger.release(again);
    }
    expect(kept.length).toBe(16); // half of 32 MB at once
    const other = { account: await createAccount(ledger, 10), cost: 5, operation: 'ping-test', deadlineMs: 10_000 };
    const idempotency = { key: 'k', bodySha256: body(1) };
    await ledger.settle(await ledger.reserve({ ...other, idempotency }), megabyte);
    expect((await ledger.reserve({ ...other, idempotency })).answer).toBe(megabyte);
  });

  it('keeps nothing while the disk is nearly full, charges all the same, and lets the request run again', async () => {
    const reasons: Record<string, number>[] = [];
    url = await database();
    ledger = await openLedger(url, {
      disk: { check: async () => undefined, isShort: () => true },
      events: { ...countNothing, notKept: (answers) => void reasons.push(answers) },
    });
    account = await createAccount(ledger, 100);
    await ledger.settle(await reserve('k'), '{"once":1}');
    const { cost, answer } = await reserve('k');
    expect([cost, answer]).toEqual([0, undefined]);
    expect((await ledger.usage(account)).remaining).toBe(95);
    expect(reasons).toEqual([{ account: 0, all: 0, disk: 1 }]);
  });
});
