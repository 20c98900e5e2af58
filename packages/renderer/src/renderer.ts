import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  type Bus,
  type Denied,
  followDenied,
  openBus,
  publicKeyOf,
  type RenderEvents,
  serveRenders,
  type ServingRenders,
  type ServeRendersOptions,
  tellProblem,
} from '@vedette/bus';
import { ProbeFailure, type RenderKind } from '@vedette/contract';
import { type Engines, openEngines } from '@vedette/probes/engines';
import { followServices, ownListener, systemClock } from '@vedette/probes/net';
import { BROWSER_RATES } from '@vedette/probes/target-limits';
import type { Health } from '@vedette/probes/health';
import { busRefused } from '@vedette/process/bus-refused';
import { watchEventLoop } from '@vedette/process/event-loop';
import { createLog, type Logger } from '@vedette/process/log';
import type { OpsListener } from '@vedette/process/ops';
import type { Environment, Running } from '@vedette/process/run';
import { unknownSettings } from '@vedette/process/unknown-settings';
import { type Browsers, openBrowsers } from './pool/browsers.ts';
import { readConfig, type RendererConfig } from './ops/config.ts';
import { type EgressOptions, openEgress } from './egress/index.ts';
import { fetchThrough, type Filters, openFilters } from './filters.ts';
import type { RendererMetrics } from './ops/metrics.ts';
import type { OpsParts } from './ops/ops.ts';
import { blamingNobody, networkWorks } from './pool/own-network.ts';
import { PageTest } from './jobs/page-test.ts';
import type { PoolEvents } from './pool/pool.ts';
import { renders } from './jobs/renders.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
const ID_BYTES = 9;
const DAY_MS = 86_400_000;
/** Chromium mends holes that are used every few weeks. */
const OLD_DAYS = 90;
const TELL_MS = 1_000;

/** The process with the browser: joins the bus, waiting for a server that is not there yet, and renders until it is stopped. */
export async function runRenderer(env: Environment): Promise<Running> {
  const config = readConfig(env);
  const { settings } = config;
  const renderer = randomBytes(ID_BYTES).toString('base64url');
  const log = createLog(settings.VEDETTE_LOG_LEVEL, { name: 'renderer', renderer }, { sync: true });
  log.info('starting');
  for (const warning of unknownSettings(env)) log.warn(warning);
  await using opened = new AsyncDisposableStack();
  const bus = opened.adopt(await openRendererBus(config, renderer, log), (connection) => connection.close());
  const chunks = opened.adopt(await openRendererBus(config, `${renderer} chunks`, log), (connection) => connection.close());
  const ownPorts = [...config.ownPorts];
  const denied = followDenied(bus);
  const engines = opened.adopt(await openEnginesHere(config, { bus, denied, ownPorts, opened }), (all) => all.close());
  const egress = opened.adopt(await openEgress(waysOut(engines, denied.isDenied)), (all) => all.close());
  // Without a reader of metrics, their code is not loaded.
  const metrics = settings.VEDETTE_OPS_PORT === undefined ? undefined : (await import('./ops/metrics.ts')).createMetrics();
  const filters = opened.adopt(openFiltersHere(config, engines, log), (all) => all.stop());
  const browsers = opened.adopt(
    await openBrowsers(config, {
      egress,
      clock: systemClock,
      userAgent: engines.userAgent,
      adFilter: filters.current,
      log,
      events: poolEvents(metrics),
    }).catch(async (error: Error) => {
      // The gateways say it to operators. A lost bus does not delay the end.
      const report = tellProblem({ bus, key: keyOf(config), renderer, version }, error.message);
      await Promise.race([report, systemClock.sleep(TELL_MS)]).catch(() => undefined);
      throw error;
    }),
    (all) => all.close(),
  );
  warnOfAge(browsers, log);
  const pageTest = new PageTest({ pool: browsers.pool, clock: systemClock, lacks: browsers.lacks });
  opened.defer(() => pageTest.stop());
  let serving: ServingRenders | undefined;
  const { health } = engines;
  const loop = opened.use(watchEventLoop());
  await startPageTest(pageTest, log, () => serving?.beat());
  serving = await serveRenders({
    bus,
    chunks,
    clock: systemClock,
    key: keyOf(config),
    renderer,
    version,
    kinds: Object.keys(renders) as RenderKind[],
    slots: browsers.slots,
    run: runIn(browsers, health, pageTest),
    isWell: () => networkWorks(health) && browsers.pool.state().browser !== '' && pageTest.problem === '',
    browser: () => browsers.pool.state().browser,
    eventLoopDelayMs: loop.p99Ms,
    events: eventsOf(log, metrics),
  });
  let drained: Promise<void> | undefined;
  const drain = (): Promise<void> => (drained ??= serving.drain());
  opened.defer(drain);
  followVerdicts(health, log, () => serving?.beat());
  let ops: OpsListener | undefined;
  if (metrics) {
    const parts = { renderer, bus, serving, egress, health, pageTest, metrics, log };
    ops = opened.adopt(await openOpsHere(config, browsers, parts), (listener) => listener.close());
    ownPorts.push(ops.address.port);
  }
  log.info({ kinds: Object.keys(renders), slots: browsers.slots, browser: browsers.pool.state().browser, version }, 'ready');

  const running = opened.move();
  return {
    addresses: ops ? { ops: ops.address } : {},
    lost: Promise.race([bus.closed, chunks.closed]).then((cause) => busRefused(cause, settings.VEDETTE_NATS_CREDS)),
    async stop() {
      log.info('draining');
      await drain(); // while operators can see it
      await running.disposeAsync();
    },
  };
}

