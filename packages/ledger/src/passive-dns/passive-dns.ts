import { ApiError, type PassiveDns } from '@vedette/contract';
import { recordAct, type Operator } from '../audit/acts.ts';
import type { Disk } from '../embedded/disk-reserve.ts';
import { type Queries, type Store, iso } from '../store/store.ts';

export const NAMES_PER_PAGE = 500;
/** Pages of one address. A network of caches has millions of names at one: the last seen of them are shown. */
export const MAX_PAGES = 200;
/** Names below one registrable domain that are kept of one address: behind a wildcard there are as many as one likes. */
const MAX_BELOW_DOMAIN = 200;
/** A name that is seen all day is written once: sightings are told by the day. */
const SEEN_AGAIN = '23 hours';
const SWEEP_ROWS = 5_000;
const SWEEPS_AT_ONCE = 20;
/** The oldest go before the table is full, so that there is room for what is new. */
const FULL = 0.99;
/** Finished imports are remembered as long. */
const IMPORTS_KEPT = '90 days';

export interface PassiveDnsLimits {
  /** Some 250 bytes each, with the indexes. */
  maxRows: number;
  /** How long a name is kept after it was last seen. */
  months: number;
}
export const PASSIVE_DNS_LIMITS: PassiveDnsLimits = { maxRows: 20_000_000, months: 13 };

/** A name at an IPv4 address. */
export interface Sighting {
  address: string;
  /** A host's name in lower-case A-labels, without the trailing dot. */
  name: string;
  /** Its registrable domain. */
  domain: string;
  /** Epoch seconds. A time in the future counts as now. */
  seen: number;
}

/** The result of adding sightings. The rest was known, as late or later. */
export interface Written {
  added: number;
  updated: number;
  /** There was no room: for the table, or for more names below their domain. */
  refused: number;
  /** Last seen longer ago than anything is kept. */
  expired: number;
}

/** The result of importing a file's names at addresses. */
export interface WrittenRows extends Written {
  /** Inner names, special addresses, and texts that are not host names. */
  unfit: number;
}

/** A part of a file that was read. */
export interface ImportProgress {
  id: string;
  /** How many lines were done before, and are done now. */
  from: number;
  lines: number;
  /** Nothing comes after these. */
  done: boolean;
  /** The part of it that must not be written. */
  unfit: number;
}

export interface PassiveDnsImport {
  id: string;
  file: string;
  /** Lines that are done. */
  lines: number;
  /** The result of the last one, for a client that lost the answer; empty before the first. */
  last: Partial<WrittenRows>;
  began_at: string;
  finished_at: string | null;
}

export interface PassiveDnsStatus {
  rows: number;
  max_rows: number;
  months: number;
  imports: PassiveDnsImport[];
}

/** Passive DNS in the database, on connections of its own. All throw `ApiError` ledger_unavailable. */
export interface PassiveDnsStore extends PassiveDns {
  /** Writes what was seen by ourselves: pairs that are known at most once a day. */
  note(sightings: readonly Sighting[]): Promise<Written>;
  /** Begins an import, or goes on with it: tells how many lines are done. */
  beginImport(by: Operator, file: { id: string; file: string }): Promise<{ lines: number }>;
  /** Writes what a file holds, and how far it was read, in one transaction. Throws `ApiError` invalid_parameter where it has not begun, or is elsewhere. */
  addImported(progress: ImportProgress, sightings: readonly Sighting[]): Promise<WrittenRows>;
  /** Deletes a name and all names below it, at every address. */
  forget(name: string): Promise<void>;
  status(): Promise<PassiveDnsStatus>;
  /** Deletes some of what is too old, or too much. */
  sweep: () => Promise<void>;
}

const PAGE = {
  name: 'passive-dns-page',
  text: `SELECT name, last_seen FROM passive_dns WHERE address = $1 ORDER BY last_seen DESC, name LIMIT ${NAMES_PER_PAGE} OFFSET $2`,
};

// Rows go in by the order of their index, so that two gateways that write the same ones do not deadlock. The domain itself always has room.
// It has no name, so that it is planned each time, in a millisecond: an import makes a large table of a small one, and what was good for that
// may read every name of an address for each that is new.
const WRITE = `
  WITH given AS (
    SELECT address, name, domain, least(to_timestamp(seen), now()) AS seen
    FROM unnest($1::inet[], $2::text[], $3::text[], $4::float8[]) AS s (address, name, domain, seen)
  ), fresh AS (
    SELECT address, name, domain, max(seen) AS seen FROM given WHERE seen >= now() - $5::interval GROUP BY address, name, domain
  ), told AS (
    SELECT *, EXISTS (SELECT FROM passive_dns p WHERE p.address = f.address AND reverse(p.name) = reverse(f.name)) AS known FROM fresh f
  ), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY known, address, domain ORDER BY seen DESC, name) AS nth FROM told
  ), fitting AS (
    SELECT address, name, seen FROM ranked r
    WHERE known OR ((SELECT rows FROM passive_dns_size) < $6 AND (name = domain OR nth + (
      SELECT count(*) FROM (
        SELECT FROM passive_dns p
        WHERE p.address = r.address AND reverse(p.name) >= reverse(r.domain) || '.' AND reverse(p.name) < reverse(r.domain) || '/'
        LIMIT ${MAX_BELOW_DOMAIN}
      ) AS below) <= ${MAX_BELOW_DOMAIN}))
  ), written AS (
    INSERT INTO passive_dns AS p (address, name, last_seen) SELECT address, name, seen FROM fitting ORDER BY address, reverse(name)
    ON CONFLICT (address, reverse(name)) DO UPDATE SET last_seen = excluded.last_seen
    WHERE p.last_seen < excluded.last_seen - $7::interval
    RETURNING xmax = 0 AS added
  ), counted AS (
    UPDATE passive_dns_size SET rows = rows + (SELECT count(*) FROM written WHERE added) WHERE EXISTS (SELECT FROM written WHERE added)
  )
  SELECT (SELECT count(*) FROM written WHERE added) AS added, (SELECT count(*) FROM written WHERE NOT added) AS updated,
    (SELECT count(*) FROM fresh) - (SELECT count(*) FROM fitting) AS refused,
    (SELECT count(*) FROM given WHERE seen < now() - $5::interval) AS expired`;

