import type { Store } from '../store/store.ts';

/** About 1 KB each. */
const ROWS_MAX = 500_000;
/** Rows that one statement removes, so few that it does not hold up others. */
const REMOVED_MAX = 20_000;

export type RegistrationKind = 'domain' | 'autnum';

export interface KeptAnswer {
  answer: unknown;
  heard: Date;
  fresh: boolean;
}

/** The registries' answers, shared by all gateways; times are the database's. All of it throws `ApiError` ledger_unavailable. */
export interface Registrations {
  get: (kind: RegistrationKind, name: string) => Promise<KeptAnswer | undefined>;
  put: (kind: RegistrationKind, name: string, answer: object, times: { fresh_s: number; kept_s: number }) => Promise<void>;
  /** Removes what is over, and the oldest of what is too much. */
  expire: () => Promise<void>;
}

const GET = {
  name: 'registrations-get',
  text: `SELECT answer, heard_at AS heard, fresh_until > now() AS fresh FROM registrations WHERE kind = $1 AND name = $2 AND kept_until > now()`,
};
const PUT = {
  name: 'registrations-put',
  text: `
  INSERT INTO registrations (kind, name, answer, fresh_until, kept_until)
  VALUES ($1, $2, $3::jsonb, now() + $4 * interval '1 s', now() + $5 * interval '1 s')
  ON CONFLICT (kind, name) DO UPDATE
  SET answer = excluded.answer, heard_at = now(), fresh_until = excluded.fresh_until, kept_until = excluded.kept_until`,
};
const EXPIRE = {
  text: `DELETE FROM registrations WHERE ctid IN (SELECT ctid FROM registrations WHERE kept_until < now() ORDER BY kept_until LIMIT ${REMOVED_MAX})`,
};
const TRIM = {
  text: `DELETE FROM registrations WHERE heard_at <= (SELECT heard_at FROM registrations ORDER BY heard_at DESC OFFSET $1 LIMIT 1)`,
};

export function createRegistrations({ lookups }: Pick<Store, 'lookups'>, { rowsMax = ROWS_MAX }: { rowsMax?: number } = {}): Registrations {
  return {
    async get(kind, name) {
      const [row] = await lookups.query<{ answer: unknown; heard: Date; fresh: boolean }>({ ...GET, values: [kind, name] });
      return row;
    },
    async put(kind, name, answer, { fresh_s, kept_s }) {
      await lookups.query({ ...PUT, values: [kind, name, JSON.stringify(answer), fresh_s, kept_s] });
    },
    async expire() {
      await lookups.query(EXPIRE);
      await lookups.query({ ...TRIM, values: [rowsMax] });
    },
  };
}
