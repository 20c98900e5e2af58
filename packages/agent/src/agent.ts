import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { followDenied, openBus, serve, type Bus, type ServeEvents, type Serving } from '@vedette/bus';
import { classifyIp, parseIp } from '@vedette/contract';
import { ownAddresses, systemClock } from '@vedette/probes/net';
import { pino, type Logger } from 'pino';
import { readConfig, type AgentConfig } from './config.ts';
import { openMeasuring, type Measuring } from './measuring.ts';
import type { AgentMetrics } from './metrics.ts';
import { createSelfTest } from './self-test.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
const LOOP_RESOLUTION_MS = 20;
const NS_PER_MS = 1e6;

/** The whole process: reads its settings, joins the bus, serves until SIGTERM or SIGINT, then drains and exits 0. */
export async function runAgent(env: Record<string, string | undefined>, args: readonly string[]): Promise<void> {
  const config = configOrExit(env, args);
  const { settings, agent, simulated } = config;
  const location = settings.VEDETTE_LOCATION;
  const log = pino(
    { level: settings.VEDETTE_LOG_LEVEL, base: { name: 'agent', vantage: location, agent } },
    pino.destination({ fd: 2, sync: true }),
  );
  const leave = { now: (code: number): void => process.exit(code) };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => leave.now(0));
  log.info({ pid: process.pid }, 'starting');

  const bus = await openAgentBus(config, log);
  const measuring = await openMeasuring(config, systemClock, followDenied(bus), (note, cause) => log.warn({ err: cause }, note));
  if (measuring.icmp === undefined) log.error('no ICMP engine works here: this agent cannot ping');
  const metrics = settings.VEDETTE_OPS_PORT === undefined ? undefined : (await import('./metrics.ts')).createMetrics();
  const selfTest = createSelfTest({ witnesses: config.witnesses, resolver: measuring.resolver, clock: systemClock });
  const eventLoopDelayMs = watchEventLoop();
  const serving = await serve({
    bus,
    clock: systemClock,
    location,
    agent,
    version,
    simulated,
    probes: measuring.probes,
    portsFor: measuring.portsFor,
    capabilities: capabilitiesOf(measuring, config),
    icmpOverheadMs: measuring.icmp?.overhead_ms ?? 0,
    selfTest: () => selfTest.state(),
    eventLoopDelayMs,
    today: () => Date.now(),
    events: eventsOf(log, metrics),
  });
  selfTest.start((state) => {
    if (state.ok) log.info(state, 'the witnesses answer again');
    else log.warn(state, 'the witnesses do not answer: our own internet access is in doubt');
    serving.beat();
  });
  const closeOps = metrics && (await openOps(config, { bus, serving, measuring, metrics, log }));
  leave.now = once(async () => {
    log.info('draining');
    await serving.drain();
    selfTest.stop();
    closeOps?.();
    await bus.close();
    await measuring.close();
    process.exit(0);
  });
  log.info({ kinds: measuring.probes.map(({ kind }) => kind), icmp: measuring.icmp?.name, simulated, version }, 'ready');
}

function configOrExit(env: Record<string, string | undefined>, args: readonly string[]): AgentConfig {
  try {
    return readConfig(env, args);
  } catch (error) {
    process.stderr.write(`vedette agent: ${(error as Error).message}\n`);
    process.exit(1);
  }
}

/** Waits for the server; a server that refuses us ends the process, now or later. */
async function openAgentBus({ settings, agent, credentials }: AgentConfig, log: Logger): Promise<Bus> {
  const refused = (error: unknown): never => {
    log.fatal({ err: error }, 'the message bus refused us');
    process.exit(1);
  };
  const bus = await openBus({
    url: settings.VEDETTE_NATS_URL,
    name: agent,
    clock: systemClock,
    ...(credentials !== undefined && { credentials }),
    onWarning: (code, detail) => log.warn({ code, detail }, 'message bus'),
  }).catch(refused);
  bus.onChange((connected) => log.warn(connected ? 'the message bus is back' : 'the message bus cannot be reached'));
  void bus.closed.then((error) => error && refused(error));
  return bus;
}

const capabilitiesOf = ({ icmp }: Measuring, { exits }: AgentConfig) => ({
  v4: hasFamily(4),
  v6: hasFamily(6),
  icmp: icmp?.name ?? 'none',
  h2: true,
  h3: false,
  vpn: exits.length,
});

/** Whether the machine has an address of the family that leads out of it. */
const hasFamily = (version: 4 | 6): boolean =>
  ownAddresses()
    .flatMap((address) => parseIp(address) ?? [])
    .some((ip) => ip.version === version && !['loopback', 'link_local'].includes(classifyIp(ip)));

/** p99 since the last call, ms, without the watcher's own interval. */
function watchEventLoop(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  histogram.enable();
  return () => {
    const p99 = histogram.percentile(99) / NS_PER_MS - LOOP_RESOLUTION_MS;
    histogram.reset();
    return Math.max(0, p99);
  };
}

const eventsOf = (log: Logger, metrics: AgentMetrics | undefined): ServeEvents => ({
  finished(job, kind, reason, ms) {
    metrics?.probes.inc({ kind, reason });
    metrics?.duration.observe({ kind }, ms / 1000);
    log.child({ job_id: job, kind }).debug({ reason, ms }, 'measured');
  },
  defect(job, kind, error) {
    log.child({ job_id: job, kind }).error({ err: error }, 'the probe failed for a reason of our own');
  },
  refused(reason) {
    metrics?.refused.inc({ reason });
    log.debug({ reason }, 'job refused');
  },
});

async function openOps(
  { settings, agent }: AgentConfig,
  parts: { bus: Bus; serving: Serving; measuring: Measuring; metrics: AgentMetrics; log: Logger },
): Promise<() => void> {
  const { startOps } = await import('./ops.ts');
  const { bus, serving, measuring, metrics, log } = parts;
  metrics.info.set(
    { location: settings.VEDETTE_LOCATION, agent, version, icmp_engine: measuring.icmp?.name ?? 'none', node: process.version },
    1,
  );
  metrics.icmpOverhead.set((measuring.icmp?.overhead_ms ?? 0) / 1000);
  const server = await startOps({
    host: settings.VEDETTE_OPS_HOST,
    port: Number(settings.VEDETTE_OPS_PORT),
    bus,
    serving,
    icmp: measuring.icmp,
    metrics,
  });
  log.info({ address: server.address() }, 'ops listener');
  return () => server.close();
}

const once = (run: () => Promise<void>): ((code: number) => void) => {
  let running: Promise<void> | undefined;
  return () => void (running ??= run());
};
