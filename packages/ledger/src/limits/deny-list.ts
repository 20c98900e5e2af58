import { ApiError, type Cidr, cidrContains, formatCidr, MAX_DENIED, parseCidr, parseHost, parseIp, someAtOrAbove } from '@vedette/contract';
import { iso, type Queries, type Store } from '../store/store.ts';

export interface DeniedTarget {
  /** A domain name, which stands for everything below it too, or a CIDR. */
  target: string;
  reason: string;
  created_at: string;
}

/** Targets that the operator never contacts. */
export interface DenyList {
  /** Whether a host (lower-case A-labels, or an address in canonical text) is on the list. Answers from memory. */
  has: (host: string) => boolean;
  /** The networks of the list: no name may resolve into them. */
  networks: () => readonly Cidr[];
  /** The others; another list after each `refresh`. */
  names: () => readonly string[];
  /** Takes over what was changed elsewhere. */
  refresh: () => Promise<void>;
  list: () => Promise<DeniedTarget[]>;
  /** Throws `ApiError` invalid_parameter when the target is neither a name nor a CIDR, or when the list is full. */
  add: (database: Queries, target: string, reason: string) => Promise<DeniedTarget>;
  /** True when it was there. Like what was added, it takes effect with the next `refresh`. */
  remove: (database: Queries, target: string) => Promise<boolean>;
}

const COLUMNS = `target, reason, ${iso('created_at')} AS created_at`;

export function createDenyList(store: Store): DenyList {
  let names: ReadonlySet<string> = new Set();
  let listed: readonly string[] = [];
  let cidrs: Cidr[] = [];
  /** Answers may overtake each other: an older one does not replace a newer. */
  let sequence = 0;
  let newest = 0;

  const list = async (): Promise<DeniedTarget[]> =>
    await store.durable.query<DeniedTarget>({ text: `SELECT ${COLUMNS} FROM deny_list ORDER BY target` });

  async function refresh(): Promise<void> {
    const number = ++sequence;
    const targets = (await list()).map(({ target }) => target);
    if (number < newest) return;
    newest = number;
    cidrs = targets.flatMap((target) => parseCidr(target) ?? []);
    listed = targets.filter((target) => !parseCidr(target));
    names = new Set(listed);
  }

  return {
    list,
    refresh,
    networks: () => cidrs,
    names: () => listed,
    has(host) {
      const address = parseIp(host);
      if (address) return cidrs.some((cidr) => cidrContains(cidr, address));
      return names.size > 0 && someAtOrAbove(host, (name) => names.has(name));
    },
    async add(database, target, reason) {
      const [row] = await database.query<DeniedTarget>({
        text: `INSERT INTO deny_list (target, reason) SELECT $1, $2 WHERE (SELECT count(*) FROM deny_list) < ${MAX_DENIED} OR EXISTS (SELECT FROM deny_list WHERE target = $1)
          ON CONFLICT (target) DO UPDATE SET reason = excluded.reason RETURNING ${COLUMNS}`,
        values: [normalise(target), reason],
      });
      if (!row) throw new ApiError('invalid_parameter', `the limit of ${MAX_DENIED} denied targets is reached`);
      return row;
    },
    async remove(database, target) {
      const rows = await database.query({
        text: 'DELETE FROM deny_list WHERE target = $1 RETURNING target',
        values: [normalise(target)],
      });
      return rows.length > 0;
    },
  };
}

/** One text for every way to write a target: what is added in one is removed in another. */
function normalise(target: string): string {
  const cidr = parseCidr(target);
  if (cidr) return formatCidr(cidr);
  const host = parseHost(target);
  if (!host) throw new ApiError('invalid_parameter', 'target must be a domain name or a CIDR');
  return host.host;
}
