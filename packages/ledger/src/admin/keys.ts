import { ApiError, parseCidr } from '@vedette/contract';
import type { Operator } from '../audit/acts.ts';
import { generateKey, hashSecret } from '../keys/key-format.ts';
import { iso, type Store } from '../store/store.ts';
import type { MakeAct } from './act.ts';
import type { KeyBody, KeySummary, NewKey, RotateBody } from './schemas.ts';

const DEFAULT_OVERLAP_HOURS = 24;

const COLUMNS = `
  id, account_id AS account, name,
  CASE WHEN revoked_at IS NOT NULL THEN 'revoked' WHEN expires_at <= now() THEN 'expired' ELSE 'active' END AS state,
  ${iso('created_at')} AS created_at, ${iso('expires_at')} AS expires_at, ${iso('revoked_at')} AS revoked_at,
  ${iso('last_used_at')} AS last_used_at,
  rotated_from, allowed_operations, allowed_cidrs`;

/** Selects the keys to show, oldest first; with `limit` the newest ones. */
export interface KeysFilter {
  id?: string;
  account?: string | undefined;
  limit?: number;
}

export interface KeyAdmin {
  /** Secrets are not kept, so none is shown. */
  listKeys: (filter?: KeysFilter) => Promise<KeySummary[]>;
  /** Throws `ApiError` invalid_parameter for an unknown account or an invalid CIDR. */
  createKey: (by: Operator, key: KeyBody) => Promise<NewKey>;
  /** A new key with the old one's rights, for as long from now as the old one was made for; the old one works until the overlap ends. Throws `ApiError` invalid_parameter for a key that is not active. */
  rotateKey: (by: Operator, id: string, options: RotateBody) => Promise<NewKey>;
  /** Takes effect at once on every gateway that hears of it, on the others when their cache ends (30 s). */
  revokeKey: (by: Operator, id: string) => Promise<KeySummary>;
}

export function createKeyAdmin({ lookups }: Store, act: MakeAct): KeyAdmin {
  return {
    listKeys: async ({ id, account, limit } = {}) => {
      const newest = await lookups.query<KeySummary>({
        text: `SELECT ${COLUMNS} FROM api_keys WHERE ($1::text IS NULL OR id = $1) AND ($2::text IS NULL OR account_id = $2)
          ORDER BY api_keys.created_at DESC, id DESC LIMIT $3`,
        values: [id, account, limit],
      });
      return newest.toReversed();
    },
    createKey: act('key.create', async (database, body: KeyBody) => {
      const { account, name, expires_in_days, allowed_operations, allowed_cidrs } = body;
      const notCidr = allowed_cidrs?.find((text) => !parseCidr(text));
      if (notCidr !== undefined) throw new ApiError('invalid_parameter', `allowed_cidrs: "${notCidr}" is not a CIDR`);
      const { id, secret, text } = generateKey();
      const [row] = await database.query<KeySummary>({
        text: `INSERT INTO api_keys (id, account_id, name, secret_sha256, lifetime, expires_at, allowed_operations, allowed_cidrs)
          SELECT $1, a.id, $3, $4, lifetime, now() + lifetime, $6, $7
          FROM accounts a, LATERAL (SELECT $5::integer * interval '1 day' AS lifetime) AS l WHERE a.id = $2 RETURNING ${COLUMNS}`,
        values: [id, account, name, hashSecret(secret), expires_in_days, allowed_operations, allowed_cidrs],
      });
      if (!row) throw new ApiError('invalid_parameter', `the account "${account}" does not exist`);
      return { result: { ...row, key: text }, subject: id, detail: body };
    }),
    rotateKey: act('key.rotate', async (database, id: string, options: RotateBody) => {
      const { overlap_hours = DEFAULT_OVERLAP_HOURS } = options;
      const fresh = generateKey();
      const old = await database.query({
        text: `UPDATE api_keys SET expires_at = least(expires_at, now() + $2::float8 * interval '1 hour')
          WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) RETURNING id`,
        values: [id, overlap_hours],
      });
      if (old.length === 0) throw new ApiError('invalid_parameter', `the active key "${id}" does not exist`);
      const [row] = await database.query<KeySummary>({
        text: `INSERT INTO api_keys (id, account_id, name, secret_sha256, rotated_from, lifetime, expires_at, allowed_operations, allowed_cidrs)
          SELECT $2, account_id, name, $3, id, lifetime, now() + lifetime, allowed_operations, allowed_cidrs
          FROM api_keys WHERE id = $1 RETURNING ${COLUMNS}`,
        values: [id, fresh.id, hashSecret(fresh.secret)],
      });
      return {
        result: { ...row!, key: fresh.text },
        subject: id,
        detail: { ...options, successor: fresh.id },
        changed: { kind: 'key', keyId: id },
      };
    }),
    revokeKey: act('key.revoke', async (database, id: string) => {
      const [row] = await database.query<KeySummary>({
        text: `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = $1 RETURNING ${COLUMNS}`,
        values: [id],
      });
      if (!row) throw new ApiError('invalid_parameter', `the key "${id}" does not exist`);
      return { result: row, subject: id, detail: {}, changed: { kind: 'key', keyId: id } };
    }),
  };
}
