import {
  type AccountReader,
  type AddressPolicy,
  ApiError,
  type CentralContext,
  type Operation,
  parseTargets,
  type Report,
  withElapsed,
} from '@vedette/contract';
import { type Account, type Ledger, MAX_KEPT_ANSWER } from '@vedette/ledger';
import type { ParserPool } from '@vedette/message/parser';
import { budgeted, type ResolverSelfTest, type WitnessTest } from '@vedette/probes/dns';
import type { TObject } from 'typebox';
import type { Calls } from './calls.ts';
import { type DispatchDeps, dispatcher } from './dispatch.ts';
import { askOwners, GIVEN } from './consent.ts';
import { toApiError } from '../door/error-handler.ts';
import type { FileAnswer } from '../http/file-answer.ts';
import { selectionOf } from '../locations/locations.ts';
import type { Departure, MeasurementLog } from './measurement-log.ts';
import type { OptOuts } from '../intel/opt-out.ts';
import { type Demand, demandOf, gatedDialler, gatedHttp3, Outlet, refuseLimited } from './outlet.ts';
import type { Visit } from '../door/overload.ts';
import { parsersOf } from './parsers.ts';
import type { Pools } from '../shares/pools.ts';
import type { Sightings } from '../intel/owners.ts';
import type { SharedPorts } from '../intel/ports.ts';
import { type RendererFleet, renderersOf } from './renderers.ts';
import { Payment, type PaymentDeps } from './payment.ts';
import { RequestLifetime } from './request-lifetime.ts';
import { requestSchema } from '../door/request-schema.ts';
import type { TargetRates } from '../shares/target-rates.ts';
import { judgeTargets } from '../shares/targets.ts';
import { parameterCheck } from './validate.ts';
import type { Entries, Work } from './work.ts';
import type { Prepared } from './prepared.ts';

/** A request waits for a permit as long as a client may not mind, and leaves its work the time that it needs. */
const MAX_WAIT_MS = 2_000;
const WAIT_SHARE = 0.25;
const OK: number = 200;

export interface ServiceDeps extends Omit<DispatchDeps, 'clock'>, Omit<PaymentDeps, 'ledger'> {
  ports: SharedPorts;
  renderers: RendererFleet;
  parsers: Pick<ParserPool, 'read'>;
  policy: AddressPolicy;
  isInnerName(name: string): boolean;
  /** Undefined: our resolvers are not tested. */
  resolverTest: Pick<ResolverSelfTest, 'state' | 'vouch'> | undefined;
  witnessTest: Pick<WitnessTest, 'confirm'>;
  pools: Pools;
  ledger: Pick<Ledger, 'isDenied' | 'reserve' | 'settle' | 'release' | 'usage'>;
  /** Undefined: nothing is limited. */
  rates: TargetRates | undefined;
  optOuts: OptOuts;
  /** Undefined: nothing is noted. */
  sightings: Sightings | undefined;
  calls: Calls;
  /** Undefined: none is kept. */
  measurements: MeasurementLog | undefined;
}

/** What is sent: text, or one with files in it. */
export type AnswerBody = string | FileAnswer;

/** Who asks, for the measurement log. */
export interface Client {
  requestId: string;
  address: string;
}

/** What became of a request whose client has left: credits charged all the same, and the locations heard by then. */
export interface Left {
  charged: number;
  entries: Entries | undefined;
}

export interface Call {
  account: Account;
  /** Told when the request waits for others, and is in nobody's way. */
  visit: Pick<Visit, 'away' | 'back'>;
  prepared: Prepared;
  client: Client;
  /** SHA-256 of the body as received, and the client's Idempotency-Key. */
  idempotency: { key: string; bodySha256: Uint8Array } | undefined;
  /** Has `gone` called when the client goes before it has its answer, at once if it has gone. */
  whenGone(gone: () => Promise<Left>): void;
  /** Set: entries are told as they finish. */
  onEntry?: (entry: Report) => void;
  /** Called once the credits are reserved and the work is about to start, with what will be charged. */
  onReserved?: (cost: number) => void;
  /** Prints the report; what it gives is what will be sent. */
  print(report: Report): AnswerBody;
}

export interface Answer {
  body: AnswerBody;
  /** Credits charged; 0 for a repetition, and for a report that is free. */
  cost: number;
  /** It is the answer of an earlier request with the same Idempotency-Key. */
  replayed: boolean;
  /** Locations that answered, and that failed; undefined for central operations. */
  entries: Entries | undefined;
  /** Lets go of what is kept for it: to be called when it has left, or its client has. */
  letGo(): void;
}

