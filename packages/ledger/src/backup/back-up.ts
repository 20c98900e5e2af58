import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { BACKUP_LOCK } from '../audit/measurements.ts';
import { type BackupHead, COPY_LINE, END_OF_ROWS, endLine, FORMAT, headLine, SESSION } from './format.ts';

/** Tables that are filled again by themselves, `usage_by_key` by the entries, or mean nothing to another server; people sign in again. */
const LEFT_OUT = ['schema_migrations', 'rate_limits', 'usage_by_key', 'write_checks', 'sessions'];

/** Our tables, partitions in place of what they are parts of, with the columns that have values of their own, and the tables that each refers to. */
const TABLES = `
  SELECT c.relname AS name,
    (SELECT array_agg(a.attname::text ORDER BY a.attnum) FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
    ARRAY(SELECT DISTINCT r.relname::text FROM pg_constraint k JOIN pg_class r ON r.oid = k.confrelid
      WHERE k.contype = 'f' AND k.conrelid = c.oid AND k.confrelid <> c.oid) AS needs
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> ALL ($1)
  ORDER BY c.relname`;

interface Table {
  name: string;
  columns: string[];
  needs: string[];
}

/** How many rows were written, by table. */
export type BackedUp = Readonly<Record<string, number>>;

/**
 * Writes all that is in the database as of one moment, while gateways go on working; gzip is the caller's. Memory is bounded whatever the size of the
 * tables. Throws where the database cannot be read, `to` not be written, or a table is named as none of ours is: nothing of its name reaches SQL.
 */
export async function backUp(url: string, to: Writable, head: Pick<BackupHead, 'version' | 'created_at' | 'secrets'>): Promise<BackedUp> {
  const client = new Client({ connectionString: url, application_name: 'vedette backup' });
  client.on('error', () => undefined); // the query that it breaks rejects
  await client.connect();
  try {
    await client.query(SESSION);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SELECT pg_advisory_xact_lock_shared($1)', [BACKUP_LOCK]);
    const schema = (await client.query<{ version: number }>('SELECT version FROM schema_migrations ORDER BY version')).rows;
    const { rows: tables } = await client.query<Table>(TABLES, [LEFT_OUT]);
    await write(to, headLine({ vedette_backup: FORMAT, ...head, schema: schema.map(({ version }) => version) }));
    const written: Record<string, number> = {};
    for (const { name, columns } of inOrder(tables)) {
      const list = columns.join(', ');
      const copyLine = `COPY ${name} (${list}) FROM stdin;`;
      if (!COPY_LINE.test(copyLine))
        throw new Error(`the table ${JSON.stringify(name)} is none of ours: Vedette wants a database of its own`);
      await write(to, `${copyLine}\n`);
      const rows = client.query(copyTo(`COPY (SELECT ${list} FROM ${name}) TO STDOUT`));
      for await (const chunk of rows) await write(to, chunk as Buffer);
      await write(to, `${END_OF_ROWS}\n`);
      written[name] = rows.rowCount;
    }
    await write(to, endLine(written));
    await client.query('COMMIT');
    return written;
  } finally {
    await client.end();
  }
}

/** Tables behind those that they refer to. */
function inOrder(tables: readonly Table[]): Table[] {
  const ordered = new Set<Table>();
  const add = (table: Table): void => {
    for (const other of tables) if (table.needs.includes(other.name) && !ordered.has(other)) add(other);
    ordered.add(table);
  };
  for (const table of tables) add(table);
  return [...ordered];
}

/** Waits where the other side is slower than the database. */
async function write(to: Writable, data: Buffer | string): Promise<void> {
  if (to.errored) throw to.errored;
  if (!to.write(data)) await once(to, 'drain');
}
