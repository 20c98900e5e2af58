import { CAPABILITIES, type CapabilityVerdict } from '@vedette/probes/health';
import { type FeedStatus, PROBE_KINDS } from '@vedette/contract';
import { CANCEL_REASONS, REFUSAL_REASONS, RUN_ENDS, STRAY_KINDS } from '@vedette/bus/frames';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { AgentView, Presence } from '@vedette/bus';
import { systemClock } from '@vedette/probes/net';
import type { Feeds } from '@vedette/intel/feeds';
import type { Ledger } from '@vedette/ledger';
import { expect, it } from 'vitest';
import { refreshGauges } from '../../packages/gateway/src/metrics/bus-metrics.ts';
import { listLocations } from '../../packages/gateway/src/locations/list-locations.ts';
import { readCatalogue } from '../../packages/gateway/src/locations/locations.ts';
import { createMetrics } from '../../packages/gateway/src/metrics/metrics.ts';
import { Pools } from '../../packages/gateway/src/shares/pools.ts';
import { type Given, partsOf } from './parts.ts';
import { fakeHealth } from '../probes/health/fake-health.ts';

/** With as many as every kind of probe can have. */
const SERIES_OF_AN_AGENT = 333;

/** What a stolen agent may beat: unknown fields pass the schema. */
const stolen: AgentView = {
  location: 'eu-fra',
  agent: 'fra-1',
  state: 'ready',
  outdated: false,
  silent_ms: 500,
  clock_skew_ms: 3_500,
  ejected: ['dns'],
  ack_ms: 12,
  beat: {
    agent: 'fra-1',
    location: 'eu-fra',
    version: '0.1.0',
    protocol: { major: 1, minor_min: 0, minor_max: 1 },
    state: 'ready',
    capabilities: { kinds: ['ping', '<script>'], v4: true, v6: false, icmp: '<script>', h2: true, h3: false, vpn: 0 },
    slots: { ping: { used: 3, max: 64, free: 'many' }, invented: { used: 'none' } } as AgentView['beat']['slots'],
    jobs: 3,
    simulated: false,
    event_loop_delay_ms: 1,
    icmp_overhead_ms: 0.05,
    clock_ms: 1_800_000_002_000,
    selftest: { failing: 1, witnesses: 3 },
  },
  process: { node: 'v26.0.0', commit: '0123456789ab', started_ms: 1_800_000_000_500, resident_bytes: 60_000_000, cpu_ms: 1_500 },
  counts: {
    runs: { ping: { ms: 2_500, ends: { ok: 2, icmp_timeout: 1, invented: 9 } }, invented: { ms: 1, ends: { ok: 1 } } },
    refused: { busy: 4, invented: 1 },
    cancelled: { loser: 3 },
    icmp_strays: { foreign: 7 },
  } as AgentView['counts'],
  names: [{ name: 'f.root-servers.net', answer: '10.6.6.6' }],
};
const presence = { agents: () => [stolen] } as unknown as Presence;
const known = { ids: ['eu-fra'] };

const ledgerOf = (writable: boolean): Partial<Ledger> => ({
  isWritable: () => writable,
  commitMs: () => 3,
  isDiskShort: () => false,
  connections: () => [{ pool: 'durable', state: 'waiting', count: 2 }],
  shortOfCredits: () => [{ account: 'acme', remaining: 7 }],
  held: () => ({ holds: 2, credits: 15 }),
  inDoubt: () => 1,
  gateways: () => 3,
});

const pools = new Pools({ clock: systemClock, parsers: 2, presence: { slots: () => 0 }, renderers: { slots: () => 0 }, gateways: () => 1 });

const feeds = {
  status: () => [
    { name: 'fresh', enabled: true, rows: 7, origin: 'source', age_seconds: 60, every_hours: 6 } as FeedStatus,
    { name: 'off', enabled: false, rows: 3, origin: 'shipped', age_seconds: 60, every_hours: 6 } as FeedStatus,
    { name: 'never', enabled: true, rows: 0, origin: 'none', age_seconds: 90, every_hours: 24 } as FeedStatus,
  ],
  diskBytes: () => 4096,
} as Partial<Feeds> as Feeds;

/** Refreshes them in a gateway to which nothing happens, but for what is named. */
const refresh = (metrics: ReturnType<typeof createMetrics>, but: Partial<Given> = {}): void =>
  refreshGauges(
    partsOf({ metrics, presence, known, asker: { oldestAgeMs: () => 0 }, pools, ledger: ledgerOf(true), ...but }),
    feeds,
    1_800_000_000_000,
  );

