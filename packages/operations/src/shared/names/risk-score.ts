import { Type } from 'typebox';

/** What raised or lowered a score, in reports. */
export const Factors = Type.Array(
  Type.Object(
    {
      factor: Type.String({ description: 'As in docs/scores.md' }),
      effect: Type.Integer({ description: 'Points that it adds to those before it; those of all factors add up to the result' }),
      weight: Type.Number({ description: 'How much it says alone, 0 to 1; 0 for a rule that has the last word' }),
      detail: Type.String({ description: 'What was found' }),
    },
    { title: 'ScoreFactor' },
  ),
  { description: 'What raised or lowered the score, and by how much' },
);

/** A risk, with what it is made of. */
export const RiskScore = Type.Object(
  {
    result: Type.Integer({ minimum: 0, maximum: 100, description: '0 safe to 100 dangerous; docs/scores.md says how it is made' }),
    factors: Factors,
    coverage: Type.Integer({
      minimum: 0,
      maximum: 100,
      description:
        'Percent of the blacklist engines to be asked that answered. Below 100, `result` may be too low; below 50 there is no report, and no charge',
    }),
  },
  { title: 'RiskScore', description: 'How dangerous' },
);
