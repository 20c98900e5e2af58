import type { ScrapeForm } from './scraped.ts';
import type { Static, TObject, TSchema } from 'typebox';
import type { AccountUsage, BudgetedResolver, DnsBudget, Failure, ParsedHost, Probe, Reason } from '@vedette/contract';
import { blank } from './blank.ts';
import type { Filled } from './defaults.ts';
import { withEntries } from './entries.ts';
import type { LocationEntry } from './objects.ts';
import type { CentralPorts } from './central-ports.ts';
import type { NamedIn, TargetForms, Targets } from './targets.ts';

/** The subject of an operation, by which the API description and its readers group them. */
export type Subject = 'locations' | 'dns' | 'networks' | 'domains' | 'mail' | 'web' | 'rendering' | 'phones' | 'service';

/**
 * The members of every operation, whether it runs centrally or at vantage points. `V` is the query: the request as read, which all of the
 * operation works with.
 */
interface OperationHead<Q extends TObject, S extends TObject, T extends TargetForms, V> {
  /** The API path: `POST /v2/<name>`. */
  name: string;
  subject: Subject;
  summary: string;
  description?: string;
  /** Credits per 200; a function where the request decides. */
  cost: number | { base: number; of(query: V): number; note: string };
  deadline_ms: number;
  /** Largest request body; 64 KB unless it takes a file. */
  body_max_bytes?: number;
  references?: readonly string[];
  request: Q;
  /** The report without `elapsed_ms`, which the gateway adds. */
  response: S;
  /** The request fields that name a target, and how: parsed and judged before `read`. Inner addresses and special-use names stop there. */
  targets?: NamedIn<Static<Q>, T>;
  /** The operation exists only where the operator has switched this on, and only for accounts whose plan includes it. */
  optIn?: 'portScan';
  /** False where only the DNS or a registry is asked about the target: then government and educational names may be asked about, and owners cannot opt out. */
  contactsTarget?: boolean;
  /**
   * The DNS budget of one request. Without it, nothing. A request for which asking is `optional` is answered although our resolvers cannot
   * be believed, if nothing was asked of them in the end. With `unreported`, the DNS only leads to servers that prove their identity (TLS),
   * and its answers are not in the report: such a request is answered even when our resolvers cannot be trusted.
   */
  dns?: DnsBudget & { optional?(query: V): boolean; unreported?: true };
  /** At most so many requests per account and second, over all gateways, beside the plan's own limits. */
  limit?: { requests: number; per_s: number };
  /** Requests that work when pasted into the docs page. */
  examples: readonly Static<Q>[];
  /** Makes the query of a request that fits the schema, with its defaults filled in. Throws `ApiError` parameter_conflict or invalid_parameter for what a schema cannot say. */
  read(request: Filled<Q>, targets: Targets<T>): V;
  /** The parameter of which a bulk request has many values; absent where the operation takes no bulk requests. */
  bulk?: string;
  /** The TCP port of the targets that the request names, and how many connections each job, or the gateway, opens to it; absent where that is one contact. */
  connects?(query: V): { port: number; times: number } | undefined;
  /** A target (its port, where the request names one), and each of its addresses, is measured by this operation once in so many seconds, over all accounts and gateways. */
  coolDownS?: number;
  /** Hosts that a query is about, by parameters that it may leave out: judged as targets that are not contacted. */
  about?(query: V): Readonly<Record<string, ParsedHost>>;
  /** Onion services of Tor may be contacted: they are reached without the DNS. */
  reachesOnions?: boolean;
  /** Hosts that a query contacts, or asks for, beside its targets, by parameter: judged as targets that are contacted. */
  further?(query: V): Readonly<Record<string, ParsedHost>>;
}

