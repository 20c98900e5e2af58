import { dashboard } from './dashboard.ts';
import { heatmap, series, stat, table, timeline, type Step } from './panels.ts';
import { quantile, share } from './promql.ts';

const REQUESTS = 'vedette_gateway_request_duration_seconds';
const HERE = 'instance=~"$instance"';
const CHOSEN = `${HERE}, operation=~"$operation"`;
const GOOD_OR_NOT: Step[] = [{ color: 'red' }, { color: 'green', at: 1 }];
/** As RequestsFailing has it. */
const FAILED: Step[] = [{ color: 'green' }, { color: 'yellow', at: 0.01 }, { color: 'red', at: 0.05 }];
const NEARLY_FULL: Step[] = [{ color: 'green' }, { color: 'yellow', at: 0.7 }, { color: 'red', at: 0.9 }];
/** As DatabaseSlow has it. */
export const COMMIT: Step[] = [{ color: 'green' }, { color: 'yellow', at: 0.1 }, { color: 'red', at: 0.5 }];

const rate = (metric: string, by: string, matchers = HERE): string => `sum by (${by}) (rate(${metric}{${matchers}}[$__rate_interval]))`;
const answersWith = (status: string): string => share(`${REQUESTS}_count`, `status=~"${status}"`, { among: CHOSEN });

const now = [
  stat({
    title: 'Requests',
    description: 'A second, refused ones too.',
    width: 4,
    unit: 'reqps',
    graph: true,
    query: { expr: `sum(rate(${REQUESTS}_count{${CHOSEN}}[$__rate_interval]))` },
  }),
  stat({
    title: 'Failed by us',
    description:
      'Share of answers of 500 and above: a defect, a database that is away, no agents, or too much at once. None of them was charged.',
    width: 4,
    unit: 'percentunit',
    decimals: 2,
    steps: FAILED,
    graph: true,
    none: 'no requests',
    query: { expr: answersWith('5..') },
  }),
  stat({
    title: 'Refused for the rate',
    description: 'Share of 429: clients above their rate, targets above theirs, or an account with too many requests under way.',
    width: 4,
    unit: 'percentunit',
    decimals: 2,
    graph: true,
    none: 'no requests',
    query: { expr: answersWith('429') },
  }),
  stat({
    title: 'p99 of a request',
    description:
      'From the first byte in to the answer. Distributed operations take as long as their slowest location: choose one operation to compare.',
    width: 4,
    unit: 's',
    graph: true,
    none: 'no requests',
    query: { expr: quantile(0.99, REQUESTS, { matchers: CHOSEN }) },
  }),
  stat({
    title: 'In the gateways’ own hands',
    description: 'Share of the requests that gateways may work on at a time, the fullest one. Past it further ones are a 503 at once.',
    width: 4,
    unit: 'percentunit',
    steps: NEARLY_FULL,
    graph: true,
    query: { expr: `max(vedette_gateway_concurrency{${HERE}} / vedette_gateway_concurrency_limit{${HERE}})` },
  }),
  stat({
    title: 'Oldest measurement under way',
    description: 'Age of the oldest distributed request. Operations have deadlines of at most a minute: more than two is a defect.',
    width: 4,
    unit: 's',
    steps: [{ color: 'green' }, { color: 'yellow', at: 60 }, { color: 'red', at: 120 }],
    graph: true,
    query: { expr: `max(vedette_gateway_oldest_job_age_seconds{${HERE}})` },
  }),
];

const requests = [
  series({
    title: 'Requests by operation',
    description: 'A second; none is what is no operation (pages, wrong paths, refused before a path was read).',
    width: 12,
    unit: 'reqps',
    queries: [{ expr: rate(`${REQUESTS}_count`, 'operation', CHOSEN), legend: '{{operation}}' }],
  }),
  series({
    title: 'Answers by status',
    description:
      '499: the client left before its answer. 401 and 403 in numbers: keys are tried. 502: our DNS. 503: no agents, no renderer, or too much at once.',
    width: 12,
    unit: 'reqps',
    stacked: true,
    queries: [{ expr: rate(`${REQUESTS}_count`, 'status', CHOSEN), legend: '{{status}}' }],
  }),
  series({
    title: 'p50, p95 and p99',
    description: 'Of all answers to the chosen operations, from the first byte in.',
    width: 8,
    unit: 's',
    queries: [0.5, 0.95, 0.99].map((q) => ({ expr: quantile(q, REQUESTS, { matchers: CHOSEN }), legend: `p${q * 100}` })),
  }),
  series({
    title: 'p95 by operation',
    description: 'Which operation became slow.',
    width: 8,
    unit: 's',
    queries: [{ expr: quantile(0.95, REQUESTS, { by: ['operation'], matchers: CHOSEN }), legend: '{{operation}}' }],
  }),
  heatmap({
    title: 'How long answers took',
    description: 'Two bands are two kinds of answers: refusals at the bottom, measurements above.',
    width: 8,
    unit: 's',
    query: { expr: `sum by (le) (increase(${REQUESTS}_bucket{${CHOSEN}}[$__rate_interval]))` },
  }),
];

