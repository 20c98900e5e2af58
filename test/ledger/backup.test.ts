import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { backUp, restore } from '@vedette/ledger';
import { afterEach, expect, it } from 'vitest';
import { applyMigrations } from '../../packages/ledger/src/store/migrate.ts';
import { Client } from 'pg';
import { describeOnEveryEngine } from './engines.ts';
import { createAccount, OPERATOR, openLedger, sql } from './servers.ts';

const HEAD = { version: '1.2.3', created_at: '2026-11-22T08:00:00.000Z', secrets: { 'bootstrap-key': 'vdt_…\n' } };
const NO_SECRETS = { secrets: async () => undefined };

async function backUpToMemory(url: string): Promise<{ rows: Readonly<Record<string, number>>; text: Buffer }> {
  const to = new PassThrough();
  const text = buffer(to);
  const rows = await backUp(url, to, HEAD);
  to.end();
  return { rows, text: await text };
}

/** A text as it may arrive from a disk. */
async function* inPieces(text: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size);
}

/** Every row of every table that a backup has, as text. */
async function contentOf(url: string, tables: readonly string[]): Promise<Record<string, unknown[]>> {
  const content: Record<string, unknown[]> = {};
  for (const table of tables)
    content[table] = (await sql<{ row: string }>(url, `SELECT t::text AS row FROM ${table} t ORDER BY 1`)).map(({ row }) => row);
  return content;
}

/** Something in every table, odd characters among it. */
async function populate(url: string): Promise<void> {
  const ledger = await openLedger(url);
  try {
    const account = await createAccount(ledger, 1_000, 50);
    const key = await ledger.admin.createKey(OPERATOR, { account: account.id, name: 'tab\t new\nline \\. "quoted" ünï \\N' });
    await ledger.admin.rotateKey(OPERATOR, key.id, {});
    for (let i = 0; i < 20; i++)
      await ledger.settle(await ledger.reserve({ account, cost: 7, operation: 'ping-test', deadlineMs: 10_000 }));
    await ledger.addMeasurements([
      {
        request_id: crypto.randomUUID(),
        account: account.id,
        key: key.id,
        client: '192.0.2.1',
        operation: 'ping-test',
        target: 'example.org',
        address: '93.184.216.34',
        locations: ['eu-fra', 'we"ird,{}'],
        status: 200,
        age_ms: 5,
      },
    ]);
    await sql(
      url,
      `INSERT INTO deny_list (target, reason) VALUES ('example.org', E'asked\\\\.\\n\\\\.\\nfor'), ('198.51.100.0/24', '');
      INSERT INTO lockouts VALUES ('192.0.2.9', 10, now(), now() + interval '1 hour');
      INSERT INTO locations (id) VALUES ('eu-fra');
      INSERT INTO registrations VALUES ('domain', 'example.org', '{"a": "\\u00e9\\n"}', now(), now(), now());
      INSERT INTO passive_dns SELECT ('192.0.2.' || n % 250)::inet, 'n' || n || '.example.org', now() FROM generate_series(1, 20000) n;
      UPDATE passive_dns_size SET rows = 20000;
      INSERT INTO idempotency_keys VALUES ('a', 'k', 'ping-test', '\\x00ff', gen_random_uuid(), 0, now() + interval '1 hour', E'{"a":1}\\n')`,
    );
    // A hold that its gateway did not live to end.
    await sql(
      url,
      `INSERT INTO leases VALUES ('019a0000-0000-7000-8000-000000000009', 3);
      INSERT INTO reservations VALUES ('019a0000-0000-7000-8000-000000000001', '${account.id}', 9, 'ping-test', now() + interval '1 hour', '019a0000-0000-7000-8000-000000000009');
      UPDATE accounts SET held = held + 9 WHERE id = '${account.id}'`,
    );
  } finally {
    await ledger.close();
  }
}

