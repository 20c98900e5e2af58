import { editDistance } from '@vedette/contract';
import { POPULAR_DOMAINS } from './lists/domains.ts';
import { FORWARDERS, FREE_PROVIDERS, MISTYPED_PROVIDERS, PAID_PUBLIC } from './lists/providers.ts';

const CLOSE = 1;
const NEAR = 2;
/** Letters before the suffix that a name needs: with fewer a distance of one is too often another company. */
const DISTINCT_LENGTH = 5;

/**
 * The domain that was probably meant, or undefined. `takesMail`: whether the domain has mail exchangers, which many a
 * squatted misspelling has too; undefined when nobody knows.
 */
export function suggestDomain(domain: string, takesMail: boolean | undefined): string | undefined {
  if (domain === '' || isKnown(domain)) return undefined;
  let best: { target: string; distance: number } | undefined;
  for (const target of MISTYPED_PROVIDERS) {
    const distance = editDistance(domain, target, NEAR);
    if (distance <= NEAR && (!best || distance < best.distance)) best = { target, distance };
  }
  if (!best) return undefined;
  const name = best.target.slice(0, best.target.indexOf('.'));
  const unmistakable = best.distance === CLOSE && name.length >= DISTINCT_LENGTH;
  const absent = takesMail === false && (best.distance === CLOSE || name.length >= DISTINCT_LENGTH - 1);
  return unmistakable || absent ? best.target : undefined;
}

const isKnown = (domain: string): boolean => [FREE_PROVIDERS, PAID_PUBLIC, FORWARDERS, POPULAR_DOMAINS].some((known) => known.has(domain));
