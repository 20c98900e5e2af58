import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generateKey } from '@vedette/ledger';
import { hashSecret } from '../../packages/ledger/src/keys/key-format.ts';
import { describeOnEveryEngine } from './engines.ts';
import { openLedger, sql, OPERATOR } from './servers.ts';

const MIGRATIONS = join(import.meta.dirname, '../../packages/ledger/migrations');
const FILES = readdirSync(MIGRATIONS).sort();

const versionOf = (name: string): number => Number(name.slice(0, 3));

/** The schema as it was at a version. */
async function migrateTo(url: string, version: number): Promise<void> {
  await sql(
    url,
    'CREATE TABLE schema_migrations (version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  for (const name of FILES.slice(0, version)) {
    await sql(url, await readFile(join(MIGRATIONS, name), 'utf8'));
    await sql(url, 'INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', [versionOf(name), name]);
  }
}

describeOnEveryEngine('migrations', (database) => {
  it('bring a populated first schema to the newest one, and what it held still works', async () => {
    const url = await database();
    const key = generateKey();
    await migrateTo(url, 1);
    await sql(
      url,
      `INSERT INTO plans (id, monthly_credits) VALUES ('basic', 100);
      INSERT INTO accounts (id, name, plan_id, spent, period_ends) VALUES ('acme', 'Acme', 'basic', 30, next_reset(now(), 1));
      INSERT INTO entries SELECT '019a0000-0000-7000-8000-000000000001', 'acme', 30, 'ping-test', now(), period_ends FROM accounts;
      INSERT INTO usage_daily VALUES ('acme', (now() AT TIME ZONE 'UTC')::date, 30)`,
    );
    await sql(url, `INSERT INTO api_keys (id, account_id, name, secret_sha256) VALUES ($1, 'acme', 'old', $2)`, [
      key.id,
      hashSecret(key.secret),
    ]);

    const ledger = await openLedger(url);
    try {
      expect(await ledger.authenticate(key.text)).toEqual({
        id: 'acme',
        keyId: key.id,
        name: 'Acme',
        allowedOperations: null,
        allowedCidrs: null,
        unmeteredProbe: false,
        portScan: false,
        brands: '',
      });
      await ledger.settle(await ledger.reserve({ account: { id: 'acme' }, cost: 5, operation: 'ping-test', deadlineMs: 1_000 }));
      expect((await ledger.usage({ id: 'acme' })).remaining).toBe(65);
      expect(await ledger.audit()).toEqual([]);
    } finally {
      await ledger.close();
    }
    expect(await sql(url, 'SELECT version FROM schema_migrations ORDER BY version')).toEqual(
      FILES.map((name) => ({ version: versionOf(name) })),
    );
  });

  it('let keys of the schema before live as long when they are rotated', async () => {
    const url = await database();
    await migrateTo(url, 3);
    await sql(
      url,
      `INSERT INTO plans (id, monthly_credits) VALUES ('basic', 100);
      INSERT INTO accounts (id, name, plan_id, period_ends) VALUES ('acme', 'Acme', 'basic', next_reset(now(), 1));
      INSERT INTO api_keys (id, account_id, name, secret_sha256, created_at, expires_at, rotated_from) VALUES
        ('month', 'acme', 'x', sha256('1'), now() - interval '10 days', now() + interval '20 days', NULL),
        ('rotated', 'acme', 'x', sha256('2'), now() - interval '10 days', now() + interval '1 hour', NULL),
        ('successor', 'acme', 'x', sha256('3'), now() - interval '1 hour', NULL, 'rotated')`,
    );
    const ledger = await openLedger(url);
    try {
      const expiries = await Promise.all(
        ['month', 'rotated', 'successor'].map(async (id) => (await ledger.admin.rotateKey(OPERATOR, id, {})).expires_at),
      );
      expect(expiries).toEqual([expect.any(String), null, null]);
      expect(Date.parse(expiries[0]!)).toBeCloseTo(Date.now() + 30 * 86_400_000, -5);
    } finally {
      await ledger.close();
    }
  });

  it('let one come in behind a later one', async () => {
    const url = await database();
    await (await openLedger(url)).close();
    await sql(url, 'DROP TABLE lockouts, rate_limits, deny_list, idempotency_keys; DELETE FROM schema_migrations WHERE version = 2');
    await (await openLedger(url)).close();
    expect(await sql(url, `SELECT to_regclass('deny_list')::text AS there`)).toEqual([{ there: 'deny_list' }]);
  });

  it('run once when gateways start together', async () => {
    const url = await database();
    const ledgers = await Promise.all(Array.from({ length: 4 }, () => openLedger(url)));
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    expect(await sql(url, 'SELECT count(*)::integer AS n FROM schema_migrations')).toEqual([{ n: FILES.length }]);
  });

  it('refuse a schema that is newer than the program', async () => {
    const url = await database();
    await (await openLedger(url)).close();
    await sql(url, `INSERT INTO schema_migrations (version, name) VALUES (999, '999_future.sql')`);
    await expect(openLedger(url)).rejects.toThrow(`the database has schema 999, this program knows ${versionOf(FILES.at(-1)!)}`);
  });

  it('leave nothing behind when one fails', async () => {
    const url = await database();
    await sql(url, 'CREATE TABLE lockouts (in_the_way integer)');
    await expect(openLedger(url)).rejects.toThrow('lockouts');
    expect(await sql(url, `SELECT to_regclass('accounts') AS accounts`)).toEqual([{ accounts: null }]);
  });
});
