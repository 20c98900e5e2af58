import { dashboard } from './dashboard.ts';
import { ACK, failedByUs, USED_SLOTS } from './fleet.ts';
import { series, stat, table, timeline, type Step } from './panels.ts';
import { JOBS, ownFailures, quantile } from './promql.ts';

const HERE = 'location="$location"';
/** What gateways tell of the agents here: each of them tells the same. */
const agents = (metric: string, { labels = [], matchers = '' }: { labels?: readonly string[]; matchers?: string } = {}): string =>
  `max by (${['agent', ...labels].join(', ')}) (vedette_gateway_agent_${metric}{${[HERE, matchers].filter(Boolean).join(', ')}})`;
const agentRate = (metric: string, by: string): string =>
  `sum by (${by}) (max without (instance, job) (rate(vedette_gateway_agent_${metric}{${HERE}}[$__rate_interval])))`;

const UP: Step[] = [{ color: 'red' }, { color: 'green', at: 1 }];
const NONE_IS_GOOD: Step[] = [{ color: 'green' }, { color: 'red', at: 1 }];
/** As AgentClockSkew has it, either way. */
const SKEW: Step[] = [{ color: 'red' }, { color: 'green', at: -5 }, { color: 'red', at: 5 }];
/** An event loop that is late by this much stamps late what is not stamped by the kernel. */
const LOOP: Step[] = [{ color: 'green' }, { color: 'yellow', at: 0.05 }, { color: 'red', at: 0.2 }];

const now = [
  stat({
    title: 'Ready agents',
    description: 'Agents here that take jobs. One is no redundancy.',
    width: 4,
    unit: 'none',
    steps: [{ color: 'red' }, { color: 'yellow', at: 1 }, { color: 'green', at: 2 }],
    query: { expr: `max(vedette_gateway_location_agents{${HERE}, state="ready"})` },
  }),
  stat({
    title: 'Slots in use',
    description: 'Of all kinds of probe. At 100 % further jobs are refused as busy.',
    width: 4,
    unit: 'percentunit',
    steps: USED_SLOTS,
    graph: true,
    query: {
      expr: `sum(${agents('slots', { labels: ['kind'], matchers: 'state="used"' })}) / sum(${agents('slots', { labels: ['kind'], matchers: 'state="max"' })})`,
    },
  }),
  failedByUs(
    'Share of measurements here that failed for a reason of our own, and not for one of the target or its DNS.',
    ownFailures({ among: HERE }),
  ),
  stat({
    title: 'Ack, p99',
    description: 'From dispatch to an agent here having taken the job: the bus, and the event loop of the agent.',
    width: 4,
    unit: 's',
    steps: ACK,
    graph: true,
    none: 'nothing measured',
    query: { expr: quantile(0.99, 'vedette_gateway_dispatch_ack_seconds', { matchers: HERE }) },
  }),
  stat({
    title: 'Witnesses that fail',
    description:
      'Name servers that prove the internet access of the agents here. Where most of them fail agents are degraded: not the target is down but this location.',
    width: 4,
    unit: 'none',
    steps: NONE_IS_GOOD,
    query: { expr: `sum(${agents('witnesses', { matchers: 'state="failing"' })})` },
  }),
  stat({
    title: 'Left out',
    description: 'Agents and kinds of probe that gateways leave out for a while since they failed again and again. Their log says of what.',
    width: 4,
    unit: 'none',
    steps: NONE_IS_GOOD,
    query: { expr: `count(${agents('ejected', { labels: ['kind'] })}) or vector(0)` },
  }),
];

const who = [
  table({
    title: 'Agents',
    description:
      'Every agent that was heard here in the last ten minutes. A clock that is off by more than 5 s makes logs lie; measured times do not depend on it.',
    width: 24,
    height: 7,
    unit: 'string',
    queries: [
      { expr: agents('info', { labels: ['version', 'icmp_engine', 'node'] }) },
      { expr: agents('up') },
      { expr: `time() - ${agents('start_timestamp_seconds')}` },
      { expr: agents('outdated') },
      { expr: agents('clock_skew_seconds') },
      { expr: agents('event_loop_delay_seconds') },
      { expr: agents('resident_memory_bytes') },
      { expr: agents('ack_seconds') },
    ],
    columns: {
      agent: { title: 'Agent' },
      version: { title: 'Version' },
      node: { title: 'Node' },
      icmp_engine: { title: 'ICMP engine', mappings: { none: { text: 'none', color: 'red' } } },
      'Value #B': { title: 'Heard', steps: UP, mappings: { '0': { text: 'no', color: 'red' }, '1': { text: 'yes', color: 'green' } } },
      'Value #C': { title: 'Runs for', unit: 's' },
      'Value #D': {
        title: 'Outdated',
        steps: NONE_IS_GOOD,
        mappings: { '0': { text: 'no', color: 'green' }, '1': { text: 'yes', color: 'red' } },
      },
      'Value #E': { title: 'Clock ahead by', unit: 's', steps: SKEW },
      'Value #F': { title: 'Event loop, p99', unit: 's', steps: LOOP },
      'Value #G': { title: 'Memory', unit: 'bytes' },
      'Value #H': { title: 'Ack', unit: 's', steps: ACK },
    },
  }),
  timeline({
    title: 'Agents by state',
    description:
      'How many are in each state. suspect: silent for 5 s; degraded: without a working network of its own; draining: told to stop.',
    width: 24,
    unit: 'none',
    steps: [{ color: 'text' }, { color: 'blue', at: 1 }],
    queries: [{ expr: `max by (state) (vedette_gateway_location_agents{${HERE}})`, legend: '{{state}}' }],
  }),
];