/** The context of one request: the ports, and the request's own values. */
export interface CentralContext extends CentralPorts {
  /** Spends from the operation's `dns`. */
  resolver: BudgetedResolver;
  /** Ends with the request's deadline, or when the client has gone. */
  signal: AbortSignal;
  /** The time left until the request's deadline. */
  remainingMs(): number;
  /** Wall-clock time, for dates in reports only. */
  today(): Date;
  /** The operator's deny-list, for what a record leads to beyond the request's own targets. */
  isDenied(host: string): boolean;
  /** Whether the owner of a host beyond the request's own targets does not want to be contacted. Rejects with what the gate refuses. */
  isOptedOut(host: string): Promise<boolean>;
  /** The report of this request is to cost nothing: all addresses of its target lead inwards, and nothing could be asked of it. */
  waivePrice(): void;
  account: AccountReader;
}

/** The facts about the requesting account that an operation may read. */
export interface AccountReader {
  id: string;
  usage(): Promise<AccountUsage>;
}
export interface CentralOperation<
  Q extends TObject = TObject,
  S extends TObject = TObject,
  T extends TargetForms = TargetForms,
  V = unknown,
> extends OperationHead<Q, S, T, V> {
  kind: 'central';
  /** Set for an operation that Prometheus can scrape. */
  scrape?: ScrapeForm;
  /**
   * Carries out a request that has `locations`, in place of `run`, at its own price, and measures within its own `deadline_ms`. The response has
   * its fields, which are optional there.
   */
  fromLocations?: DistributedOperation<any, any, any, any, any, any, any>;
  run(query: V, context: CentralContext): Promise<Static<S> & Report>;
}

export const central = <Q extends TObject, S extends TObject, V, const T extends TargetForms>(
  operation: Omit<CentralOperation<Q, S, T, V>, 'kind'>,
): CentralOperation<Q, S, T, V> => ({ kind: 'central', ...operation });

/** The answer of one vantage point: a result, a failure, or both (a partial measurement). Never neither. */
export interface Reply<R = unknown> {
  location: { id: string } & LocationEntry;
  agent_state: 'ready' | 'degraded';
  simulated: boolean;
  result?: R;
  failure?: Failure;
  /** Beside agent_busy, where an agent said when it expects to have a slot again. */
  retry_after_ms?: number;
  /** Beside unsupported: the agents lack what the probe needs. */
  lacks?: boolean;
  /** How far the agent's wall clock is ahead of the gateway's, where that is more than five seconds. */
  clock_skew_ms?: number;
  /** Time from dispatch to the reply on the gateway's clock, for what a result does not time itself. */
  took_ms?: number;
}

/** A reply as an entry is made of it: where nothing was measured every required field of the result is there, empty. */
export interface Measured<R> {
  result: R;
  failure?: Failure;
}

/** A report before it is printed. */
export type Report = Record<string, unknown>;

/** The declaration of an operation that agents measure. */
interface DistributedDefinition<
  Q extends TObject,
  S extends TObject,
  T extends TargetForms,
  V,
  J extends TObject,
  R extends TObject,
  E extends TObject,
  B,
  K,
