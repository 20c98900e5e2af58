import { collectNodeMetrics } from '@vedette/process/node-metrics';
import { Registry } from 'prom-client';
import { agentMetrics } from './agent-metrics.ts';
import { JobTotals } from './job-totals.ts';
import { ledgerMetrics } from './ledger-metrics.ts';
import { type MakeCounter, type MakeGauge, type MakeHistogram, metricMakers } from './metric-makers.ts';

/** Metrics of blacklist engines; `engine` is an id of the catalogue. */
const engineMetrics = (gauge: MakeGauge, counter: MakeCounter, histogram: MakeHistogram) => ({
  engineState: gauge('engine_state', 'Always 1: which state a blacklist engine is in that is on', ['engine', 'state']),
  engineAnswers: counter('engine_answers_total', 'What blacklist engines were asked came to; kept: told from memory', [
    'engine',
    'outcome',
  ]),
  engineSeconds: histogram(
    'engine_seconds',
    'How long blacklist engines took, or were waited for',
    ['engine'],
    [0.001, 0.01, 0.05, 0.12, 0.25, 0.4],
  ),
});

/** Metrics of renderers, and figures from their beats. */
const renderMetrics = (gauge: MakeGauge, counter: MakeCounter, histogram: MakeHistogram) => ({
  renders: counter('renders_total', 'Pages that renderers were asked for, by how that ended: ok, or the code of the error', [
    'kind',
    'outcome',
  ]),
  renderSeconds: histogram('render_seconds', 'From asking for a rendered page to having it', ['kind']),
  renderRetries: counter('render_retries_total', 'Renders that began again elsewhere, since their renderer was lost or could not do them', [
    'kind',
  ]),
  rendererEjections: counter('renderer_ejections_total', 'Times that a renderer was left out since it failed at what others could do', [
    'kind',
  ]),
  renderers: gauge('renderers', 'Renderers by state', ['state']),
  rendererSlots: gauge('renderer_slots', 'Slots of the renderers', ['state']),
  rendererHeldBytes: gauge('renderer_held_bytes', 'Results that renderers hold until somebody fetches them', []),
  rendererInfo: gauge('renderer_info', 'What a renderer is; always 1', ['renderer', 'version', 'browser']),
});

/** Metrics of connections. */
const connectionMetrics = (gauge: MakeGauge, counter: MakeCounter) => ({
  connections: gauge('connections', 'Connections of clients', []),
  connectionsRefused: counter('connections_refused_total', 'Connections closed at once: too many from one address, or in all', ['why']),
  connectionsCut: counter(
    'connections_cut_total',
    'Connections cut: idle when others wanted in, not read for 10 s, or with more than 32 requests under way',
    ['why'],
  ),
});

/** Metrics of the parsers. */
const parserMetrics = (gauge: MakeGauge, counter: MakeCounter, histogram: MakeHistogram) => ({
  parses: counter('parses_total', 'Messages that were to be read, by how that ended: ok, or the code of the error', ['outcome']),
  parseSeconds: histogram('parse_seconds', 'From asking for a message to be read to having its report', []),
  parserSandbox: gauge(
    'parser_sandbox',
    '1 for what confines the parsers of messages on this machine: all, no_rights, node_alone, refused (less than is required), unknown',
    ['sandbox'],
  ),
  parsers: gauge('parsers', 'Processes that read messages, by state', ['state']),
  parserEnds: counter('parser_ends_total', 'Why processes that read messages ended; closed: there was no need for them any more', ['why']),
});

