import {
  type AccountReader,
  actingOf,
  askingOf,
  type CentralContext,
  type Operation,
  parseTargets,
  type Report,
  withElapsed,
} from '@vedette/operations/kit';
import { ApiError } from '@vedette/contract';
import { type Account, type Ledger, MAX_KEPT_ANSWER, type Reservation } from '@vedette/ledger';
import { budgeted } from '@vedette/probes/dns';
import type { TObject } from 'typebox';
import { dispatcher } from './dispatch.ts';
import { askOwners } from './consent.ts';
import { toApiError } from '../door/error-handler.ts';
import type { FileAnswer } from '../http/file-answer.ts';
import { chosenLocations, type ChosenLocations } from '../locations/chosen.ts';
import { selectionOf } from '../locations/selection.ts';
import type { Departure } from './measurement-log.ts';
import { demandOf, gatedDialler, gatedHttp3, OutboundGate, refuseLimited } from './outbound-gate.ts';
import { parsersOf } from './parsers.ts';
import type { OpenPorts, SharedPorts } from '../intel/ports.ts';
import { renderersOf } from './renderers.ts';
import { Payment } from './payment.ts';
import { RequestLifetime } from './request-lifetime.ts';
import { requestSchema } from '../door/request-schema.ts';
import { judgeTargets, withPort } from '../shares/targets.ts';
import { coolDownOf } from '../shares/cool-down.ts';
import type { GateRow } from '../shares/gate.ts';
import { parameterCheck } from './validate.ts';
import type { Parts } from './parts.ts';
import type { Entries, Work } from './work.ts';
import type { Prepared } from './prepared.ts';

/** A request waits for a permit as long as a client may not mind, and leaves its work the time that it needs. */
const MAX_WAIT_MS = 2_000;
const WAIT_SHARE = 0.25;
/** And for its turn at blacklist engines: a longer queue would serve no more of them. */
const MAX_QUEUE_MS = 5_000;
const QUEUE_SHARE = 0.4;
const OK: number = 200;

/** The body of the answer: text, or text with files in it. */
export type AnswerBody = string | FileAnswer;

/** The client's address, for the measurement log. */
export interface Client {
  requestId: string;
  address: string;
}

/** The fate of a request whose client has left: credits charged all the same, and the locations heard by then. */
export interface Left {
  charged: number;
  entries: Entries | undefined;
}

/** The parts of a request that say what it costs, and whom. */
export interface Payable {
  account: Account;
  prepared: Prepared;
  /** SHA-256 of the body as received, and the client's Idempotency-Key. */
  idempotency: { key: string; bodySha256: Uint8Array } | undefined;
}

export interface Call extends Payable {
  /** Called when the request waits for others and delays none, and when its work is done. */
  visit: { away(): void; back(): void };
  client: Client;
  /** Has `gone` called when the client goes before it has its answer, at once if it has gone. */
  whenGone(gone: () => Promise<Left>): void;
  /** Set: entries are told as they finish. */
  onEntry?: (entry: Report) => void;
  /** Called once the credits are reserved and the work is about to start, with what will be charged. */
  onReserved?: (cost: number) => void;
  /** Whether the price stays held after this error, since the request is called once more; without it, it is given back. */
  triesAgain?: (error: ApiError) => boolean;
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
  /** Frees what is kept for it: to be called when it has left, or its client has. */
  release(): void;
}

/** One operation, ready to be called: parameters checked, targets judged, credits reserved, work done, credits settled. */
export interface Callable {
  operation: Operation;
  request: TObject;
  /** Schema of the report. */
  reportSchema: Record<string, unknown>;
  /** Schema of one location's entry, where the report lists them. */
  entrySchema: Record<string, unknown> | undefined;
  /** Names the locations of a request. */
  chosen(prepared: Prepared): ChosenLocations;
  /**
   * Reads a body. Throws `ApiError` for refused parameters and targets, and when no agent could measure; nothing has been sent or reserved
   * then.
   */
  prepare(body: Record<string, unknown>): Prepared;
  /**
   * The whole answer, paid for. Rejects with `ApiError`; nothing is charged then, unless it is client_gone and something had left
   * for the request by then.
   */
  call(call: Call): Promise<Answer>;
  /** Holds the price of a request for as long as its deadline and `waitMs` before it. Throws what the ledger does. */
  hold(request: Payable, waitMs: number): Promise<Reservation>;
  /** Calls a request whose price is held. */
  callHeld(call: Call, held: Reservation): Promise<Answer>;
  /** Gives back the price of a request that is not called. */
  letGo(held: Reservation): Promise<void>;
}

