import { Enum } from '@vedette/contract';
import { VERDICTS } from '@vedette/intel/risk';
import { Type } from 'typebox';
import { Coverage } from './coverage.ts';

/** The factors that raised or lowered a score, in reports. */
export const Factors = Type.Array(
  Type.Object(
    {
      factor: Type.String({ description: 'Factor name, as listed in docs/scores.md' }),
      effect: Type.Integer({ description: 'Points that the factor adds to the factors before it; all effects together give the result' }),
      weight: Type.Number({ description: 'Weight of the factor alone, 0 to 1; 0 for a rule that overrides the score' }),
      detail: Type.String({ description: 'Evidence for the factor' }),
    },
    { title: 'ScoreFactor' },
  ),
  { description: 'Factors that raised or lowered the score, with their points' },
);

/** The word beside a score. */
export const VerdictWord = Enum(VERDICTS, {
  description: 'Verdict in one word, by the score and its coverage: clean only if enough was seen. docs/scores.md has the rules',
});

/** A risk, with what it is made of. */
export const RiskScore = Type.Object(
  {
    result: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Score from 0 (safe) to 100 (dangerous); docs/scores.md explains the calculation',
    }),
    factors: Factors,
    coverage: Coverage,
  },
  { title: 'RiskScore', description: 'Risk score' },
);
