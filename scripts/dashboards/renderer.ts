import { dashboard } from './dashboard.ts';
import { series, stat, table, timeline, type Step } from './panels.ts';
import { OUR_CODES, quantile, share } from './promql.ts';

const GOOD_OR_NOT: Step[] = [{ color: 'red' }, { color: 'green', at: 1 }];
/** As RendererSaturated has it. */
const SATURATED: Step[] = [{ color: 'green' }, { color: 'yellow', at: 0.75 }, { color: 'red', at: 0.9 }];
const HERE = 'instance=~"$instance"';
const used = 'max(vedette_gateway_renderer_slots{state="used"})';
const most = 'max(vedette_gateway_renderer_slots{state="max"})';
const own = (metric: string, by: string): string => `sum by (${by}) (rate(vedette_renderer_${metric}{${HERE}}[$__rate_interval]))`;

const now = [
  stat({
    title: 'Ready renderers',
    description: 'That gateways hear. Without any screenshots and PDFs are a free 503.',
    width: 4,
    unit: 'none',
    steps: GOOD_OR_NOT,
    query: { expr: 'max(vedette_gateway_renderers{state="ready"})' },
  }),
  stat({
    title: 'Slots in use',
    description: 'Of all renderers together. Above 90 % for long: accounts wait for their turn; start another renderer.',
    width: 4,
    unit: 'percentunit',
    steps: SATURATED,
    graph: true,
    query: { expr: `${used} / (${most} > 0)` },
  }),
  stat({
    title: 'Renders',
    description: 'A second, whatever came of them.',
    width: 4,
    unit: 'ops',
    graph: true,
    query: { expr: 'sum(rate(vedette_gateway_renders_total[$__rate_interval]))' },
  }),
  stat({
    title: 'Failed by us',
    description: 'Share of renders that ended with an error of our own: no renderer, lost, failed browser.',
    width: 4,
    unit: 'percentunit',
    decimals: 2,
    steps: [{ color: 'green' }, { color: 'yellow', at: 0.01 }, { color: 'red', at: 0.05 }],
    none: 'nothing rendered',
    query: {
      expr: share('vedette_gateway_renders_total', `outcome=~"${OUR_CODES}"`),
    },
  }),
  stat({
    title: 'Age of the oldest browser',
    description: 'Since its package was made. Chromium mends holes that are used every few weeks: beyond 90 days update it.',
    width: 4,
    unit: 's',
    steps: [{ color: 'green' }, { color: 'yellow', at: 45 * 86_400 }, { color: 'red', at: 90 * 86_400 }],
    none: 'no listener is scraped',
    query: { expr: 'max(time() - vedette_renderer_browser_made_timestamp_seconds)' },
  }),
  stat({
    title: 'Results held',
    description: 'Bytes that renderers keep until a gateway fetches them. It is to be near 0 between renders.',
    width: 4,
    unit: 'bytes',
    graph: true,
    query: { expr: 'max(vedette_gateway_renderer_held_bytes)' },
  }),
];

const asked = [
  series({
    title: 'Renders by kind',
    description: 'A second, as gateways ask for them.',
    width: 8,
    unit: 'ops',
    queries: [{ expr: 'sum by (kind) (rate(vedette_gateway_renders_total[$__rate_interval]))', legend: '{{kind}}' }],
  }),
  series({
    title: 'How they ended',
    description:
      'ok, or the code of the error that the client got. no_renderer and the like are ours; what begins with page or target is of the page.',
    width: 8,
    unit: 'ops',
    stacked: true,
    queries: [{ expr: 'sum by (outcome) (rate(vedette_gateway_renders_total[$__rate_interval]))', legend: '{{outcome}}' }],
  }),
  series({
    title: 'How long a client waits, p50 and p95',
    description: 'From asking for a page to having it, waiting for a turn included.',
    width: 8,
    unit: 's',
    queries: [0.5, 0.95].map((q) => ({
      expr: quantile(q, 'vedette_gateway_render_seconds', { by: ['kind'] }),
      legend: `{{kind}} p${q * 100}`,
    })),
  }),
  series({
    title: 'Slots',
    description: 'Used ones that touch the most: work waits, or is a 503 where the queue is full.',
    width: 8,
    unit: 'none',
    queries: [
      { expr: used, legend: 'used' },
      { expr: most, legend: 'all' },
    ],
  }),
  series({
    title: 'Begun again elsewhere',
    description: 'Renders whose renderer was lost, a second.',
    width: 8,
    unit: 'ops',
    queries: [{ expr: 'sum by (kind) (rate(vedette_gateway_render_retries_total[$__rate_interval]))', legend: '{{kind}}' }],
  }),
  table({
    title: 'Renderers',
    description: 'Those that gateways hear, and with which browser.',
    width: 8,
    unit: 'string',
    none: 'None',
    queries: [{ expr: 'max by (renderer, version, browser) (vedette_gateway_renderer_info)' }],
    columns: { renderer: { title: 'Renderer' }, version: { title: 'Version' }, browser: { title: 'Browser' } },
  }),
];

