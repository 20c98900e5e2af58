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

  it('tries a row that needs a page of its own: what fits into old pages a full disk still takes', async () => {
    const url = await database();
    await (await openLedger(url)).close();
    const sizes = "SELECT count(*)::integer AS rows, pg_relation_size('write_checks') / 8192 AS pages FROM write_checks";
    await sql(url, 'INSERT INTO write_checks SELECT filler FROM write_checks, generate_series(1, 9)');
    expect(await sql(url, sizes)).toEqual([{ rows: 10, pages: '10' }]);
  });
});
