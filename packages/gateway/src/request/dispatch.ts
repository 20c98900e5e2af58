import type { LocationReply } from '@vedette/bus';
import { ApiError, type Failure, type Probe, type Reason, REASONS } from '@vedette/contract';
import type { Operation, Reply, Report } from '@vedette/operations/kit';
import { ICMP_REMEDY } from '@vedette/probes/engines';
import { Compile } from 'typebox/schema';
import { type Stray, straysOf } from '../fleet/name-comparison.ts';
import { namesOf } from '../locations/chosen.ts';
import { selectLocations } from '../locations/selection.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Work, WorkRequest } from './work.ts';
import type { Parts } from './parts.ts';
import type { Prepared } from './prepared.ts';
import { coolDownOf } from '../shares/cool-down.ts';
import type { GateRow } from '../shares/gate.ts';

/** What agents without a port lack that a probe needs, and the operator's remedy where none has it. */
const NEEDS: Record<NonNullable<Probe['needs']>, { lacking: string; remedy: string }> = {
  icmp: { lacking: 'no right to send ICMP', remedy: ICMP_REMEDY },
  paths: { lacking: 'no ICMP sockets of the kernel', remedy: ICMP_REMEDY },
};

type Distributed = Operation & { kind: 'distributed' };

/** One location's part of a report. */
interface Measurement {
  reply: Reply;
  entry: Report;
}

/**
 * Prepares one distributed operation; compiles its result check. `locations` throws `ApiError` unknown_location; no_agent without an agent;
 * the capability's own code when no agent has what the operation needs. `run` measures, and makes the report; it rejects with `ApiError`
 * bus_unavailable, target_limited or no_agent.
 */
export function dispatcher(operation: Distributed, parts: Parts): Work {
  const { metrics } = parts;
  const { clock } = parts.intel.ports;
  const ask = asking(operation, parts);
  const coolDown = coolDownOf(operation, parts);
  return {
    locations: (selection, query) => chooseLocations(operation, selection, query, parts),
    async run(prepared, { context, gate, go, onEntry, entries }) {
      const { query, locations, deadlineMs = operation.deadline_ms } = prepared;
      const deadline = clock.now() + deadlineMs;
      let beside: Promise<unknown> | undefined;
      let awaited = go;
      void go?.then(
        () => (awaited = undefined),
        () => {}, // handled by the caller that passed it
      );
      const askThese = async (ids: readonly string[]) => {
        context.signal.throwIfAborted();
        gate.admitJobs(ids.length);
        // Not before: its questions would leave a target's bucket less than full, and that alone admits the jobs of a big fleet.
        beside ??= operation.beside?.(query, context);
        beside?.catch(() => {}); // awaited below, unless measuring fails first
        const budgetMs = deadline - clock.now();
        return await ask({ query, locations: ids, budgetMs, context, gate, go: awaited, onEntry, entries, beside });
      };
      if (coolDown) await go; // an owner who refuses is not to be found cooling
      const cooling = await coolDown?.begin(prepared.targets, context.resolver, context.signal);
      const measurements = await measured(operation, metrics, () =>
        operation.entries === undefined ? askOneByOne(locations, askThese) : askThese(locations),
      );
      if (cooling && measurements.every(isUnspent)) await coolDown?.end(cooling);
      refuseEmpty(measurements, operation);
      if (leadInwards(measurements)) {
        if (!operation.tellsInnerTarget) throw innerTarget(operation, prepared);
        context.waivePrice();
      }
      return operation.report(
        query,
        measurements.map(({ entry }) => entry),
        measurements.map(({ reply }) => reply),
        await beside,
      );
    },
  };
}

