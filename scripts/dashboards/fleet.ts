import { dashboard } from './dashboard.ts';
import { toDashboard, toLocation, toRunbook } from './links.ts';
import { map, series, stat, table, timeline, type Column, type Step } from './panels.ts';
import { JOBS, ownFailures, placed, quantile } from './promql.ts';

const NONE_IS_GOOD: Step[] = [{ color: 'green' }, { color: 'red', at: 1 }];
/** As LocationDown has it: a location without an agent that takes jobs. */
const READY: Step[] = [{ color: 'red' }, { color: 'green', at: 1 }];
const OWN_FAILURES: Step[] = [{ color: 'green' }, { color: 'yellow', at: 0.01 }, { color: 'red', at: 0.05 }];
/** Nearer to the end of what is there than LocationUnderprovisioned lets it come for long. */
export const USED_SLOTS: Step[] = [{ color: 'green' }, { color: 'yellow', at: 0.75 }, { color: 'red', at: 0.9 }];
/** As AckSlow has it. */
export const ACK: Step[] = [{ color: 'green' }, { color: 'yellow', at: 0.25 }, { color: 'red', at: 0.5 }];

/** The share of measurements that we failed, which is green below a hundredth. */
export const failedByUs = (description: string, expr: string) =>
  stat({
    title: 'Failed by us',
    description,
    width: 4,
    unit: 'percentunit',
    decimals: 2,
    steps: OWN_FAILURES,
    graph: true,
    none: 'nothing measured',
    query: { expr },
  });

/** As LocationDown counts them: a degraded agent takes jobs, though its own witnesses are silent. */
const serving = 'max by (location) (sum by (instance, location) (vedette_gateway_location_agents{state=~"ready|degraded"}))';
const usedSlots =
  'sum by (location) (max by (location, agent, kind) (vedette_gateway_agent_slots{state="used"})) / (sum by (location) (max by (location, agent, kind) (vedette_gateway_agent_slots{state="max"})) > 0)';
const ack = quantile(0.99, 'vedette_gateway_dispatch_ack_seconds', { by: ['location'] });

const LOCATION: Record<string, Column> = {
  location: { title: 'Location', link: toLocation() },
  city: { title: 'City' },
  country: { title: 'Country' },
  'Value #A': { title: 'Serving agents', unit: 'none', steps: READY },
  'Value #B': { title: 'Slots in use', unit: 'percentunit', steps: USED_SLOTS },
  'Value #C': { title: 'Failed by us', unit: 'percentunit', steps: OWN_FAILURES },
  'Value #D': { title: 'Ack, p99', unit: 's', steps: ACK },
};

const now = [
  stat({
    title: 'Alerts firing',
    description: 'Alerts of deploy/prometheus/rules that fire now; the table below names them, with their runbooks.',
    width: 4,
    unit: 'none',
    steps: NONE_IS_GOOD,
    query: { expr: 'count(ALERTS{alertstate="firing"}) or vector(0)' },
  }),
  stat({
    title: 'Processes not scraped',
    description:
      'Gateways, renderers and agents with a listener of their own that Prometheus cannot read. Of a gateway this is an outage, or Prometheus is blind.',
    width: 4,
    unit: 'none',
    steps: NONE_IS_GOOD,
    query: { expr: 'count(up{job=~"vedette-.*"} == 0) or vector(0)' },
  }),
  stat({
    title: 'Locations without an agent',
    description:
      'Known locations that answer nothing now: their entries say no_agent or agent_lost. Remove one that is meant to be gone: vedette locations.',
    width: 4,
    unit: 'none',
    steps: NONE_IS_GOOD,
    query: { expr: `count(${serving} == 0) or vector(0)` },
  }),
  stat({
    title: 'Serving agents',
    description:
      'Agents that take jobs. The next one to die at a location with one agent takes the location with it: the map shows how many each has.',
    width: 4,
    unit: 'none',
    graph: true,
    query: { expr: `sum(${serving}) or vector(0)` },
  }),
  stat({
    title: 'Measurements',
    description: 'Replies of locations a second, whatever came of them.',
    width: 4,
    unit: 'ops',
    graph: true,
    query: { expr: `sum(rate(${JOBS}[$__rate_interval])) or vector(0)` },
  }),
  failedByUs(
    'Share of measurements that failed for a reason of our own (agent lost, busy, no network …), and not for one of the target or its DNS.',
    ownFailures(),
  ),
];

const overview = [
  map({
    title: 'Locations',
    description:
      'Where locations are, by agents that take jobs: red has none. A location without known coordinates is not on the map, but in the table.',
    width: 14,
    height: 13,
    unit: 'none',
    steps: READY,
    colorBy: 'Serving agents',
    where: 'geohash',
    queries: [{ expr: placed(serving) }],
    columns: {
      location: { title: 'Location', link: toLocation() },
      city: { title: 'City' },
      country: { title: 'Country' },
      Value: { title: 'Serving agents' },
    },
  }),
  table({
    title: 'Alerts',
    description: 'What fires now. Each name leads to the runbooks, where it says what to do.',
    width: 10,
    height: 13,
    unit: 'string',
    none: 'None',
    queries: [{ expr: 'max by (alertname, severity, location, agent, instance) (ALERTS{alertstate="firing"})' }],
    columns: {
      alertname: { title: 'Alert', link: toRunbook },
      severity: { title: 'Severity', width: 90 },
      location: { title: 'Location', link: toLocation() },
      agent: { title: 'Agent' },
      instance: { title: 'Instance' },
    },
  }),
];