export function callable(operation: Operation, parts: Parts): Callable {
  const { intel, ledger, calls, measurements } = parts;
  const { ports, optOuts } = intel;
  const { clock } = ports;
  const request = requestSchema(operation);
  /** The share of an operation that declares none refuses every question: its requests have it in common. */
  const asksNothing = budgeted(ports.resolver, { questions: 0 }, clock);
  const work = operation.kind === 'central' ? centralWork(operation, parts) : dispatcher(operation, parts);
  /** The common beginning of the contexts of its requests. */
  const shared = { ...ports, today: () => clock.today?.() ?? new Date(), isDenied: ledger.isDenied };
  const hold = holder(operation, ledger);

  return {
    operation,
    request,
    ...schemasOf(operation),
    chosen: ({ locations }) => chosenLocations(locations, parts),
    prepare: preparer(operation, request, work.locations, parts),
    call: (call) =>
      calls.count(async () => {
        const started = clock.now();
        // Behind an Idempotency-Key the answer may be there already.
        if (!call.idempotency) refuseEarly(operation, call, parts);
        return carryOut(call, await hold(call, 0), started);
      }),
    hold,
    callHeld: (wanted, held) => calls.count(() => carryOut(wanted, held, clock.now())),
    letGo: (held) => new Payment(held, parts).end(false),
  };

  async function carryOut(call: Call, reservation: Reservation, started: number): Promise<Answer> {
    const { account, visit, prepared, idempotency, whenGone, onEntry, onReserved, triesAgain, print } = call;
    const { deadlineMs = operation.deadline_ms } = prepared;
    if (reservation.answer !== undefined) return { body: reservation.answer, cost: 0, replayed: true, entries: undefined, release() {} };
    // The client's wait counts from the request's arrival: holding the price took part of it.
    const leftMs = prepared.deadlineMs === undefined ? deadlineMs : Math.max(1, deadlineMs - (clock.now() - started));
    const lifetime = new RequestLifetime(leftMs);
    const gate = gateOf(operation, call, parts);
    const payment = new Payment(reservation, parts);
    const entries = noEntries(actingOf(operation, prepared.locations));
    const remainingMs = () => deadlineMs - (clock.now() - started);
    let status = OK;
    let staysHeld = false;
    using resolver = shareOf(operation, intel, account, gate) ?? asksNothing;
    try {
      whenGone(async () => clientLeft(lifetime, payment, entries));
      lifetime.throwIfEnded();
      if (triesAgain) refuseEarly(operation, call, parts); // since its price was held, others have asked
      visit.away();
      // Only now: a question to a stranger's zone is not for those who cannot pay.
      const consent = askOwners(contactedBy(operation, prepared), optOuts, gate, lifetime);
      // Jobs are parked until the owners have been heard; an operation of our own waits.
      if (consent.go && operation.kind === 'central') await lifetime.bound(consent.go);
      consent.tell(() => onReserved?.(reservation.cost));
      const onTold = onEntry && ((entry: Report) => consent.tell(() => onEntry(entry)));
      // A function of its own: a report in a variable of this one would be in memory until its price is charged, as would its context.
      const printed = async (): Promise<AnswerBody> => {
        const context = contextOf(parts, shared, { account, resolver, gate, lifetime, remainingMs, waivePrice: payment.waive });
        const running = work.run({ ...prepared, deadlineMs: leftMs }, { context, gate, go: consent.go, onEntry: onTold, entries });
        const report = await lifetime.bound(consent.go ? consent.to(running) : running);
        visit.back();
        lifetime.throwIfEnded();
        return print({ ...report, elapsed_ms: Math.round(clock.now() - started) });
      };
      const body = await printed();
      await payment.settle(idempotency && keptAs(body));
      return { body, cost: payment.cost, replayed: false, entries, release: gate.release };
    } catch (error) {
      const refusal = toApiError(error);
      ({ status } = refusal);
      staysHeld = triesAgain?.(refusal) === true;
      gate.release();
      throw error;
    } finally {
      lifetime.close();
      if (!staysHeld) await payment.end(lifetime.clientLeft && gate.sentTraffic);
      if (gate.sentTraffic) gate.onContactsComplete(() => measurements?.record(departure(operation.name, call, gate, started, status)));
    }
  }
}

/** Ends the work of a request whose client has left. */
async function clientLeft(lifetime: RequestLifetime, payment: Payment, entries: Entries | undefined): Promise<Left> {
  lifetime.end('client_gone');
  return { charged: await payment.charged(), entries };
}

function schemasOf(operation: Operation) {
  const { entrySchema } = askingOf(operation) ?? {};
  return { reportSchema: withElapsed(operation.response), entrySchema: entrySchema && { ...entrySchema } };
}

