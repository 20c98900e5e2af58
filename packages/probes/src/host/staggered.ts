import { type Clock, ENDED, ProbeFailure, type Reason } from '@vedette/contract';

/** How long an address has before the next one is tried beside it, RFC 8305 §5. */
const NEXT_MS = 250;
/** The same through a proxy or an exit, which has a way of its own, and over QUIC, where one that answers is not heard of before its page. */
export const PATIENT_MS = 2_000;
/** The other family's are for a host that does not answer, not for one that is far away. */
const OTHER_FAMILY_MS = 2_000;
/** A zone may name hundreds. */
const MAX_ADDRESSES = 6;

/** Judged addresses of a host, in the order in which they are tried. */
export interface Addresses {
  /** At least one. */
  first: readonly string[];
  /** Addresses of the other family, looked up when none of the first has answered. */
  others?: (() => Promise<readonly string[]>) | undefined;
}

/** One address that was tried. Times are the clock's. */
export interface Tried {
  address: string;
  began: number;
  ended?: number;
  /** Absent of the one that answered, and of those that were given up. */
  failure?: ProbeFailure;
}

export interface StaggeredOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Filled as it goes on. */
  tried: Tried[];
  /** How long an address has, where it is not the usual. */
  next_ms?: number | undefined;
  /** Time on the clock after which no address is begun; many addresses begin sooner after each other. */
  last?: number | undefined;
  /** Whether no address is to blame, but what it is reached through. */
  isAtFault?: ((error: unknown) => boolean) | undefined;
}

/**
 * Does with the first address that answers what `attempt` does: the next one is tried when one fails, or is silent for a moment; the others end by
 * their signals then. Rejects at once with an attempt's error that is not a `ProbeFailure`, or is not about an address. Otherwise, when all
 * have failed, rejects with the first failure about the target, which names every address.
 */
export async function staggered<T>(
  { first, others }: Addresses,
  attempt: (address: string, signal: AbortSignal) => Promise<T>,
  { clock, signal, tried, next_ms = NEXT_MS, last = Infinity, isAtFault }: StaggeredOptions,
): Promise<{ value: T; tried: Tried }> {
  const controls = new Map<Tried, AbortController>();
  const won = Promise.withResolvers<{ value: T; tried: Tried }>();
  won.promise.catch(() => {}); // awaited below
  const running: Promise<void>[] = [];
  let over = false;
  let known = first.length;
  const end = (winner: Tried | undefined): void => {
    over = true;
    for (const [one, control] of controls) if (one !== winner) control.abort(ENDED);
  };
  const run = async (one: Tried): Promise<void> => {
    const control = new AbortController();
    controls.set(one, control);
    try {
      const value = await attempt(one.address, AbortSignal.any([signal, control.signal]));
      one.ended = clock.now();
      won.resolve({ value, tried: one });
      if (!over) end(one);
    } catch (error) {
      one.ended = clock.now();
      if (control.signal.aborted) return;
      if (error instanceof ProbeFailure && isAtFault?.(error) !== true) return void (one.failure = error);
      won.reject(error);
      end(undefined);
    }
  };
  const isOver = (): boolean => over || signal.aborted || clock.now() > last;
  const tryAll = async (addresses: readonly string[], share: number, lastMs: number): Promise<void> => {
    const count = Math.min(addresses.length, MAX_ADDRESSES);
    const shareEnd = clock.now() + (last - clock.now()) * share;
    for (const [index, address] of addresses.slice(0, count).entries()) {
      if (isOver()) return;
      const one: Tried = { address, began: clock.now() };
      tried.push(one);
      const ended = run(one);
      running.push(ended);
      const next = Math.min(next_ms, Math.max(NEXT_MS, (shareEnd - clock.now()) / (count - index)));
      const isLast = index === count - 1;
      await settled(isLast ? Promise.all(running) : ended, isLast ? lastMs : next, clock);
    }
  };
  await tryAll(first, others ? 0.5 : 1, others ? Math.min(OTHER_FAMILY_MS, (last - clock.now()) / 4) : 0);
  if (others && !isOver()) {
    const more = await others().catch(() => []);
    known += more.length;
    await tryAll(more, 1, 0);
  }
  await Promise.all(running);
  if (!over) throw failureOf(tried, known, signal);
  return await won.promise;
}

/** Waits until the work or the time has ended, whichever comes first. */
async function settled(work: Promise<unknown>, ms: number, clock: Clock): Promise<void> {
  if (ms === 0) return;
  const waiting = new AbortController();
  await Promise.race([work, clock.sleep(ms, waiting.signal).catch(() => {})]);
  waiting.abort(ENDED);
}

/** The outcome of every known address; its reason is the first one that comes from the target or is about it. */
function failureOf(tried: readonly Tried[], known: number, signal: AbortSignal): unknown {
  if (signal.aborted && signal.reason instanceof ProbeFailure) return signal.reason;
  if (tried.length === 0) return signal.reason ?? new ProbeFailure('cancelled', 'no time was left to try an address');
  const untried = known > tried.length ? [`${known - tried.length} of ${known} addresses were not tried`] : [];
  const failures = tried.flatMap(({ failure }) => failure ?? []);
  const cause = failures.find(({ source }) => source !== 'vantage') ?? failures[0];
  if (!cause || (failures.length === 1 && untried.length === 0)) return cause ?? signal.reason;
  const seen = tried.flatMap(({ address, failure }) =>
    failure ? [failure.seen.includes(address) ? failure.seen : `${address} ${failure.seen}`] : [],
  );
  return new ProbeFailure(cause.code, [...untried, ...seen].join(', '), { cause });
}

/** The outcome of an address: `silent` if it had not answered when another one did, or when time ran out. */
export const outcomeOf = ({ address, failure }: Tried, connected: string | undefined): Reason | 'connected' | 'silent' =>
  address === connected ? 'connected' : (failure?.code ?? 'silent');
