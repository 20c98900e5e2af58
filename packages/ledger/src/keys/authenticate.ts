import { hash } from 'node:crypto';
import { ApiError, BoundedMap, type Cidr, type Clock, parseCidrs } from '@vedette/contract';
import type { Quotas } from '../credits/quotas.ts';
import type { AccountRow } from '../credits/statements.ts';
import type { Store } from '../store/store.ts';
import type { LastUse } from './last-use.ts';
import { hashSecret, parseKey, sameHash } from './key-format.ts';

const CACHE_MS = 30_000;
const CACHE_SIZE = 100_000;
/** Compared when the key does not exist, so that an unknown id takes as long as a wrong secret. */
const NO_HASH = Buffer.alloc(32);

/** The account that a key stands for, and what this key may do. */
export interface Account {
  id: string;
  keyId: string;
  name: string;
  /** Null: all. */
  allowedOperations: readonly string[] | null;
  /** Null: from anywhere. */
  allowedCidrs: readonly Cidr[] | null;
  /** Its plan lets Prometheus scrape /probe for nothing. */
  unmeteredProbe: boolean;
  /** Its plan includes port-scan. */
  portScan: boolean;
  /** Brands that it protects, one a line; empty without. */
  brands: string;
  /** Set where a signed-in person asks, and no key. */
  person?: Person;
}

/** The roles of clients. Each may do all that those before it may. */
export const ROLES = ['viewer', 'analyst', 'operator'] as const;
export type Role = (typeof ROLES)[number];

/** A person, as the operator's provider says. */
export interface Person {
  /** Names the person for good. */
  subject: string;
  /** The name that people read. */
  name: string;
  role: Role;
}

export interface BootstrapKey {
  key: string;
  monthlyCredits: number;
}

export const BOOTSTRAP = 'bootstrap';

export interface Authenticator {
  /** Throws `ApiError` key_malformed, key_unknown, key_revoked, key_expired, account_suspended or ledger_unavailable. */
  authenticate: (keyText: string) => Promise<Account>;
  /** The owner of the key as this gateway last heard it; undefined when it has not asked, or long ago. Answers from memory. */
  recall: (keyText: string) => Recalled | undefined;
  /** The account, where what was recalled still counts; undefined where `authenticate` is to ask. Throws `ApiError` account_suspended. */
  admit: (recalled: Recalled) => Account | undefined;
  /** Forgets what is cached of a key, or of all keys of an account. */
  forget: (subject: { keyId: string } | { accountId: string }) => void;
}

/** The columns of an account `a` with its plan `p`. */
export const ACCOUNT_COLUMNS = `
    a.id AS account_id, a.name, a.brands, a.suspended_at IS NOT NULL AS suspended, a.held, p.monthly_credits, p.unmetered_probe, p.port_scan,
    CASE WHEN a.period_ends <= now() THEN 0 ELSE a.spent END AS spent,
    extract(epoch FROM CASE WHEN a.period_ends <= now() THEN next_reset(now(), a.reset_day) ELSE a.period_ends END)::bigint AS resets_at`;

const FIND_KEY = {
  name: 'find-key',
  text: `
  SELECT k.secret_sha256, k.revoked_at IS NOT NULL AS revoked, k.allowed_operations, k.allowed_cidrs,
    extract(epoch FROM k.expires_at - now())::float8 * 1000 AS expires_in_ms,${ACCOUNT_COLUMNS}
  FROM accounts a JOIN plans p ON p.id = a.plan_id
    LEFT JOIN api_keys k ON k.account_id = a.id AND k.id = $1
  WHERE a.id = CASE WHEN $1 = 'bootstrap' THEN $1 ELSE (SELECT account_id FROM api_keys WHERE id = $1) END`,
};

/** The row of ACCOUNT_COLUMNS. */
export interface NamedAccountRow extends AccountRow {
  suspended: boolean;
  unmetered_probe: boolean;
  port_scan: boolean;
  name: string;
  brands: string;
}