/** One operation, ready to be called: parameters checked, targets judged, credits reserved, work done, credits settled. */
export interface Callable {
  operation: Operation;
  request: TObject;
  /** Schema of the report. */
  reportSchema: Record<string, unknown>;
  /** Schema of one location's entry, where the report lists them. */
  entrySchema: Record<string, unknown> | undefined;
  /** Reads a body. Throws `ApiError` for parameters and targets that are refused, and where nobody could measure; nothing has been sent or reserved then. */
  prepare(body: Record<string, unknown>): Prepared;
  /**
   * The whole answer, paid for. Rejects with `ApiError`; nothing is charged then, unless it is client_gone and something had left
   * for the request by then.
   */
  call(call: Call): Promise<Answer>;
}

export function callable(operation: Operation, deps: ServiceDeps): Callable {
  const { ports, pools, ledger, calls, rates, optOuts, measurements } = deps;
  const { clock } = ports;
  const { name } = operation;
  const request = requestSchema(operation);
  /** The share of an operation that declares none refuses every question: its requests have it in common. */
  const asksNothing = budgeted(ports.resolver, { questions: 0 }, clock);
  const work = operation.kind === 'central' ? centralWork(operation, deps) : dispatcher(operation, { ...deps, clock });

  return {
    operation,
    request,
    reportSchema: withElapsed(operation.response),
    entrySchema: operation.kind === 'distributed' && operation.entrySchema ? { ...operation.entrySchema } : undefined,
    prepare: preparer(operation, request, work.locations, { ...deps, isDenied: ledger.isDenied }),
    async call(asked) {
      calls.begin();
      try {
        return await answer(asked);
      } finally {
        calls.end();
      }
    },
  };

  async function answer(call: Call): Promise<Answer> {
    const { account, visit, prepared, idempotency, whenGone, onEntry, onReserved, print } = call;
    const started = clock.now();
    const { deadlineMs = operation.deadline_ms } = prepared;
    const demand = demandOf(operation, account.id, prepared);
    if (!idempotency) refuseEarly(operation, prepared.query, demand, deps); // behind an Idempotency-Key the answer may be there already
    const reservation = await ledger.reserve({
      account,
      cost: prepared.cost,
      operation: name,
      deadlineMs,
      ...(idempotency && { idempotency }),
    });
    if (reservation.answer !== undefined) return { body: reservation.answer, cost: 0, replayed: true, entries: undefined, letGo() {} };
    // What its client waits for counts from its coming: holding the price took some of it.
    const leftMs = prepared.deadlineMs === undefined ? deadlineMs : Math.max(1, deadlineMs - (clock.now() - started));
    const lifetime = new RequestLifetime(leftMs);
    const outlet = new Outlet({ demand, pools, rates, waitMs: Math.min(MAX_WAIT_MS, deadlineMs * WAIT_SHARE) });
    const payment = new Payment(reservation, deps);
    const entries = noEntries(operation);
    const remainingMs = () => deadlineMs - (clock.now() - started);
    let status = OK;
    using resolver = shareOf(operation, deps, account, outlet) ?? asksNothing;
    try {
      whenGone(() => {
        lifetime.end('client_gone');
        return payment.charged().then((charged) => ({ charged, entries }));
      });
      lifetime.throwIfEnded();
      visit.away();
      // Only now: a question to a stranger's zone is not for those who cannot pay.
      const consent = (operation.contactsTarget ?? true) ? askOwners(prepared, optOuts, outlet, lifetime) : GIVEN;
      // Jobs are parked until the owners have been heard; an operation of our own waits.
      if (consent.go && operation.kind === 'central') await lifetime.bound(consent.go);
      consent.tell(() => onReserved?.(reservation.cost));
      const context = contextOf(deps, { account, resolver, outlet, lifetime, remainingMs, waivePrice: payment.waive });
      const told = onEntry && ((entry: Report) => consent.tell(() => onEntry(entry)));
      const running = work.run({ ...prepared, deadlineMs: leftMs }, { context, outlet, go: consent.go, onEntry: told, entries });
      const report = await lifetime.bound(consent.go ? consent.to(running) : running);
      visit.back();
      lifetime.throwIfEnded();
      const body = print({ ...report, elapsed_ms: Math.round(clock.now() - started) });
      await payment.settle(idempotency && keptAs(body));
      return { body, cost: payment.cost, replayed: false, entries, letGo: outlet.letGo };
    } catch (error) {
      ({ status } = toApiError(error));
      outlet.letGo();
      throw error;
    } finally {
      lifetime.close();
      await payment.end(lifetime.clientLeft && outlet.departed);
      if (outlet.departed) outlet.whenTold(() => measurements?.record(departure(name, call, outlet, started, status)));
    }
  }
}

/** What a request asks the DNS by, where its operation declares a share of questions: the answers are noted for its account. */
const shareOf = ({ dns }: Operation, { ports, sightings }: ServiceDeps, { id }: Account, outlet: Outlet) =>
  dns && budgeted(sightings?.heardBy(id, ports.resolver) ?? ports.resolver, dns, ports.clock, outlet);