const FORGET = {
  name: 'passive-dns-forget',
  text: `
  WITH gone AS (
    DELETE FROM passive_dns WHERE reverse(name) = reverse($1) OR (reverse(name) >= reverse($1) || '.' AND reverse(name) < reverse($1) || '/')
    RETURNING 1
  )
  UPDATE passive_dns_size SET rows = greatest(0, rows - (SELECT count(*) FROM gone)) WHERE EXISTS (SELECT FROM gone)`,
};

const SWEEP = {
  name: 'passive-dns-sweep',
  text: `
  WITH size AS (SELECT rows - $2 AS beyond FROM passive_dns_size FOR UPDATE), gone AS (
    DELETE FROM passive_dns WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM passive_dns
      WHERE last_seen < (SELECT CASE WHEN beyond > 0 THEN 'infinity' ELSE now() - $1::interval END FROM size) ORDER BY last_seen
      LIMIT (SELECT CASE WHEN beyond > 0 THEN least(${SWEEP_ROWS}, beyond) ELSE ${SWEEP_ROWS} END FROM size)))
    RETURNING 1
  )
  UPDATE passive_dns_size SET rows = greatest(0, rows - (SELECT count(*) FROM gone)) RETURNING (SELECT count(*) FROM gone) AS gone`,
};

const noRoom = (): ApiError => new ApiError('ledger_unavailable', 'the disk is nearly full', { retryAfterS: 60 });

export function createPassiveDns(
  { archive, durable }: Store,
  { maxRows, months }: PassiveDnsLimits,
  disk: Pick<Disk, 'isShort'>,
): PassiveDnsStore {
  const kept = `${months} months`;

  async function write(database: Queries, sightings: readonly Sighting[], again: string): Promise<Written> {
    const columns = [
      sightings.map(({ address }) => address),
      sightings.map(({ name }) => name),
      sightings.map(({ domain }) => domain),
      sightings.map(({ seen }) => seen),
    ];
    const [written] = await database.query<Written & Record<string, number>>({ text: WRITE, values: [...columns, kept, maxRows, again] });
    return written!;
  }

  return {
    async namesAt(address, page) {
      if (page > MAX_PAGES) return [];
      return await archive.query<{ name: string; last_seen: Date }>({ ...PAGE, values: [address, (page - 1) * NAMES_PER_PAGE] });
    },
    async note(sightings) {
      if (disk.isShort()) throw noRoom();
      return await write(archive, sightings, SEEN_AGAIN);
    },
    async forget(name) {
      await archive.query({ ...FORGET, values: [name] });
    },
    beginImport: (by, { id, file }) =>
      durable.transaction(async (database) => {
        await database.query({
          text: `DELETE FROM passive_dns_imports WHERE finished_at < now() - interval '${IMPORTS_KEPT}' OR (id = $1 AND finished_at IS NOT NULL)`,
          values: [id],
        });
        const [begun] = await database.query<{ lines: number }>({
          text: `INSERT INTO passive_dns_imports AS i (id, file) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET file = excluded.file RETURNING i.lines`,
          values: [id, file],
        });
        await recordAct(database, by, { act: 'passive_dns.import', subject: file, detail: { id, from_line: begun!.lines } });
        return begun!;
      }),
    addImported: ({ id, from, lines, done, unfit }, sightings) =>
      disk.isShort()
        ? Promise.reject(noRoom())
        : archive.transaction(async (database) => {
            const moved = await database.query({
              text: `UPDATE passive_dns_imports SET lines = $3, finished_at = CASE WHEN $4 THEN now() END
            WHERE id = $1 AND lines = $2 AND finished_at IS NULL RETURNING id`,
              values: [id, from, lines, done],
            });
            if (moved.length === 0)
              throw new ApiError('invalid_parameter', 'another import of this file is running, or no import was started');
            const written = { ...(await write(database, sightings, '0')), unfit };
            await database.query({ text: 'UPDATE passive_dns_imports SET last = $2 WHERE id = $1', values: [id, written] });
            return written;
          }),
    async status() {
      const [size] = await archive.query<{ rows: number }>({ text: 'SELECT rows FROM passive_dns_size' });
      const imports = await archive.query<PassiveDnsImport & Record<string, unknown>>({
        text: `SELECT id, file, lines, last, ${iso('began_at')} AS began_at, ${iso('finished_at')} AS finished_at
          FROM passive_dns_imports ORDER BY passive_dns_imports.began_at DESC LIMIT 100`,
      });
      return { rows: size!.rows, max_rows: maxRows, months, imports };
    },
    async sweep() {
      for (let swept = 0; swept < SWEEPS_AT_ONCE; swept++) {
        const [{ gone } = { gone: 0 }] = await archive.query<{ gone: number }>({ ...SWEEP, values: [kept, Math.floor(maxRows * FULL)] });
        if (gone < SWEEP_ROWS) return;
      }
    },
  };
}
