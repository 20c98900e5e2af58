import { dashboard } from './dashboard.ts';
import { toLocation } from './links.ts';
import { map, series, stat, table, timeline, type Step } from './panels.ts';

/** One target, from the locations that were chosen. */
const TARGET = 'job="$job", instance="$instance"';
const HERE = `${TARGET}, location=~"$location"`;
const at = (metric: string, by = 'location', matchers = ''): string => `max by (${by}) (${metric}{${HERE}${matchers && `, ${matchers}`}})`;

/** With the place of each location, as the same scrape tells it: who asks /probe need not see metrics of gateways. */
const placed = (expr: string): string =>
  `${expr} * on (location) group_left (city, country, latitude, longitude) ${at('probe_location_info', 'location, city, country, latitude, longitude')}`;

const UP: Step[] = [{ color: 'red' }, { color: 'green', at: 1 }];
const SHARE_UP: Step[] = [{ color: 'red' }, { color: 'yellow', at: 0.5 }, { color: 'green', at: 1 }];
const DAY_S = 86_400;
const EXPIRY: Step[] = [{ color: 'red' }, { color: 'yellow', at: 7 * DAY_S }, { color: 'green', at: 21 * DAY_S }];
const LOSS: Step[] = [{ color: 'green' }, { color: 'yellow', at: 0.01 }, { color: 'red', at: 0.25 }];
const YES_NO = { '0': { text: 'no', color: 'red' }, '1': { text: 'yes', color: 'green' } } as const;
const UP_DOWN = { '0': { text: 'down', color: 'red' }, '1': { text: 'up', color: 'green' } } as const;

const now = [
  stat({
    title: 'Up from',
    description:
      'Share of the locations that could measure from where the target is up. Red below one half: it is the target, not a path to it.',
    width: 6,
    unit: 'percentunit',
    decimals: 0,
    steps: SHARE_UP,
    graph: true,
    none: 'not measured',
    query: { expr: `avg((${at('probe_success')}) and on (location) (${at('probe_agent_ok')} == 1))` },
  }),
  stat({
    title: 'Locations that measured',
    description: 'How many had a word on the target. The others failed themselves, and are not counted against it.',
    width: 6,
    unit: 'none',
    none: 'not measured',
    query: { expr: `count(${at('probe_agent_ok')} == 1)` },
  }),
  stat({
    title: 'Duration, median of locations',
    description: 'Of one measurement. The slowest location stands in the table.',
    width: 6,
    unit: 's',
    graph: true,
    none: 'not measured',
    query: { expr: `quantile(0.5, ${at('probe_duration_seconds')})` },
  }),
  stat({
    title: 'Certificate expires in',
    description: 'The earliest that any location saw in the chain.',
    width: 6,
    unit: 's',
    steps: EXPIRY,
    none: 'no TLS',
    query: { expr: `min(probe_ssl_earliest_cert_expiry{${HERE}}) - time()` },
  }),
];

const where = [
  map({
    title: 'From where',
    description: 'Up (green) and down (red) by location. A location that failed itself is red too: its row in the table says so.',
    width: 14,
    height: 13,
    unit: 'none',
    steps: UP,
    colorBy: 'Up',
    where: 'coordinates',
    queries: [{ expr: placed(at('probe_success')) }, { expr: placed(at('probe_duration_seconds')) }],
    columns: {
      location: { title: 'Location', link: toLocation() },
      city: { title: 'City' },
      country: { title: 'Country' },
      'Value #A': { title: 'Up', mappings: UP_DOWN, steps: UP },
      'Value #B': { title: 'Duration', unit: 's' },
    },
  }),
  table({
    title: 'By location',
    description: 'Agent well: no means that what this location says is no word on the target. Open a location to see why.',
    width: 10,
    height: 13,
    unit: 'string',
    sortBy: 'Duration',
    queries: [
      { expr: at('probe_success') },
      { expr: at('probe_agent_ok') },
      { expr: at('probe_duration_seconds') },
      { expr: at('probe_ip_protocol') },
    ],
    columns: {
      location: { title: 'Location', link: toLocation() },
      'Value #A': { title: 'Up', steps: UP, mappings: UP_DOWN },
      'Value #B': { title: 'Agent well', steps: UP, mappings: YES_NO },
      'Value #C': { title: 'Duration', unit: 's' },
      'Value #D': { title: 'IP', unit: 'none' },
    },
  }),
  timeline({
    title: 'Up or down, by location',
    description: 'All red at once: the target. One red line: a path, or that location.',
    width: 24,
    height: 9,
    unit: 'none',
    steps: UP,
    link: toLocation('${__field.labels.location}'),
    queries: [{ expr: at('probe_success'), legend: '{{location}}' }],
  }),
  series({
    title: 'Duration by location',
    description: 'Of a whole measurement, the name’s resolution included.',
    width: 12,
    unit: 's',
    link: toLocation('${__field.labels.location}'),
    queries: [{ expr: at('probe_duration_seconds'), legend: '{{location}}' }],
  }),
  series({
    title: 'Why it failed',
    description: 'Locations by reason, as in docs/reference/errors.md; those of agents say nothing of the target.',
    width: 12,
    unit: 'none',
    stacked: true,
    queries: [{ expr: `sum by (reason) (probe_failure_info{${HERE}})`, legend: '{{reason}}' }],
  }),
];

