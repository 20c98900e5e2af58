import { type Clock, ENDED, ProbeFailure } from '@vedette/contract';

/** How long an address has before the next one is tried beside it: RFC 8305 §5 allows 100 ms to 2 s, and curl takes this. */
const NEXT_MS = 200;
/** The same through a proxy or an exit, which is a way to go by itself. */
export const PATIENT_MS = 2_000;
/** A zone may name hundreds. */
const MAX_ADDRESSES = 6;
const MAX_OPEN = 3;
/** A silent address, with two SYNs sent by then, makes room for another one. */
const SLICE_MS = 2_000;

/** Judged addresses of a host. */
export interface Addresses {
  /** At least one; the first is tried first. */
  first: readonly string[];
  /** Addresses of the other family, which were looked up at the same time and are not known yet. */
  others?: Promise<readonly string[]> | undefined;
}

/** One address that was tried. Times are the clock's. */
export interface Tried {
  address: string;
  began: number;
  ended?: number;
  /** Absent of the one that answered, and of those that were given up for it. */
  failure?: ProbeFailure;
}

export interface StaggeredOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Filled as it goes on. */
  tried: Tried[];
  /** How long an address has, where it is not the usual. */
  next_ms?: number | undefined;
  /** Time on the clock by which one has to have answered. */
  until: number;
  /** Whether no address is to blame, but what it is reached through. */
  isAtFault?: ((error: unknown) => boolean) | undefined;
}

/** Does with an address what is wanted of the first that answers. Heeds its signal. */
type Attempt<T> = (address: string, signal: AbortSignal) => Promise<T>;

/**
 * Does with the first address that answers what `attempt` does, as RFC 8305 says: families in turn, the next one at once when one fails, or after a
 * moment of silence, three at a time; the others end by their signals then. Rejects at once with an attempt's error that is not a `ProbeFailure`,
 * or is not about an address. Otherwise, when all have failed, rejects with the first failure about the target, which names every address.
 */
export const staggered = <T>(addresses: Addresses, attempt: Attempt<T>, options: StaggeredOptions): Promise<{ value: T; tried: Tried }> =>
  new Race(addresses, attempt, options).run();

class Race<T> {
  readonly #attempt: Attempt<T>;
  readonly #options: StaggeredOptions;
  readonly #delayMs: number;
  readonly #waiting: string[];
  readonly #tried: Tried[] = [];
  readonly #running = new Map<Tried, { control: AbortController; ended: Promise<void> }>();
  #known: number;
  #isComplete: boolean;
  /** When another one may begin. */
  #nextAt = -Infinity;
  #outcome: { value: T; tried: Tried } | { error: unknown } | undefined;
  #change = Promise.withResolvers<void>();

  constructor({ first, others }: Addresses, attempt: Attempt<T>, options: StaggeredOptions) {
    this.#attempt = attempt;
    this.#options = options;
    this.#delayMs = options.next_ms ?? NEXT_MS;
    this.#waiting = [...first];
    this.#known = first.length;
    this.#isComplete = others === undefined;
    if (others) void this.#learn(others);
  }

