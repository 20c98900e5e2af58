import type { Static, TObject } from 'typebox';
import type { TrustAnchor } from './dns.ts';
import type { LocationEntry } from './objects.ts';
import type { Clock, Dialler, Resolver } from './ports.ts';
import type { Probe } from './probe.ts';
import type { Failure, Reason } from './reasons.ts';

/** What every operation has, whether it runs centrally or at vantage points. */
interface OperationHead<Q extends TObject, S extends TObject> {
  /** The API path: `POST /v2/<name>`. */
  name: string;
  summary: string;
  description?: string;
  /** Credits per 200; a function where the request decides. */
  cost: number | { base: number; of(request: Static<Q>): number; note: string };
  deadline_ms: number;
  references?: readonly string[];
  request: Q;
  /** Without `elapsed_ms`, which the gateway adds. */
  response: S;
  /** Request fields naming what we will contact: private addresses, special-use names and (unless `protectedTargets` is false) gov/edu stop at the gateway. */
  targets?: readonly { field: keyof Static<Q> & string; form: 'host' | 'url' }[];
  /** Registry, DNS, mail and reputation operations answer about gov/edu names too. */
  protectedTargets?: boolean;
  /** At most so many requests per account and second, over all gateways, beside the plan's own limits. */
  limit?: { requests: number; per_s: number };
  /** Requests that work when pasted into the docs page. */
  examples: readonly Static<Q>[];
  /** Rules between parameters that a schema cannot say. Throws `ApiError` parameter_conflict or invalid_parameter. */
  check?(request: Static<Q>): void;
}

/** What a central operation works with. */
export interface CentralContext {
  resolver: Resolver;
  dialler: Dialler;
  clock: Clock;
  /** Roots trusted beside Mozilla's, PEM. */
  ca: readonly string[];
  /** DNSSEC anchors of the root (VEDETTE_TRUST_ANCHOR_FILE); IANA's when absent. */
  trustAnchors?: readonly TrustAnchor[];
  /** Ends with the request's deadline, or when the client has gone. */
  signal: AbortSignal;
  /** Wall-clock time, for dates in reports only. */
  today(): Date;
  account: AccountReader;
}

/** What an operation may know of the account that asks. */
export interface AccountReader {
  id: string;
  usage(): Promise<AccountUsage>;
}
export interface AccountUsage {
  remaining: number;
  /** Start of the next period, UTC. */
  next_reset: Date;
  overage: { allowed: boolean; enabled: boolean; consumed: number; limit: number };
  /** Credits by UTC day (`YYYY-MM-DD`) and month (`YYYY-MM`); days and months without use are absent. */
  daily: ReadonlyMap<string, number>;
  monthly: ReadonlyMap<string, number>;
}

export interface CentralOperation<Q extends TObject = TObject, S extends TObject = TObject> extends OperationHead<Q, S> {
  kind: 'central';
  run(request: Static<Q>, context: CentralContext): Promise<Static<S>>;
}

/** What one vantage point answered: a result, a failure, or both (a partial measurement). Never neither. */
export interface Reply<R = unknown> {
  location: { id: string } & LocationEntry;
  agent_state: 'ready' | 'degraded';
  simulated: boolean;
  result?: R;
  failure?: Failure;
  /** Beside agent_busy, where an agent said when it expects to have a slot again. */
  retry_after_ms?: number;
}

export interface DistributedOperation<
  Q extends TObject = TObject,
  S extends TObject = TObject,
  J extends TObject = TObject,
  R extends TObject = TObject,
  B = unknown,
> extends OperationHead<Q, S> {
  kind: 'distributed';
  probe: Probe<J, R>;
  /** all: every selected location. one: a single location, tried in turn, such as the first with a VPN exit. */
  vantage: 'all' | 'one';
  /** The field of the response that holds one entry per location; absent where the whole report is one location's. */
  entries?: keyof Static<S> & string;
  /** Only locations with an agent that announces this capability are asked. `none` is thrown when there is none. */
  needs?: { capability: 'vpn'; none: Extract<Reason, 'no_vpn_exit'> };
  job(request: Static<Q>): Static<J>;
  /** Central work done while the agents measure (what the authoritative servers say). Its failure never fails the report: return that as data. */
  beside?(request: Static<Q>, context: CentralContext): Promise<B>;
  /** One location's entry; every contract field is there, whatever failed. Location fields and extras come from `entryHead`. */
  entry(request: Static<Q>, reply: Reply<Static<R>>): object;
  report(request: Static<Q>, entries: object[], replies: Reply<Static<R>>[], beside: B | undefined): Static<S>;
}

export type Operation = CentralOperation<any, any> | DistributedOperation<any, any, any, any, any>;

export const central = <Q extends TObject, S extends TObject>(operation: Omit<CentralOperation<Q, S>, 'kind'>): CentralOperation<Q, S> => ({
  kind: 'central',
  ...operation,
});

export const distributed = <Q extends TObject, S extends TObject, J extends TObject, R extends TObject, B = undefined>(
  operation: Omit<DistributedOperation<Q, S, J, R, B>, 'kind'>,
): DistributedOperation<Q, S, J, R, B> => ({ kind: 'distributed', ...operation });

/** The fields that every location entry starts with. `reason` appears only where something failed. */
export function entryHead(reply: Reply): LocationEntry & { location: string; reason?: string; simulated?: boolean; agent_state?: string } {
  const { id, ...place } = reply.location;
  return {
    ...place,
    location: id,
    ...(reply.failure && { reason: reply.failure.reason }),
    ...(reply.simulated && { simulated: true }),
    ...(reply.agent_state === 'degraded' && { agent_state: 'degraded' }),
  };
}
