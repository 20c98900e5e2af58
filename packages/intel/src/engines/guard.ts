import type { Names } from '../ports/index.ts';
import { POPULAR_DOMAINS } from '../identity/index.ts';
import { MANY_TENANTS } from '../names/index.ts';
import { partsOf } from '../urls/index.ts';
import type { ZoneAnswer } from './zone-asker.ts';
import type { AnySubject } from './questions.ts';

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
export function isDoubtful(
  answer: ZoneAnswer,
  { family, entries, registrable }: AnySubject,
  names: Pick<Names, 'listings' | 'rank'>,
): boolean {
  if (answer.state !== 'listed') return false;
  // The list saw another host.
  if (family === 'url') return partsOf(answer.entry).host !== partsOf(entries[0]!).host;
  if (answer.doubtful || family !== 0) return answer.doubtful;
  const isOwn = answer.entry === entries[0] || answer.entry === registrable;
  if (!isOwn || isShared(answer.entry, names)) return true;
  // The fame of a domain does not vouch for a name below it, such as one host of a provider's millions.
  return isBestKnown(answer.entry === `www.${registrable}` ? registrable : answer.entry, names);
}

const isBestKnown = (name: string, names: Pick<Names, 'rank'>): boolean =>
  POPULAR_DOMAINS.has(name) || (names.rank(name) ?? Infinity) <= BEST_KNOWN;
