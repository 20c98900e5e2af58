import type { Asker, LocationReply, Presence } from '@vedette/bus';
import { ApiError, type CentralContext, type Clock, type DistributedOperation, type Failure, REASONS, type Reply } from '@vedette/contract';
import { Compile } from 'typebox/schema';
import { type Catalogue, selectLocations } from './locations.ts';
import type { Metrics } from './metrics.ts';

export interface DispatchDeps {
  asker: Asker;
  presence: Presence;
  catalogue: Catalogue;
  clock: Clock;
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

export interface Dispatch {
  /**
   * The locations that a request would ask. Throws `ApiError` unknown_location; no_agent when there is none, or none that has what
   * the operation needs, by the code of that.
   */
  locations(selection: DispatchRequest['selection']): string[];
  /** Measures, and makes the report. Rejects with `ApiError`: as `locations`, bus_unavailable, target_limited or no_agent. */
  run(request: DispatchRequest): Promise<object>;
}

/** Prepares one distributed operation; compiles its result check. */
export function dispatcher(operation: DistributedOperation<any, any, any, any, any>, deps: DispatchDeps): Dispatch {
  const result = Compile(operation.probe.result);
  const check = (value: unknown): boolean => result.Check(value);
  const { presence, catalogue, asker, clock, metrics } = deps;
  const { probe, needs } = operation;

  const locationsOf = (selection: DispatchRequest['selection']): string[] => {
    const asked = catalogue.asked.length > 0 ? catalogue.asked : presence.locations();
    const known = [...new Set([...catalogue.ids, ...presence.locations()])];
    const locations = selectLocations(selection, { asked, known, catalogue });
    if (locations.length === 0) throw new ApiError('no_agent', 'no location has an agent');
    if (operation.vantage === 'all') return locations;
    const able = locations.filter((id) => presence.route(id, probe.kind, needs?.capability).how !== 'none');
    if (able.length === 0) throw new ApiError(needs?.none ?? 'no_agent');
    return able;
  };

  const run = async ({ params, selection, context, budgetMs, onEntry }: DispatchRequest): Promise<object> => {
    const deadline = clock.now() + budgetMs;
    const locations = locationsOf(selection);
    const named = (reply: LocationReply): Reply => {
      const { latitude: _, longitude: __, ...place } = catalogue.place(reply.location);
      const simulated = reply.simulated || (reply.agent === '' && isSimulated(presence, reply.location));
      return { ...reply, simulated, location: { id: reply.location, ...place } };
    };
    const ask = async (places: string[]): Promise<Reply[]> => {
      const replies = await asker.ask({
        kind: probe.kind,
        spec: operation.job(params) as Record<string, unknown>,
        locations: places,
        budgetMs: deadline - clock.now(),
        minBudgetMs: probe.min_budget_ms,
        ...(needs && { needsCapability: needs.capability }),
        signal: context.signal,
        check,
        ...(onEntry && { onReply: (reply: LocationReply) => onEntry(operation.entry(params, named(reply))) }),
      });
      return replies.map(named);
    };
    const beside = operation.beside?.(params, context);
    beside?.catch(() => {}); // awaited below, unless measuring fails first
    const replies = await measured(operation, metrics, () => (operation.vantage === 'all' ? ask(locations) : askOne(locations, ask)));
    refuseEmpty(replies, needs?.none);
    return operation.report(
      params,
      replies.map((reply) => operation.entry(params, reply)),
      replies,
      await beside,
    ) as object;
  };
  return { locations: locationsOf, run };
}

/** Why a location measured nothing, where that says nothing about the target. */
const ownFailure = ({ failure }: Reply): Failure | undefined =>
  failure && REASONS[failure.reason].source === 'vantage' ? failure : undefined;

/** A report that would say nothing about the target from anywhere is refused, and so free. */
function refuseEmpty(replies: readonly Reply[], none: 'no_vpn_exit' | undefined): void {
  const failures = replies.flatMap((reply) => ownFailure(reply) ?? []);
  if (failures.length < replies.length) return;
  const failedBy = (reason: string) => failures.some((failure) => failure.reason === reason);
  if (failedBy('target_limited')) throw new ApiError('target_limited', '', { retryAfterS: 1 });
  if (none && failedBy(none)) throw new ApiError(none);
  throw new ApiError('no_agent', failures[0]?.error ?? '', retryAfter(replies));
}

/** When the first slot is expected to be free, where every location was busy. */
function retryAfter(replies: readonly Reply[]): { retryAfterS?: number } {
  if (replies.some(({ failure }) => failure?.reason !== 'agent_busy')) return {};
  const soonestMs = Math.min(...replies.map(({ retry_after_ms }) => retry_after_ms ?? Infinity));
  return soonestMs < Infinity ? { retryAfterS: soonestMs / 1000 } : {};
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

/** Asks one location at a time until one could try. */
async function askOne(locations: readonly string[], ask: (locations: string[]) => Promise<Reply[]>): Promise<Reply[]> {
  let replies: Reply[] = [];
  for (const location of locations) {
    replies = await ask([location]);
    if (!replies.some(ownFailure)) break;
  }
  return replies;
}
