import { setImmediate } from 'node:timers/promises';
import { ApiError } from '@vedette/contract';
import type { Account, Reservation } from '@vedette/ledger';
import { errorBody, toApiError } from '../door/error-handler.ts';
import type { Parts } from '../request/parts.ts';
import type { Prepared } from '../request/prepared.ts';
import type { Answer, Call, Callable, Client, Left } from '../request/service.ts';
import type { Entries } from '../request/work.ts';
import type { GateRow } from '../shares/gate.ts';
import { BULK_POOL } from '../shares/pools.ts';
import type { Lines } from './lines.ts';

/** Items of one request that are worked on at a time. */
const AT_ONCE = 32;
/** Items that have not begun by then are given back. */
const BULK_MS = 10 * 60_000;
/** Refusals by limits of ours that pass by themselves: such an item is tried again, so that our pace decides no line before the time is over. */
const PACED: ReadonlySet<string> = new Set(['target_limited', 'overloaded']);
const MIN_WAIT_MS = 100;
/** A gateway that shuts down is noticed so late. */
const MAX_WAIT_MS = 5_000;

export interface BulkRequest {
  account: Account;
  client: Client;
  idempotency: Call['idempotency'];
  /** Items as read, or why they cannot be. */
  items: readonly (Prepared | ApiError)[];
  print: Call['print'];
}

/** The parts of an item's call that are of one trial. */
interface CallHooks {
  visit: Call['visit'];
  triesAgain(error: ApiError): boolean;
}

interface Trial {
  item: Prepared;
  held: Reservation;
  /** When it is too late to begin. */
  until: number;
  /** Called when the work is done, and is only to be charged. */
  worked(): void;
}

/** The items of one request: paid for before the first begins, then each a call of its own with its own end. */
export class Bulk {
  readonly counts: Entries = { answered: 0, failed: 0 };
  /** Credits charged so far. */
  charged = 0;
  readonly #callable: Callable;
  readonly #parts: Parts;
  readonly #request: BulkRequest;
  readonly #gone = new AbortController();
  /** Items under way, each to be told that the client has left. */
  readonly #underWay = new Map<number, () => Promise<Left>>();
  readonly #ended = Promise.withResolvers<void>();
  #held: readonly (Reservation | undefined)[] = [];
  #next = 0;
  #lastBegun: Promise<unknown> = Promise.resolve();

  constructor(callable: Callable, parts: Parts, request: BulkRequest) {
    this.#callable = callable;
    this.#parts = parts;
    this.#request = request;
  }

