import type { Asker, LocationReply, Presence } from '@vedette/bus';
import { ApiError, type CentralContext, type DistributedOperation, type Reason, type Reply } from '@vedette/contract';
import { Compile } from 'typebox/compile';
import { type Catalogue, selectLocations } from './locations.ts';
import type { Metrics } from './metrics.ts';

export interface DispatchDeps {
  asker: Asker;
  presence: Presence;
  catalogue: Catalogue;
  metrics: Metrics;
}

export interface DispatchRequest {
  /** Checked parameters; `locations` is ours, the rest is the operation's. */
  params: Record<string, unknown>;
  selection: readonly string[] | undefined;
  context: CentralContext;
  budgetMs: number;
  /** Called with each location's entry as it finishes. */
  onEntry?: (entry: object) => void;
}

export type Dispatch = (request: DispatchRequest) => Promise<object>;

/** If every location failed for one of these, the failure is ours and the request is free. */
const OURS: ReadonlySet<Reason> = new Set(['no_agent', 'agent_lost', 'agent_busy', 'internal']);

/** Prepares one distributed operation: compiles its result check, and gives the function that measures and reports. */
export function dispatcher(operation: DistributedOperation<any, any, any, any, any>, deps: DispatchDeps): Dispatch {
  const result = Compile(operation.probe.result);
  const check = (value: unknown): boolean => result.Check(value);

  return async ({ params, selection, context, budgetMs, onEntry }) => {
    const { presence, catalogue, asker, metrics } = deps;
    const asked = catalogue.asked.length > 0 ? catalogue.asked : presence.locations();
    const known = [...new Set([...catalogue.ids, ...presence.locations()])];
    const locations = selectLocations(selection, { asked, known, catalogue });
    if (locations.length === 0) throw new ApiError('no_agent', 'no location has an agent');

    const named = (reply: LocationReply): Reply => {
      const { latitude: _, longitude: __, ...place } = catalogue.place(reply.location);
      const simulated = reply.simulated || (reply.agent === '' && isSimulated(presence, reply.location));
      return { ...reply, simulated, location: { id: reply.location, ...place } };
    };
    const ask = async (places: string[]): Promise<Reply[]> => {
      const replies = await asker.ask({
        kind: operation.probe.kind,
        spec: operation.job(params) as Record<string, unknown>,
        locations: places,
        budgetMs,
        minBudgetMs: operation.probe.min_budget_ms,
        ...(operation.needs && { needsCapability: operation.needs.capability }),
        signal: context.signal,
        check,
        ...(onEntry && { onReply: (reply: LocationReply) => onEntry(operation.entry(params, named(reply))) }),
      });
      return replies.map(named);
    };
    const beside = operation.beside?.(params, context);
    beside?.catch(() => {}); // awaited below, unless measuring fails first
    const replies = await measured(operation, metrics, () =>
      operation.vantage === 'all' ? ask(locations) : askOne(operation, locations, presence, ask),
    );

    if (replies.every((reply) => reply.result === undefined && reply.failure && OURS.has(reply.failure.reason)))
      throw new ApiError('no_agent', replies[0]?.failure?.error ?? '');
    return operation.report(
      params,
      replies.map((reply) => operation.entry(params, reply)),
      replies,
      await beside,
    ) as object;
  };
}

/** Of a location where nobody took the job: what its agents say of themselves holds all the same. */
const isSimulated = (presence: Presence, location: string): boolean =>
  presence.agents().some((agent) => agent.location === location && agent.beat.simulated);

/** Counts the entries by outcome, and how long they all took. */
async function measured({ name: op }: { name: string }, metrics: Metrics, run: () => Promise<Reply[]>): Promise<Reply[]> {
  metrics.inflight.inc({ op });
  const end = metrics.jobDuration.startTimer({ op });
  try {
    const replies = await run();
    for (const { location, failure } of replies) metrics.jobs.inc({ op, location: location.id, outcome: failure?.reason ?? 'answered' });
    return replies;
  } finally {
    end();
    metrics.inflight.dec({ op });
  }
}

/** Asks one location at a time, those that announce the capability needed, until one could try. */
async function askOne(
  { probe, needs }: DistributedOperation<any, any, any, any, any>,
  locations: string[],
  presence: Presence,
  ask: (locations: string[]) => Promise<Reply[]>,
): Promise<Reply[]> {
  const able = locations.filter((id) => presence.route(id, probe.kind, needs?.capability).how !== 'none');
  if (able.length === 0) throw new ApiError(needs?.none ?? 'no_agent');
  let replies: Reply[] = [];
  for (const location of able) {
    replies = await ask([location]);
    const reason = replies[0]?.failure?.reason;
    if (reason === undefined || (!OURS.has(reason) && reason !== needs?.none)) return replies;
  }
  if (needs && replies[0]?.failure?.reason === needs.none) throw new ApiError(needs.none);
  return replies;
}
