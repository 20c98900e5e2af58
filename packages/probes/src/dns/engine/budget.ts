import {
  type BudgetedResolver,
  type Clock,
  type DnsAnswer,
  type DnsBudget,
  type Gate,
  ProbeFailure,
  type QueryOptions,
  type Reason,
  type Resolver,
  type Unanswered,
} from '@vedette/contract';

/** Reason of the abort, so that no DOMException with a stack is made for each request. */
const ENDED = 'ended';

/** Failure of a question over the budget: callers of `query` see a resolver that did not answer; `ask` tells it apart. */
class BudgetSpent extends ProbeFailure {
  constructor(message: string) {
    super('dns_timeout', message);
    this.message = message;
  }
}

const AT_ONCE = { done: (): void => undefined };

/** Failures that may be our own resolvers'. */
const TROUBLE: readonly Reason[] = ['dns_timeout', 'dns_servfail'];

/** The answers of one request, by question. Shares of a budget have them in common, so that each question is sent once. */
interface Memory {
  resolver: Resolver;
  gate: Gate | undefined;
  answers: Map<string, Promise<unknown>>;
  troubled: boolean;
  used: boolean;
}

/** Gives one request its budget of the DNS; what it sends passes the gate. Dispose of it when the request ends. */
export const budgeted = (resolver: Resolver, limits: Partial<DnsBudget>, clock: Clock, gate?: Gate): BudgetedResolver & Disposable =>
  createShare({ resolver, gate, answers: new Map(), troubled: false, used: false }, limits, clock);