const locations = [
  table({
    title: 'Every location',
    description:
      'What each can do now. Slots in use above 75 % for half an hour: put a second agent there. Failed by us: open the location.',
    width: 24,
    height: 9,
    unit: 'string',
    sortBy: 'Failed by us',
    queries: [
      { expr: placed(serving) },
      { expr: placed(usedSlots) },
      { expr: placed(ownFailures({ by: 'location' })) },
      { expr: placed(ack) },
    ],
    columns: LOCATION,
  }),
  timeline({
    title: 'Serving agents over time',
    description: 'A location that is red had none, and answered nothing.',
    width: 24,
    height: 9,
    unit: 'none',
    steps: READY,
    link: toLocation('${__field.labels.location}'),
    queries: [{ expr: serving, legend: '{{location}}' }],
  }),
];

const measuring = [
  series({
    title: 'Measurements by location',
    description: 'Replies a second. One location that has fewer than the others is one that requests leave out, or that fails early.',
    width: 12,
    unit: 'ops',
    link: toLocation('${__field.labels.location}'),
    queries: [{ expr: `sum by (location) (rate(${JOBS}[$__rate_interval]))`, legend: '{{location}}' }],
  }),
  series({
    title: 'Why measurements failed',
    description:
      'By reason. Those of a target (timeouts, refusals) say something of the target; agent_lost, agent_busy, no_agent, no_network and internal are ours.',
    width: 12,
    unit: 'ops',
    stacked: true,
    queries: [{ expr: `sum by (outcome) (rate(${JOBS}{outcome!="answered"}[$__rate_interval])) > 0`, legend: '{{outcome}}' }],
  }),
  series({
    title: 'How long a location takes',
    description: 'Mean from dispatch to the reply. A far target makes all slow, a slow location only itself.',
    width: 12,
    unit: 's',
    queries: [
      {
        expr: `sum by (location) (rate(vedette_gateway_job_seconds_total[$__rate_interval])) / (sum by (location) (rate(${JOBS}[$__rate_interval])) > 0)`,
        legend: '{{location}}',
      },
    ],
  }),
  series({
    title: 'Ack, p99',
    description: 'From dispatch to an agent having taken the job: the bus and the event loop of the agent, without the measurement.',
    width: 12,
    unit: 's',
    steps: ACK,
    queries: [{ expr: ack, legend: '{{location}}' }],
  }),
  series({
    title: 'Second attempts',
    description: 'Jobs sent to a second agent, by why, as a share of all. Above 5 % agents fall silent, refuse, or break the protocol.',
    width: 12,
    unit: 'percentunit',
    steps: [{ color: 'green' }, { color: 'red', at: 0.05 }],
    queries: [
      {
        expr: `sum by (reason) (rate(vedette_gateway_hedges_total[$__rate_interval])) / scalar(sum(rate(${JOBS}[$__rate_interval])) > 0)`,
        legend: '{{reason}}',
      },
    ],
  }),
  series({
    title: 'What nobody took',
    description: 'Jobs that agents refused, by why, and jobs to which no agent listened.',
    width: 12,
    unit: 'ops',
    queries: [
      { expr: 'sum by (location, reason) (rate(vedette_gateway_nacks_total[$__rate_interval])) > 0', legend: '{{location}} {{reason}}' },
      { expr: 'sum by (location) (rate(vedette_gateway_no_responders_total[$__rate_interval])) > 0', legend: '{{location}} nobody there' },
    ],
  }),
];

const dependencies = [
  timeline({
    title: 'What gateways depend on',
    description:
      'Red is broken: a gateway without bus cannot measure, one without a writable database charges and therefore serves nobody, one without resolvers refuses what needs the DNS.',
    width: 16,
    unit: 'none',
    steps: READY,
    link: toDashboard('vedette-api', 'the API'),
    queries: [
      { expr: 'up{job="vedette-gateway"}', legend: '{{instance}} scraped' },
      { expr: 'vedette_gateway_bus_connected', legend: '{{instance}} bus' },
      { expr: 'vedette_gateway_database_writable', legend: '{{instance}} database' },
      { expr: 'vedette_gateway_resolvers_ok', legend: '{{instance}} resolvers' },
    ],
  }),
  table({
    title: 'What runs',
    description:
      'Versions of gateways, agents and renderers. After an update there is one version; an outdated agent cannot be asked by a newer gateway.',
    width: 8,
    unit: 'string',
    queries: [
      { expr: 'count by (version) (max by (location, agent, version) (vedette_gateway_agent_info))' },
      { expr: 'count by (version) (vedette_gateway_build_info)' },
      { expr: 'count by (version) (max by (renderer, version) (vedette_gateway_renderer_info))' },
    ],
    columns: {
      version: { title: 'Version' },
      'Value #B': { title: 'Gateways' },
      'Value #A': { title: 'Agents' },
      'Value #C': { title: 'Renderers' },
    },
  }),
];

/** The first page: is everybody served, and if not, where to look. */
export const fleet = dashboard({
  uid: 'vedette-fleet',
  title: 'Vedette / Fleet',
  description:
    'Whether every location measures, and what is wrong where it does not. From here: one location, the API, one target, renderers, credits.',
  sections: [
    { title: 'Now', panels: [...now, ...overview] },
    { title: 'Locations', panels: locations },
    { title: 'Measuring', panels: measuring },
    { title: 'What all of it stands on', panels: dependencies },
  ],
});
