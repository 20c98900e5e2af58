import { setTimeout as sleep } from 'node:timers/promises';
import { defineProbe, ProbeFailure, type Clock, type Probe, type ProbeKind, type ProbePorts } from '@vedette/contract';
import {
  createAsker,
  createPresence,
  isNoResponders,
  openBus,
  publicKeyOf,
  serve,
  subjects,
  type Asker,
  type AskOptions,
  type Bus,
  type BusEvents,
  type Presence,
  type ServeOptions,
  type Serving,
} from '@vedette/bus';
import { Type } from 'typebox';

export const clock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
};

/** What the fake probe measures: it waits, and says who it was. */
const Job = Type.Object({
  host: Type.String(),
  wait_ms: Type.Optional(Type.Number()),
  fail: Type.Optional(Type.String()),
  deaf: Type.Optional(Type.Boolean()),
  size: Type.Optional(Type.Integer()),
});
const Result = Type.Object({ host: Type.String(), by: Type.String(), filler: Type.Optional(Type.String()) });

/** Runs that began and were aborted, by agent. */
export interface ProbeLog {
  started: string[];
  aborted: string[];
}

export const fakeProbe = (
  agent: string,
  log: ProbeLog,
  { kind = 'ping', slots = 64 }: { kind?: ProbeKind; slots?: number } = {},
): Probe<typeof Job, typeof Result> =>
  defineProbe({
    kind,
    references: [],
    job: Job,
    result: Result,
    min_budget_ms: 10,
    slots,
    async run({ host, wait_ms = 0, fail, deaf = false, size = 0 }, ports) {
      const { signal } = ports;
      log.started.push(agent);
      signal.addEventListener('abort', () => log.aborted.push(agent), { once: true });
      if (deaf) await new Promise(() => {});
      await clock.sleep(wait_ms, signal);
      if (fail === 'defect') throw new TypeError('a bug');
      if (fail === 'partial') throw new ProbeFailure('icmp_timeout', host, { partial: { host, by: agent } });
      return { host, by: agent, ...(size > 0 && { filler: 'x'.repeat(size) }) };
    },
  });

/** Ports of a probe that sends no packets: what the run itself gets, and what a test gives. */
const portsWith =
  (ports: Partial<ProbePorts> = {}) =>
  (scope: Pick<ProbePorts, 'signal' | 'budget_ms'>): ProbePorts =>
    ({ ...ports, ...scope, clock }) as unknown as ProbePorts;

export interface AgentOptions {
  location: string;
  agent: string;
  url: string;
  credentials?: string;
  /** Of the fake probe. */
  slots?: number;
  degraded?: () => boolean;
  vpn?: number;
  probes?: (log: ProbeLog) => Probe[];
  /** What its probes are given besides what is the run's own. */
  ports?: Partial<ProbePorts>;
}

export interface TestAgent {
  bus: Bus;
  serving: Serving;
  log: ProbeLog;
  /** Job id, kind and how it ended. */
  finished: string[];
  defects: unknown[];
}

export async function startAgent(options: AgentOptions): Promise<TestAgent> {
  const { location, agent, url, credentials, slots = 64 } = options;
  const log: ProbeLog = { started: [], aborted: [] };
  const finished: string[] = [];
  const defects: unknown[] = [];
  const bus = await openBus({ url, name: agent, clock, ...(credentials !== undefined && { credentials }) });
  const serving = await serve({
    bus,
    clock,
    location,
    agent,
    version: '0.0.0',
    simulated: true,
    probes: (options.probes ?? ((l) => [fakeProbe(agent, l, { slots })]))(log) as Probe[],
    portsFor: portsWith(options.ports),
    capabilities: { v4: true, v6: false, icmp: 'kernel', h2: false, h3: false, vpn: options.vpn ?? 0 },
    icmpOverheadMs: 0,
    selfTest: () => selfTestState(options.degraded?.() ?? false),
    eventLoopDelayMs: () => 0,
    today: () => Date.now(),
    events: {
      finished: (_job, kind, reason) => void finished.push(`${kind} ${reason}`),
      defect: (_job, _kind, error) => void defects.push(error),
      cancelled: (reason) => void finished.push(`cancelled ${reason}`),
      refused: (reason) => void finished.push(`refused ${reason}`),
    },
  });
  return { bus, serving, log, finished, defects };
}

const selfTestState = (degraded: boolean): ReturnType<ServeOptions['selfTest']> => ({
  ok: !degraded,
  failing: degraded ? 3 : 0,
  witnesses: 3,
});

export interface TestGateway {
  bus: Bus;
  presence: Presence;
  asker: Asker;
  events: string[];
  ask(locations: string[], options?: Partial<AskOptions>): ReturnType<Asker['ask']>;
  close(): Promise<void>;
}

export async function startGateway(url: string, options: { credentials?: string; patienceMs?: number } = {}): Promise<TestGateway> {
  const { credentials, patienceMs = 2_000 } = options;
  const id = credentials === undefined ? 'gw1' : publicKeyOf(credentials);
  const bus = await openBus({ url, name: id, clock, patienceMs, ...(credentials !== undefined && { credentials }) });
  const events: string[] = [];
  const counters: BusEvents = {
    late: (location) => void events.push(`late ${location}`),
    nack: (location, reason) => void events.push(`nack ${location} ${reason}`),
    noResponders: (location) => void events.push(`no responders ${location}`),
    invalidFrame: (location) => void events.push(`invalid ${location}`),
    ackSeconds() {},
    beatFlood: (location, agent) => void events.push(`flood ${location} ${agent}`),
    ejected: (location, agent, kind, ms) => void events.push(`ejected ${location} ${agent} ${kind} ${ms}`),
    hedge: (reason, won) => void events.push(`hedge ${reason} ${won ? 'won' : 'lost'}`),
  };
  const presence = createPresence({ bus, clock, events: counters });
  const asker = createAsker({ bus, gatewayId: id, presence, clock, events: counters });
  return {
    bus,
    presence,
    asker,
    events,
    ask: (locations, ask = {}) =>
      asker.ask({ kind: 'ping', spec: { host: 'a.test' }, locations, budgetMs: 5_000, minBudgetMs: 50, check: isResult, ...ask }),
    async close() {
      asker.close();
      presence.close();
      await bus.close();
    },
  };
}

const isResult = (value: unknown) => typeof (value as { by?: unknown }).by === 'string';

/** Waits until the gateway sees so many agents ready. */
export async function seesReady(presence: Presence, count: number): Promise<void> {
  await eventually(() => presence.agents().filter(({ state }) => state === 'ready').length >= count, `${count} agents ready`);
}

/** Waits until the server knows that no agent of the location is connected: a process may have ended before it has read so. */
export async function seesNobody(bus: Bus, location: string): Promise<void> {
  const inbox = '_INBOX.sees-nobody';
  let isEmpty = false;
  const told = bus.subscribe(inbox, (message) => (isEmpty ||= isNoResponders(message)));
  await eventually(() => bus.publish(subjects.job('ping', location), '', inbox) && isEmpty, `nobody takes jobs at ${location}`);
  told.unsubscribe();
}

export async function eventually(condition: () => boolean, what: string, withinMs = 15_000): Promise<void> {
  const until = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > until) throw new Error(`never happened: ${what}`);
    await sleep(5);
  }
}
