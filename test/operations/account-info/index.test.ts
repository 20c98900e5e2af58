import type { AccountUsage } from '@vedette/contract';
import { expect, it } from 'vitest';
import { accountInfo } from '../../../packages/operations/src/account-info/index.ts';
import { mailContext } from '../../intel/mail-context.ts';
import { answer } from '../answer.ts';

const usage: AccountUsage = {
  remaining: 90,
  next_reset: new Date('2028-03-01T00:00:00Z'),
  overage: { allowed: true, enabled: false, consumed: 0, limit: 500 },
  daily: new Map([
    ['2028-02-29', 7],
    ['2028-02-01', 3],
    ['2028-01-31', 100], // the 30th day back
    ['2028-01-30', 1000], // one too old
  ]),
  monthly: new Map([
    ['2028-02', 10],
    ['2027-03', 5],
    ['2027-02', 1000],
  ]),
};
const context = {
  ...mailContext({}).context,
  today: () => new Date('2028-02-29T12:00:00Z'),
  account: { id: 'a', usage: async () => usage },
};

it('lists thirty days and twelve months across a leap day, and their sums', async () => {
  const report = await answer(accountInfo, {}, context);
  const { daily, monthly } = report.usage_stats;
  expect(daily.dates).toHaveLength(30);
  expect(daily.dates[0]).toEqual({ date: '2028-02-29', credits: 7 });
  expect(daily.dates.at(-1)).toEqual({ date: '2028-01-31', credits: 100 });
  expect(daily.total).toBe(110);
  expect(monthly.dates.map(({ date }) => date)).toEqual([
    '2028-02',
    '2028-01',
    '2027-12',
    '2027-11',
    '2027-10',
    '2027-09',
    '2027-08',
    '2027-07',
    '2027-06',
    '2027-05',
    '2027-04',
    '2027-03',
  ]);
  expect(monthly.total).toBe(15);
});

it('says when the next period begins', async () => {
  const { credits, overage } = await answer(accountInfo, {}, context);
  expect(credits).toEqual({ remained: 90, next_reset_ts: 1835481600, next_reset_datetime: '2028-03-01 00:00:00', next_reset_days: 1 });
  expect(overage).toEqual({ allowed: true, enabled: false, credits_consumed: 0, max_limit: 500 });
});
