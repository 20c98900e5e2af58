import { randomBytes } from 'node:crypto';
import { ApiError } from '@vedette/contract';
import type { Quotas } from '../credits/quotas.ts';
import type { Store } from '../store/store.ts';
import { type Account, ACCOUNT_COLUMNS, accountIn, type NamedAccountRow, type Person } from './authenticate.ts';
import { hashSecret } from './key-format.ts';

/** How long a session lasts that is not used, and however it is used: the provider is asked again whether its person still has the role. */
const SESSION_HOURS = { idle: 2, whole: 12 } as const;
/** Sessions of a person, in several browsers. */
const MAX_OF_PERSON = 10;
/** Sessions of all. */
const MAX_SESSIONS = 100_000;
/** The form of an id: 256 random bits. */
const ID = /^[\w-]{43}$/;
const ID_BYTES = 32;

/** People who are signed in, on all gateways. */
export interface Sessions {
  /** Signs a person in, and resolves to the id of the session: the oldest ones of a person with many end. Rejects where the account that pays is gone. */
  open(person: Person): Promise<string>;
  /** The account that pays for the person of the session. Throws `ApiError` session_ended, account_suspended or ledger_unavailable. */
  find(id: string): Promise<Account>;
  /** Ends a session, if there is one. */
  close(id: string): Promise<void>;
  /** Removes what has ended, and the least used sessions where there are too many. */
  expire(): Promise<void>;
}

const LIVE = `seen_at > now() - interval '${SESSION_HOURS.idle} hours' AND created_at > now() - interval '${SESSION_HOURS.whole} hours'`;

const OPEN = {
  name: 'session-open',
  text: `
  WITH surplus AS (
    DELETE FROM sessions WHERE id_sha256 IN (
      SELECT id_sha256 FROM sessions WHERE subject = $2 ORDER BY created_at DESC OFFSET ${MAX_OF_PERSON - 1}
    )
  )
  INSERT INTO sessions (id_sha256, subject, name, role) SELECT $1, $2, $3, $4 FROM accounts WHERE id = $5 RETURNING role`,
};

const FIND = {
  name: 'session-find',
  text: `
  SELECT s.subject, s.person, s.role, s.seen_at < now() - interval '1 minute' AS unnoted,${ACCOUNT_COLUMNS}
  FROM (SELECT subject, name AS person, role, seen_at FROM sessions WHERE id_sha256 = $1 AND ${LIVE}) s
    JOIN accounts a ON a.id = $2 JOIN plans p ON p.id = a.plan_id`,
};

const SEEN = { name: 'session-seen', text: 'UPDATE sessions SET seen_at = now() WHERE id_sha256 = $1' };
const CLOSE = { name: 'session-close', text: 'DELETE FROM sessions WHERE id_sha256 = $1' };

const EXPIRE = {
  name: 'session-expire',
  text: `
  DELETE FROM sessions WHERE NOT (${LIVE})
    OR id_sha256 IN (SELECT id_sha256 FROM sessions ORDER BY seen_at DESC OFFSET ${MAX_SESSIONS})`,
};

interface SessionRow extends NamedAccountRow {
  subject: string;
  person: string;
  role: Person['role'];
  unnoted: boolean;
}

/** `account` is the one that pays for what people ask. */
export function createSessions({ durable, relaxed, lookups }: Store, quotas: Quotas, account: string): Sessions {
  return {
    async open({ subject, name, role }) {
      const id = randomBytes(ID_BYTES).toString('base64url');
      const opened = await durable.query({ ...OPEN, values: [hashSecret(id), subject, name, role, account] });
      if (opened.length === 0) throw new Error(`the account ${account}, which pays for people, does not exist`);
      return id;
    },
    async find(id) {
      if (!ID.test(id)) throw new ApiError('session_ended');
      const hashed = hashSecret(id);
      const [row] = await lookups.query<SessionRow>({ ...FIND, values: [hashed, account] });
      if (!row) throw new ApiError('session_ended');
      if (row.suspended) throw new ApiError('account_suspended');
      quotas.remember(row);
      // Nothing waits for it: a session that is not noted as used ends a minute early.
      if (row.unnoted) relaxed.query({ ...SEEN, values: [hashed] }).catch(() => undefined);
      const { subject, person: name, role } = row;
      return { ...accountIn(row, `person:${subject}`), person: { subject, name, role } };
    },
    async close(id) {
      if (ID.test(id)) await durable.query({ ...CLOSE, values: [hashSecret(id)] });
    },
    expire: async () => void (await relaxed.query(EXPIRE)),
  };
}
