import { followDenied, openBus, serve, type Bus, type ServeEvents } from '@vedette/bus';
import { isLoopback, listOf } from '@vedette/contract';
import { followServices, ownFamilies, ownListener, systemClock } from '@vedette/probes/net';
import { corrected, type NetworkCapability, type Health } from '@vedette/probes/health';
import { busRefused } from '@vedette/process/bus-refused';
import { watchEventLoop } from '@vedette/process/event-loop';
import { createLog, type Logger } from '@vedette/process/log';
import type { OpsListener } from '@vedette/process/ops';
import { RELEASE } from '@vedette/process/release';
import type { Environment, Running } from '@vedette/process/run';
import { unknownSettings } from '@vedette/process/unknown-settings';
import { type Admission, watchAdmission } from './admission.ts';
import { ownAgentId } from './agent-id.ts';
import { readConfig, type AgentConfig } from './config.ts';
import { icmpTidings, type PassedOver } from './icmp-tidings.ts';
import { openMeasuring, type Measuring } from './measuring.ts';
import type { AgentMetrics } from './metrics.ts';
import { blamingNobody, ownState } from './own-network.ts';
import { Tally } from './tally.ts';

const { version, commit } = RELEASE;

/** The process at a vantage point: joins the bus, waiting for a server that is not there yet, and serves until it is stopped. */
export async function runAgent(env: Environment, args: readonly string[] = []): Promise<Running> {
  const config = readConfig(env, args);
  const { settings, simulated } = config;
  const location = settings.VEDETTE_LOCATION;
  await using opened = new AsyncDisposableStack();
  const agent = settings.VEDETTE_AGENT_ID ?? opened.adopt(await ownAgentId(location), (own) => own.giveUp()).id;
  const log = createLog(settings.VEDETTE_LOG_LEVEL, { name: 'agent', location, agent }, { sync: true });
  log.info('starting');
  for (const warning of [...withoutContact(settings), ...unknownSettings(env)]) log.warn(warning);

  const admission = watchAdmission({
    location,
    agent,
    keyFile: settings.VEDETTE_NATS_CREDS,
    warn: (code, detail) => log[code === 'server_outdated' ? 'debug' : 'warn']({ code, detail }, 'message bus'),
  });
  const bus = await openAgentBus(config, agent, admission, log);
  opened.defer(() => bus.close());
  const denied = followDenied(bus);
  const services = await followServices({ bus: settings.VEDETTE_NATS_URL }, systemClock);
  opened.defer(() => services.stop());
  const ownPorts = [...config.ownPorts];
  const exclusions = {
    denied: denied.networks,
    isDenied: denied.isDenied,
    listeners: () => [ownListener(ownPorts), ...services.listeners(), ...denied.listeners()],
    seenAs: () => bus.seenAs(),
    clockSkewMs: denied.clockSkewMs,
  };
  const measuring = await openMeasuringHere(config, exclusions, log);
  opened.defer(() => measuring.close());
  // Without a reader of metrics, their code is not loaded.
  const metrics = settings.VEDETTE_OPS_PORT === undefined ? undefined : (await import('./metrics.ts')).createMetrics();
  const { health } = measuring;
  const network = { health, families: ownFamilies, clock: systemClock };
  const capabilities = capabilitiesOf(measuring);
  const loop = opened.use(watchEventLoop());
  const tally = new Tally(measuring.icmp, Math.round(Date.now() - process.uptime() * 1000), commit);
  const serving = await serve({
    bus,
    clock: systemClock,
    location,
    agent,
    version,
    simulated,
    probes: measuring.probes.map((probe) => blamingNobody(probe, network)),
    portsFor: measuring.portsFor,
    capabilities,
    icmpOverheadMs: measuring.icmp?.overhead_ms ?? 0,
    selfTest: () => ownState(health),
    eventLoopDelayMs: loop.p99Ms,
    today: () => Date.now(),
    events: eventsOf(log, tally, metrics),
    processFigures: () => ({ ...tally.figures(), names: [...health.names()] }),
  });
  let drained: Promise<void> | undefined;
  const drain = (): Promise<void> => (drained ??= serving.drain());
  opened.defer(drain);
  await admission.decide();
  followVerdicts(measuring, log, () => serving.beat());
  let ops: OpsListener | undefined;
  if (metrics) {
    const { openAgentOps } = await import('./ops.ts');
    ops = await openAgentOps(config, { ...measuring, version, agent, bus, serving, capabilities, metrics, log });
    opened.adopt(ops, (listener) => listener.close());
    ownPorts.push(ops.address.port);
  }
  log.info({ kinds: measuring.probes.map(({ kind }) => kind), icmp: measuring.icmp?.name, simulated, version, commit }, 'ready');

  const running = opened.move();
  return {
    addresses: ops ? { ops: ops.address } : {},
    lost: Promise.race([bus.closed.then((cause) => busRefused(cause, settings.VEDETTE_NATS_CREDS)), admission.refused]),
    async stop() {
      log.info('draining');
      await drain(); // while operators can see it
      await running.disposeAsync();
    },
  };
}