it('an agent is shown as it beats, and invents no labels', async () => {
  const metrics = createMetrics();
  refresh(metrics, { health: fakeHealth({ bad: ['resolver'] }) });
  const text = await metrics.registry.metrics();
  expect(text.match(/(?<=^vedette_gateway_)agent_.*/gm)).toEqual([
    'agent_up{location="eu-fra",agent="fra-1"} 1',
    'agent_last_heartbeat_timestamp_seconds{location="eu-fra",agent="fra-1"} 1799999999.5',
    'agent_info{location="eu-fra",agent="fra-1",version="0.1.0",commit="0123456789ab",icmp_engine="other",node="v26.0.0",simulated="false"} 1',
    'agent_outdated{location="eu-fra",agent="fra-1"} 0',
    'agent_start_timestamp_seconds{location="eu-fra",agent="fra-1"} 1800000000.5',
    'agent_resident_memory_bytes{location="eu-fra",agent="fra-1"} 60000000',
    'agent_cpu_seconds_total{location="eu-fra",agent="fra-1"} 1.5',
    'agent_slots{location="eu-fra",agent="fra-1",kind="ping",state="used"} 3',
    'agent_slots{location="eu-fra",agent="fra-1",kind="ping",state="max"} 64',
    'agent_event_loop_delay_seconds{location="eu-fra",agent="fra-1"} 0.001',
    'agent_jobs{location="eu-fra",agent="fra-1"} 3',
    'agent_probes_total{location="eu-fra",agent="fra-1",kind="ping",reason="ok"} 2',
    'agent_probes_total{location="eu-fra",agent="fra-1",kind="ping",reason="icmp_timeout"} 1',
    'agent_probe_seconds_total{location="eu-fra",agent="fra-1",kind="ping"} 2.5',
    'agent_refused_total{location="eu-fra",agent="fra-1",reason="busy"} 4',
    'agent_cancelled_total{location="eu-fra",agent="fra-1",reason="loser"} 3',
    'agent_icmp_strays_total{location="eu-fra",agent="fra-1",kind="foreign"} 7',
    'agent_ack_seconds{location="eu-fra",agent="fra-1"} 0.012',
    'agent_clock_skew_seconds{location="eu-fra",agent="fra-1"} 3.5', // of a beat 1.5 s old
    'agent_icmp_overhead_seconds{location="eu-fra",agent="fra-1"} 0.00005',
    'agent_witnesses{location="eu-fra",agent="fra-1",state="failing"} 1',
    'agent_witnesses{location="eu-fra",agent="fra-1",state="answering"} 2',
    'agent_ejected{location="eu-fra",agent="fra-1",kind="dns"} 1',
  ]);
  expect(text).toContain('vedette_gateway_resolvers_ok 0');
  expect(text).toContain('vedette_gateway_database_commit_seconds 0.003');
  expect(text).toContain('vedette_gateway_database_connections{pool="durable",state="waiting"} 2');
  expect(text).toContain('vedette_gateway_account_credits_remaining{account="acme"} 7');
  expect(text).toContain('vedette_gateway_ledger_holds 2');
  expect(text).toContain('vedette_gateway_ledger_held_credits 15');
  expect(text).toContain('vedette_gateway_ledger_in_doubt 1');
  expect(text).toContain('vedette_gateway_gateways 3');
});

it('a location without agents stays at 0, and one that was removed is not shown while its agents are being forgotten', async () => {
  const metrics = createMetrics();
  const gone: AgentView = { ...stolen, location: 'us-ash', state: 'gone' };
  refresh(metrics, { presence: { agents: () => [stolen, gone] } as unknown as Presence, known: { ids: ['eu-fra', 'rack-7'] } });
  const text = await metrics.registry.metrics();
  expect(text.match(/(?<=^vedette_gateway_location_agents).*ready.*/gm)).toEqual([
    '{location="eu-fra",state="ready"} 1',
    '{location="rack-7",state="ready"} 0',
  ]);
  expect(text).not.toContain('us-ash');
});

it('of an agent that says all that it may there are a bounded number of series', async () => {
  const told = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 1]));
  const every = Object.fromEntries(PROBE_KINDS.map((kind) => [kind, { ms: 1, ends: told(RUN_ENDS) }]));
  const counts = { runs: every, refused: told(REFUSAL_REASONS), cancelled: told(CANCEL_REASONS), icmp_strays: told(STRAY_KINDS) };
  const slots = Object.fromEntries(PROBE_KINDS.map((kind) => [kind, { used: 0, max: 8 }]));
  const beat = {
    ...stolen.beat,
    slots,
    capabilities: { ...stolen.beat.capabilities, vpn: 2, vpn_working: 1, down: [...CAPABILITIES, 'made-up'] },
  };
  const metrics = createMetrics();
  const names = [{ name: 'f.root-servers.net', answer: '192.5.5.241' }];
  const others = ['us-ash', 'us-pdx'].map((location) => ({ ...stolen, location, names }));
  const agents: AgentView[] = [{ ...stolen, beat, counts, ejected: PROBE_KINDS }, ...others];
  refresh(metrics, { presence: { agents: () => agents } as unknown as Presence, health: fakeHealth({ names }) });
  const series = (await metrics.registry.metrics()).split('\n').filter((line) => line.includes('location="eu-fra",agent="fra-1"'));
  expect(series.length).toBe(SERIES_OF_AN_AGENT);
  expect(new Set(series.map((line) => line.slice(0, line.lastIndexOf(' ')))).size).toBe(series.length);
  expect(readFileSync('docs/metrics.md', 'utf8')).toContain(`${SERIES_OF_AN_AGENT} series at most`);
});