const door = [
  series({
    title: 'Bad keys and lockouts',
    description:
      'Requests with keys that are none, and addresses blocked for an hour since they tried too many. Also who tried admin tokens.',
    width: 8,
    unit: 'ops',
    queries: [
      { expr: rate('vedette_gateway_invalid_keys_total', 'code'), legend: 'key: {{code}}' },
      { expr: rate('vedette_gateway_lockouts_total', 'instance'), legend: 'lockouts at {{instance}}' },
      { expr: rate('vedette_gateway_admin_refused_total', 'reason'), legend: 'admin: {{reason}}' },
    ],
  }),
  series({
    title: 'Connections',
    description:
      'Of clients. Refused: too many from one address or in all. Cut, a second: idle when others wanted in, or not reading (stalled), which is how slow attacks look.',
    width: 8,
    unit: 'none',
    queries: [
      { expr: `vedette_gateway_connections{${HERE}}`, legend: '{{instance}}' },
      { expr: rate('vedette_gateway_connections_refused_total', 'why'), legend: 'refused a second: {{why}}' },
      { expr: rate('vedette_gateway_connections_cut_total', 'why'), legend: 'cut a second: {{why}}' },
    ],
  }),
  series({
    title: 'Who waits for a permit',
    description:
      'Accounts share what there is of jobs at a location, DNS questions and connections. Waiting is fairness at work; refused means that the pool is too small.',
    width: 8,
    unit: 'none',
    queries: [
      { expr: `sum by (pool) (vedette_gateway_permits{${HERE}, state="waiting"})`, legend: '{{pool}}: waiting' },
      { expr: rate('vedette_gateway_permits_refused_total', 'pool'), legend: '{{pool}}: refused a second' },
    ],
  }),
];

const dependencies = [
  timeline({
    title: 'Bus, database, resolvers',
    description:
      'Red is broken. The bus is also outdated where the nats-server is older than 2.12.12, which is not shown here but has an alert.',
    width: 12,
    unit: 'none',
    steps: GOOD_OR_NOT,
    queries: [
      { expr: `vedette_gateway_bus_connected{${HERE}}`, legend: '{{instance}} bus' },
      { expr: `vedette_gateway_database_writable{${HERE}}`, legend: '{{instance}} database' },
      { expr: `vedette_gateway_resolvers_ok{${HERE}}`, legend: '{{instance}} resolvers' },
    ],
  }),
  series({
    title: 'Commit',
    description:
      'How long the last commit took that was tried, every 2 s. Every request waits for one twice: to hold its price and to settle it.',
    width: 6,
    unit: 's',
    steps: COMMIT,
    queries: [{ expr: `vedette_gateway_database_commit_seconds{${HERE}}`, legend: '{{instance}}' }],
  }),
  series({
    title: 'Connections to the database',
    description: 'By pool. Waiting ones for longer than a moment: the database is slow, not the pool small.',
    width: 6,
    unit: 'none',
    queries: [{ expr: `sum by (pool, state) (vedette_gateway_database_connections{${HERE}})`, legend: '{{pool}} {{state}}' }],
  }),
];

