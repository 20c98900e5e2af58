import { collectNodeMetrics } from '@vedette/process/node-metrics';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { JobTotals } from './job-totals.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

type MakeCounter = <L extends string>(name: string, help: string, labelNames: L[]) => Counter<L>;
type MakeGauge = <L extends string>(name: string, help: string, labelNames: L[]) => Gauge<L>;

/** What agents tell of themselves: they open no port, so Prometheus learns of them here. */
const agentGauges = (gauge: MakeGauge) => ({
  /** `geohash` is what a map of Grafana takes as it is; latitude and longitude as labels it would have to be told are numbers. */
  locationInfo: gauge('location_info', 'Where a known location is, as far as the catalogue knows; always 1', [
    'location',
    'country',
    'city',
    'latitude',
    'longitude',
    'geohash',
  ]),
  locationAgents: gauge('location_agents', 'Agents by state', ['location', 'state']),
  lastHeartbeat: gauge('agent_last_heartbeat_timestamp_seconds', 'When an agent was last heard', ['location', 'agent']),
  agentInfo: gauge('agent_info', 'What an agent is; always 1', ['location', 'agent', 'version', 'icmp_engine']),
  outdated: gauge('agent_outdated', '1 for an agent whose protocol range lacks ours', ['location', 'agent']),
  agentSlots: gauge('agent_slots', 'Slots of an agent by kind of probe', ['location', 'agent', 'kind', 'state']),
  agentLoopDelay: gauge('agent_event_loop_delay_seconds', 'p99 event loop delay that an agent told last', ['location', 'agent']),
  agentJobs: gauge('agent_jobs', 'Jobs that an agent has at work; identical ones share a slot', ['location', 'agent']),
  agentAck: gauge('agent_ack_seconds', 'From dispatch to the ack of this agent, smoothed; 0 before its first job', ['location', 'agent']),
  agentClockSkew: gauge('agent_clock_skew_seconds', 'How far the clock of an agent is ahead of ours', ['location', 'agent']),
  agentIcmpOverhead: gauge('agent_icmp_overhead_seconds', "The ICMP engine's own share of a round trip", ['location', 'agent']),
  agentWitnesses: gauge('agent_witnesses', "Witnesses of an agent's self-test", ['location', 'agent', 'state']),
  agentVpnExits: gauge('agent_vpn_exits', 'VPN exits of an agent, by whether they passed their last check', ['location', 'agent', 'state']),
  agentEjected: gauge('agent_ejected', 'Present while an agent is left out since it failed too often; always 1', [
    'location',
    'agent',
    'kind',
  ]),
});

/** What blacklist engines do; `engine` is an id of the catalogue. */
const engineMetrics = (gauge: MakeGauge, counter: MakeCounter, registers: Registry[]) => ({
  engineState: gauge('engine_state', 'Always 1: which state a blacklist engine is in that is on', ['engine', 'state']),
  engineAnswers: counter('engine_answers_total', 'What blacklist engines were asked came to; kept: told from memory', [
    'engine',
    'outcome',
  ]),
  engineSeconds: new Histogram({
    name: 'vedette_gateway_engine_seconds',
    help: 'How long blacklist engines took, or were waited for',
    labelNames: ['engine'],
    buckets: [0.001, 0.01, 0.05, 0.12, 0.25, 0.4],
    registers,
  }),
});

/** What renderers do, and what they tell of themselves. */
const renderMetrics = (gauge: MakeGauge, counter: MakeCounter, registers: Registry[]) => ({
  renders: counter('renders_total', 'Pages that renderers were asked for, by how that ended: ok, or the code of the error', [
    'kind',
    'outcome',
  ]),
  renderSeconds: new Histogram({
    name: 'vedette_gateway_render_seconds',
    help: 'From asking for a rendered page to having it',
    labelNames: ['kind'],
    buckets: SECONDS,
    registers,
  }),
  renderRetries: counter('render_retries_total', 'Renders that began again, since their renderer was lost', ['kind']),
  renderers: gauge('renderers', 'Renderers by state', ['state']),
  rendererSlots: gauge('renderer_slots', 'Slots of the renderers', ['state']),
  rendererHeldBytes: gauge('renderer_held_bytes', 'Results that renderers hold until somebody fetches them', []),
  rendererInfo: gauge('renderer_info', 'What a renderer is; always 1', ['renderer', 'version', 'browser']),
});

