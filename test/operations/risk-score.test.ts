import { ADDRESS_RISK, assessRisk } from '@vedette/intel/risk';
import { Value } from 'typebox/value';
import { expect, it } from 'vitest';
import { RiskScore } from '../../packages/operations/src/shared/names/risk-score.ts';

it('describes what the judge of risks says', () => {
  const risk = assessRisk(ADDRESS_RISK, [{ factor: 'tor', detail: 'an exit' }], [{ factor: 'floor', detail: 'a rule', floor: 90 }]);
  expect(risk.factors).toHaveLength(2);
  expect([...Value.Errors(RiskScore, { ...risk, coverage: { asked: 1, answered: 1, missing: [] } })]).toEqual([]);
});
