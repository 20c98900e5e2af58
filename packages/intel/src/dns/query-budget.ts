import type { Clock, DnsAnswer, QueryOptions, Resolver } from '@vedette/contract';

/** Distinct questions that one request may ask, unless its operation says otherwise. */
export const QUERIES_MAX = 60;

/** A request has asked enough: no victim's DNS is hammered for one report. Judges turn it into data. */
export class QueryBudgetExceeded extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'QueryBudgetExceeded';
  }
}

/** One request's share of the DNS. Dispose of it when the request ends. */
export interface BudgetedResolver extends Resolver, Disposable {
  /** Distinct questions asked so far. */
  readonly spent: number;
}

/** How long a request waits for the DNS in all, so that a report can still be made before its deadline. */
export interface Patience {
  clock: Clock;
  ms: number;
}

/**
 * Bounds what one request asks: at most `limit` distinct questions, within `patience` if given. The same question is
 * sent once and its answer shared, so callers may ask again freely. Over the budget a query rejects with
 * `QueryBudgetExceeded`.
 */
export function withQueryBudget(resolver: Resolver, limit: number, patience?: Patience): BudgetedResolver {
  const asked = new Map<string, Promise<unknown>>();
  const outOfTime = new AbortController();
  const finished = new AbortController();
  patience?.clock.sleep(patience.ms, finished.signal).then(
    () => outOfTime.abort(new QueryBudgetExceeded('The DNS was too slow; the rest was not asked')),
    () => {}, // disposed of in time
  );

  // A request's questions share its signal: composing one for each would cost more than the question.
  let composed: { of: AbortSignal | undefined; signal: AbortSignal } | undefined;
  const bounded = (signal: AbortSignal | undefined): AbortSignal => {
    if (composed === undefined || composed.of !== signal)
      composed = { of: signal, signal: AbortSignal.any([outOfTime.signal, ...(signal ? [signal] : [])]) };
    return composed.signal;
  };

  const once = <T>(question: string, signal: AbortSignal | undefined, ask: (signal: AbortSignal | undefined) => Promise<T>): Promise<T> => {
    const known = asked.get(question);
    if (known) return known as Promise<T>;
    if (outOfTime.signal.aborted) return Promise.reject(outOfTime.signal.reason as Error);
    if (asked.size >= limit)
      return Promise.reject(new QueryBudgetExceeded(`More than ${limit} DNS queries are needed; the rest was not asked`));
    const answer = ask(patience ? bounded(signal) : signal);
    answer.catch(() => {}); // whoever awaits it sees the failure; a look-ahead may not
    asked.set(question, answer);
    return answer;
  };

  return {
    servers: resolver.servers,
    get spent() {
      return asked.size;
    },
    query: (name, type, options = {}): Promise<DnsAnswer> =>
      once(questionKey(name, type, options), options.signal, (signal) => resolver.query(name, type, withSignal(options, signal))),
    addresses: (host, family, options = {}) =>
      once(`${host.toLowerCase()} addresses ${family}`, options.signal, (signal) =>
        resolver.addresses(host, family, withSignal(options, signal)),
      ),
    [Symbol.dispose]() {
      if (patience) finished.abort();
    },
  };
}

const questionKey = (name: string, type: string, { dnssec, checkingDisabled, fresh, server }: QueryOptions): string =>
  [name.toLowerCase(), type, dnssec === true, checkingDisabled === true, fresh === true, server ?? ''].join(' ');

const withSignal = <O extends object>(options: O, signal: AbortSignal | undefined): O => (signal ? { ...options, signal } : options);