/** The gateway's metrics. Labels come from closed sets and the catalogue; never a host, URL, address or key. */
export function createMetrics() {
  const registry = new Registry();
  collectNodeMetrics(registry);
  const makers = metricMakers(registry);
  const { counter, gauge, histogram } = makers;
  return {
    registry,
    agents: agentMetrics(gauge, counter),
    ledger: ledgerMetrics(makers),
    ...engineMetrics(gauge, counter, histogram),
    ...renderMetrics(gauge, counter, histogram),
    ...parserMetrics(gauge, counter, histogram),
    ...connectionMetrics(gauge, counter),
    ready: gauge('ready', '1 for each check of /readyz that passes; 0 in any is a gateway that is not ready', ['check']),
    errors: counter('errors_total', 'Requests that got no report, by the code of the error', ['operation', 'code']),
    buildInfo: gauge('build_info', 'What this gateway is; always 1', ['version', 'node']),
    requests: histogram('request_duration_seconds', 'API requests, from the first byte in to the answer', ['operation', 'status']),
    /** Summed up to the next scrape; `jobs` and `jobSeconds` are written then. */
    jobTotals: new JobTotals(),
    jobs: counter('jobs_total', 'Replies of locations by outcome: answered, or the reason of the failure', [
      'operation',
      'location',
      'outcome',
    ]),
    jobSeconds: counter('job_seconds_total', 'From dispatch to those replies; divided by jobs_total it is their mean', [
      'operation',
      'location',
      'outcome',
    ]),
    jobDuration: histogram('job_duration_seconds', 'From dispatch to the last location', ['operation']),
    ack: histogram('dispatch_ack_seconds', 'From dispatch to the ack of an agent', ['location']),
    inflight: gauge('inflight_jobs', 'Distributed requests under way', ['operation']),
    hedges: counter('hedges_total', 'Second attempts after silence, a refusal or a broken answer, and whether they won', ['reason', 'won']),
    late: counter('late_results_total', 'Results after the first', ['location']),
    nacks: counter('nacks_total', 'Jobs that agents refused', ['location', 'reason']),
    noResponders: counter('no_responders_total', 'Jobs that nobody took', ['location']),
    invalidFrames: counter('invalid_frames_total', 'Frames that are not of the protocol', ['location']),
    beatFloods: counter('beat_floods_total', 'Times that a location, or a renderer (empty), beat too often, each 10 s', ['location']),
    ejections: counter('agent_ejections_total', 'Times that an agent was left out since it failed too often', ['location', 'kind']),
    oldestJob: gauge('oldest_job_age_seconds', 'Age of the oldest distributed request under way', []),
    permits: gauge('permits', 'What accounts share: held, waited for, and how many there are', ['pool', 'location', 'state']),
    permitsRefused: counter('permits_refused_total', 'Refused since too many wait, or none came in time', ['pool', 'location']),
    clockSkew: gauge(
      'clock_skew_seconds',
      "How far our clock is ahead of most locations': 0 within a minute, absent where fewer than three agree",
      [],
    ),
    resolversOk: gauge('resolvers_ok', '1 while our resolvers answer for the root, and as all locations do; absent where not tested', []),
    feedAge: gauge('feed_age_seconds', 'Since when a feed that is on is what its source had, or is missed', ['feed']),
    feedInterval: gauge('feed_refresh_interval_seconds', 'How often a feed that is on is fetched', ['feed']),
    feedRows: gauge('feed_rows', 'Rows of a feed in use', ['feed']),
    feedDiskBytes: gauge('feed_disk_bytes', 'What the copies of feeds take on the disk, when it was last counted', []),
    feedRefused: counter('feed_refused_total', 'Times that a feed was not refreshed, by why; what was there goes on', ['feed', 'why']),
    dataDirFree: gauge('data_dir_free_bytes', 'Bytes left for us on the file system of the data directory', []),
    dns: histogram(
      'dns_duration_seconds',
      "Questions of the gateway's own to the DNS, from memory or not, by how they ended: answered (by any rcode but SERVFAIL and REFUSED), or the reason",
      ['outcome'],
      [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5],
    ),
    busConnected: gauge('bus_connected', '1 while the bus is connected, for what is asked and for what agents tell', []),
    busOutdated: gauge('bus_outdated', '1 when the nats-server is older than 2.12.12', []),
    busErrors: counter('bus_errors_total', 'Errors and forbidden publishes told by the bus', []),
    invalidKeys: counter('invalid_keys_total', 'Requests with a bad key, by code', ['code']),
    lockouts: counter('lockouts_total', 'Addresses blocked for an hour', []),
    signIns: counter('sign_ins_total', 'People who came back from the OpenID provider, by outcome', ['outcome']),
    adminRefused: counter('admin_refused_total', 'Calls of /admin without the admin token, by why', ['reason']),
    measurementsLost: counter(
      'measurements_lost_total',
      'Requests that the measurement log lacks, as the database was away for too long',
      [],
    ),
    untrustedForwarded: counter('untrusted_forwarded_total', 'Requests with X-Forwarded-For from a peer that is no configured proxy', []),
    concurrency: gauge('concurrency', "Requests in the gateway's own hands", []),
    concurrencyLimit: gauge('concurrency_limit', 'How many of them there may be', []),
    bulkItems: counter('bulk_items_total', 'Items of bulk requests, by the code of their error; ok: a report', ['operation', 'code']),
    charged: counter('credits_charged_total', 'Credits settled', ['operation']),
    released: counter('credits_released_total', 'Credits that were held and given back, since there was no report', ['operation']),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