> extends OperationHead<Q, S, T, V> {
  probe: Probe<J, R>;
  /**
   * The field of the report that lists one entry per selected location. Absent where the report is one location's: locations are then
   * tried in turn, and the entry's fields stand in the report itself.
   */
  entries?: string;
  /** Only locations with an agent that announces this capability are asked. `none` is thrown for an empty list. */
  needs?: { capability: 'vpn'; none: Extract<Reason, 'no_vpn_exit'> };
  /** How many locations measure: so many where the request selects none, and never more than that. Absent: all default ones, and as many as it likes. */
  fewLocations?: { byDefault: number; atMost: number };
  /** The operation's own part of an entry. The location, `reason`, and in lists `error` are added. */
  entry: { schema: E; of(query: V, measured: Measured<Static<R>>, known: K | undefined): Static<E> };
  /**
   * Central work about one location's result, such as the names of its addresses: the entry waits for it. Its failure never fails the report:
   * return that as data. `beside`: what that makes.
   */
  lookUp?(query: V, result: Static<R>, context: CentralContext, beside?: Promise<B>): Promise<K>;
  /** The spec of a job that goes to so many locations together. */
  job(query: V, locations?: number): Static<J> & Record<string, unknown>;
  /**
   * The entries tell that the target's name leads inwards. Where no location found anything else such a report is sent, and free; without this, the
   * request is refused as `private_address`, as one that names an inner address.
   */
  tellsInnerTarget?: true;
  /** How many questions about the target each job asks the DNS; absent where a job contacts the target itself. */
  asks?(query: V): number;
  /** The TCP ports of the targets that each job connects to, as a scan: each counts as a contact, and none as one of an account's ports of a site. */
  scans?(query: V): readonly number[];
  /** Central work done while the agents measure (what the authoritative servers say). Its failure never fails the report: return that as data. */
  beside?(query: V, context: CentralContext): Promise<B>;
  /** The fields around the entries: `response`. */
  report(query: V, replies: readonly Reply<Static<R>>[], beside: B): Static<S>;
}

export interface DistributedOperation<
  Q extends TObject = TObject,
  T extends TargetForms = TargetForms,
  V = unknown,
  J extends TObject = TObject,
  R extends TObject = TObject,
  B = unknown,
  K = unknown,
> extends Omit<DistributedDefinition<Q, TObject, T, V, J, R, TObject, B, K>, 'entry' | 'report'> {
  kind: 'distributed';
  /** Schema of one entry, where the report lists them. */
  entrySchema: TSchema | undefined;
  /** One location's entry: every field of the contract is there, whatever failed. */
  entry(query: V, reply: Reply<Static<R>>, known?: K): Report;
  report(query: V, entries: readonly Report[], replies: readonly Reply<Static<R>>[], beside: B): Report;
}

/** Adds to an operation what all distributed ones share: the location's fields in every entry, and the entry of a location that failed. */
export function distributed<
  Q extends TObject,
  S extends TObject,
  V,
  J extends TObject,
  R extends TObject,
  E extends TObject,
  const T extends TargetForms,
  B = undefined,
  K = undefined,
>(operation: DistributedDefinition<Q, S, T, V, J, R, E, B, K>): DistributedOperation<Q, T, V, J, R, B, K> {
  const { entry, entries, response, ...rest } = operation;
  const nothing = blank(operation.probe.result);
  const schemas = withEntries(response, entry.schema, entries);
  return {
    ...rest,
    kind: 'distributed',
    ...(entries !== undefined && { entries }),
    response: schemas.response,
    entrySchema: schemas.entry,
    entry(query, { location: { id, ...place }, result = nothing, failure, simulated, agent_state, clock_skew_ms }, known) {
      return {
        ...place,
        location: id,
        ...entry.of(query, { result, ...(failure && { failure }) }, known),
        ...(entries !== undefined && { error: failure?.error ?? '' }),
        ...(failure && { reason: failure.reason }),
        ...(simulated && { simulated }),
        ...(agent_state === 'degraded' && { agent_state }),
        ...(clock_skew_ms !== undefined && { clock_skew_ms }),
      };
    },
    report(query, list, replies, beside) {
      const around = operation.report(query, replies, beside);
      return entries === undefined ? { ...around, ...list[0] } : { ...around, [entries]: list };
    },
  };
}

/** The operation that asks locations, for all requests or for those with `locations`; undefined where none does. */
export const askingOf = (operation: Operation) => (operation.kind === 'distributed' ? operation : operation.fromLocations);

/** The operation that carries out a request: `fromLocations` where it is one that asks locations. */
export const actingOf = (operation: Operation, locations: readonly string[]): Operation =>
  (operation.kind === 'central' && locations.length > 0 && operation.fromLocations) || operation;

export type Operation = CentralOperation<any, any, any, any> | DistributedOperation<any, any, any, any, any, any, any>;