const withoutContact = ({ VEDETTE_CONTACT, VEDETTE_NATS_URL }: AgentConfig['settings']): string[] =>
  VEDETTE_CONTACT === undefined && !busIsHere(VEDETTE_NATS_URL)
    ? ['VEDETTE_CONTACT is not set: those whom we measure cannot find out whom to ask, or where to complain']
    : [];

/** An agent whose bus is on the same machine belongs to a trial. */
const busIsHere = (urls: string): boolean => listOf(urls).every((url) => URL.canParse(url) && isLoopback(new URL(url).hostname));

async function openMeasuringHere(config: AgentConfig, exclusions: Parameters<typeof openMeasuring>[2], log: Logger): Promise<Measuring> {
  const passedOver: PassedOver[] = [];
  const measuring = await openMeasuring(config, corrected(systemClock, exclusions.clockSkewMs), exclusions, (note, cause) =>
    passedOver.push({ note, cause }),
  );
  const { level, text } = icmpTidings(measuring.icmp !== undefined, passedOver);
  log[level](text);
  return measuring;
}

async function openAgentBus(
  { settings, credentials, busRoots }: AgentConfig,
  agent: string,
  admission: Admission,
  log: Logger,
): Promise<Bus> {
  const bus = await openBus({
    url: settings.VEDETTE_NATS_URL,
    name: agent,
    clock: systemClock,
    roots: busRoots,
    ...(credentials !== undefined && { credentials }),
    onWarning: admission.hear,
  }).catch((cause: unknown) => Promise.reject(busRefused(cause, settings.VEDETTE_NATS_CREDS)));
  bus.onChange((connected) => log.warn(connected ? 'the message bus is back' : 'the message bus cannot be reached'));
  return bus;
}

/** Starts what tests our own ways out; each change is logged, and beaten at once. */
function followVerdicts({ health, exits }: Pick<Measuring, 'health' | 'exits'>, log: Logger, beat: () => void): void {
  let wasUp = true;
  health.watch(({ capability, verdict, problem }) => {
    if (verdict === 'bad')
      log.warn({ capability, problem }, CONSEQUENCES[capability] ?? 'no witness answers: what needs this is not measured');
    else log.info({ capability }, 'a capability of this machine works again');
    const { ok, ...counts } = health.network;
    if (ok !== wasUp) {
      wasUp = ok;
      if (ok) log.info(counts, 'the witnesses answer again');
      else log.warn(counts, 'the witnesses do not answer: our own internet access is in doubt');
    }
    beat();
  });
  health.start();
  exits.start(({ label, works, seen }) => {
    if (works) log.info({ exit: label }, 'a VPN exit works');
    else log.warn({ exit: label, seen }, 'a VPN exit does not work: it is left out until it does');
    beat();
  });
}

/** The consequences of a capability that does not work, for the log. */
const CONSEQUENCES: Partial<Record<NetworkCapability, string>> = {
  resolver: 'our resolvers cannot be believed: names are not measured',
};

/** The capabilities at each beat: an address family without a working route is not announced. */
const capabilitiesOf = ({ icmp, exits, health }: Pick<Measuring, 'icmp' | 'exits' | 'health'>) => ({
  get v4() {
    return ownFamilies().includes(4) && leadsOut(health, 4);
  },
  get v6() {
    return ownFamilies().includes(6) && leadsOut(health, 6);
  },
  get icmp() {
    const families = ownFamilies().filter((family) => icmp?.[`v${family}`]);
    const silent = families.length > 0 && families.every((family) => health.verdict(`icmp${family}`) === 'bad');
    return icmp === undefined || silent ? 'none' : icmp.name;
  },
  get down() {
    return health.down();
  },
  h2: true,
  h3: false,
  vpn: exits.all.length,
  get vpn_working() {
    return exits.working();
  },
});

const leadsOut = (health: Health, family: 4 | 6): boolean =>
  health.verdict(`udp${family}`) !== 'bad' || health.verdict(`tcp${family}`) === 'good';

const eventsOf = (log: Logger, tally: Tally, metrics: AgentMetrics | undefined): ServeEvents => ({
  finished(job, kind, reason, ms) {
    tally.finished(kind, reason, ms);
    metrics?.probes.inc({ kind, reason });
    metrics?.duration.observe({ kind }, ms / 1000);
    log.child({ job_id: job, kind }).debug({ reason, ms }, 'measured');
  },
  defect(job, kind, error) {
    log.child({ job_id: job, kind }).error({ err: error }, 'the probe failed for a reason of our own');
  },
  cancelled(reason) {
    tally.cancelled(reason);
    metrics?.cancelled.inc({ reason });
  },
  refused(reason) {
    tally.refused(reason);
    metrics?.refused.inc({ reason });
    log.debug({ reason }, 'job refused');
  },
});
