import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '@vedette/ledger';
import { expect, it } from 'vitest';
import { readPostmasterFile } from '../../packages/ledger/src/embedded/leftover.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { describeOnEveryEngine } from './engines.ts';
import { clock, createAccount, openLedger, silent, sql } from './servers.ts';

/** Debits one credit at a time, by several workers, until told to stop. */
function debitUntil(ledger: Ledger, account: { id: string }): { stop(): Promise<void>; charged: Set<string>; codes: Set<string> } {
  const end = new AbortController();
  const load = { charged: new Set<string>(), codes: new Set<string>(), stop: async () => {} };
  const work = async (): Promise<void> => {
    while (!end.signal.aborted) {
      try {
        const reservation = await ledger.reserve({ account, cost: 1, operation: 'dns-lookup', deadlineMs: 10_000 });
        await ledger.settle(reservation);
        load.charged.add(reservation.id);
      } catch (err) {
        load.codes.add((err as { code: string }).code);
        await sleep(20);
      }
    }
  };
  const workers = Array.from({ length: 8 }, work);
  load.stop = async () => {
    end.abort();
    await Promise.all(workers);
  };
  return load;
}

/** Nothing, where the ledger refused for want of a database. */
function unavailable(error: { code?: string }): undefined {
  if (error.code !== 'ledger_unavailable') throw error;
}

/** Options of a ledger whose upkeep waits for `begin`, and what it warns of. */
function heldUpkeep() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const warnings: string[] = [];
  return {
    begin,
    warnings,
    options: {
      clock: {
        ...clock,
        async sleep(ms: number, signal?: AbortSignal) {
          await Promise.race([begun, signal && once(signal, 'abort')]);
          await clock.sleep(ms, signal);
        },
      },
      log: { ...silent, warn: (_detail: object, message: string) => void warnings.push(message) },
    },
  };
}

/** What must hold after every fault: whatever was acknowledged is charged, whatever was not is free, and the sums agree. */
async function expectExact(url: string, ledger: Ledger, charged: Set<string>): Promise<void> {
  await expect
    .poll(async () => (await sql<{ id: string }>(url, 'SELECT reservation_id::text AS id FROM entries')).length, { timeout: 30_000 })
    .toBe(charged.size);
  const entries = await sql<{ id: string }>(url, 'SELECT reservation_id::text AS id FROM entries');
  expect(entries.filter(({ id }) => !charged.has(id))).toEqual([]);
  expect(await ledger.audit()).toEqual([]);
}

