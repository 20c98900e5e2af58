import type { Asker, Presence } from '@vedette/bus';
import {
  type AccountReader,
  type AddressPolicy,
  ApiError,
  type ApiErrorCode,
  type CentralContext,
  type Clock,
  type Dialler,
  type Operation,
  type Resolver,
  type TrustAnchor,
} from '@vedette/contract';
import type { Account, Ledger } from '@vedette/ledger';
import type { FastifyBaseLogger } from 'fastify';
import type { TArray, TObject, TSchema } from 'typebox';
import { type Dispatch, dispatcher } from './dispatch.ts';
import type { Catalogue } from './locations.ts';
import type { Metrics } from './metrics.ts';
import { requestSchema } from './openapi.ts';
import { hasOptedOut } from './opt-out.ts';
import { checkTargets, namedTargets } from './targets.ts';
import { parameterCheck } from './validate.ts';

export interface ServiceDeps {
  asker: Asker;
  presence: Presence;
  ledger: Ledger;
  catalogue: Catalogue;
  resolver: Resolver;
  dialler: Dialler;
  policy: AddressPolicy;
  clock: Clock;
  ca: readonly string[];
  trustAnchors: readonly TrustAnchor[] | undefined;
  searchDomains: readonly string[];
  metrics: Metrics;
  log: FastifyBaseLogger;
}

export interface Call {
  account: Account;
  params: Record<string, unknown>;
  /** SHA-256 of the body as received, and the client's Idempotency-Key. */
  idempotency: { key: string; bodySha256: Uint8Array } | undefined;
  /** Has `leave` called when the client goes before it has its answer, at once if it has gone. */
  whenGone(leave: () => void): void;
  /** Set: entries are told as they finish. */
  onEntry?: (entry: object) => void;
  /** Called once the credits are reserved and the work is about to start, with what will be charged. */
  onReserved?: (cost: number) => void;
  /** Prints the report; what it gives is what will be sent. */
  print(report: object): string;
}

export interface Answer {
  body: string;
  /** Credits charged; 0 for a free rerun. */
  cost: number;
}

/** One operation, ready to be called: parameters checked, targets judged, credits reserved, work done, credits settled. */
export interface Callable {
  operation: Operation;
  request: TObject;
  /** Of one location's entry, where the report has them. */
  entrySchema: TSchema | undefined;
  /** Throws `ApiError` for parameters and targets that are refused, and where nobody could measure; nothing has been sent or reserved then. */
  check(body: Record<string, unknown>): Record<string, unknown>;
  /** The whole answer, paid for. Rejects with `ApiError`; nothing is charged then. */
  call(call: Call): Promise<Answer>;
}

export function callable(operation: Operation, deps: ServiceDeps): Callable {
  const request = requestSchema(operation);
  const checkParameters = parameterCheck(request);
  const dispatch = operation.kind === 'distributed' ? dispatcher(operation, deps) : undefined;
  const { ledger, metrics, clock, log, resolver, dialler, ca, trustAnchors } = deps;
  const anchors = trustAnchors === undefined ? {} : { trustAnchors };
  const needsConsent = operation.protectedTargets !== false && (operation.targets ?? []).length > 0;
  const rules = { ...deps, isDenied: ledger.isDenied };

  const run = (params: Record<string, unknown>, context: CentralContext, onEntry: Call['onEntry']): Promise<object> => {
    if (operation.kind === 'central') return operation.run(params, context) as Promise<object>;
    const { locations, ...own } = params;
    return (dispatch as Dispatch).run({
      params: own,
      selection: locations as string[] | undefined,
      context,
      budgetMs: operation.deadline_ms,
      ...(onEntry && { onEntry }),
    });
  };

  const refuseOptedOut = async (params: Record<string, unknown>): Promise<void> => {
    for (const { kind, host } of namedTargets(operation, params))
      if (kind === 'name' && (await hasOptedOut(host, deps))) throw new ApiError('denied_target', 'its owner does not want to be measured');
  };

  return {
    operation,
    request,
    entrySchema: entrySchemaOf(operation),
    check(body) {
      const params = checkParameters(body);
      operation.check?.(params);
      checkTargets(operation, params, rules);
      dispatch?.locations(params['locations'] as string[] | undefined);
      return params;
    },
    async call({ account, params, idempotency, whenGone, onEntry, onReserved, print }) {
      const started = clock.now();
      if (needsConsent) await refuseOptedOut(params);
      const cost = typeof operation.cost === 'number' ? operation.cost : operation.cost.of(params);
      const { name, deadline_ms: deadlineMs } = operation;
      const reservation = await ledger.reserve({ account, cost, operation: name, deadlineMs, ...(idempotency && { idempotency }) });
      let settled = false;
      const ending = new Ending(deadlineMs);
      try {
        whenGone(() => ending.end('bad_request', 'the client has gone'));
        onReserved?.(reservation.cost);
        const context: CentralContext = {
          resolver,
          dialler,
          clock,
          ca,
          ...anchors,
          today,
          get signal() {
            return ending.signal;
          },
          account: reader(account, ledger),
        };
        const report = await ending.bound(run(params, context, onEntry));
        ending.throwIfEnded();
        const body = print({ ...report, elapsed_ms: Math.round(clock.now() - started) });
        await ledger.settle(reservation);
        settled = true;
        if (reservation.cost > 0) metrics.charged.inc({ operation: name }, reservation.cost);
        return { body, cost: reservation.cost };
      } finally {
        ending.close();
        // A hold that cannot be given back expires by itself.
        if (!settled) await ledger.release(reservation).catch((err: unknown) => log.warn({ err }, 'hold not released'));
      }
    },
  };
}

const today = (): Date => new Date();

/** One request's end: its deadline, or its client leaving, whichever comes first. */
class Ending {
  readonly #timer: NodeJS.Timeout;
  #controller: AbortController | undefined;
  #reason: ApiError | undefined;
  #reject: ((reason: ApiError) => void) | undefined;

  constructor(deadlineMs: number) {
    this.#timer = setTimeout(() => this.end('deadline'), deadlineMs);
  }

  /** Made when somebody asks for it: not every operation waits for anything. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Settles as the work does, or rejects when the end comes first: work that does not listen must not hold its caller. */
  bound<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#reason) reject(this.#reason);
      this.#reject = reject;
      work.then(resolve, reject);
    });
  }

  end(code: ApiErrorCode, detail?: string): void {
    if (this.#reason) return;
    this.#reason = new ApiError(code, detail);
    this.#reject?.(this.#reason);
    this.#controller?.abort(this.#reason);
  }

  throwIfEnded(): void {
    if (this.#reason) throw this.#reason;
  }

  /** The work is done: the deadline is off, and whatever still runs for it stops. */
  close(): void {
    clearTimeout(this.#timer);
    this.#controller?.abort();
  }
}

function entrySchemaOf(operation: Operation): TSchema | undefined {
  if (operation.kind !== 'distributed' || operation.entries === undefined) return undefined;
  return (operation.response.properties[operation.entries] as TArray).items;
}

const reader = (account: Account, ledger: Ledger): AccountReader => ({ id: account.id, usage: () => ledger.usage(account) });