/** Holds prices: see `Callable`. */
const holder =
  (operation: Operation, ledger: Ledger): Callable['hold'] =>
  ({ account, prepared: { cost, deadlineMs = operation.deadline_ms }, idempotency }, waitMs) =>
    ledger.reserve({
      account,
      cost,
      operation: operation.name,
      deadlineMs: deadlineMs + waitMs,
      ...(idempotency && { idempotency }),
    });

function gateOf(operation: Operation, { account, prepared }: Call, { pools, rates }: Parts): OutboundGate {
  const { deadlineMs = operation.deadline_ms } = prepared;
  const demand = demandOf(operation, account.id, prepared);
  const waitMs = Math.min(MAX_WAIT_MS, deadlineMs * WAIT_SHARE);
  return new OutboundGate({ demand, pools, rates, waitMs, queueMs: Math.min(MAX_QUEUE_MS, deadlineMs * QUEUE_SHARE) });
}

/** The hosts whose owners have a say. */
const contactedBy = ({ contactsTarget = true }: Operation, { targets, further = [] }: Prepared) =>
  contactsTarget ? [...targets, ...further] : further;

/** The resolver of a request whose operation declares a share of questions: the answers are noted for its account. */
const shareOf = ({ dns }: Operation, { ports, sightings }: OpenPorts, { id }: Account, gate: OutboundGate) =>
  dns && budgeted(sightings?.heardBy(id, ports.resolver) ?? ports.resolver, dns, ports.clock, gate);

/** Ports that are the same for every request. */
type Shared = SharedPorts & { today(): Date; isDenied(host: string): boolean };

/** The parts of one request's context. */
interface RequestPorts {
  account: Account;
  resolver: CentralContext['resolver'];
  gate: OutboundGate;
  lifetime: RequestLifetime;
  remainingMs(): number;
  waivePrice(): void;
}

/** The context of central work: the shared ports, and the request's own parts. */
const contextOf = (parts: Parts, shared: Shared, request: RequestPorts): CentralContext => ({
  ...shared,
  names: parts.intel.namesOf(request.account),
  resolver: request.resolver,
  dialler: gatedDialler(shared.dialler, request.gate),
  http3: gatedHttp3(shared.http3, request.gate),
  remainingMs: request.remainingMs,
  isOptedOut: async (host) => parts.intel.optOuts.has(host, request.gate, request.lifetime),
  waivePrice: request.waivePrice,
  // Not getters: each request would have a hidden class of its own, which keeps the request in memory until the next full collection.
  signal: request.lifetime.signal,
  renderers: renderersOf(parts, request),
  parsers: parsersOf(parts, request.gate),
  account: reader(request.account, parts.ledger),
});

/** The kept form of an answer for repetitions of its request; a too long answer is not kept. */
const keptAs = (body: AnswerBody): string | undefined => {
  if (typeof body === 'string') return body;
  return body.byteLength <= MAX_KEPT_ANSWER ? body.toString() : undefined;
};

const noEntries = ({ kind }: Operation): Entries | undefined => (kind === 'distributed' ? { answered: 0, failed: 0 } : undefined);

/** The entry for the measurement log. */
const departure = (
  operation: string,
  { account, client, prepared }: Call,
  gate: OutboundGate,
  started: number,
  status: number,
): Departure => ({
  requestId: client.requestId,
  account: account.id,
  key: account.keyId,
  client: client.address,
  operation,
  targets: [...prepared.targets, ...(prepared.further ?? [])],
  firstQuestion: gate.firstQuestion,
  contacted: gate.contacted,
  hosts: gate.hosts,
  locations: prepared.locations,
  started,
  status,
});

function centralWork(operation: Operation & { kind: 'central' }, parts: Parts): Work {
  const {
    health,
    ports: { clock },
  } = parts.intel;
  const coolDown = coolDownOf(operation, parts);
  const isReported = operation.dns !== undefined && operation.dns.unreported !== true;
  const { fromLocations } = operation;
  const elsewhere = fromLocations && dispatcher(fromLocations, parts);
  return {
    locations: (selection, query) => (selection && elsewhere ? elsewhere.locations(selection, query) : []),
    async run(prepared, request) {
      const { context, gate } = request;
      const { query } = prepared;
      const optional = operation.dns?.optional?.(query) === true;
      const beside = isReported && !optional ? health.vouch() : undefined; // an unawaited round trip
      const since = clock.now();
      // Asked first: a refusal is free, and takes no contacts from others.
      const cooling = await coolDown?.begin(prepared.targets, context.resolver, context.signal);
      let report: Report;
      try {
        // All connections are counted before the first.
        if (operation.connects) gate.admitJobs(1);
        report =
          elsewhere && prepared.locations.length > 0
            ? await elsewhere.run({ ...prepared, deadlineMs: Math.min(context.remainingMs(), fromLocations.deadline_ms) }, request)
            : await operation.run(query, context);
        await refuseUnheard(gate, since, health);
        if (operation.connects) await refuseLost(gate, clock.now(), operation.coolDownS, health);
      } finally {
        if (cooling && gate.heard.size === 0) await coolDown?.end(cooling);
      }
      if (!isReported || (optional && !context.resolver.used)) return report;
      // A resolver that has only its cache left knows the root, and says SERVFAIL of everything else.
      const proven =
        (await (beside ?? health.vouch())) && (!context.resolver.troubled || ((await health.vouch()) && (await health.dnsSince(since))));
      if (!proven) throw blind();
      return report;
    },
  };
}