const themselves = [
  timeline({
    title: 'Browser, bus, network',
    description: 'Red: no browser starts; the bus does not answer; its own internet access is gone, and pages are not to blame.',
    width: 12,
    unit: 'none',
    steps: GOOD_OR_NOT,
    queries: [
      { expr: `vedette_renderer_browser_up{${HERE}}`, legend: '{{instance}} browser' },
      { expr: `vedette_renderer_nats_connected{${HERE}}`, legend: '{{instance}} bus' },
      { expr: `vedette_renderer_selftest_success{${HERE}}`, legend: '{{instance}} network' },
    ],
  }),
  series({
    title: 'Browsers that ended',
    description: 'recycled is upkeep, memory a page that took too much; crash is a defect of the browser, or somebody who looks for one.',
    width: 12,
    unit: 'ops',
    queries: [
      { expr: own('browsers_ended_total', 'reason'), legend: '{{reason}}' },
      { expr: own('retried_total', 'kind'), legend: 'tried again: {{kind}}' },
    ],
  }),
  series({
    title: 'Jobs by how they ended',
    description: 'As renderers count them. internal is a fault of ours.',
    width: 8,
    unit: 'ops',
    stacked: true,
    queries: [{ expr: own('renders_total', 'kind, reason'), legend: '{{kind}} {{reason}}' }],
  }),
  series({
    title: 'How long a render takes, p95',
    description: 'From the start of a job to its end, without the wait for a turn.',
    width: 8,
    unit: 's',
    queries: [{ expr: quantile(0.95, 'vedette_renderer_render_duration_seconds', { by: ['kind'], matchers: HERE }), legend: '{{kind}}' }],
  }),
  series({
    title: 'Memory',
    description: 'Of the browser with all its processes, and of the renderer itself. Each slot may take 512 MB more.',
    width: 8,
    unit: 'bytes',
    queries: [
      { expr: `vedette_renderer_browser_memory_bytes{${HERE}}`, legend: '{{instance}} browser' },
      { expr: `process_resident_memory_bytes{job="vedette-renderer", ${HERE}}`, legend: '{{instance}} renderer' },
    ],
  }),
  series({
    title: 'Requests of the browser’s own that were kept in',
    description: 'What Chromium wanted to ask its makers, a second. It is no page’s doing.',
    width: 8,
    unit: 'ops',
    queries: [{ expr: own('denied_requests_total', 'instance'), legend: '{{instance}}' }],
  }),
  series({
    title: 'Refused and cancelled',
    description: 'Jobs that a renderer did not take, and jobs at work for which nobody waited any more.',
    width: 8,
    unit: 'ops',
    queries: [
      { expr: own('refused_total', 'reason'), legend: 'refused: {{reason}}' },
      { expr: own('cancelled_total', 'reason'), legend: 'cancelled: {{reason}}' },
    ],
  }),
  series({
    title: 'CPU of the renderer',
    description: 'Cores of the process with the proxy, without the browser.',
    width: 8,
    unit: 'percentunit',
    queries: [{ expr: `rate(process_cpu_seconds_total{job="vedette-renderer", ${HERE}}[$__rate_interval])`, legend: '{{instance}}' }],
  }),
];

/** Screenshots, PDFs and what pages ask for. */
export const renderer = dashboard({
  uid: 'vedette-renderer',
  title: 'Vedette / Renderers',
  description: 'The processes with the browser: whether there are enough of them, and whether they are well.',
  variables: [{ name: 'instance', label: 'Renderer', query: 'label_values(vedette_renderer_info, instance)', many: true }],
  sections: [
    { title: 'Now', panels: now },
    { title: 'What was asked of them', panels: asked },
    { title: 'The renderers themselves, where they have a listener', panels: themselves },
  ],
});