const work = [
  series({
    title: 'Measurements by outcome',
    description: 'Replies a second of this location: answered, or why not.',
    width: 12,
    unit: 'ops',
    stacked: true,
    queries: [{ expr: `sum by (outcome) (rate(${JOBS}{${HERE}}[$__rate_interval]))`, legend: '{{outcome}}' }],
  }),
  series({
    title: 'How long a measurement takes',
    description: 'Mean from dispatch to the reply, by operation.',
    width: 12,
    unit: 's',
    queries: [
      {
        expr: `sum by (operation) (rate(vedette_gateway_job_seconds_total{${HERE}}[$__rate_interval])) / (sum by (operation) (rate(${JOBS}{${HERE}}[$__rate_interval])) > 0)`,
        legend: '{{operation}}',
      },
    ],
  }),
  series({
    title: 'Slots in use by kind of probe',
    description: 'Over all agents here. A kind that stays at its most refuses jobs as busy.',
    width: 12,
    unit: 'percentunit',
    max: 1,
    steps: USED_SLOTS,
    queries: [
      {
        expr: `sum by (kind) (${agents('slots', { labels: ['kind'], matchers: 'state="used"' })}) / (sum by (kind) (${agents('slots', { labels: ['kind'], matchers: 'state="max"' })}) > 0)`,
        legend: '{{kind}}',
      },
    ],
  }),
  series({
    title: 'What went wrong with jobs',
    description:
      'Refused by agents, taken by nobody, answered twice or broken, cancelled. Broken frames are a defect, or somebody with a stolen key.',
    width: 12,
    unit: 'ops',
    queries: [
      { expr: `sum by (reason) (rate(vedette_gateway_nacks_total{${HERE}}[$__rate_interval]))`, legend: 'refused: {{reason}}' },
      { expr: `sum(rate(vedette_gateway_no_responders_total{${HERE}}[$__rate_interval]))`, legend: 'nobody there' },
      { expr: `sum(rate(vedette_gateway_late_results_total{${HERE}}[$__rate_interval]))`, legend: 'late' },
      { expr: `sum(rate(vedette_gateway_invalid_frames_total{${HERE}}[$__rate_interval]))`, legend: 'broken frames' },
      { expr: agentRate('cancelled_total', 'reason'), legend: 'cancelled: {{reason}}' },
    ],
  }),
];

const agentsThemselves = [
  series({
    title: 'Runs by agent and how they ended',
    description: 'As the agents count them. Identical jobs share a run, so there may be fewer runs than jobs.',
    width: 12,
    unit: 'ops',
    stacked: true,
    queries: [{ expr: `${agentRate('probes_total', 'agent, kind, reason')} > 0`, legend: '{{agent}} {{kind}} {{reason}}' }],
  }),
  series({
    title: 'How long a run takes',
    description: 'Mean, by kind of probe, as the agents measured it: without the bus.',
    width: 12,
    unit: 's',
    queries: [
      {
        expr: `${agentRate('probe_seconds_total', 'agent, kind')} / (${agentRate('probes_total', 'agent, kind')} > 0)`,
        legend: '{{agent}} {{kind}}',
      },
    ],
  }),
  series({
    title: 'Event loop, p99',
    description: 'How late the agents are at what they do in JavaScript. ICMP by the kernel engine does not depend on it.',
    width: 8,
    unit: 's',
    steps: LOOP,
    queries: [{ expr: agents('event_loop_delay_seconds'), legend: '{{agent}}' }],
  }),
  series({
    title: 'Clock ahead of the gateway',
    description: 'No measurement depends on it, logs and certificates do. More than 5 s: see to the time synchronisation of the machine.',
    width: 8,
    unit: 's',
    signed: true,
    queries: [{ expr: agents('clock_skew_seconds'), legend: '{{agent}}' }],
  }),
  series({
    title: 'Memory',
    description: 'Resident memory of the processes. It is to be flat: about 55 MB at rest, 80 MB under load.',
    width: 8,
    unit: 'bytes',
    queries: [{ expr: agents('resident_memory_bytes'), legend: '{{agent}}' }],
  }),
  series({
    title: 'CPU',
    description: 'Cores that the processes take.',
    width: 8,
    unit: 'percentunit',
    queries: [{ expr: agentRate('cpu_seconds_total', 'agent'), legend: '{{agent}}' }],
  }),
  series({
    title: "ICMP engine's own share of a round trip",
    description: 'What each RTT of this agent holds of the engine itself, measured on loopback.',
    width: 8,
    unit: 's',
    queries: [{ expr: agents('icmp_overhead_seconds'), legend: '{{agent}}' }],
  }),
  series({
    title: 'VPN exits',
    description: 'Ways out for vpn-test, by whether they passed their last check. A location without any has none.',
    width: 8,
    unit: 'none',
    queries: [{ expr: agents('vpn_exits', { labels: ['state'] }), legend: '{{agent}} {{state}}' }],
  }),
];

/** One location: which agent, and what of it. */
export const location = dashboard({
  uid: 'vedette-location',
  title: 'Vedette / Location',
  description: 'One location and its agents, as gateways hear of them. Agents open no port.',
  variables: [{ name: 'location', label: 'Location', query: 'label_values(vedette_gateway_location_agents, location)' }],
  sections: [
    { title: 'Now', panels: [...now, ...who] },
    { title: 'Its work', panels: work },
    { title: 'The agents themselves', panels: agentsThemselves },
  ],
});