const http = [
  series({
    title: 'Phases, mean of locations',
    description:
      'resolve, connect, tls, processing (to the first byte) and transfer, summed over redirects. Which one grew says whose fault it is.',
    width: 12,
    unit: 's',
    stacked: true,
    queries: [{ expr: `avg by (phase) (probe_http_duration_seconds{${HERE}})`, legend: '{{phase}}' }],
  }),
  series({
    title: 'To the first byte, by location',
    description: 'The target’s own time (processing): it differs by location where different servers answer.',
    width: 12,
    unit: 's',
    queries: [{ expr: at('probe_http_duration_seconds', 'location', 'phase="processing"'), legend: '{{location}}' }],
  }),
  table({
    title: 'Answers',
    description: 'What each location got. Different codes or lengths are different servers, or something on the way.',
    width: 16,
    unit: 'string',
    none: 'not measured by HTTP',
    queries: [
      { expr: at('probe_http_status_code') },
      { expr: at('probe_http_version') },
      { expr: at('probe_http_redirects') },
      { expr: at('probe_http_uncompressed_body_length') },
      { expr: at('probe_ssl_earliest_cert_expiry') + ' - time()' },
      { expr: `max by (location, version) (probe_tls_version_info{${HERE}})` },
    ],
    columns: {
      location: { title: 'Location', link: toLocation() },
      'Value #A': { title: 'Status', unit: 'none', steps: [{ color: 'green' }, { color: 'yellow', at: 300 }, { color: 'red', at: 400 }] },
      'Value #B': { title: 'HTTP', unit: 'none' },
      version: { title: 'TLS' },
      'Value #C': { title: 'Redirects', unit: 'none' },
      'Value #D': { title: 'Body', unit: 'bytes' },
      'Value #E': { title: 'Certificate expires in', unit: 's', steps: EXPIRY },
    },
  }),
  series({
    title: 'Status codes',
    description: 'Locations by what they were answered.',
    width: 8,
    unit: 'none',
    stacked: true,
    queries: [{ expr: `count_values("code", probe_http_status_code{${HERE}})`, legend: '{{code}}' }],
  }),
];

const icmp = [
  series({
    title: 'Round trip by location',
    description: 'Mean of the echoes that were answered; an unanswered one is lost, and has no time.',
    width: 12,
    unit: 's',
    queries: [{ expr: at('probe_icmp_duration_seconds', 'location', 'phase="rtt"'), legend: '{{location}}' }],
  }),
  series({
    title: 'Loss by location',
    description: 'Share of the echoes that were not answered. With four echoes a step is 25 %.',
    width: 12,
    unit: 'percentunit',
    max: 1,
    steps: LOSS,
    queries: [{ expr: `1 - ${at('probe_icmp_packets_received_count')} / ${at('probe_icmp_packets_sent_count')}`, legend: '{{location}}' }],
  }),
  series({
    title: 'Spread of the round trips',
    description: 'Standard deviation within one measurement, which is what ping calls mdev.',
    width: 12,
    unit: 's',
    queries: [{ expr: at('probe_icmp_duration_rtt_stddev_seconds'), legend: '{{location}}' }],
  }),
  series({
    title: 'Hop limit of replies',
    description: 'A step is another path, or another machine that answers.',
    width: 12,
    unit: 'none',
    queries: [{ expr: at('probe_icmp_reply_hop_limit'), legend: '{{location}}' }],
  }),
];

const dns = [
  series({
    title: 'Phases, mean of locations',
    description: 'Finding the server, connecting, and the answer.',
    width: 8,
    unit: 's',
    stacked: true,
    queries: [{ expr: `avg by (phase) (probe_dns_duration_seconds{${HERE}})`, legend: '{{phase}}' }],
  }),
  series({
    title: 'Records in the answer',
    description: 'Different numbers are different versions of the zone.',
    width: 8,
    unit: 'none',
    queries: [{ expr: at('probe_dns_answer_rrs'), legend: '{{location}}' }],
  }),
  series({
    title: 'Answered',
    description: '1 where the query was answered, whatever the answer.',
    width: 8,
    unit: 'none',
    queries: [{ expr: at('probe_dns_query_succeeded'), legend: '{{location}}' }],
  }),
];

/** One target from everywhere, as a job of /probe measures it. */
export const probe = dashboard({
  uid: 'vedette-probe',
  title: 'Vedette / Target',
  description: 'One target from every location, as Prometheus has it measured by /probe.',
  variables: [
    { name: 'job', label: 'Job', query: 'label_values(probe_locations, job)' },
    { name: 'instance', label: 'Target', query: 'label_values(probe_locations{job="$job"}, instance)' },
    { name: 'location', label: 'Location', query: `label_values(probe_success{${TARGET}}, location)`, many: true },
  ],
  from: 'now-6h',
  sections: [
    { title: 'Now', panels: now },
    { title: 'Where', panels: where },
    { title: 'HTTP and TLS', panels: http, collapsed: true },
    { title: 'Ping', panels: icmp, collapsed: true },
    { title: 'DNS', panels: dns, collapsed: true },
  ],
});
