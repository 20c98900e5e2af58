import { adminRoutes, type Ledger } from '@vedette/ledger';
import { operations } from '@vedette/operations';
import { openOps, type OpsListener, type Readiness } from '@vedette/process/ops';
import { createAdminHandler } from './admin.ts';
import { createAdminGuard } from './admin-guard.ts';
import { brandRoutes } from '../intel/account-brands.ts';
import { engineRoutes, refreshEngines } from '../intel/blacklists.ts';
import { refreshGauges } from '../metrics/bus-metrics.ts';
import { feedRoutes } from '../intel/feeds.ts';
import { agentRoutes } from '../fleet/agents.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { OPERATOR } from '../door/role.ts';
import { permissionsOf } from '../operators/keys.ts';
import type { Parts } from '../request/parts.ts';
import { passiveDnsRoutes } from '../intel/passive-dns.ts';
import { adminToken } from '../config/secrets.ts';
import { impairedParts } from './impaired.ts';

/** The conditions of readiness. */
const CHECKS = ['api', 'running', 'bus', 'database', 'agents'] as const;

/** The operators' listener of a gateway: the pages that every process has, and /admin. */
export function openGatewayOps(parts: Parts): Promise<OpsListener> {
  const { ledger, fleet, intel, feeds, metrics, clock, log, state } = parts;
  const { settings } = parts.config;
  const token = adminToken(settings);
  const known = [...permissionsOf(operations), OPERATOR];
  const readyAgents = Number(settings.VEDETTE_READY_AGENTS);
  const at = { host: settings.VEDETTE_OPS_HOST, port: Number(settings.VEDETTE_OPS_PORT), setting: 'VEDETTE_OPS_PORT' };
  /** The failures, by check. */
  const missingNow = async (): Promise<Map<(typeof CHECKS)[number], string>> => {
    const checked: Record<(typeof CHECKS)[number], string> = {
      api: state.listening ? '' : 'API',
      running: state.stopping ? 'draining' : '',
      bus: fleet.connected() ? '' : 'bus',
      database: await missingDatabase(ledger),
      agents: missingAgents(fleet, readyAgents),
    };
    return new Map(CHECKS.flatMap((check) => (checked[check] === '' ? [] : [[check, checked[check]]])));
  };
  const pages = {
    registry: metrics.registry,
    async beforeScrape() {
      const missing = await missingNow();
      for (const check of CHECKS) metrics.ready.set({ check }, missing.has(check) ? 0 : 1);
      refreshEngines(metrics, intel.blacklists);
      refreshGauges(parts, feeds, Date.now());
    },
    further: createAdminHandler({
      routes: [
        ...adminRoutes(ledger.admin, known),
        ...brandRoutes(ledger.admin),
        ...agentRoutes(fleet.presence),
        ...feedRoutes(feeds),
        ...engineRoutes(intel.blacklists),
        ...passiveDnsRoutes(ledger.passiveDns, intel),
      ],
      guard: createAdminGuard({ token, clock, metrics, log }),
      log,
    }),
    async readiness(): Promise<Readiness> {
      const missing = [...(await missingNow()).values()];
      const ready = missing.length === 0;
      const { presence } = fleet;
      const impaired = impairedParts(parts, feeds);
      const here = { agents: serving(presence.agents()), renderers: serving(fleet.renderers.presence.renderers()) };
      return {
        ready,
        body: {
          status: !ready ? 'not ready' : impaired.length > 0 ? 'degraded' : 'ready',
          missing,
          impaired,
          serving: here,
        },
      };
    },
  };
  return openOps(at, pages, log);
}

async function missingDatabase(ledger: Ledger): Promise<string> {
  const answers = await ledger.ping().then(
    () => true,
    () => false,
  );
  if (!answers) return 'database';
  return ledger.isWritable() ? '' : 'database cannot be written';
}

/** A machine without internet has only degraded agents; they answer all the same. */
function missingAgents({ presence }: Fleet, wanted: number): string {
  const here = serving(presence.agents());
  return here < wanted ? `agents (${here} of ${wanted} serving)` : '';
}

const serving = (all: readonly { state: string }[]): number => all.filter(({ state }) => state === 'ready' || state === 'degraded').length;