const keyOf = ({ credentials }: RendererConfig): string => (credentials === undefined ? 'renderer' : publicKeyOf(credentials));

async function openRendererBus({ settings, credentials, busRoots }: RendererConfig, name: string, log: Logger): Promise<Bus> {
  const bus = await openBus({
    url: settings.VEDETTE_NATS_URL,
    name,
    clock: systemClock,
    roots: busRoots,
    ...(credentials !== undefined && { credentials }),
    onWarning: (code, detail) => log[code === 'server_outdated' ? 'debug' : 'warn']({ connection: name, code, detail }, 'message bus'),
  }).catch((cause: unknown) => Promise.reject(busRefused(cause, settings.VEDETTE_NATS_CREDS)));
  bus.onChange((connected) => log.warn(connected ? 'the message bus is back' : 'the message bus cannot be reached'));
  return bus;
}

async function openOpsHere(
  config: RendererConfig,
  { pool, madeAt }: Browsers,
  parts: Omit<OpsParts, 'version' | 'pool' | 'madeAt'>,
): Promise<OpsListener> {
  const { openRendererOps } = await import('./ops/ops.ts');
  return await openRendererOps(config, { ...parts, version, pool, madeAt });
}

/** A renderer trusts no gateway: it resolves, judges and paces by itself. */
async function openEnginesHere(
  { settings, ownTargets, resolvers, witnesses, allowNets }: RendererConfig,
  { bus, denied, ownPorts, opened }: { bus: Bus; denied: Denied; ownPorts: number[]; opened: AsyncDisposableStack },
): Promise<Engines> {
  const services = await followServices({ bus: settings.VEDETTE_NATS_URL }, systemClock);
  opened.defer(() => services.stop());
  return await openEngines({
    clock: systemClock,
    resolvers,
    witnesses: { ...witnesses, names: [] },
    allowNets,
    denied: denied.networks,
    listeners: () => [ownListener(ownPorts), ...services.listeners(), ...denied.listeners()],
    seenAs: () => bus.seenAs(),
    contact: settings.VEDETTE_CONTACT,
    cache: settings.VEDETTE_CACHE === 'on',
    limits: settings.VEDETTE_LIMITS === 'on' ? { spares: ownTargets, http: BROWSER_RATES } : undefined,
  });
}

function openFiltersHere({ settings, feeds, ca }: RendererConfig, { resolver, dialler, userAgent }: Engines, log: Logger): Filters {
  const fetch = fetchThrough({ resolver, dialler, userAgent, ca, clock: systemClock });
  return openFilters({ dataDir: settings.VEDETTE_DATA_DIR, feeds, fetch, clock: systemClock, log });
}

/** Returns the rules for connections that a page makes. */
const waysOut = (engines: Engines, isDenied: (name: string) => boolean): EgressOptions => ({
  ...engines,
  clock: systemClock,
  isDenied,
});

/** Tests our own network from now on. `onChange`: a verdict changed. */
function followVerdicts(health: Health, log: Logger, onChange: () => void): void {
  health.watch(({ capability, verdict, problem }) => {
    if (verdict === 'bad') log.warn({ capability, problem }, 'a capability of this machine does not work, by its witnesses');
    else log.info({ capability }, 'a capability of this machine works again');
    onChange();
  });
  health.start();
}

/** Jobs with a URL are about a stranger, and are held against our own network. */
const runIn =
  ({ pool }: Browsers, health: Health, pageTest: PageTest): ServeRendersOptions['run'] =>
  async (kind, job, scope) => {
    const render = async () => {
      try {
        const output = await pool.run(kind, job, scope);
        if (output.result.page.failure === undefined) pageTest.rendered();
        return output;
      } catch (error) {
        if (!scope.signal.aborted && !(error instanceof ProbeFailure)) pageTest.doubt();
        throw error;
      }
    };
    return await (scope.input === undefined ? blamingNobody(render, health, systemClock) : render());
  };

const startPageTest = (pageTest: PageTest, log: Logger, onChange: () => void): Promise<void> =>
  pageTest.start((problem) => {
    if (problem === '') log.info('pages are rendered again');
    else log.error({ problem }, 'no page can be rendered here: jobs go to other renderers');
    onChange();
  });

function warnOfAge({ madeAt }: Browsers, log: Logger): void {
  const days = Math.floor((Date.now() - madeAt.getTime()) / DAY_MS);
  if (days > OLD_DAYS)
    log.warn(
      { made: madeAt.toISOString(), days },
      'the browser is old, and old browsers have known holes: see docs/renderers.md on newer ones',
    );
}

const poolEvents = (metrics: RendererMetrics | undefined): PoolEvents => ({
  launched: (ms) => metrics?.launched.observe(ms / 1000),
  ended: (reason) => metrics?.ended.inc({ reason }),
  retried: (kind) => metrics?.retried.inc({ kind }),
});

const eventsOf = (log: Logger, metrics: RendererMetrics | undefined): RenderEvents => ({
  finished(job, kind, reason, ms) {
    metrics?.renders.inc({ kind, reason });
    metrics?.duration.observe({ kind }, ms / 1000);
    log.child({ job_id: job, kind }).debug({ reason, ms }, 'rendered');
  },
  defect(job, kind, error) {
    log.child({ job_id: job, kind }).error({ err: error }, 'a render failed for a reason of our own');
  },
  cancelled(reason) {
    metrics?.cancelled.inc({ reason });
  },
  refused(reason) {
    metrics?.refused.inc({ reason });
    log.debug({ reason }, 'job refused');
  },
});