  /** Holds the price of all items, and returns the sum. Throws what the ledger says of the first that it refuses: then nothing is held. */
  async hold(): Promise<number> {
    const holds = await Promise.allSettled(this.#request.items.map((item, index) => this.#hold(item, index)));
    this.#held = holds.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : undefined));
    const refused = holds.find((outcome) => outcome.status === 'rejected');
    if (refused) {
      await this.#letGoRest();
      throw refused.reason;
    }
    return this.#held.reduce((sum, held) => sum + (held?.cost ?? 0), 0);
  }

  /** Writes a line for each item, as it ends. */
  async run(lines: Lines): Promise<void> {
    const until = this.#parts.clock.now() + BULK_MS;
    const written: Promise<void>[] = [];
    const write = (line: string) => {
      if (!this.#gone.signal.aborted) lines.write(line);
    };
    const work = async () => {
      while (this.#next < this.#held.length && !this.#gone.signal.aborted) {
        // The next item begins while this one is being charged: a commit takes longer than work from memory.
        const worked = Promise.withResolvers<void>();
        written.push(
          this.#lineOf(this.#next++, until, worked.resolve)
            .then(write)
            .finally(worked.resolve),
        );
        await worked.promise;
        await lines.ready();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await Promise.all(written);
    await this.#letGoRest();
    this.#ended.resolve();
  }

  /** The client has left: items under way are charged if something was sent for them, the others are given back. */
  async clientLeft(): Promise<Left> {
    this.#gone.abort();
    const left = await Promise.all([...this.#underWay.values()].map((tell) => tell()));
    await this.#ended.promise;
    return { charged: this.charged + left.reduce((sum, { charged }) => sum + charged, 0), entries: this.counts };
  }

  async #hold(item: Prepared | ApiError, index: number): Promise<Reservation | undefined> {
    if (item instanceof ApiError) return undefined;
    const { account, idempotency } = this.#request;
    // No client's key has a space.
    const own = idempotency && { ...idempotency, key: `${idempotency.key} ${index}` };
    return this.#callable.hold({ account, prepared: item, idempotency: own }, BULK_MS);
  }

  async #letGoRest(): Promise<void> {
    const rest = this.#held.slice(this.#next).filter((held) => held !== undefined);
    this.#next = this.#held.length;
    await Promise.all(rest.map((held) => this.#callable.letGo(held)));
  }

  async #lineOf(index: number, until: number, worked: () => void): Promise<string> {
    const item = this.#request.items[index]!;
    const held = this.#held[index];
    if (item instanceof ApiError || held === undefined) return this.#failed(index, item);
    for (;;) {
      const ended = await this.#try(index, { item, held, until, worked });
      if (typeof ended === 'string') return ended;
      await this.#parts.clock.sleep(ended.waitMs, this.#gone.signal).catch(() => undefined);
    }
  }

  /** The item's line, or how long it waits before it is tried again. */
  async #try(index: number, { item, held, until, worked }: Trial): Promise<string | { waitMs: number }> {
    const { clock, pools, state } = this.#parts;
    const { account } = this.#request;
    let pass = await pools.items.acquire(account.id, Math.max(1, until - clock.now()), this.#gone.signal);
    const release = () => {
      pass?.();
      pass = undefined;
    };
    // The request itself is in our hands once: its items are no further visitors.
    const visit: Call['visit'] = {
      away() {},
      back() {
        release();
        worked();
      },
    };
    let waitMs = 0;
    const triesAgain = ({ code, retryAfterS }: ApiError): boolean => {
      const wait = PACED.has(code) && retryAfterS !== undefined ? Math.max(MIN_WAIT_MS, retryAfterS * 1_000) : Infinity;
      const again = clock.now() + wait < until && !this.#gone.signal.aborted && !state.draining;
      waitMs = again ? Math.min(wait, MAX_WAIT_MS) : 0;
      return again;
    };
    try {
      // One item in a turn of the event loop: requests of others come in between.
      await (this.#lastBegun = this.#lastBegun.then(() => setImmediate()));
      if (pass === undefined || state.draining || clock.now() >= until) {
        await this.#callable.letGo(held);
        return this.#failed(index, new ApiError(state.draining ? 'draining' : 'deadline'));
      }
      return this.#answered(index, await this.#callable.callHeld(this.#callOf(item, index, { visit, triesAgain }), held));
    } catch (error) {
      return waitMs > 0 ? { waitMs } : this.#failed(index, error);
    } finally {
      release();
      this.#underWay.delete(index);
    }
  }

  #callOf(prepared: Prepared, index: number, hooks: CallHooks): Call {
    const { account, client, idempotency, print } = this.#request;
    const whenGone: Call['whenGone'] = (gone) => {
      this.#underWay.set(index, gone);
      if (this.#gone.signal.aborted) void gone();
    };
    return { account, client, idempotency, prepared, whenGone, print, ...hooks };
  }

  #answered(index: number, { body, cost, replayed, release }: Answer): string {
    this.#count('ok');
    if (!this.#gone.signal.aborted) this.charged += cost; // else `clientLeft` has heard of it
    const line = `{"index":${index},"status":200,"cost":${cost},${replayed ? '"replayed":true,' : ''}"report":${body.toString()}}`;
    release();
    return line;
  }

  #failed(index: number, thrown: unknown): string {
    const error = toApiError(thrown);
    const { client } = this.#request;
    if (error.code === 'internal') this.#parts.log.error({ request_id: client.requestId, item: index, err: error.cause }, error.message);
    this.#count(error.code);
    const { retryAfterS } = error;
    return JSON.stringify({
      index,
      status: error.status,
      cost: 0,
      ...errorBody(error),
      ...(error.param !== undefined && { param: `items[${index}]` }),
      ...(retryAfterS !== undefined && { retry_after_s: Math.max(1, Math.ceil(retryAfterS)) }),
    });
  }

  #count(code: ApiError['code'] | 'ok'): void {
    this.counts[code === 'ok' ? 'answered' : 'failed']++;
    this.#parts.metrics.bulkItems.inc({ operation: this.#callable.operation.name, code });
  }
}

export const BULK_ITEMS_GATE: GateRow = {
  name: 'Items of bulk requests',
  limits: 'items of bulk requests that are worked on at a time, shared by accounts',
  limit: `${AT_ONCE} of one request. ${BULK_POOL}`,
  codes: ['deadline'],
  instead: `The item waits, for at most ${BULK_MS / 60_000} minutes`,
  cause: 'account',
};
