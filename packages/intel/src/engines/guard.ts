import type { Names } from '@vedette/contract';
import { POPULAR_DOMAINS, MANY_TENANTS } from '../names/index.ts';
import type { Asked } from './zone-asker.ts';
import type { Engine } from './engine.ts';
import type { Subject } from './questions.ts';

const SHARED: ReadonlySet<string> = new Set(MANY_TENANTS);

/** The best known domains host all that the world does: one bare entry is more likely a mistake, or about one page of millions. */
const BEST_KNOWN = 10_000;

/** Whether the name is a host of many tenants, as far as the lists know. Public suffixes are not among them: those are known without a list. */
export const isShared = (name: string, names: Pick<Names, 'listings'>): boolean =>
  names.listings(name).some(({ list, entry }) => entry === name && SHARED.has(list));

/**
 * How sure a listing is: high for the very subject, or its registrable domain, in a list that somebody keeps with care. Low for what the
 * list itself takes for a victim, for a name in between, for a host of many tenants and for the best known domains.
 */
export function confidenceOf(
  engine: Pick<Engine, 'confidence'>,
  asked: Asked,
  { family, entries, registrable }: Subject,
  names: Pick<Names, 'listings' | 'rank'>,
): 'high' | 'low' {
  if (asked.state !== 'listed') return engine.confidence;
  if (asked.doubtful) return 'low';
  if (family === 0) {
    const isOwn = asked.entry === entries[0] || asked.entry === registrable;
    if (!isOwn || isShared(asked.entry, names)) return 'low';
    // Of a name below, such as one host of a provider's millions, the fame of the domain says nothing.
    const meant = asked.entry === `www.${registrable}` ? registrable : asked.entry;
    if (isBestKnown(meant, names)) return 'low';
  }
  return engine.confidence;
}

const isBestKnown = (name: string, names: Pick<Names, 'rank'>): boolean =>
  POPULAR_DOMAINS.has(name) || (names.rank(name) ?? Infinity) <= BEST_KNOWN;