describeOnEveryEngine('a fault', (database, server) => {
  it('of the connection after a commit is found out: charged once, and told so', async () => {
    const url = await database();
    const proxy = await startCuttingProxy(url);
    const ledger = await openLedger(proxy.url);
    try {
      const account = await createAccount(ledger, 1_000);
      const charged = new Set<string>();
      for (let i = 0; i < 20; i++) {
        // A reservation may meet a connection that the cut before has just ended: refused, and nothing charged.
        const reservation = await ledger.reserve({ account, cost: 1, operation: 'dns-lookup', deadlineMs: 10_000 }).catch(unavailable);
        if (!reservation) continue;
        proxy.cutNext();
        await ledger.settle(reservation).then(
          () => charged.add(reservation.id),
          () => undefined,
        );
      }
      expect(proxy.cuts).toBeGreaterThan(0);
      expect(charged.size).toBeGreaterThan(0);
      await expectExact(url, ledger, charged);
    } finally {
      await ledger.close();
      await proxy.stop();
    }
  });

  it('of the first lease delays the start, and does not end it', async () => {
    const proxy = await startCuttingProxy(await database());
    proxy.stall('lease-renew', 1_500);
    const warnings: string[] = [];
    const ledger = await openLedger(proxy.url, { log: { ...silent, warn: (_detail, message) => void warnings.push(message) } });
    try {
      expect(warnings).toContain('the database does not answer: what needs it is refused');
      expect(ledger.gateways()).toBe(1);
      await createAccount(ledger, 1);
    } finally {
      await ledger.close();
      await proxy.stop();
    }
  });

  it.each([
    ['is taken back', false, { cost: 5 }],
    ['stays once a repetition has had an answer for it', true, { cost: 0 }],
  ])('after which a charge is in doubt: it %s', async (_what, repeatsAtOnce, expected) => {
    const url = await database();
    const proxy = await startCuttingProxy(url);
    const upkeep = heldUpkeep();
    const ledger = await openLedger(proxy.url, upkeep.options);
    try {
      const account = await createAccount(ledger, 100);
      const idempotency = { key: 'k', bodySha256: new Uint8Array(32) };
      const reserve = () => ledger.reserve({ account, cost: 5, operation: 'ping-test', deadlineMs: 10_000, idempotency });
      const reservation = await reserve();
      proxy.cutNext(3); // what is told of the kept answer, of the charge, and of what became of it
      await expect(ledger.settle(reservation, '{}')).rejects.toMatchObject({ code: 'ledger_unavailable' });
      const repeated = repeatsAtOnce ? await reserve() : undefined; // free, since it is charged
      expect(repeated?.answer).toBe(repeatsAtOnce ? '{}' : undefined);
      upkeep.begin();
      await expect.poll(() => upkeep.warnings, { timeout: 10_000 }).toContain('gave back reservations whose outcome was in doubt');
      const again = await reserve();
      await ledger.settle(again);
      expect(again).toMatchObject(expected);
      expect((await ledger.usage(account)).remaining).toBe(95);
      expect(await ledger.audit()).toEqual([]);
    } finally {
      await ledger.close();
      await proxy.stop();
    }
  });

  it('of a release gives the hold back when the database answers again', async () => {
    const url = await database();
    const upkeep = heldUpkeep();
    const ledger = await openLedger(url, upkeep.options);
    try {
      const account = await createAccount(ledger, 100);
      const reservation = await ledger.reserve({ account, cost: 5, operation: 'ping-test', deadlineMs: 10_000 });
      await sql(url, 'ALTER TABLE reservations RENAME TO away');
      await expect(ledger.release(reservation)).rejects.toThrow('relation "reservations" does not exist');
      await sql(url, 'ALTER TABLE away RENAME TO reservations');
      upkeep.begin();
      await expect.poll(async () => (await ledger.usage(account)).remaining, { timeout: 10_000 }).toBe(100);
    } finally {
      await ledger.close();
    }
  });

  it('of the server right after a release does not bring the hold back', async () => {
    const url = await database();
    const ledger = await openLedger(url, heldUpkeep().options);
    try {
      const account = await createAccount(ledger, 100);
      const reserve = (cost: number) => ledger.reserve({ account, cost, operation: 'ping-test', deadlineMs: 10_000 });
      const reservation = await reserve(5);
      await ledger.settle(await reserve(1)); // on disk, and whatever came before it
      await ledger.release(reservation);
      const { pid } = (await readPostmasterFile(server().layout.cluster))!;
      process.kill(pid, 'SIGQUIT'); // immediate shutdown: nothing more is written (PostgreSQL docs §18.5)
      const held = (): Promise<object[]> => sql(url, 'SELECT held::integer FROM accounts WHERE id = $1', [account.id]).catch(() => []);
      await expect.poll(async () => (await readPostmasterFile(server().layout.cluster))?.pid, { timeout: 5_000 }).not.toBe(pid);
      await expect.poll(held, { timeout: 20_000 }).not.toEqual([]);
      expect(await held()).toEqual([{ held: 0 }]);
      expect(await ledger.audit()).toEqual([]);
    } finally {
      await ledger.close();
    }
  });

  it('of every backend is over with new connections', async () => {
    const url = await database();
    const ledger = await openLedger(url);
    try {
      const load = debitUntil(ledger, await createAccount(ledger, 1e9));
      await expect.poll(() => load.charged.size, { timeout: 30_000 }).toBeGreaterThan(10);
      await sql(
        url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'vedette'`,
      );
      const before = load.charged.size;
      await expect.poll(() => load.charged.size, { timeout: 30_000 }).toBeGreaterThan(before + 10);
      await load.stop();
      expect([...load.codes].filter((code) => code !== 'ledger_unavailable')).toEqual([]);
      await expectExact(url, ledger, load.charged);
    } finally {
      await ledger.close();
    }
  });
});