function chooseLocations(
  { entries, probe, needs, fewLocations, job }: Distributed,
  selection: readonly string[] | undefined,
  query: unknown,
  { fleet, intel, config: { catalogue } }: Parts,
): string[] {
  const { ids: known } = fleet.known;
  const strays = new Set(straysOf(intel.health, fleet.presence).map(({ location }) => location));
  const defaults = catalogue.defaults.length > 0 ? catalogue.defaults : known;
  const family = probe.family?.(job(query));
  const isReady = (id: string) => fleet.presence.isWell(id, probe.kind, needs?.capability, family) && !strays.has(id);
  const locations = selectLocations(selection, { defaults, known, catalogue, isReady });
  if (locations.length === 0) throw new ApiError('no_agent', 'no location has an agent', SOON);
  if (entries !== undefined && !fewLocations) return locations;
  if (fewLocations && selection !== undefined) {
    if (locations.length <= fewLocations.atMost) return locations;
    throw new ApiError('invalid_parameter', `at most ${fewLocations.atMost} locations`, { param: 'locations' });
  }
  const able = locations.filter((id) => fleet.presence.route(id, probe.kind, needs?.capability).how !== 'none');
  if (fewLocations) {
    const choice = able.length > 0 ? able : locations;
    return [...new Set([...choice.filter(isReady), ...choice])].slice(0, fewLocations.byDefault);
  }
  // Where none has what it takes, asking again will not bring it.
  if (able.length === 0) throw new ApiError(needs?.none ?? 'no_agent');
  return able;
}

interface Question extends WorkRequest {
  query: unknown;
  locations: readonly string[];
  budgetMs: number;
  beside: Promise<unknown> | undefined;
}

/** Asks locations together. Each reply becomes an entry once, as it arrives. */
function asking(
  operation: Distributed,
  { fleet, config: { catalogue }, intel, metrics }: Parts,
): (question: Question) => Promise<Measurement[]> {
  const { clock } = intel.ports;
  const { probe, needs } = operation;
  const result = Compile(probe.result);
  const named = ({ location: id, ...reply }: LocationReply, took_ms: number, strays: readonly Stray[]): Reply => {
    const simulated = reply.simulated || (reply.agent === '' && fleet.presence.isSimulated(id)); // the agents' own announcements also hold when no agent took the job
    const isStray = strays.some(({ location, agent }) => location === id && agent === reply.agent);
    return { ...reply, ...(isStray && { agent_state: 'degraded' }), simulated, took_ms, location: { id, ...namesOf(catalogue.place(id)) } };
  };
  return async ({ query, locations, budgetMs, context, gate, go, onEntry, entries, beside }) => {
    const { signal } = context;
    const spec = operation.job(query, locations.length);
    const needed = needs?.capability ?? probe.since?.(spec);
    const family = probe.family?.(spec);
    const started = clock.now();
    const strays = straysOf(intel.health, fleet.presence);
    const measurements = Array.from<Measurement>({ length: locations.length });
    const entering: Promise<void>[] = [];
    await fleet.asker.ask({
      kind: probe.kind,
      spec,
      locations,
      budgetMs,
      minBudgetMs: probe.min_budget_ms,
      ...(needed !== undefined && { needsCapability: needed }),
      ...(family !== undefined && { family }),
      ...(probe.needs && { lacking: NEEDS[probe.needs].lacking }),
      signal,
      go,
      admit: (location) => gate.job(probe.kind, location, needs?.capability, signal),
      check: (value) => result.Check(value),
      onReply(reply, index) {
        const address = reply.result === undefined ? '' : (probe.contacted?.(reply.result) ?? '');
        if (address !== '') gate.addContact(address);
        const took_ms = clock.now() - started;
        const placed = named(reply, took_ms, strays);
        metrics.jobTotals.add(operation.name, reply.location, reply.failure?.reason ?? 'answered', took_ms);
        if (entries) entries[reply.failure ? 'failed' : 'answered']++;
        const enter = (known?: unknown) => {
          const entry = operation.entry(query, placed, known);
          measurements[index] = { reply: placed, entry };
          onEntry?.(entry);
        };
        if (!operation.lookUp || placed.result === undefined) return enter();
        const entered = operation.lookUp(query, placed.result, context, beside).then(enter);
        entered.catch(() => {}); // awaited below, unless measuring fails first
        entering.push(entered);
      },
    });
    await Promise.all(entering);
    return measurements;
  };
}

