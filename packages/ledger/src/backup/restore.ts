import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { Client } from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { partitionOf } from '../audit/measurements.ts';
import { applyMigrations } from '../store/migrate.ts';
import type { BackedUp } from './back-up.ts';
import { type BackupHead, readEnd, readHead, SESSION } from './format.ts';
import { type Section, sectionsOf } from './sections.ts';

/** The contents of a backup. */
export interface Restored {
  head: BackupHead;
  rows: BackedUp;
}

export interface RestoreOptions {
  /** Called once, before anything is written for good: what it throws leaves the database empty. */
  secrets(secrets: BackupHead['secrets']): Promise<void>;
}

/**
 * Fills an empty database from a backup, all of it or nothing, and brings its schema up to date. `chunks` is the text, no longer gzipped. Throws where
 * the database is not empty, the backup is not whole, or of a newer program.
 */
export async function restore(url: string, chunks: AsyncIterable<Buffer>, { secrets }: RestoreOptions): Promise<Restored> {
  const client = new Client({ connectionString: url, application_name: 'vedette restore' });
  client.on('error', () => undefined); // the query that it breaks rejects
  await client.connect();
  try {
    await client.query(SESSION);
    await client.query('BEGIN');
    const restored = await fill(client, sectionsOf(chunks));
    await secrets(restored.head.secrets);
    await client.query('COMMIT');
    await client.query('ANALYZE');
    return restored;
  } finally {
    await client.end(); // an open transaction goes with its connection
  }
}

async function fill(client: Client, sections: AsyncGenerator<Section>): Promise<Restored> {
  const first = await sections.next();
  const head = readHead(first.done !== true && first.value.kind === 'line' ? first.value.text : '');
  const [there] = (await client.query<{ there: boolean }>(`SELECT to_regclass('schema_migrations') IS NOT NULL AS there`)).rows;
  if (there?.there !== false) throw new Error('the database is not empty: restore into a new one');
  await applyMigrations(client, head.schema);
  const rows: Record<string, number> = {};
  let end: ReadonlyMap<string, number> | undefined;
  for await (const section of sections) {
    if (section.kind === 'table') rows[section.table] = await fillTable(client, section, sections);
    else if (section.kind === 'line') end = readEnd(section.text);
    if (end !== undefined) break;
  }
  if (end === undefined) throw new Error('this backup is not whole: its last line is missing');
  for (const [table, count] of end)
    if (rows[table] !== count) throw new Error(`this backup is damaged: ${table} has ${rows[table] ?? 'no'} rows of ${count}`);
  await goOnCounting(client);
  await applyMigrations(client);
  return { head, rows };
}

/** Resolves to how many rows came. Rows of the backup replace the rows that a migration wrote. */
async function fillTable(client: Client, { table, columns }: { table: string; columns: string }, sections: AsyncGenerator<Section>) {
  const partition = partitionOf(table);
  if (partition !== undefined) await client.query(partition);
  // A name without a schema might be one of PostgreSQL's own tables.
  const { rows: ours } = await client.query(
    `SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname = $1`,
    [table],
  );
  if (ours.length === 0) throw new Error(`this backup has a table that its schema does not have: ${table}`);
  const [there] = (await client.query<{ there: boolean }>(`SELECT EXISTS (SELECT FROM ${table}) AS there`)).rows;
  if (there?.there) await client.query(`DELETE FROM ${table}`);
  const into = client.query(copyFrom(`COPY ${table} (${columns}) FROM STDIN`));
  const done = finished(into);
  done.catch(() => undefined); // awaited below, and in `write`
  for (;;) {
    const { value: section } = await sections.next();
    if (section?.kind !== 'rows') break;
    await write(into, section.bytes, done);
  }
  into.end();
  await done;
  return into.rowCount;
}

async function write(into: CopyStreamQuery, bytes: Buffer, done: Promise<void>): Promise<void> {
  if (!into.write(bytes)) await Promise.race([once(into, 'drain'), done]);
}

/** Has identity columns go on behind what came. */
async function goOnCounting(client: Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(`
    SELECT format('SELECT setval(pg_get_serial_sequence(%L, %L), max(%I)) FROM %I HAVING max(%3$I) IS NOT NULL', c.relname, a.attname, a.attname, c.relname)
      AS statement
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE a.attidentity <> '' AND c.relnamespace = current_schema()::regnamespace`);
  for (const { statement } of rows) await client.query(statement);
}
