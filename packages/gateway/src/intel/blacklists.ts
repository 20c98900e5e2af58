import { ApiError, type Clock, type Rate, type Resolver } from '@vedette/contract';
import { type BlacklistsOptions, createBlacklists, type EngineCatalogue, EngineId, type OpenBlacklists } from '@vedette/intel/engines';
import type { Names, Networks, Urls } from '@vedette/intel/ports';
import type { AdminRoute } from '@vedette/ledger';
import type { Health } from '@vedette/probes/health';
import type { Log } from '@vedette/process/log';
import { Type } from 'typebox';
import type { Metrics } from '../metrics/metrics.ts';

export interface BlacklistDeps {
  engines: EngineCatalogue;
  resolver: Resolver;
  clock: Clock;
  cache: boolean;
  isOnline?: BlacklistsOptions['isOnline'];
  metrics: Metrics;
  log: Log;
}

/** The engines of this gateway, their zones being tried from now on. */
export function openBlacklists(
  { engines: catalogue, resolver, clock, cache, isOnline, metrics, log }: BlacklistDeps,
  data: { networks: Networks; names: Names; urls: Urls },
): OpenBlacklists {
  const blacklists = createBlacklists({
    ...data,
    catalogue,
    resolver,
    clock,
    cache,
    isOnline,
    onHealth({ id: engine, zone }, family, { state, problem }) {
      const about = { engine, zone, ...(family !== 0 && { family }) };
      if (state === 'off') log.warn({ ...about, problem }, 'a blacklist engine is switched off until it passes its test again');
      else log.info(about, 'a blacklist engine passes its test again');
    },
    onOutcome(engine, outcome, ms) {
      metrics.engineAnswers.inc({ engine, outcome });
      if (outcome !== 'kept') metrics.engineSeconds.observe({ engine }, ms / 1000);
    },
  });
  blacklists.start();
  return blacklists;
}

/** Whether our resolvers and witnesses answer from now on, asked whatever they said before. */
export const onlineTest =
  (health: Pick<Health, 'unanswered' | 'vouch' | 'networkSince'>, clock: Clock): NonNullable<BlacklistsOptions['isOnline']> =>
  async () => {
    health.unanswered();
    const [resolves, leadsOut] = await Promise.all([health.vouch(), health.networkSince(clock.now())]);
    return resolves && leadsOut;
  };

/** The limit of questions to the zones over all accounts. */
export const engineRates = (catalogue: EngineCatalogue): ReadonlyMap<string, Rate> =>
  new Map(
    catalogue.flatMap(({ zone, zone6, rate: { per_s: perS, burst } }) =>
      [zone, zone6].flatMap((name) => (name === undefined ? [] : [[name, { perS, burst }] as const])),
    ),
  );

/** The handlers of /admin for engines. */
export const engineRoutes = (blacklists: OpenBlacklists): AdminRoute[] => [
  { method: 'GET', path: '/admin/engines', param: Type.String({ maxLength: 0 }), handle: async () => blacklists.status() },
  {
    method: 'POST',
    path: '/admin/engines/:id/check',
    param: EngineId,
    async handle({ param }) {
      const check = await blacklists.tryEngine(param);
      if (!check) throw new ApiError('invalid_parameter', `the engine ${param} does not exist`);
      return check;
    },
  },
];

/** The current states of the engines. */
export function refreshEngines(metrics: Metrics, blacklists: OpenBlacklists): void {
  metrics.engineState.reset();
  for (const { id: engine, state } of blacklists.status()) if (state !== 'disabled') metrics.engineState.set({ engine, state }, 1);
}