/** Asks one location at a time until one could try. */
async function askOneByOne(
  locations: readonly string[],
  ask: (locations: readonly string[]) => Promise<Measurement[]>,
): Promise<Measurement[]> {
  let measurements: Measurement[] = [];
  for (const location of locations) {
    measurements = await ask([location]);
    if (!measurements.some(ownFailure)) break;
  }
  return measurements;
}

/** Why a location measured nothing, where that says nothing about the target. */
const ownFailure = ({ reply: { failure } }: Measurement): Failure | undefined =>
  failure && REASONS[failure.reason].source === 'vantage' ? failure : undefined;

/** Why a location measured nothing: by then the target has heard nothing, or not through a network that works. */
const isUnspent = ({ reply: { failure } }: Measurement): boolean =>
  failure !== undefined && REASONS[failure.reason].source !== 'target' && !OUTCOME_UNKNOWN.includes(failure.reason);
const OUTCOME_UNKNOWN: readonly Reason[] = ['agent_lost', 'cancelled', 'internal'];

/** A report that would say nothing about the target from anywhere is refused, and so free. */
function refuseEmpty(measurements: readonly Measurement[], { needs, probe }: Distributed): void {
  const failures = measurements.flatMap((measurement) => ownFailure(measurement) ?? []);
  if (failures.length < measurements.length) return;
  const failedBy = (reason: string) => failures.some((failure) => failure.reason === reason);
  if (failedBy('target_limited')) throw new ApiError('target_limited', '', SOON);
  if (needs && failedBy(needs.none)) throw new ApiError(needs.none, '', EXITS_CHECKED);
  const { error = '' } = failures[0] ?? {};
  const remedy = probe.needs && measurements[0]?.reply.lacks ? `. ${NEEDS[probe.needs].remedy}` : '';
  throw new ApiError('no_agent', `${error}${remedy}`, retryAfter(measurements.map(({ reply }) => reply)));
}

/** Whether every location that could look found that the target's name leads inwards. */
const leadInwards = (measurements: readonly Measurement[]): boolean =>
  measurements.every((measurement) => ownFailure(measurement) || measurement.reply.failure?.reason === 'blocked_private_address');

/** The gateway's refusal of inner addresses, for a name that only the DNS revealed to lead to one: of a server, where that alone is contacted. */
function innerTarget({ targets, contactsTarget = true, further }: Distributed, { targets: [target], query }: Prepared): ApiError {
  const [server] = contactsTarget ? [] : Object.entries(further?.(query) ?? {});
  const [param, host] = server ? [server[0], server[1].host] : [Object.keys(targets ?? {})[0] ?? '', target?.host ?? ''];
  return new ApiError('private_address', host, { param });
}

const SOON = { retryAfterS: 1 };
/** Agents look again at the exits that failed within this. */
const EXITS_CHECKED = { retryAfterS: 2 };

/** When the first slot is expected to be free, where every location was busy; not at all, where none can do what was asked. */
function retryAfter(replies: readonly Reply[]): { retryAfterS?: number } {
  if (replies.every(({ failure }) => failure?.reason === 'unsupported')) return {};
  if (replies.some(({ failure }) => failure?.reason !== 'agent_busy')) return SOON;
  const soonestMs = Math.min(...replies.map(({ retry_after_ms }) => retry_after_ms ?? Infinity));
  return soonestMs < Infinity ? { retryAfterS: soonestMs / 1000 } : SOON;
}

/** Counts what is under way, and how long it takes. */
async function measured({ name: operation }: Operation, metrics: Metrics, run: () => Promise<Measurement[]>): Promise<Measurement[]> {
  metrics.inflight.inc({ operation });
  const end = metrics.jobDuration.startTimer({ operation });
  try {
    return await run();
  } finally {
    end();
    metrics.inflight.dec({ operation });
  }
}

export const AGENTS_GATE: GateRow = {
  name: 'Agents',
  limits: "slots of the agents, and each agent's own rates for a target",
  limit: 'docs/target-rates.md; the request is refused only when every location failed',
  codes: ['target_limited', 'no_agent'],
  instead: 'The location fails as `agent_busy` or `target_limited`',
  cause: 'target',
};
