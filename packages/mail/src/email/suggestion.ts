import { editDistance } from '@vedette/contract';
import { POPULAR_DOMAINS } from '@vedette/intel/identity';
import { FORWARDERS, FREE_PROVIDERS, MISTYPED_PROVIDERS, PAID_PUBLIC } from '@vedette/intel/mailboxes';

const CLOSE = 1;
const NEAR = 2;
/** Letters before the suffix that a name needs: with fewer a distance of two is too often another company. */
const DISTINCT_LENGTH = 4;
/** Domains so common that a name one letter away is a typing error or an imitation. */
const SQUATTED = ['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com'];

/**
 * The domain that was probably meant, or undefined. `takesMail`: whether the domain has mail exchangers; undefined when the DNS did not
 * answer. A domain with exchangers is in real use (libera.it, cloud.com), unless it is one typing error away from the largest: those are
 * squatted.
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
  const absent = takesMail === false && (best.distance === CLOSE || name.length >= DISTINCT_LENGTH);
  return absent || isSlip(domain, best) ? best.target : undefined;
}

/** The first letter is hardly ever mistyped, though two letters may change places. */
const isSlip = (domain: string, { target, distance }: { target: string; distance: number }): boolean =>
  distance === CLOSE && SQUATTED.includes(target) && (domain[0] === target[0] || (domain[0] === target[1] && domain[1] === target[0]));

const isKnown = (domain: string): boolean => [FREE_PROVIDERS, PAID_PUBLIC, FORWARDERS, POPULAR_DOMAINS].some((known) => known.has(domain));
