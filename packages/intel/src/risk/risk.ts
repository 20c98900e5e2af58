import { type RiskTable, UNHEARD, VERDICT_BOUNDS } from './tables.ts';

/** One thing that speaks against a subject. */
export interface Evidence<F extends string = string> {
  factor: F;
  /** The finding in plain words: the engine, the list, the name. */
  detail: string;
  /** 0 to 1, instead of the factor's own weight in the table. */
  weight?: number;
  /** How far it can be believed, 0 to 1; what it weighs is multiplied by it. */
  confidence?: number;
  /** Days since it was last true; what it weighs decays with them. */
  age_days?: number;
  /** Evidence with one source in common counts once, by the heaviest. */
  source?: string;
}

/** A named rule that has the last word: no more than `cap`, or no less than `floor`. */
export type Override = { factor: string; detail: string } & ({ cap: number } | { floor: number });

/** The rule for engines that were not heard, given their share of all. */
export const unheardRule = (share: number): Override[] =>
  share === 0
    ? []
    : [{ factor: 'unheard', detail: `${Math.round(100 * share)}% of the engines were not heard`, floor: Math.floor(UNHEARD * share) }];

/** A reason that raised or lowered a score. */
export interface Factor {
  factor: string;
  /** Points; those of all factors add up to the result. */
  effect: number;
  /** Its weight alone, 0 to 1; 0 for an override. */
  weight: number;
  detail: string;
}

export interface Risk {
  /** 0 safe to 100 dangerous. */
  result: number;
  factors: Factor[];
}

export const VERDICTS = ['dangerous', 'suspicious', 'clean', 'unknown'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The reason of a source whose list was neither loaded nor tried in vain since the start. */
export const BEING_LOADED = 'its list is being loaded';

/** The sources of a report: their number, the number of those that answered, and the reason of each of the others. */
export interface Heard {
  asked: number;
  answered: number;
  missing: readonly { reason: string }[];
}

/**
 * The word for a risk, the same in all reports. Without enough sources, or what the subject cannot be judged without, no subject is clean. While
 * a list is being loaded that may add to the risk, the word is `dangerous` or `unknown`.
 */
export function verdictOf(risk: number, coverage: Heard, isSeen = true): Verdict {
  if (risk >= VERDICT_BOUNDS.dangerous) return 'dangerous';
  if (coverage.missing.some(({ reason }) => reason === BEING_LOADED)) return 'unknown';
  if (risk >= VERDICT_BOUNDS.suspicious) return 'suspicious';
  return isSeen && coverage.answered >= VERDICT_BOUNDS.coverage * coverage.asked ? 'clean' : 'unknown';
}

/** The remaining weight of a sighting (MISP's polynomial decay): all of it at first, a half after an eighth of its life, zero at its end. */
export const freshness = (ageDays: number, lifetimeDays: number): number => Math.max(0, 1 - Math.cbrt(Math.max(0, ageDays) / lifetimeDays));

/**
 * Combines evidence as independent reasons for alarm (noisy-or), by groups with caps, so that many copies of one fact cannot add up to
 * certainty. More evidence never lowers the result. The overrides come last, caps before floors. The effect of each piece is what it
 * adds to those before it: groups in the table's order, the heaviest first; 0 where its source or its group has said as much already.
 */
export function assessRisk<G extends string, F extends string>(
  table: RiskTable<G, F>,
  evidence: readonly Evidence<F>[],
  overrides: readonly Override[] = [],
): Risk {
  const factors: Factor[] = [];
  /** The product of what the groups so far leave of innocence. */
  let innocence = 1;
  let result = 0;
  const weighed = evidence.map((piece) => ({ ...piece, weight: weightOf(table, piece) }));
  for (const group of Object.keys(table.caps) as G[]) {
    const sources = new Set<string>();
    const floor = 1 - table.caps[group];
    let left = 1;
    const ofGroup = weighed.filter(({ factor }) => table.factors[factor].group === group);
    for (const { factor, detail, weight, source } of ofGroup.toSorted((a, b) => b.weight - a.weight)) {
      if (source === undefined || !sources.has(source)) left *= 1 - weight;
      if (source !== undefined) sources.add(source);
      const risk = percent(1 - innocence * Math.max(floor, left));
      factors.push({ factor, effect: risk - result, weight: round(weight, 1e4), detail });
      result = risk;
    }
    innocence *= Math.max(floor, left);
  }
  for (const override of overrides.toSorted((a, b) => Number('floor' in a) - Number('floor' in b))) {
    const { factor, detail } = override;
    const risk = 'cap' in override ? Math.min(result, override.cap) : Math.max(result, override.floor);
    if (risk === result) continue;
    factors.push({ factor, effect: risk - result, weight: 0, detail });
    result = risk;
  }
  return { result, factors };
}

function weightOf<F extends string>(
  table: RiskTable<string, F>,
  { factor, weight, confidence = 1, age_days: age = 0 }: Evidence<F>,
): number {
  const share = (weight ?? table.factors[factor].weight) * confidence * freshness(age, table.lifetime_days);
  return Math.min(1, Math.max(0, share));
}

/** Whole points. 41.5 is 42, whichever side of it the bits of a product came out. */
const percent = (share: number): number => Math.round(round(share, 1e9) * 100);

const round = (value: number, steps: number): number => Math.round(value * steps) / steps;
