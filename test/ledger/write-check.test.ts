import { Client } from 'pg';
import { expect, it } from 'vitest';
import { describeOnEveryEngine } from './engines.ts';
import { openLedger, sql } from './servers.ts';

describeOnEveryEngine('a database that answers and takes no write', (database, server) => {
  it('is told from one that does, and its return too', async () => {
    const url = await database();
    const name = new URL(url).pathname.slice(1);
    const ledger = await openLedger(url);
    try {
      expect(ledger.isWritable()).toBe(true);
      await sql(server().url, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      const reconnect = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()';
      await sql(url, reconnect, [name]);
      await expect.poll(ledger.isWritable, { timeout: 10_000 }).toBe(false);
      await ledger.ping();
      await sql(server().url, `ALTER DATABASE ${name} RESET default_transaction_read_only`);
      await sql(url, reconnect, [name]);
      await expect.poll(ledger.isWritable, { timeout: 10_000 }).toBe(true);
    } finally {
      await ledger.close();
    }
  });

  it('does not keep a gateway from its start, which then can tell why it is not ready', async () => {
    const url = await database();
    await (await openLedger(url)).close();
    await sql(
      url,
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no space' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON write_checks EXECUTE FUNCTION full_disk()`,
    );
    const ledger = await openLedger(url);
    try {
      await ledger.ping();
      expect(ledger.isWritable()).toBe(false);
      await sql(url, 'DROP TRIGGER full_disk ON write_checks');
      await expect.poll(ledger.isWritable, { timeout: 10_000 }).toBe(true);
    } finally {
      await ledger.close();
    }
  });

  it('does not hold up the look at the disk by a write that hangs: the reserve is what ends such a wait', async () => {
    const url = await database();
    let looks = 0;
    const ledger = await openLedger(url, { disk: { isShort: () => false, check: async () => void looks++ } });
    const holder = new Client(url);
    await holder.connect();
    try {
      await holder.query('BEGIN; LOCK TABLE write_checks IN ACCESS EXCLUSIVE MODE');
      await expect.poll(() => looks, { timeout: 4_900 }).toBeGreaterThanOrEqual(1);
      looks = 0;
      await expect.poll(() => looks, { timeout: 4_900 }).toBeGreaterThanOrEqual(2);
    } finally {
      await holder.end();
      await ledger.close();
    }
  });

  it('leaves no connection behind where the start fails', async () => {
    const url = await database();
    await (await openLedger(url)).close();
    await sql(url, 'ALTER TABLE leases ADD CHECK (renewals < 0) NOT VALID');
    await expect(openLedger(url)).rejects.toThrow('violates check constraint');
    const others = `SELECT count(*)::integer AS n FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'vedette'`;
    await expect.poll(() => sql(url, others), { timeout: 5_000 }).toEqual([{ n: 0 }]);
  });

  it('tries a row that needs a page of its own: what fits into old pages a full disk still takes', async () => {
    const url = await database();
    await (await openLedger(url)).close();
    const sizes = "SELECT count(*)::integer AS rows, pg_relation_size('write_checks') / 8192 AS pages FROM write_checks";
    await sql(url, 'INSERT INTO write_checks SELECT filler FROM write_checks, generate_series(1, 9)');
    expect(await sql(url, sizes)).toEqual([{ rows: 10, pages: '10' }]);
  });
});
