import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';

/**
 * A backup is gzipped text that looks like what pg_dump writes: a line that says what it is, for each table a `COPY … FROM stdin;` with its rows in
 * PostgreSQL's text format up to a line `\.`, and a last line with how many rows there were, without which it is not whole.
 */
export const FORMAT = 1;

/** Names of tables and columns, as our migrations write them: nothing of a file reaches SQL that is not one. */
const NAME = '[a-z][a-z0-9_]{0,62}';
export const COPY_LINE = new RegExp(`^COPY (${NAME}) \\((${NAME}(?:, ${NAME})*)\\) FROM stdin;$`);
export const END_OF_ROWS = '\\.';

const Head = Type.Object({
  vedette_backup: Type.Literal(FORMAT),
  /** The version of the program that wrote it. */
  version: Type.String(),
  created_at: Type.String(),
  /** Migrations that its schema had. */
  schema: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: 10_000 }),
  /** Files of the data directory that clients and operators depend on, by name. */
  secrets: Type.Record(Type.String(), Type.String()),
});
export type BackupHead = Static<typeof Head>;

const End = Type.Object({ vedette_backup_end: Type.Record(Type.String(), Type.Integer({ minimum: 0 })) });

const heads = Compile(Head);
const ends = Compile(End);

const commentOf = (value: unknown): string => `-- ${JSON.stringify(value)}\n`;
export const headLine = (head: BackupHead): string => commentOf(head);
export const endLine = (rows: Readonly<Record<string, number>>): string => commentOf({ vedette_backup_end: rows });

/** The first line of a backup. Throws when the line is not such a line, or names an unknown format. */
export function readHead(line: string): BackupHead {
  const head = jsonOf(line);
  if (heads.Check(head)) return head;
  if (typeof head === 'object' && head !== null && 'vedette_backup' in head && head.vedette_backup !== FORMAT)
    throw new Error(`this backup is of format ${JSON.stringify(head.vedette_backup)}, this program knows ${FORMAT}: use a newer version`);
  throw new Error('this is no backup of Vedette');
}

/** Rows by table, as the last line says. Returns undefined for other lines. */
export function readEnd(line: string): ReadonlyMap<string, number> | undefined {
  const end = jsonOf(line);
  return ends.Check(end) ? new Map(Object.entries(end.vedette_backup_end)) : undefined;
}

function jsonOf(line: string): unknown {
  try {
    return line.startsWith('-- ') ? JSON.parse(line.slice(3)) : undefined;
  } catch {
    return undefined;
  }
}

/** How values are written as text, whatever the server's own settings: the same for who writes and who reads. */
export const SESSION = `SET TIME ZONE 'UTC'; SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET client_encoding = 'UTF8'`;
