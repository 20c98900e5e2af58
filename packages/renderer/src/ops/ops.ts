import type { Bus, ServingRenders } from '@vedette/bus';
import type { Log } from '@vedette/process/log';
import { openOps, type OpsListener, servingReadiness } from '@vedette/process/ops';
import type { RendererConfig } from './config.ts';
import type { BrowserEgress } from '../egress/index.ts';
import type { RendererMetrics } from './metrics.ts';
import { networkWorks, type OwnNetwork } from '../pool/own-network.ts';
import type { PageTest } from '../jobs/page-test.ts';
import type { RenderPool } from '../pool/pool.ts';

export interface OpsParts {
  version: string;
  renderer: string;
  bus: Pick<Bus, 'connected'>;
  serving: Pick<ServingRenders, 'state' | 'slots'>;
  pool: Pick<RenderPool, 'state'>;
  egress: Pick<BrowserEgress, 'deniedAttempts'>;
  health: OwnNetwork;
  pageTest: Pick<PageTest, 'problem'>;
  /** When the browser's package was made. */
  madeAt: Date;
  metrics: RendererMetrics;
  log: Log;
}

/** The operators' listener of a renderer, ready while it takes jobs. Loaded only where a port is set for it. */
export async function openRendererOps({ settings }: RendererConfig, parts: OpsParts): Promise<OpsListener> {
  const { version, renderer, bus, serving, pageTest, metrics, madeAt, log } = parts;
  const { VEDETTE_CHROMIUM_SANDBOX: sandbox, VEDETTE_OPS_HOST: host, VEDETTE_OPS_PORT: port } = settings;
  metrics.info.set({ renderer, version, sandbox, node: process.version }, 1);
  metrics.browserMade.set(madeAt.getTime() / 1000);
  const pages = {
    registry: metrics.registry,
    beforeScrape: () => refresh(parts),
    readiness: () => servingReadiness(bus, serving, pageTest.problem),
  };
  const listener = await openOps({ host, port: Number(port), setting: 'VEDETTE_OPS_PORT' }, pages, log);
  log.info({ address: listener.address }, 'ops listener');
  return listener;
}

function refresh({ metrics, bus, serving, pool, egress, health, pageTest }: OpsParts): void {
  const { browser, bytes } = pool.state();
  metrics.natsConnected.set(bus.connected() ? 1 : 0);
  metrics.selfTestSuccess.set(networkWorks(health) ? 1 : 0);
  metrics.pageTestSuccess.set(pageTest.problem === '' ? 1 : 0);
  metrics.browserUp.set(browser === '' ? 0 : 1);
  metrics.browserBytes.set(bytes);
  metrics.denied.reset();
  metrics.denied.inc(egress.deniedAttempts);
  for (const [state, value] of Object.entries(serving.slots())) metrics.slots.set({ state }, value);
}