/** Throws `ApiError` where no host has answered any connection, nor has a witness since: a report would say of its subject what is true of ourselves. */
async function refuseUnheard({ dialled, heard }: OutboundGate, since: number, health: Parts['intel']['health']): Promise<void> {
  for (const family of heard) health.heard(`tcp${family}`);
  if (heard.size > 0 || dialled.size === 0) return;
  const verdicts = await Promise.all(Array.from(dialled, (family) => health.doubt(`tcp${family}`, since)));
  if (verdicts.every((verdict) => verdict === 'bad'))
    throw new ApiError('upstream_failed', 'the network of the service', { retryAfterS: 5 });
}

/** Throws `ApiError` where the connections of a scan ended unanswered, and witnesses are silent now: the rest of its report would be unknown for a reason of ours. */
async function refuseLost(
  { unheard }: OutboundGate,
  since: number,
  coolDownS: number | undefined,
  health: Parts['intel']['health'],
): Promise<void> {
  const verdicts = await Promise.all(Array.from(unheard, (family) => health.doubt(`tcp${family}`, since)));
  if (verdicts.includes('bad')) throw new ApiError('upstream_failed', 'the network of the service', { retryAfterS: coolDownS ?? 5 });
}

/** Throws `ApiError` for a request that cannot be answered now, for any account. */
function refuseEarly(operation: Operation, { account, prepared }: Call, { intel: { health }, rates }: Parts): void {
  const { dns } = operation;
  const { query } = prepared;
  const isReported = dns !== undefined && dns.unreported !== true && dns.optional?.(query) !== true;
  if (operation.kind === 'central' && isReported && health.verdict('resolver') === 'bad') throw blind();
  refuseLimited(demandOf(operation, account.id, prepared), rates);
}

/** Where our resolvers cannot be believed, a report would say of its subject what is true of ourselves. */
const blind = (): ApiError => new ApiError('upstream_failed', 'the DNS resolvers of the service', { retryAfterS: 5 });

/** Reads requests: checked against the schema, targets parsed and judged, locations chosen, all of it once. */
function preparer(
  operation: Operation,
  request: TObject,
  locations: Work['locations'],
  { intel: { policy, isInnerName }, ledger: { isDenied } }: Parts,
): Callable['prepare'] {
  const check = parameterCheck(request);
  return (body) => {
    const { locations: selection, ...params } = check(body);
    const targets = parseTargets(operation.targets, params);
    const rules = { policy, isInnerName, isDenied };
    judgeTargets(operation, targets, rules);
    const query: unknown = operation.read(params, targets);
    const about = operation.about?.(query) ?? {};
    judgeTargets({ ...operation, contactsTarget: false }, about, rules);
    const further = operation.further?.(query) ?? {};
    judgeTargets({ ...operation, contactsTarget: true }, further, rules);
    const chosen = locations(selectionOf(selection), query);
    const acting = actingOf(operation, chosen);
    const { cost } = acting;
    const { scans } = acting.kind === 'distributed' ? acting : {};
    const port = acting.connects?.(query)?.port;
    for (const scanned of scans?.(query) ?? []) withPort(targets, scanned, policy);
    return {
      query,
      targets: [...(port === undefined ? Object.values(targets) : withPort(targets, port, policy)), ...Object.values(about)],
      further: Object.values(further),
      locations: chosen,
      cost: typeof cost === 'number' ? cost : cost.of(query),
    };
  };
}

const reader = (account: Account, ledger: Ledger): AccountReader => ({ id: account.id, usage: () => ledger.usage(account) });

export const RESOLVERS_GATE: GateRow = {
  name: 'Resolvers',
  limits: 'requests whose report needs the DNS',
  limit: 'none is taken while the resolvers of the service do not answer for the root',
  codes: ['upstream_failed'],
  cause: 'service',
};

export const DNS_BUDGET_GATE: GateRow = {
  name: 'DNS budget',
  limits: 'DNS questions of one request, and their time',
  limit: 'as the operation declares',
  codes: [],
  instead: 'The question counts as unanswered',
  cause: 'target',
};
