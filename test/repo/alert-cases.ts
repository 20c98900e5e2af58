/** Series by their values, as promtool writes them, a minute apart; five minutes in a case that goes on for hours. */
type Series = Readonly<Record<string, string>>;

export interface AlertCase {
  fires: Series;
  /** As near to it as an ordinary day comes. */
  quiet: Series;
  /** When it must fire; by then it was no longer than `for` and its windows want. */
  at?: string;
  hours?: true;
}

const GATEWAY = 'job="vedette-gateway",instance="gw"';
const AGENT = 'location="eu-fra",agent="fra-1",instance="gw"';
const gateway = (name: string, labels = ''): string => `vedette_gateway_${name}{${GATEWAY}${labels && `,${labels}`}}`;
const agent = (name: string, labels = ''): string => `vedette_gateway_agent_${name}{${AGENT}${labels && `,${labels}`}}`;
/** One series that fires, and the same that does not. */
const one = (series: string, fires: string, quiet: string, at?: string): AlertCase => ({
  fires: { [series]: fires },
  quiet: { [series]: quiet },
  ...(at !== undefined && { at }),
});
const serving = (ready: string, degraded: string): Series => ({
  [gateway('location_agents', 'location="eu-fra",state="ready"')]: ready,
  [gateway('location_agents', 'location="eu-fra",state="degraded"')]: degraded,
});
const slots = (used: string): Series => ({
  [agent('slots', 'kind="http",state="used"')]: used,
  [agent('slots', 'kind="http",state="max"')]: '8x60',
});
const settled = (values: string): Series => ({
  [gateway('ledger_duration_seconds_count', 'work="settle",outcome="ledger_unavailable"')]: values,
});
const jobs = (hedges: string): Series => ({
  [gateway('jobs_total', 'operation="ping-test",location="eu-fra",outcome="answered"')]: '0+60x60',
  [gateway('hedges_total', 'reason="no_ack",won="true"')]: hedges,
});
const requests = (failed: string): Series => ({
  [gateway('request_duration_seconds_count', 'operation="ping-test",status="200"')]: '0+60x60',
  [gateway('request_duration_seconds_count', 'operation="ping-test",status="503"')]: failed,
});
const acks = (quick: string): Series => ({
  [gateway('dispatch_ack_seconds_count', 'location="eu-fra"')]: '0+10x60',
  [gateway('dispatch_ack_seconds_bucket', 'location="eu-fra",le="0.5"')]: quick,
  [gateway('dispatch_ack_seconds_bucket', 'location="eu-fra",le="1"')]: '0+10x60',
  [gateway('dispatch_ack_seconds_bucket', 'location="eu-fra",le="+Inf"')]: '0+10x60',
});
const feed = (age: string): Series => ({
  [gateway('feed_age_seconds', 'feed="tor"')]: age,
  [gateway('feed_refresh_interval_seconds', 'feed="tor"')]: '3600x100',
});
const bus = (simulated: boolean): Series => ({
  [gateway('bus_outdated')]: '1x90',
  [agent('info', `version="0.1.0",icmp_engine="kernel",node="v26.0.0",simulated="${simulated}"`)]: '1x90',
});
const renderers = (ready: string): Series => ({ [gateway('renderers', 'state="ready"')]: ready });
const renderSlots = (used: string): Series => ({
  [gateway('renderer_slots', 'state="used"')]: used,
  [gateway('renderer_slots', 'state="max"')]: '4x60',
});
const alive = { [agent('up')]: '1x60' };
const renderer = (name: string, labels = ''): string =>
  `vedette_renderer_${name}{job="vedette-renderer",instance="r1"${labels && `,${labels}`}}`;

