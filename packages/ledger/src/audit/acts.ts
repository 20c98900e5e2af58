import { iso, type Queries, type Store } from '../store/store.ts';

/** The actor, and the actor's address. */
export interface Operator {
  /** The token that was sent, and the name that its bearer gave. */
  actor: string;
  address: string;
}

/** One act of an operator, as it is read. */
export interface AdminAct extends Operator {
  done_at: string;
  /** The action, such as `key.revoke`. */
  act: string;
  /** The subject of the action: the id of an account or a key, a plan, a target, an address. */
  subject: string;
  /** The requested values. Never a secret: none is ever sent to us. */
  detail: Record<string, unknown>;
}

/** Selects the acts to show, newest first. */
export interface ActsFilter {
  since?: string;
  until?: string;
  subject?: string;
  limit?: number;
}

const DEFAULT_LIMIT = 100;

/** Adds an act to the trail, in the transaction that does it. */
export async function recordAct(
  database: Queries,
  { actor, address }: Operator,
  { act, subject, detail }: Pick<AdminAct, 'act' | 'subject' | 'detail'>,
): Promise<void> {
  await database.query({
    text: 'INSERT INTO admin_acts (actor, address, act, subject, detail) VALUES ($1, $2, $3, $4, $5)',
    values: [actor, address, act, subject, JSON.stringify(detail)],
  });
}

export const listActs = ({ durable }: Store, { since, until, subject, limit = DEFAULT_LIMIT }: ActsFilter): Promise<AdminAct[]> =>
  durable.query<AdminAct>({
    text: `SELECT ${iso('done_at')} AS done_at, actor, address, act, subject, detail FROM admin_acts
      WHERE done_at >= coalesce($1::timestamptz, '-infinity') AND done_at < coalesce($2::timestamptz, 'infinity')
        AND subject = coalesce($3, subject)
      ORDER BY id DESC LIMIT $4`,
    values: [since, until, subject, limit],
  });
