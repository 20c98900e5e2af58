import type { Names } from '../ports/index.ts';
import { POPULAR_DOMAINS, MANY_TENANTS } from '../names/index.ts';
import type { Asked } from './zone-asker.ts';
import type { Subject } from './questions.ts';

const SHARED: ReadonlySet<string> = new Set(MANY_TENANTS);

/** The best known domains host all that the world does: one bare entry is more likely a mistake, or about one page of millions. */
const BEST_KNOWN = 10_000;

/** Whether the name is a host of many tenants, as far as the lists know. Public suffixes are not among them: those are known without a list. */
export const isShared = (name: string, names: Pick<Names, 'listings'>): boolean =>
  names.listings(name).some(({ list, entry }) => entry === name && SHARED.has(list));

/**
 * Whether a listing is in doubt: what the list itself takes for a victim, a name in between, a host of many tenants, and the best known
 * domains. Not the very subject, or its registrable domain.
 */
export function isDoubtful(asked: Asked, { family, entries, registrable }: Subject, names: Pick<Names, 'listings' | 'rank'>): boolean {
  if (asked.state !== 'listed') return false;
  if (asked.doubtful || family !== 0) return asked.doubtful;
  const isOwn = asked.entry === entries[0] || asked.entry === registrable;
  if (!isOwn || isShared(asked.entry, names)) return true;
  // The fame of a domain does not vouch for a name below it, such as one host of a provider's millions.
  return isBestKnown(asked.entry === `www.${registrable}` ? registrable : asked.entry, names);
}

const isBestKnown = (name: string, names: Pick<Names, 'rank'>): boolean =>
  POPULAR_DOMAINS.has(name) || (names.rank(name) ?? Infinity) <= BEST_KNOWN;