/** Who connects. */
const connectionMetrics = (gauge: MakeGauge, counter: MakeCounter) => ({
  connections: gauge('connections', 'Connections of clients', []),
  connectionsRefused: counter('connections_refused_total', 'Connections closed at once: too many from one address, or in all', ['why']),
  connectionsCut: counter(
    'connections_cut_total',
    'Connections cut: idle when others wanted in, not read for 10 s, or with more than 32 requests under way',
    ['why'],
  ),
});

/** What the processes do that read messages. */
const parserMetrics = (gauge: MakeGauge, counter: MakeCounter, registers: Registry[]) => ({
  parses: counter('parses_total', 'Messages that were to be read, by how that ended: ok, or the code of the error', ['outcome']),
  parseSeconds: new Histogram({
    name: 'vedette_gateway_parse_seconds',
    help: 'From asking for a message to be read to having its report',
    registers,
    buckets: SECONDS,
  }),
  parsers: gauge('parsers', 'Processes that read messages, by state', ['state']),
  parserEnds: counter('parser_ends_total', 'Why processes that read messages ended; closed: there was no need for them any more', ['why']),
});

/** The gateway's metrics. Labels come from closed sets and the catalogue; never a host, URL, address or key. */
export function createMetrics() {
  const registry = new Registry();
  collectNodeMetrics(registry);
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name: `vedette_gateway_${name}`, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Gauge({ name: `vedette_gateway_${name}`, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Histogram({ name: `vedette_gateway_${name}`, help, labelNames, buckets: SECONDS, registers });
  return {
    registry,
    ...agentGauges(gauge),
    ...engineMetrics(gauge, counter, registers),
    ...renderMetrics(gauge, counter, registers),
    ...parserMetrics(gauge, counter, registers),
    ...connectionMetrics(gauge, counter),
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
    databaseWritable: gauge('database_writable', '1 while the database takes writes', []),
    resolversOk: gauge('resolvers_ok', '1 while our own resolvers answer for the root, as all do; absent where they are not tested', []),
    databaseCommit: gauge('database_commit_seconds', 'How long the last commit took that was tried, every 2 s', []),
    databaseConnections: gauge('database_connections', 'Connections to the database, and who waits for one', ['pool', 'state']),
    creditsShort: gauge(
      'account_credits_remaining',
      'Present while an account that was seen here has less than a tenth of its credits left',
      ['account'],
    ),
    feedAge: gauge('feed_age_seconds', 'Since when a feed that is on is what its source had, or is missed', ['feed']),
    feedRows: gauge('feed_rows', 'Rows of a feed in use', ['feed']),
    feedDiskBytes: gauge('feed_disk_bytes', 'What the copies of feeds take on the disk, when it was last counted', []),
    feedRefused: counter('feed_refused_total', 'Times that a feed was not refreshed, by why; what was there goes on', ['feed', 'why']),
    dataDirFree: gauge('data_dir_free_bytes', 'Bytes left for us on the file system of the data directory', []),
    busConnected: gauge('bus_connected', '1 while the bus is connected, for what is asked and for what agents tell', []),
    busOutdated: gauge('bus_outdated', '1 when the nats-server is older than 2.12.12', []),
    busErrors: counter('bus_errors_total', 'Errors and forbidden publishes told by the bus', []),
    invalidKeys: counter('invalid_keys_total', 'Requests with a bad key, by code', ['code']),
    lockouts: counter('lockouts_total', 'Addresses blocked for an hour', []),
    adminRefused: counter('admin_refused_total', 'Calls of /admin without the admin token, by why', ['reason']),
    measurementsLost: counter(
      'measurements_lost_total',
      'Requests that the measurement log lacks, as the database was away for too long',
      [],
    ),
    untrustedForwarded: counter('untrusted_forwarded_total', 'Requests with X-Forwarded-For from a peer that is no configured proxy', []),
    concurrency: gauge('concurrency', "Requests in the gateway's own hands", []),
    concurrencyLimit: gauge('concurrency_limit', 'How many of them there may be', []),
    charged: counter('credits_charged_total', 'Credits settled', ['operation']),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