interface KeyRow extends NamedAccountRow {
  secret_sha256: Buffer | null;
  revoked: boolean;
  expires_in_ms: number | null;
  allowed_operations: string[] | null;
  allowed_cidrs: string[] | null;
}

/** The account of a row, for clients that may do all and from everywhere. */
export const accountIn = (row: NamedAccountRow, keyId: string): Account => ({
  id: row.account_id,
  keyId,
  name: row.name,
  allowedOperations: null,
  allowedCidrs: null,
  unmeteredProbe: row.unmetered_probe,
  portScan: row.port_scan,
  brands: row.brands,
});

/** The known state of a key, which may be out of date. */
export interface Recalled {
  account: Account;
  /** Kept like any other: who is suspended may go on asking, and costs no more than others. */
  suspended: boolean;
  until: number;
}

const digestOf = (keyText: string): string => hash('sha256', keyText, 'base64');

export function createAuthenticator(options: {
  store: Store;
  lastUse: Pick<LastUse, 'note'>;
  quotas: Quotas;
  clock: Clock;
  bootstrap: BootstrapKey | undefined;
}): Authenticator {
  const { store, lastUse, quotas, clock, bootstrap } = options;
  const bootstrapHash = bootstrap && hashSecret(bootstrap.key);
  // By the SHA-256 of the whole key: no secret stays in memory.
  const cache = new BoundedMap<string, Recalled>(CACHE_SIZE);
  const underWay = new Map<string, Promise<Recalled>>();
  let generation = 0;

  async function findAccount(keyText: string): Promise<Recalled> {
    const isBootstrap = bootstrapHash !== undefined && sameHash(hashSecret(keyText), bootstrapHash);
    const key = isBootstrap ? { id: BOOTSTRAP, secret: '' } : parseKey(keyText);
    if (!key) throw new ApiError('key_malformed');
    const [row] = await store.lookups.query<KeyRow>({ ...FIND_KEY, values: [key.id] });
    if (!isBootstrap && !sameHash(hashSecret(key.secret), row?.secret_sha256 ?? NO_HASH)) throw new ApiError('key_unknown');
    if (!row) throw new ApiError('key_unknown');
    if (row.revoked) throw new ApiError('key_revoked');
    const expiresInMs = row.expires_in_ms ?? Number.POSITIVE_INFINITY;
    if (expiresInMs <= 0) throw new ApiError('key_expired');
    quotas.remember(row);
    const account = {
      ...accountIn(row, key.id),
      allowedOperations: row.allowed_operations,
      allowedCidrs: row.allowed_cidrs && parseCidrs(row.allowed_cidrs),
    };
    return { account, suspended: row.suspended, until: clock.now() + Math.min(CACHE_MS, expiresInMs) };
  }

  async function findAndCache(digest: string, keyText: string): Promise<Recalled> {
    const started = generation;
    const found = await findAccount(keyText).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) cache.delete(digest);
      throw error;
    });
    // Something was invalidated while we asked: what we got may be from before.
    if (generation === started) cache.set(digest, found);
    return found;
  }

  function admit({ account, suspended }: Recalled): Account {
    if (suspended) throw new ApiError('account_suspended');
    lastUse.note(account.keyId);
    return account;
  }

  return {
    async authenticate(keyText) {
      const digest = digestOf(keyText);
      const cached = cache.get(digest);
      if (cached && cached.until > clock.now()) return admit(cached);
      const running = underWay.get(digest);
      if (running) return admit(await running);
      const search = findAndCache(digest, keyText).finally(() => underWay.delete(digest));
      underWay.set(digest, search);
      return admit(await search);
    },
    recall: (keyText) => cache.get(digestOf(keyText)),
    admit: (recalled) => (recalled.until > clock.now() ? admit(recalled) : undefined),
    forget(subject) {
      generation++;
      for (const [digest, { account }] of cache)
        if ('keyId' in subject ? account.keyId === subject.keyId : account.id === subject.accountId) cache.delete(digest);
    },
  };
}