/** What central work is given. One by one: to spread the ports cost a request microseconds. */
const contextOf = (
  { ports, renderers, parsers, metrics, ledger, optOuts }: ServiceDeps,
  request: Pick<CentralContext, 'resolver' | 'waivePrice'> & {
    account: Account;
    outlet: Outlet;
    lifetime: RequestLifetime;
    remainingMs: () => number;
  },
): CentralContext => ({
  clock: ports.clock,
  ca: ports.ca,
  userAgent: ports.userAgent,
  trustAnchors: ports.trustAnchors,
  networks: ports.networks,
  names: ports.names,
  mailboxes: ports.mailboxes,
  phones: ports.phones,
  blacklists: ports.blacklists,
  registries: ports.registries,
  passiveDns: ports.passiveDns,
  resolver: request.resolver,
  dialler: gatedDialler(ports.dialler, request.outlet),
  http3: gatedHttp3(ports.http3, request.outlet),
  today,
  isDenied: ledger.isDenied,
  remainingMs: request.remainingMs,
  isOptedOut: async (host) => optOuts.has(host, request.outlet, request.lifetime),
  waivePrice: request.waivePrice,
  get signal() {
    return request.lifetime.signal;
  },
  get renderers() {
    return renderersOf({ ...renderers, clock: ports.clock, metrics }, request);
  },
  get parsers() {
    return parsersOf({ pool: parsers, clock: ports.clock, metrics }, request.outlet);
  },
  account: reader(request.account, ledger),
});

/** What is kept of an answer for repetitions of its request; nothing of one that is too long. */
const keptAs = (body: AnswerBody): string | undefined => {
  if (typeof body === 'string') return body;
  return body.byteLength <= MAX_KEPT_ANSWER ? body.toString() : undefined;
};

const noEntries = ({ kind }: Operation): Entries | undefined => (kind === 'distributed' ? { answered: 0, failed: 0 } : undefined);

/** What the measurement log is told. */
const departure = (operation: string, { account, client, prepared }: Call, outlet: Outlet, started: number, status: number): Departure => ({
  requestId: client.requestId,
  account: account.id,
  key: account.keyId,
  client: client.address,
  operation,
  targets: prepared.targets,
  asked: outlet.asked,
  contacted: outlet.contacted,
  hosts: outlet.hosts,
  locations: prepared.locations,
  started,
  status,
});

const centralWork = (operation: Operation & { kind: 'central' }, { resolverTest, witnessTest, ports: { clock } }: ServiceDeps): Work => ({
  locations: () => [],
  async run({ query }, { context }) {
    if (!operation.dns || operation.dns.unreported || !resolverTest) return await operation.run(query, context);
    const optional = operation.dns.optional?.(query) === true;
    const beside = optional ? undefined : resolverTest.vouch(); // a round trip that nobody waits for
    const since = clock.now();
    const report = await operation.run(query, context);
    if (optional && !context.resolver.asked) return report;
    // A resolver that has only its cache left knows the root, and says SERVFAIL of everything else.
    const proven =
      (await (beside ?? resolverTest.vouch())) &&
      (!context.resolver.troubled || ((await resolverTest.vouch()) && (await witnessTest.confirm(since))));
    if (!proven) throw blind();
    return report;
  },
});

/** Throws `ApiError` for what could not be answered now, whoever pays. */
function refuseEarly(operation: Operation, query: unknown, demand: Demand, { resolverTest, rates }: ServiceDeps): void {
  const { dns } = operation;
  const isReported = dns !== undefined && dns.unreported !== true && dns.optional?.(query) !== true;
  if (operation.kind === 'central' && isReported && resolverTest?.state.ok === false) throw blind();
  refuseLimited(demand, rates);
}

/** Where our resolvers cannot be believed, a report would say of its subject what is true of ourselves. */
const blind = (): ApiError => new ApiError('upstream_failed', 'the DNS resolvers of the service', { retryAfterS: 5 });

/** Reads requests: checked against the schema, targets parsed and judged, locations chosen, all of it once. */
function preparer(
  operation: Operation,
  request: TObject,
  locations: Work['locations'],
  rules: Parameters<typeof judgeTargets>[2],
): Callable['prepare'] {
  const check = parameterCheck(request);
  const { cost } = operation;
  return (body) => {
    const { locations: selection, ...params } = check(body);
    const targets = parseTargets(operation.targets, params);
    judgeTargets(operation, targets, rules);
    const query: unknown = operation.read(params, targets);
    return {
      query,
      targets: Object.values(targets),
      locations: locations(selectionOf(selection)),
      cost: typeof cost === 'number' ? cost : cost.of(query),
    };
  };
}

const today = (): Date => new Date();

const reader = (account: Account, ledger: ServiceDeps['ledger']): AccountReader => ({ id: account.id, usage: () => ledger.usage(account) });
