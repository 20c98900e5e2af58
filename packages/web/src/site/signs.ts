import type { Factor } from '@vedette/intel/risk';
import { TRUST_CAPS, TRUST_MODIFIERS } from './score.ts';

/** A sign against a page, by the name of the factor of its trust. */
export interface TrustSign {
  sign: string;
  detail: string;
  /** 0 to 1. */
  weight: number;
}

/** Caps of trust that say what was not seen, or nothing against a page: the host's lists and age are counted with the host. */
const NO_SIGNS: ReadonlySet<string> = new Set(
  'detections one_detection not_accessible bad_certificate suspended parked page_not_seen age_not_known imitation_and_recent'
    .split(' ')
    .map((cap) => `cap_${cap}`),
);
/** Points of trust that are signs against a page, and what each weighs. */
const POINTS: Readonly<Record<string, number>> = {
  suspicious_redirect: 0.25,
  heuristic_pattern: 0.4,
  names_of_forgers: 0.35,
  self_signed_brand: 0.2,
  odd_names: 0.15,
  certificate_of_listed_names: 0.35,
  new_certificate: 0.1,
  high_discounts: 0.1,
  fake_socials: 0.1,
  redirect_to_search_engine: 0.05,
};

/** The signs against a page: of what caps its trust only the lowest cap, since it is one page, and points, but for what the cap says. */
export function signsOf(factors: readonly Factor[]): TrustSign[] {
  const caps = factors.flatMap(({ factor, detail }) => {
    const sign = factor.replace(/^cap_/, '');
    return factor === sign || NO_SIGNS.has(factor) ? [] : [{ sign, detail, weight: 1 - capOf(sign) / 100 }];
  });
  const [heaviest] = caps.toSorted((a, b) => b.weight - a.weight);
  const points = factors.flatMap(({ factor: sign, effect, detail }) => {
    const weight = POINTS[sign];
    if (weight === undefined || effect >= 0 || (heaviest && sign === 'heuristic_pattern')) return [];
    // A sign that counts in part has a part of its points.
    return [{ sign, detail, weight: (weight * effect) / pointsOf(sign) }];
  });
  return heaviest ? [heaviest, ...points] : points;
}

const pointsOf = (factor: string): number => Object.entries(TRUST_MODIFIERS).find(([name]) => name === factor)?.[1] ?? 1;
const capOf = (cap: string): number => Object.entries(TRUST_CAPS).find(([name]) => name === cap)?.[1] ?? 100;
