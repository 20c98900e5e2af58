import { ApiError } from '@vedette/contract';
import { iso, type Queries, type Store } from './store.ts';

/** The most locations that are remembered: on a bus without keys, any client may beat with any name. */
const MAX_LOCATIONS = 1_000;

/** A location as operators see it. */
export interface KnownLocation {
  id: string;
  known_since: string;
  /** When an agent there was last heard, to the minute; null: never. */
  seen_at: string | null;
}

/** The locations that were ever prepared or seen, until an operator removes them; gateways share them. */
export interface Locations {
  /** Their ids as they were last read. Answers from memory. */
  ids: () => readonly string[];
  /** Takes over what was changed elsewhere. */
  refresh: () => Promise<void>;
  /**
   * Remembers locations, and of those that are `true` that an agent was heard there now, which brings back one that was removed. Throws
   * `ApiError` ledger_unavailable.
   */
  note: (heard: ReadonlyMap<string, boolean>) => Promise<void>;
  list: () => Promise<KnownLocation[]>;
  /** Throws `ApiError` invalid_parameter when there are too many. Like what is removed, it takes effect with the next `refresh`. */
  add: (database: Queries, id: string) => Promise<KnownLocation>;
  /** True when it was known. */
  remove: (database: Queries, id: string) => Promise<boolean>;
}

const COLUMNS = `id, ${iso('known_since')} AS known_since, ${iso('seen_at')} AS seen_at`;
const ROOM = `${MAX_LOCATIONS} - (SELECT count(*) FROM locations WHERE removed_at IS NULL)`;

// Sorted, so that two gateways that note the same ones do not deadlock. A minute's second gateway changes nothing.
const NOTE = {
  name: 'locations-note',
  text: `
  WITH heard AS (
    SELECT id, seen, known.id IS NULL AS is_new, row_number() OVER (PARTITION BY known.id IS NULL ORDER BY id) AS nth
    FROM unnest($1::text[], $2::boolean[]) AS noted (id, seen) LEFT JOIN locations AS known USING (id)
  )
  INSERT INTO locations AS l (id, seen_at)
  SELECT id, CASE WHEN seen THEN date_trunc('minute', now()) END FROM heard WHERE NOT is_new OR nth <= ${ROOM} ORDER BY id
  ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, removed_at = NULL
  WHERE excluded.seen_at IS NOT NULL AND (l.removed_at IS NOT NULL OR l.seen_at IS DISTINCT FROM excluded.seen_at)`,
};

export function createLocations({ durable, relaxed }: Store): Locations {
  let ids: readonly string[] = [];
  /** Answers may overtake each other: an older one does not replace a newer. */
  let sequence = 0;
  let newest = 0;

  async function refresh(): Promise<void> {
    const number = ++sequence;
    const rows = await relaxed.query<{ id: string }>({ text: 'SELECT id FROM locations WHERE removed_at IS NULL' });
    if (number < newest) return;
    newest = number;
    ids = rows.map(({ id }) => id);
  }

  return {
    ids: () => ids,
    refresh,
    async note(heard) {
      await relaxed.query({ ...NOTE, values: [[...heard.keys()], [...heard.values()]] });
      await refresh();
    },
    list: () => durable.query<KnownLocation>({ text: `SELECT ${COLUMNS} FROM locations WHERE removed_at IS NULL ORDER BY id COLLATE "C"` }),
    async add(database, id) {
      const [row] = await database.query<KnownLocation>({
        text: `INSERT INTO locations (id) SELECT $1 WHERE ${ROOM} > 0 OR EXISTS (SELECT FROM locations WHERE id = $1)
          ON CONFLICT (id) DO UPDATE SET removed_at = NULL RETURNING ${COLUMNS}`,
        values: [id],
      });
      if (!row) throw new ApiError('invalid_parameter', `the limit of ${MAX_LOCATIONS} locations is reached`);
      return row;
    },
    async remove(database, id) {
      const rows = await database.query({
        text: 'UPDATE locations SET removed_at = now() WHERE id = $1 AND removed_at IS NULL RETURNING id',
        values: [id],
      });
      return rows.length > 0;
    },
  };
}
