import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientBase } from 'pg';

const DIRECTORY = join(import.meta.dirname, '../../migrations');
/** Names our advisory lock among others on the same server. */
const LOCK = 0x7665_6465;

interface Migration {
  version: number;
  name: string;
}

/**
 * Brings the schema to the newest version: files `001_name.sql` … in order, each that was not applied yet (one may come in behind a
 * later one), forward only, all in one transaction under an advisory lock, so that gateways that start together do it once. Throws when the schema is newer than we are.
 */
export async function migrate(client: ClientBase): Promise<void> {
  await client.query('BEGIN');
  try {
    await applyMigrations(client);
    await client.query('COMMIT');
  } catch (cause) {
    await client.query('ROLLBACK');
    throw cause;
  }
}

/** The same within a transaction of the caller's. `wanted`: these versions only, all of which must be known here. */
export async function applyMigrations(client: ClientBase, wanted?: readonly number[]): Promise<void> {
  const migrations = await listMigrations();
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migrations (version integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_migrations');
  const applied = new Set(rows.map(({ version }) => version));
  const current = Math.max(0, ...applied, ...(wanted ?? []));
  const newest = migrations.at(-1)!.version;
  if (current > newest) throw new Error(`the database has schema ${current}, this program knows ${newest}: start a newer version`);
  for (const { version, name } of migrations.filter((migration) => !applied.has(migration.version))) {
    if (wanted !== undefined && !wanted.includes(version)) continue;
    await client.query(await readFile(join(DIRECTORY, name), 'utf8'));
    await client.query('INSERT INTO schema_migrations (version, name) VALUES ($1, $2)', [version, name]);
  }
}

async function listMigrations(): Promise<Migration[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => /^\d{3}_\w+\.sql$/.test(name)).sort();
  return names.map((name) => ({ version: Number(name.slice(0, 3)), name }));
}