const judges = [
  table({
    title: 'Feeds',
    description:
      'Datasets of others: how old, how many rows. One that is older than a few of its intervals is refused or cannot be fetched: vedette feeds list says why.',
    width: 8,
    unit: 'string',
    sortBy: 'Age in refreshes',
    none: 'No feeds are on',
    queries: [
      { expr: `max by (feed) (vedette_gateway_feed_age_seconds{${HERE}})` },
      { expr: `max by (feed) (vedette_gateway_feed_rows{${HERE}})` },
      { expr: `max by (feed) (vedette_gateway_feed_age_seconds{${HERE}} / vedette_gateway_feed_refresh_interval_seconds{${HERE}})` },
    ],
    columns: {
      feed: { title: 'Feed' },
      'Value #A': { title: 'Age', unit: 's' },
      'Value #B': { title: 'Rows', unit: 'short' },
      'Value #C': {
        title: 'Age in refreshes',
        unit: 'none',
        steps: [{ color: 'green' }, { color: 'yellow', at: 2 }, { color: 'red', at: 3 }],
      },
    },
  }),
  table({
    title: 'Blacklist engines',
    description: 'Which state each is in that is on. One that is not up is not asked, and answers say unanswered for it.',
    width: 8,
    unit: 'string',
    none: 'No engines are on',
    queries: [{ expr: `max by (engine, state) (vedette_gateway_engine_state{${HERE}})` }],
    columns: { engine: { title: 'Engine' }, state: { title: 'State' } },
  }),
  series({
    title: 'Answers of engines',
    description: 'What they came to; kept is told from memory, without asking.',
    width: 8,
    unit: 'ops',
    stacked: true,
    queries: [{ expr: rate('vedette_gateway_engine_answers_total', 'outcome'), legend: '{{outcome}}' }],
  }),
  series({
    title: 'Messages read',
    description: 'By how that ended. Other than ok is what messages do, each at the price of its refusal, but for the ends on the right.',
    width: 8,
    unit: 'ops',
    queries: [{ expr: rate('vedette_gateway_parses_total', 'outcome'), legend: '{{outcome}}' }],
  }),
  series({
    title: 'How long reading a message takes, p95',
    description: 'From asking for it to having its report, waiting for a place included.',
    width: 8,
    unit: 's',
    queries: [{ expr: quantile(0.95, 'vedette_gateway_parse_seconds', { matchers: HERE }), legend: 'p95' }],
  }),
  series({
    title: 'Why parsers ended',
    description: 'defect and no_answer are faults of ours, or a parser that was taken over: the log has the rest.',
    width: 8,
    unit: 'ops',
    queries: [{ expr: rate('vedette_gateway_parser_ends_total', 'why'), legend: '{{why}}' }],
  }),
];

const processes = [
  series({
    title: 'CPU',
    description: 'Cores that each gateway takes. JavaScript has one: near 1 everybody waits.',
    width: 6,
    unit: 'percentunit',
    queries: [{ expr: `rate(process_cpu_seconds_total{job="vedette-gateway", ${HERE}}[$__rate_interval])`, legend: '{{instance}}' }],
  }),
  series({
    title: 'Memory',
    description: 'Resident. It follows load and is to come back.',
    width: 6,
    unit: 'bytes',
    queries: [{ expr: `process_resident_memory_bytes{job="vedette-gateway", ${HERE}}`, legend: '{{instance}}' }],
  }),
  series({
    title: 'Event loop, p99',
    description: 'How late a gateway is at everything it does. From 100 ms on clients notice.',
    width: 6,
    unit: 's',
    steps: [{ color: 'green' }, { color: 'yellow', at: 0.1 }, { color: 'red', at: 0.5 }],
    queries: [{ expr: `nodejs_eventloop_lag_p99_seconds{job="vedette-gateway", ${HERE}}`, legend: '{{instance}}' }],
  }),
  series({
    title: 'Room in the data directory',
    description: 'Bytes left on its file system. Full means: no commits, so nobody is served.',
    width: 6,
    unit: 'bytes',
    steps: [{ color: 'red' }, { color: 'green', at: 1e9 }],
    queries: [{ expr: `vedette_gateway_data_dir_free_bytes{${HERE}}`, legend: '{{instance}}' }],
  }),
];

/** What clients get, and why not. */
export const api = dashboard({
  uid: 'vedette-api',
  title: 'Vedette / API',
  description: 'What clients ask and get: rates, errors, durations; who is refused; what gateways depend on.',
  variables: [
    { name: 'instance', label: 'Gateway', query: 'label_values(up{job="vedette-gateway"}, instance)', many: true },
    { name: 'operation', label: 'Operation', query: `label_values(${REQUESTS}_count, operation)`, many: true },
  ],
  sections: [
    { title: 'Now', panels: now },
    { title: 'Requests', panels: requests },
    { title: 'At the door', panels: door },
    { title: 'What it depends on', panels: dependencies },
    { title: 'Feeds, engines, messages', panels: judges },
    { title: 'The gateways themselves', panels: processes },
  ],
});