/** A budget, or a part of one: `whole` is the share that it is taken from. */
function createShare(memory: Memory, limits: Partial<DnsBudget>, clock: Clock, whole?: Share): BudgetedResolver & Disposable {
  const { resolver, gate } = memory;
  const gated = gate && { gate };
  const share = new Share(limits, clock, whole);

  /** `ofOurs`: the configured servers are asked. */
  const once = <T>(
    question: string,
    ofOurs: boolean,
    signal: AbortSignal | undefined,
    send: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const refusal = share.spend(question);
    if (refusal) return Promise.reject(refusal);
    const known = memory.answers.get(question);
    if (known) return known as Promise<T>;
    memory.used ||= ofOurs;
    const bounds = share.bounded(signal);
    if (bounds.aborted) return Promise.reject(bounds.reason as Error);
    const answer = send(bounds);
    memory.answers.set(question, answer);
    // A caller that awaits it sees the failure; a look-ahead may not. Other callers may still ask a question that was cut short here.
    answer.catch((error: unknown) => {
      if (bounds.aborted) memory.answers.delete(question);
      // A failure by an elapsed deadline, of a part or of the request, counts too: a short wait does not show whose silence it was.
      if (ofOurs && error instanceof ProbeFailure && TROUBLE.includes(error.code)) memory.troubled = true;
    });
    return answer;
  };
  const query = (name: string, type: string, options: QueryOptions = {}): Promise<DnsAnswer> =>
    once(questionKey(name, type, options), options.server === undefined && options.cachedOnly !== true, options.signal, async (signal) => {
      const answer = await resolver.query(name, type, { ...options, ...gated, signal });
      if (options.server === undefined && (answer.rcode === 'SERVFAIL' || answer.rcode === 'REFUSED')) memory.troubled = true;
      return answer;
    });

  return Object.assign(new Heard(memory), {
    servers: resolver.servers,
    query,
    addresses: (host, family, options = {}) =>
      once(`${host.toLowerCase()} addresses ${family}`, true, options.signal, (signal) =>
        resolver.addresses(host, family, { ...options, ...gated, signal }),
      ),
    async ask(name, type, options = {}) {
      try {
        return await query(name, type, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        return unanswered(error);
      }
    },
    async queue(questions, signal) {
      const queued = gate?.queue?.(questions);
      if (queued === undefined || 'late' in queued) return queued ?? AT_ONCE;
      try {
        if (queued.waitMs > 0) await clock.sleep(queued.waitMs, signal);
      } catch (error) {
        for (const asker of questions.keys()) queued.done(asker);
        throw error;
      }
      return queued;
    },
    share: (part) => createShare(memory, part, clock, share),
    [Symbol.dispose]: () => share.end(),
  } satisfies Omit<BudgetedResolver & Disposable, keyof Heard>);
}

/** What was heard by now. A class: an object literal with getters has a hidden class of its own, which keeps the request in memory. */
class Heard {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  get troubled(): boolean {
    return this.#memory.troubled;
  }

  get used(): boolean {
    return this.#memory.used;
  }
}

function unanswered(error: unknown): Unanswered {
  if (!(error instanceof ProbeFailure)) throw error;
  return { code: error instanceof BudgetSpent ? 'budget_spent' : error.code, error: error.message };
}

/** How much has been asked, and for how long one may still wait. */
class Share {
  readonly #questions = new Set<string>();
  readonly #limit: number;
  readonly #parent: Share | undefined;
  readonly #clock: Clock;
  /** The moment on the clock when its time is over. */
  #endsAt: number;
  /** The end of its time. Made for the first question: two controllers and a timer cost a request that asks nothing a tenth of its CPU. */
  #time: { out: AbortController; ended: AbortController } | undefined;
  /** A request's questions have its signal in common: composing one for each would cost more than the question. */
  #composed: { of: AbortSignal | undefined; signal: AbortSignal } | undefined;

  constructor({ questions = Infinity, ms = Infinity }: Partial<DnsBudget>, clock: Clock, parent: Share | undefined) {
    this.#limit = questions;
    this.#parent = parent;
    this.#clock = clock;
    this.#endsAt = clock.now() + ms;
  }

  /** The end of its time; undefined without a limit. */
  #timeIsOver(): AbortSignal | undefined {
    if (this.#time) return this.#time.out.signal;
    if (this.#endsAt === Infinity) return undefined;
    const { out, ended } = (this.#time = { out: new AbortController(), ended: new AbortController() });
    const tooSlow = () => out.abort(new BudgetSpent('The DNS was too slow; the rest was not asked'));
    const left = this.#endsAt - this.#clock.now();
    if (left <= 0) tooSlow();
    else this.#clock.sleep(left, ended.signal).then(tooSlow, () => {}); // it ended in time
    return out.signal;
  }

  /** Counts a question, here and in what this is a share of; says why it may not be asked. One that was counted before is free. */
  spend(question: string): BudgetSpent | undefined {
    if (this.#questions.has(question)) return undefined;
    const refusal = this.#refusal() ?? this.#parent?.spend(question);
    if (!refusal) this.#questions.add(question);
    return refusal;
  }

  #refusal(): BudgetSpent | undefined {
    const over = this.#timeIsOver();
    if (over?.aborted) return over.reason as BudgetSpent;
    if (this.#questions.size < this.#limit) return undefined;
    return new BudgetSpent(`More than ${this.#limit} DNS queries are needed; the rest was not asked`);
  }

  /** The caller's signal, and the end of this share's time and of those around it. */
  bounded(signal: AbortSignal | undefined): AbortSignal {
    if (this.#composed === undefined || this.#composed.of !== signal)
      this.#composed = { of: signal, signal: AbortSignal.any([...this.#ends(), ...(signal ? [signal] : [])]) };
    return this.#composed.signal;
  }

  #ends(): AbortSignal[] {
    const over = this.#timeIsOver();
    return [...(over ? [over] : []), ...(this.#parent ? this.#parent.#ends() : [])];
  }

  end(): void {
    this.#endsAt = Infinity;
    this.#time?.ended.abort(ENDED);
  }
}

const questionKey = (name: string, type: string, { dnssec, checkingDisabled, fresh, cachedOnly, server }: QueryOptions): string =>
  [name.toLowerCase(), type, dnssec === true, checkingDisabled === true, fresh === true, cachedOnly === true, server ?? ''].join(' ');