it('says where a location is, in what a map takes; one that the catalogue does not know is nowhere, not in the sea', async () => {
  const metrics = createMetrics();
  refresh(metrics, { known: { ids: ['eu-fra', 'rack-7'] } });
  expect((await metrics.registry.metrics()).match(/(?<=^vedette_gateway_location_info).*/gm)).toEqual([
    '{location="eu-fra",country="DE",city="Frankfurt",latitude="50.11",longitude="8.68",geohash="u0yjjd0"} 1',
    '{location="rack-7",country="",city="",latitude="",longitude="",geohash=""} 1',
  ]);
});

it('shows how many VPN exits of an agent work, and a place where none does as without one', async () => {
  const withExits = (vpn_working: number) => {
    const beat = { ...stolen.beat, capabilities: { ...stolen.beat.capabilities, vpn: 3, vpn_working } };
    return { agents: () => [{ ...stolen, beat }] } as unknown as Presence;
  };
  const metrics = createMetrics();
  refresh(metrics, { presence: withExits(1), health: fakeHealth({ bad: ['resolver'] }) });
  expect((await metrics.registry.metrics()).match(/(?<=^vedette_gateway_)agent_vpn.*/gm)).toEqual([
    'agent_vpn_exits{location="eu-fra",agent="fra-1",state="working"} 1',
    'agent_vpn_exits{location="eu-fra",agent="fra-1",state="failing"} 2',
  ]);
  const can = (working: number) => listLocations(partsOf({ presence: withExits(working), known }).fleet, readCatalogue(undefined), []);
  expect(can(1)).toMatchObject({ locations: [{ capabilities: ['h2', 'ping', 'v4', 'vpn_exit'] }] });
  expect(can(0)).toMatchObject({ locations: [{ capabilities: ['h2', 'ping', 'v4'] }] });
});

it('of what accounts share it shows how much is held, waited for and refused, and no account', async () => {
  const metrics = createMetrics();
  const jobs = pools.jobs('http', 'eu-fra');
  for (let i = 0; i < 12; i++) void jobs.acquire('an account', 60_000);
  for (let i = 0; i < 2; i++) {
    refresh(metrics, { ledger: ledgerOf(false), dataDir: tmpdir() });
    expect((await metrics.ledger.writable.get()).values[0]?.value).toBe(0);
    expect((await metrics.dataDirFree.get()).values[0]?.value).toBeGreaterThan(0);
    expect((await metrics.registry.metrics()).match(/(?<=^vedette_gateway_)permits.*eu-fra.*/gm)).toEqual([
      'permits{pool="http",location="eu-fra",state="held"} 3',
      'permits{pool="http",location="eu-fra",state="waiting"} 8',
      'permits{pool="http",location="eu-fra",state="max"} 4',
      'permits_refused_total{pool="http",location="eu-fra"} 1',
    ]);
  }
});

