import { central } from '@vedette/contract';
import { Type } from 'typebox';

const DAYS_SHOWN = 30;
const MONTHS_SHOWN = 12;
const DAY_MS = 86_400_000;

const Used = (unit: string, form: string) =>
  Type.Object(
    {
      dates: Type.Array(Type.Object({ date: Type.String({ description: form }), credits: Type.Integer({ description: 'Spent then' }) }), {
        description: 'Most recent first',
      }),
      total: Type.Integer({ description: 'Sum of the credits listed' }),
    },
    { description: `Credits spent, by ${unit}` },
  );

/** Credits left, overage, and what was used by UTC day and month. Free, and asked at most once a second. */
export const accountInfo = central({
  name: 'account-info',
  summary: 'Credits left and usage of the account',
  cost: 0,
  deadline_ms: 10_000,
  limit: { requests: 1, per_s: 1 },
  request: Type.Object({}, { additionalProperties: false }),
  response: Type.Object({
    credits: Type.Object(
      {
        remained: Type.Integer({ description: 'Left in this period' }),
        next_reset_ts: Type.Integer({ description: 'Unix time, seconds' }),
        next_reset_datetime: Type.String({ description: 'YYYY-MM-DD HH:MM:SS UTC' }),
        next_reset_days: Type.Integer({ description: 'Whole days until then, rounded up' }),
      },
      { description: 'What the plan includes, and when it begins anew' },
    ),
    overage: Type.Object(
      {
        allowed: Type.Boolean({ description: 'By the plan' }),
        enabled: Type.Boolean({ description: 'By the account' }),
        credits_consumed: Type.Integer({ description: 'In this period' }),
        max_limit: Type.Integer({ description: 'Credits that may be spent beyond the plan in one period' }),
      },
      { description: 'Spending beyond what the plan includes' },
    ),
    usage_stats: Type.Object(
      { daily: Used('day', 'YYYY-MM-DD, UTC'), monthly: Used('month', 'YYYY-MM, UTC') },
      { description: 'The last 30 days and 12 months' },
    ),
  }),
  examples: [{}],
  read: () => undefined,
  async run(_query, { account, today }) {
    const { remaining, next_reset, overage, daily, monthly } = await account.usage();
    const now = today();
    return {
      credits: {
        remained: remaining,
        next_reset_ts: next_reset.getTime() / 1000,
        next_reset_datetime: next_reset.toISOString().slice(0, 19).replace('T', ' '),
        next_reset_days: Math.ceil((next_reset.getTime() - now.getTime()) / DAY_MS),
      },
      overage: { allowed: overage.allowed, enabled: overage.enabled, credits_consumed: overage.consumed, max_limit: overage.limit },
      usage_stats: { daily: listed(lastDays(now), daily), monthly: listed(lastMonths(now), monthly) },
    };
  },
});

const listed = (keys: string[], used: ReadonlyMap<string, number>) => {
  const dates = keys.map((date) => ({ date, credits: used.get(date) ?? 0 }));
  return { dates, total: dates.reduce((sum, { credits }) => sum + credits, 0) };
};

const lastDays = (now: Date): string[] =>
  Array.from({ length: DAYS_SHOWN }, (_, ago) => new Date(now.getTime() - ago * DAY_MS).toISOString().slice(0, 10));

const lastMonths = (now: Date): string[] =>
  Array.from({ length: MONTHS_SHOWN }, (_, ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString().slice(0, 7),
  );
