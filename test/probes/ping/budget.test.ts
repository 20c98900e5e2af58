import { assert, integer, property, record } from 'fast-check';
import { expect, it } from 'vitest';
import { planPing } from '../../../packages/probes/src/ping/budget.ts';

const job = { count: 4, interval_ms: 200, wait_ms: 1000 };

it.each([
  { budget_ms: 10_000, plan: { dns_ms: 7800, interval_ms: 200, wait_ms: 1000, hostname_ms: 500 } },
  { budget_ms: 2400, plan: { dns_ms: 200, interval_ms: 200, wait_ms: 1000, hostname_ms: 500 } },
  { budget_ms: 1600, plan: { dns_ms: 200, interval_ms: 200, wait_ms: 700, hostname_ms: 0 } },
  { budget_ms: 900, plan: { dns_ms: 200, interval_ms: 100, wait_ms: 300, hostname_ms: 0 } },
  { budget_ms: 600, plan: { dns_ms: 200, interval_ms: 0, wait_ms: 300, hostname_ms: 0 } },
  { budget_ms: 50, plan: { dns_ms: 0, interval_ms: 0, wait_ms: 0, hostname_ms: 0 } },
])('splits $budget_ms ms', ({ budget_ms, plan }) => {
  expect(planPing(job, budget_ms)).toEqual(plan);
});

const jobs = record({
  count: integer({ min: 1, max: 16 }),
  interval_ms: integer({ min: 10, max: 10_000 }),
  wait_ms: integer({ min: 10, max: 10_000 }),
});
const budgets = integer({ min: 0, max: 200_000 });

it('never spends more than there is, nor more on an echo than was asked', () => {
  assert(
    property(jobs, budgets, (asked, budget_ms) => {
      const { dns_ms, interval_ms, wait_ms, hostname_ms } = planPing(asked, budget_ms);
      expect(Math.min(dns_ms, interval_ms, wait_ms, hostname_ms)).toBeGreaterThanOrEqual(0);
      expect(dns_ms + (asked.count - 1) * interval_ms + wait_ms + hostname_ms).toBeLessThanOrEqual(budget_ms + 1e-6);
      expect(interval_ms).toBeLessThanOrEqual(asked.interval_ms);
      expect(wait_ms).toBeLessThanOrEqual(asked.wait_ms);
    }),
  );
});

it('takes nothing away when the budget grows', () => {
  assert(
    property(jobs, budgets, budgets, (asked, one, other) => {
      const less = planPing(asked, Math.min(one, other));
      const more = planPing(asked, Math.max(one, other));
      for (const part of ['dns_ms', 'interval_ms', 'wait_ms', 'hostname_ms'] as const)
        expect(more[part]).toBeGreaterThanOrEqual(less[part]);
    }),
  );
});