  async run(): Promise<{ value: T; tried: Tried }> {
    const { clock, signal, until } = this.#options;
    const onAbort = () => this.#wake();
    signal.addEventListener('abort', onAbort);
    while (!this.#isOver) {
      const at = this.#nextBegins();
      if (clock.now() >= at) this.#begin();
      else await changeOr(this.#change.promise, Math.min(at, until) - clock.now(), clock);
    }
    signal.removeEventListener('abort', onAbort);
    if (!this.#outcome) await this.#endAll();
    for (const one of this.#running.keys()) this.#giveUp(one);
    if (!this.#outcome) throw failureOf(this.#tried, this.#known, signal);
    if ('error' in this.#outcome) throw this.#outcome.error;
    return this.#outcome;
  }

  get #room(): number {
    return Math.min(MAX_ADDRESSES - this.#tried.length, this.#waiting.length);
  }

  get #isOver(): boolean {
    const { clock, signal, until } = this.#options;
    const mayGoOn = this.#running.size > 0 || this.#room > 0 || (!this.#isComplete && this.#tried.length < MAX_ADDRESSES);
    return this.#outcome !== undefined || signal.aborted || clock.now() >= until || !mayGoOn;
  }

  /** When the next attempt begins, on the clock; never where there is none, or none may take the place of another one. */
  #nextBegins(): number {
    const [oldest] = this.#running.keys();
    if (this.#room === 0) return Infinity;
    if (!oldest) return -Infinity;
    if (this.#running.size < MAX_OPEN) return this.#nextAt;
    const part = (this.#options.until - oldest.began) / (this.#running.size + this.#room);
    return Math.max(this.#nextAt, oldest.began + Math.max(this.#delayMs, Math.min(SLICE_MS, part)));
  }

  #begin(): void {
    const { clock, signal, tried } = this.#options;
    const [oldest] = this.#running.keys();
    if (this.#running.size === MAX_OPEN) this.#giveUp(oldest!, this.#silence(oldest!));
    const one: Tried = { address: take(this.#waiting, this.#tried.at(-1)?.address), began: clock.now() };
    const control = new AbortController();
    this.#tried.push(one);
    tried.push(one);
    this.#nextAt = one.began + this.#delayMs;
    this.#running.set(one, { control, ended: this.#run(one, AbortSignal.any([signal, control.signal])) });
  }

  async #run(one: Tried, signal: AbortSignal): Promise<void> {
    try {
      const value = await this.#attempt(one.address, signal);
      if (this.#end(one) && !signal.aborted) this.#outcome ??= { value, tried: one };
    } catch (error) {
      if (!this.#end(one)) return;
      const isBeside = this.#options.isAtFault?.(error) === true;
      if (this.#options.signal.aborted && !isBeside) return;
      if (error instanceof ProbeFailure && !isBeside) one.failure = error;
      else this.#outcome ??= { error };
      this.#nextAt = -Infinity;
    }
  }

  /** Whether it had not been given up. */
  #end(one: Tried): boolean {
    if (!this.#running.delete(one)) return false;
    one.ended = this.#options.clock.now();
    this.#wake();
    return true;
  }

  #giveUp(one: Tried, failure?: ProbeFailure): void {
    this.#running.get(one)!.control.abort(ENDED);
    this.#running.delete(one);
    one.ended = this.#options.clock.now();
    if (failure) one.failure = failure;
  }

  /** Ends what is under way; an attempt may know better what it has waited for. */
  async #endAll(): Promise<void> {
    const late = [...this.#running];
    for (const [one, { control }] of late) control.abort(this.#silence(one));
    await Promise.all(late.map(([, { ended }]) => ended));
  }

  #silence({ address, began }: Tried): ProbeFailure {
    return new ProbeFailure('connect_timeout', `${address} no answer in ${Math.round(this.#options.clock.now() - began)} ms`);
  }

  async #learn(others: Promise<readonly string[]>): Promise<void> {
    const addresses = await others.catch(() => []);
    this.#known += addresses.length;
    this.#waiting.push(...addresses);
    this.#isComplete = true;
    this.#wake();
  }

  #wake(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}

/** The next address: of the other family than the last one, where there is one (RFC 8305 §4). */
function take(waiting: string[], last: string | undefined): string {
  const other = last === undefined ? -1 : waiting.findIndex((address) => isIpv6(address) !== isIpv6(last));
  return waiting.splice(Math.max(0, other), 1)[0]!;
}

const isIpv6 = (address: string): boolean => address.includes(':');

/** Waits for the change or the time, whichever comes first. */
async function changeOr(change: Promise<void>, ms: number, clock: Clock): Promise<void> {
  if (ms === Infinity) return await change;
  const waiting = new AbortController();
  await Promise.race([change, clock.sleep(Math.max(0, ms), waiting.signal).catch(() => {})]);
  waiting.abort(ENDED);
}

/** The outcome of every known address; its reason is the first one that comes from the target or is about it. */
function failureOf(tried: readonly Tried[], known: number, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (tried.length === 0) return new ProbeFailure('cancelled', 'no time was left to try an address');
  const untried = known > tried.length ? [`${known - tried.length} of ${known} addresses were not tried`] : [];
  const failures = tried.flatMap(({ failure }) => failure ?? []);
  const cause = failures.find(({ source }) => source !== 'vantage') ?? failures[0]!;
  if (failures.length === 1 && untried.length === 0) return cause;
  const seen = tried.flatMap(({ address, failure }) =>
    failure ? [failure.seen.includes(address) ? failure.seen : `${address} ${failure.seen}`] : [],
  );
  return new ProbeFailure(cause.code, [...untried, ...seen].join(', '), { cause });
}
