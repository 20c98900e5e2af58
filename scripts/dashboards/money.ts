import { COMMIT } from './api.ts';
import { dashboard } from './dashboard.ts';
import { series, stat, table, timeline, type Step } from './panels.ts';
import { share } from './promql.ts';

const NONE_IS_GOOD: Step[] = [{ color: 'green' }, { color: 'red', at: 1 }];
const GOOD_OR_NOT: Step[] = [{ color: 'red' }, { color: 'green', at: 1 }];
const LEDGER = 'vedette_gateway_ledger_duration_seconds';
const CHARGED = 'vedette_gateway_credits_charged_total';
const RELEASED = 'vedette_gateway_credits_released_total';
const short = 'min by (account) (vedette_gateway_account_credits_remaining)';

const now = [
  stat({
    title: 'Charged in the chosen time',
    description:
      'Credits of requests that were answered. Counters begin anew with a gateway; the ledger itself is the truth: vedette accounts.',
    width: 4,
    unit: 'short',
    query: { expr: `sum(increase(${CHARGED}[$__range]))` },
  }),
  stat({
    title: 'Charged an hour',
    description: 'At the rate of the last minutes.',
    width: 4,
    unit: 'short',
    graph: true,
    query: { expr: `sum(rate(${CHARGED}[$__rate_interval])) * 3600` },
  }),
  stat({
    title: 'Held now',
    description: 'Credits of requests under way. They go back where there is no report.',
    width: 4,
    unit: 'short',
    graph: true,
    query: { expr: 'sum(vedette_gateway_ledger_held_credits)' },
  }),
  stat({
    title: 'Accounts nearly out of credits',
    description: 'That were seen here and have less than a tenth left; the table names them. Their next refusal is a 402.',
    width: 4,
    unit: 'none',
    steps: [{ color: 'green' }, { color: 'yellow', at: 1 }],
    query: { expr: `count(${short}) or vector(0)` },
  }),
  stat({
    title: 'Work of the ledger that failed',
    description:
      'Share of reservations, settlements and releases that ended with an error other than a customer’s (no credits). Nobody is charged twice by it, but is refused.',
    width: 4,
    unit: 'percentunit',
    decimals: 2,
    steps: [{ color: 'green' }, { color: 'red', at: 0.001 }],
    none: 'no requests',
    query: { expr: share(`${LEDGER}_count`, 'outcome!~"ok|insufficient_credits"') },
  }),
  stat({
    title: 'Figures that do not add up',
    description: 'At the last audit, which is every hour. It is never to be anything but 0: the log has them.',
    width: 4,
    unit: 'none',
    steps: NONE_IS_GOOD,
    query: { expr: 'max(vedette_gateway_ledger_discrepancies)' },
  }),
];

const spending = [
  series({
    title: 'Charged by operation',
    description: 'Credits a second, of requests that were answered.',
    width: 12,
    unit: 'none',
    stacked: true,
    queries: [{ expr: `sum by (operation) (rate(${CHARGED}[$__rate_interval]))`, legend: '{{operation}}' }],
  }),
  series({
    title: 'Given back by operation',
    description: 'Credits a second that were held for requests without a report. Much of one operation: that one fails.',
    width: 12,
    unit: 'none',
    stacked: true,
    queries: [{ expr: `sum by (operation) (rate(${RELEASED}[$__rate_interval]))`, legend: '{{operation}}' }],
  }),
  table({
    title: 'Accounts nearly out of credits',
    description: 'Less than a tenth of what they had. Tell them before they are refused: vedette accounts.',
    width: 12,
    unit: 'string',
    none: 'None',
    queries: [{ expr: short }],
    columns: { account: { title: 'Account' }, Value: { title: 'Credits left', unit: 'none' } },
  }),
  series({
    title: 'Refused for want of credits',
    description: 'Requests a second that got a 402.',
    width: 12,
    unit: 'reqps',
    queries: [
      {
        expr: 'sum by (operation) (rate(vedette_gateway_request_duration_seconds_count{status="402"}[$__rate_interval]))',
        legend: '{{operation}}',
      },
    ],
  }),
];

const ledger = [
  series({
    title: 'Work of the ledger, p99',
    description: 'What a request waits for: its reservation before, its settlement after the measurement.',
    width: 8,
    unit: 's',
    steps: COMMIT,
    queries: [{ expr: `histogram_quantile(0.99, sum by (le, work) (rate(${LEDGER}_bucket[$__rate_interval])))`, legend: '{{work}}' }],
  }),
  series({
    title: 'How it ended',
    description: 'Reservations, settlements and releases a second: ok, or the code of the error.',
    width: 8,
    unit: 'ops',
    queries: [{ expr: `sum by (work, outcome) (rate(${LEDGER}_count[$__rate_interval]))`, legend: '{{work}} {{outcome}}' }],
  }),
  series({
    title: 'Requests that shared a commit',
    description: 'Mean. It grows with the load, which is how one database serves thousands a second.',
    width: 8,
    unit: 'none',
    queries: [
      {
        expr: 'sum by (lane) (rate(vedette_gateway_ledger_batch_size_sum[$__rate_interval])) / (sum by (lane) (rate(vedette_gateway_ledger_batch_size_count[$__rate_interval])) > 0)',
        legend: '{{lane}}',
      },
    ],
  }),
  series({
    title: 'Commit',
    description: 'How long the last commit took that was tried, every 2 s, by gateway.',
    width: 8,
    unit: 's',
    steps: COMMIT,
    queries: [{ expr: 'vedette_gateway_database_commit_seconds', legend: '{{instance}}' }],
  }),
  series({
    title: 'Holds, and holds in doubt',
    description:
      'Requests for which credits are held. In doubt: the database did not say what became of them; they are given back. Swept: nobody ended them.',
    width: 8,
    unit: 'none',
    queries: [
      { expr: 'vedette_gateway_ledger_holds', legend: '{{instance}} held' },
      { expr: 'vedette_gateway_ledger_in_doubt', legend: '{{instance}} in doubt' },
      { expr: 'sum by (reason) (rate(vedette_gateway_ledger_swept_holds_total[$__rate_interval]))', legend: 'swept a second: {{reason}}' },
    ],
  }),
  timeline({
    title: 'The database takes writes',
    description: 'Red: a full disk, a standby, or nobody there. Nothing that costs credits is served then.',
    width: 8,
    unit: 'none',
    steps: GOOD_OR_NOT,
    queries: [{ expr: 'vedette_gateway_database_writable', legend: '{{instance}}' }],
  }),
];

/** Credits: what is earned, who runs out, and whether the books are right. */
export const money = dashboard({
  uid: 'vedette-money',
  title: 'Vedette / Credits',
  description: 'Credits charged and given back, accounts that run out, and the ledger under them.',
  from: 'now-6h',
  sections: [
    { title: 'Now', panels: now },
    { title: 'What is charged', panels: spending },
    { title: 'The ledger', panels: ledger },
  ],
});
