import { central } from '../kit/index.ts';
import { Type } from 'typebox';

const DAYS_SHOWN = 30;
const MONTHS_SHOWN = 12;
const DAY_MS = 86_400_000;

const Used = (unit: string, form: string) =>
  Type.Object(
    {
      dates: Type.Array(
        Type.Object({ date: Type.String({ description: form }), credits: Type.Integer({ description: 'Credits spent on that date' }) }),
        {
          description: 'Spending by date, most recent first',
        },
      ),
      total: Type.Integer({ description: 'Sum of the credits listed in `dates`' }),
    },
    { description: `Credits spent per ${unit}` },
  );

/** Credits left, overage, and what was used by UTC day and month. Free, and asked at most once a second. */
export const accountInfo = central({
  name: 'account-info',
  subject: 'service',
  summary: "Get the account's remaining credits and usage",
  cost: 0,
  deadline_ms: 10_000,
  limit: { requests: 1, per_s: 1 },
  request: Type.Object({}, { additionalProperties: false }),
  response: Type.Object({
    credits: Type.Object(
      {
        remained: Type.Integer({ description: 'Credits left in the current period' }),
        next_reset_ts: Type.Integer({ description: 'Time of the next reset, Unix time in seconds' }),
        next_reset_datetime: Type.String({ description: 'Time of the next reset, YYYY-MM-DD HH:MM:SS in UTC' }),
        next_reset_days: Type.Integer({ description: 'Days until the next reset, rounded up' }),
      },
      { description: 'Credits included in the plan, and the time of their reset' },
    ),
    overage: Type.Object(
      {
        allowed: Type.Boolean({ description: 'The plan allows overage' }),
        enabled: Type.Boolean({ description: 'The account has overage switched on' }),
        credits_consumed: Type.Integer({ description: 'Overage credits spent in the current period' }),
        max_limit: Type.Integer({ description: 'Most overage credits that the account may spend in one period' }),
      },
      { description: 'Spending beyond the credits included in the plan' },
    ),
    usage_stats: Type.Object(
      { daily: Used('day', 'Day, YYYY-MM-DD in UTC'), monthly: Used('month', 'Month, YYYY-MM in UTC') },
      { description: 'Credits spent in the last 30 days and 12 months' },
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