/** When each alert must fire, and when it must not. */
export const ALERT_CASES: Readonly<Record<string, AlertCase>> = {
  GatewayDown: one(`up{${GATEWAY}}`, '1 1 0x10', '1 0 1x10', '5m'),
  GatewayAbsent: one(`up{${GATEWAY}}`, '_x60', '0x60'),
  GatewayNotReady: {
    fires: { [gateway('ready', 'check="bus"')]: '0x10', [gateway('ready', 'check="api"')]: '1x10' },
    quiet: { [gateway('ready', 'check="bus"')]: '0 0 1x10', [gateway('ready', 'check="running"')]: '0x10' },
    at: '5m',
  },
  GatewayRestarting: one(`process_start_time_seconds{${GATEWAY}}`, '1x5 2x5 3x5 4x50', '1x5 2x5 3x60', '30m'),
  GatewayOverloaded: one(gateway('errors_total', 'operation="ping-test",code="overloaded"'), '0+120x60', '0+30x60'),
  GatewayStalls: one(`nodejs_eventloop_lag_p99_seconds{${GATEWAY}}`, '0.8x60', '0.1x60'),
  GatewayFewDescriptors: {
    fires: { [`process_open_fds{${GATEWAY}}`]: '900x60', [`process_max_fds{${GATEWAY}}`]: '1024x60' },
    quiet: { [`process_open_fds{${GATEWAY}}`]: '700x60', [`process_max_fds{${GATEWAY}}`]: '1024x60' },
  },
  InternalErrors: one(gateway('errors_total', 'operation="ping-test",code="internal"'), '_x29 1x30', '1x60', '31m'),
  RequestsFailing: { fires: requests('0+6x60'), quiet: requests('0+2x60') },
  JobsStuck: one(gateway('oldest_job_age_seconds'), '121x60', '60x60'),
  Lockouts: one(gateway('lockouts_total'), '0x50 10x20', '0x50 2x20'),
  AdminRefused: one(gateway('admin_refused_total', 'reason="wrong_token"'), '1x50 9x20', '1x50 3x20'),
  MeasurementsLost: one(gateway('measurements_lost_total'), '0x50 9x20', '9x70'),
  ParserDefects: one(gateway('parser_ends_total', 'why="defect"'), '_x59 1x20', '1x130', '65m'),
  GatewayClockSkew: one(gateway('clock_skew_seconds'), '34560000x60', '0x60'),
  ResolversFailing: one(gateway('resolvers_ok'), '0x60', '1x60'),
  LocationDown: { fires: serving('1 0x10', '0x11'), quiet: serving('0x11', '1x11'), at: '5m' },
  LocationDegraded: { fires: serving('0x60', '1x60'), quiet: serving('1x60', '1x60') },
  LocationUnderprovisioned: { fires: slots('7x60'), quiet: slots('5x60') },
  AgentGone: {
    fires: { [agent('up')]: '1 0x20', ...serving('1x20', '0x20') },
    quiet: { [agent('up')]: '1 0x20', ...serving('0x20', '0x20') }, // LocationDown says so
    at: '5m',
  },
  AgentOutdated: { fires: { [agent('outdated')]: '1x60', ...alive }, quiet: { [agent('outdated')]: '1x60', [agent('up')]: '0x60' } },
  AgentFlapping: one(agent('start_timestamp_seconds'), '1x5 2x5 3x5 4x20', '1x5 2x30', '25m'),
  AgentClockSkew: {
    fires: { [agent('clock_skew_seconds')]: '-9x60', ...alive },
    quiet: { [agent('clock_skew_seconds')]: '-2x60', ...alive },
  },
  AgentCannotPing: {
    fires: { [agent('info', 'icmp_engine="none",simulated="false"')]: '1x60', ...alive },
    quiet: { [agent('info', 'icmp_engine="none",simulated="true"')]: '1x60', ...alive },
  },
  AgentCapabilityDown: {
    fires: { [agent('capability_down', 'capability="tcp6"')]: '1x60', ...alive },
    quiet: { [agent('capability_down', 'capability="tcp6"')]: '1x60', [agent('info', 'simulated="true"')]: '1x60', ...alive },
  },
  AgentEjected: one(agent('ejected', 'kind="ping"'), '1x60', '1x5 _x55'),
  VpnExitsFailing: one(agent('vpn_exits', 'state="failing"'), '1x60', '1x9 0x50'),
  HedgeRateHigh: { fires: jobs('0+6x60'), quiet: jobs('0+1x60') },
  AckSlow: { fires: acks('0+5x60'), quiet: acks('0+10x60') },
  BeatFlood: one(gateway('beat_floods_total', 'location="eu-fra"'), '_x29 1x20', '1x60', '35m'),
  InvalidFrames: one(gateway('invalid_frames_total', 'location="eu-fra"'), '0+2x60', '0x50 5x20'),
  BusDown: one(gateway('bus_connected'), '1 0x10', '1 0 1x10', '5m'),
  BusOutdated: { fires: bus(false), quiet: bus(true), at: '80m' },
  DatabaseNotWritable: one(gateway('database_writable'), '1 0x10', '1 0 1x10', '5m'),
  DatabaseSlow: one(gateway('database_commit_seconds'), '0.8x60', '0.03x60'),
  DiskFilling: one(gateway('data_dir_free_bytes'), '5e8x60', '3e9x60'),
  DiskFull: one(gateway('database_disk_short'), '1x60', '0x60'),
  CreditsSettleFailing: { fires: settled('_x29 5x20'), quiet: settled('_x29 2x20'), at: '32m' },
  CreditsInDoubt: one(gateway('ledger_in_doubt'), '3x60', '3x5 0x55'),
  LedgerDiscrepancy: one(gateway('ledger_discrepancies'), '1x60', '0x60'),
  CreditsLow: one(gateway('account_credits_remaining', 'account="acme"'), '0x60', '_x60'),
  RenderersDown: { fires: renderers('1x20 0x40'), quiet: renderers('0x60') },
  RendererSaturated: { fires: renderSlots('4x60'), quiet: renderSlots('3x60') },
  BrowserMissing: one(renderer('browser_up'), '0x60', '1x60'),
  BrowserCrashing: one(renderer('browsers_ended_total', 'reason="crash"'), '0+1x60', '0+1x2 3x60', '50m'),
  BrowserOld: { ...one(renderer('browser_made_timestamp_seconds'), '-7800000x300', '-7000000x300', '1450m'), hours: true },
  FeedStale: {
    fires: feed('700000x100'),
    quiet: { ...feed('700000x100'), [gateway('resolvers_ok')]: '0x100' }, // ResolversFailing says so once
    at: '400m',
    hours: true,
  },
  EngineDown: {
    fires: { [gateway('engine_state', 'engine="sorbs",state="off"')]: '1x300' },
    quiet: { [gateway('engine_state', 'engine="sorbs",state="off"')]: '1x260 _x40' },
    at: '1450m',
    hours: true,
  },
};