it('shows a location whose resolver disagrees with two others and this gateway', async () => {
  const answers = (location: string, answer: string): AgentView => ({
    ...stolen,
    location,
    names: [{ name: 'f.root-servers.net', answer }],
  });
  const [first, second, liar] = [answers('eu-fra', '192.5.5.241'), answers('us-ash', '192.5.5.241'), answers('rack-7', '10.6.6.6')];
  const health = fakeHealth({ names: [{ name: 'f.root-servers.net', answer: '192.5.5.241' }] });
  const metrics = createMetrics();
  const all = {
    presence: { agents: () => [first, second, liar] } as unknown as Presence,
    known: { ids: ['eu-fra', 'rack-7', 'us-ash'] },
    health,
  };
  refresh(metrics, all);
  expect((await metrics.registry.metrics()).match(/(?<=^vedette_gateway_)agent_capability_down\{.*/gm)).toEqual([
    'agent_capability_down{location="rack-7",agent="fra-1",capability="names"} 1',
  ]);
  const stray = { location: 'rack-7', agent: 'fra-1', name: 'f.root-servers.net', answer: '10.6.6.6', expected: '192.5.5.241', others: 2 };
  expect(listLocations(partsOf(all).fleet, readCatalogue(undefined), [stray])).toMatchObject({
    locations: [
      { id: 'eu-fra', down: [] },
      { id: 'rack-7', state: 'ready', down: ['names'] },
      { id: 'us-ash', down: [] },
    ],
  });
});

it('the list of locations shows a place whose only agent speaks another protocol as down', () => {
  const outdated = { agents: () => [{ ...stolen, outdated: true }] } as unknown as Presence;
  expect(listLocations(partsOf({ presence: outdated, known }).fleet, readCatalogue(undefined), [])).toMatchObject({
    locations: [{ id: 'eu-fra', state: 'down', agents: 0, capabilities: [] }],
  });
});

it('the list of locations shows no capability that an agent made up, and a place without agents as down', () => {
  const catalogue = readCatalogue('{"rack-7": {"continent": "EU", "country": "DE", "city": "Nuremberg"}}');
  expect(listLocations(partsOf({ presence, known: { ids: ['eu-fra', 'rack-7'] } }).fleet, catalogue, [])).toMatchObject({
    locations: [
      { id: 'eu-fra', state: 'ready', asked_by_default: false, agents: 1, capabilities: ['h2', 'ping', 'v4'] },
      { id: 'rack-7', city_name: 'Nuremberg', state: 'down', asked_by_default: true, agents: 0, capabilities: [] },
    ],
  });
});

it('tells how many replies each location gave, and how long they took, under one label for operations', async () => {
  const metrics = createMetrics();
  metrics.jobTotals.add('ping-test', 'eu-fra', 'answered', 800);
  metrics.jobTotals.add('ping-test', 'eu-fra', 'answered', 200);
  metrics.jobTotals.add('geo-request', 'us-ash', 'connect_timeout', 10_000);
  for (let scrape = 0; scrape < 2; scrape++) metrics.jobTotals.tell(metrics);
  const text = await metrics.registry.metrics();
  expect(text.match(/(?<=^vedette_gateway_)job(s|_seconds)_total.*/gm)).toEqual([
    'jobs_total{operation="ping-test",location="eu-fra",outcome="answered"} 2',
    'jobs_total{operation="geo-request",location="us-ash",outcome="connect_timeout"} 1',
    'job_seconds_total{operation="ping-test",location="eu-fra",outcome="answered"} 1',
    'job_seconds_total{operation="geo-request",location="us-ash",outcome="connect_timeout"} 10',
  ]);
  expect(text).not.toMatch(/[{,]op="/);
});

it('no gauge has the name of a counter, and nothing is told twice', async () => {
  const text = await createMetrics().registry.metrics();
  const gauges = text.match(/(?<=^# TYPE )\S+(?= gauge$)/gm) ?? [];
  expect(gauges).toContain('nodejs_active_handles');
  expect(gauges.filter((name) => name.endsWith('_total'))).toEqual([]);
});

it('a feed shows its rows, and its age where it is on', async () => {
  const metrics = createMetrics();
  refresh(metrics);
  const text = await metrics.registry.metrics();
  expect(text.match(/^vedette_gateway_feed_.*/gm)).toEqual([
    'vedette_gateway_feed_age_seconds{feed="fresh"} 60',
    'vedette_gateway_feed_age_seconds{feed="never"} 90',
    'vedette_gateway_feed_refresh_interval_seconds{feed="fresh"} 21600',
    'vedette_gateway_feed_refresh_interval_seconds{feed="never"} 86400',
    'vedette_gateway_feed_rows{feed="fresh"} 7',
    'vedette_gateway_feed_rows{feed="off"} 3',
    'vedette_gateway_feed_rows{feed="never"} 0',
    'vedette_gateway_feed_disk_bytes 4096',
  ]);
});

it('says nothing of resolvers that are not tested: the alert on them fired for ever', async () => {
  const names = [{ name: 'f.test', answer: 'NXDOMAIN' }];
  const shown = async (verdict: CapabilityVerdict, answer = 'NXDOMAIN') => {
    const metrics = createMetrics();
    const agents = ['a', 'b', 'c'].map((location) => ({ ...stolen, location, names: [{ name: 'f.test', answer }] }));
    const locations = { ...presence, agents: () => agents };
    refresh(metrics, { health: { ...fakeHealth({ names }), verdict: () => verdict }, presence: locations });
    return (await metrics.registry.metrics()).match(/(?<=^vedette_gateway_)resolvers_ok.*/gm);
  };
  expect(await shown('unknown')).toBeNull();
  expect(await shown('good')).toEqual(['resolvers_ok 1']);
  expect(await shown('bad')).toEqual(['resolvers_ok 0']);
  expect(await shown('good', '192.0.2.1')).toEqual(['resolvers_ok 0']); // all locations have another answer
});