describeOnEveryEngine('a backup', (database) => {
  const clients: Client[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
  });

  it('has every row of every table, and a new database gets all of them back', async () => {
    const url = await database();
    await populate(url);
    const { rows, text } = await backUpToMemory(url);
    const tables = Object.keys(rows);
    const [{ missing }] = (await sql<{ missing: string[] }>(
      url,
      `SELECT ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> ALL ($1)) AS missing`,
      [tables],
    )) as [{ missing: string[] }];
    expect(missing.toSorted()).toEqual(['rate_limits', 'schema_migrations', 'sessions', 'usage_by_key', 'write_checks']);
    // But for admin_acts and the like each has something, so that the comparison says something.
    expect(Object.entries(rows).filter(([table, count]) => count === 0 && !table.startsWith('measurements_'))).toEqual([
      ['passive_dns_imports', 0],
    ]);

    const fresh = await database();
    let secrets = {};
    const restored = await restore(fresh, inPieces(text, 1_000), { secrets: async (held) => void (secrets = held) });
    expect(restored.rows).toEqual(rows);
    expect(restored.head).toMatchObject(HEAD);
    expect(secrets).toEqual(HEAD.secrets);
    // With the sums, which the entries make again.
    const whole = [...tables, 'usage_by_key'];
    expect(await contentOf(fresh, whole)).toEqual(await contentOf(url, whole));

    // It works on: acts are counted on, days are kept, what a dead gateway held is given back, and the books are right.
    const ledger = await openLedger(fresh);
    try {
      await createAccount(ledger, 10);
      await expect.poll(() => sql(fresh, 'SELECT sum(held)::integer AS held FROM accounts'), { timeout: 10_000 }).toEqual([{ held: 0 }]);
      expect(await ledger.audit()).toEqual([]);
    } finally {
      await ledger.close();
    }
  });

  it('is of one moment, whatever is written meanwhile, and holds nobody up', async () => {
    const url = await database();
    const ledger = await openLedger(url);
    try {
      const account = await createAccount(ledger, 1_000_000);
      await sql(url, `INSERT INTO passive_dns SELECT '192.0.2.1', 'n' || n, now() FROM generate_series(1, 50000) n`);
      const to = new PassThrough({ highWaterMark: 1 });
      const written = backUp(url, to, HEAD);
      await once(to, 'readable');
      // The reader is slow: the backup has begun, and is far from its end.
      for (let i = 0; i < 50; i++)
        await ledger.settle(await ledger.reserve({ account, cost: 3, operation: 'ping-test', deadlineMs: 10_000 }));
      const text = buffer(to);
      await written;
      to.end();
      const fresh = await database();
      await restore(fresh, inPieces(await text, 65_536), NO_SECRETS);
      expect(await sql(fresh, 'SELECT spent::integer FROM accounts')).toEqual([{ spent: 0 }]);
      expect(await sql(fresh, 'SELECT count(*)::integer AS n FROM entries')).toEqual([{ n: 0 }]);
      expect((await ledger.usage(account)).remaining).toBe(1_000_000 - 150);
    } finally {
      await ledger.close();
    }
  });

  it('of an older schema is brought up to date', async () => {
    const url = await database();
    const client = new Client(url);
    clients.push(client);
    await client.connect();
    await client.query('BEGIN');
    await applyMigrations(client, [1, 2, 3]);
    await client.query('COMMIT');
    await sql(
      url,
      `INSERT INTO plans (id, monthly_credits) VALUES ('basic', 100);
      INSERT INTO accounts (id, name, plan_id, period_ends) VALUES ('acme', 'Acme', 'basic', next_reset(now(), 1));
      INSERT INTO api_keys (id, account_id, name, secret_sha256, expires_at) VALUES ('k', 'acme', 'x', sha256('1'), now() + interval '20 days')`,
    );
    const fresh = await database();
    await restore(fresh, inPieces((await backUpToMemory(url)).text, 7), NO_SECRETS);
    // What migration 004 makes of keys that were there.
    expect(await sql(fresh, `SELECT lifetime > interval '19 days' AS lives FROM api_keys`)).toEqual([{ lives: true }]);
  });

  it('is refused where somebody else keeps tables in the database whose names are not ours', async () => {
    const url = await database();
    await populate(url);
    await sql(url, `CREATE TABLE "Users; DROP TABLE plans" (id integer)`);
    await expect(backUpToMemory(url)).rejects.toThrow('"Users; DROP TABLE plans" is none of ours: Vedette wants a database of its own');
    expect(await sql(url, 'SELECT count(*)::integer > 0 AS there FROM plans')).toEqual([{ there: true }]);
  });
  it('is restored wholly or not at all', async () => {
    const url = await database();
    await populate(url);
    const { text } = await backUpToMemory(url);
    const fresh = await database();
    const refused = async (broken: Buffer): Promise<string> => {
      const { message } = await restore(fresh, inPieces(broken, 4_096), NO_SECRETS).then(
        () => new Error('restored'),
        (error: Error) => error,
      );
      expect(await sql(fresh, `SELECT count(*)::integer AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual([
        { n: 0 },
      ]);
      return message;
    };
    const replaced = (from: string | RegExp, by: string): Buffer => Buffer.from(text.toString('utf8').replace(from, by));
    expect(await refused(text.subarray(0, text.length / 2))).toContain('not whole');
    expect(await refused(text.subarray(0, text.lastIndexOf('-- ')))).toContain('its last line is missing');
    expect(await refused(replaced(/^eu-fra\t.*\n/m, ''))).toBe('this backup is damaged: locations has 0 rows of 1');
    expect(await refused(replaced('"vedette_backup":1', '"vedette_backup":2'))).toContain('use a newer version');
    expect(await refused(replaced(/"schema":\[1,/, '"schema":[999,1,'))).toContain('start a newer version');
    expect(await refused(replaced('COPY locations (', 'COPY locations; DROP TABLE plans; -- ('))).toContain('damaged');
    expect(await refused(replaced('COPY locations (', 'COPY pg_authid ('))).toBe(
      'this backup has a table that its schema does not have: pg_authid',
    );
    expect(await refused(Buffer.from('hello'))).toContain('not whole');
    expect(await refused(Buffer.from('hello\n'))).toBe('this is no backup of Vedette');
    expect(await refused(Buffer.alloc(0))).toBe('this is no backup of Vedette');
    const secrets = restore(fresh, inPieces(text, 4_096), { secrets: () => Promise.reject(new Error('no room')) });
    await expect(secrets).rejects.toThrow('no room');
    await restore(fresh, inPieces(text, 4_096), NO_SECRETS);
    await expect(restore(fresh, inPieces(text, 4_096), NO_SECRETS)).rejects.toThrow('the database is not empty');
  });
});
