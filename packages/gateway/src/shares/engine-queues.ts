import { type Gate, isAtOrUnder, type Rate } from '@vedette/contract';
import { registrableDomain } from './registrable-domain.ts';
import { SharedBuckets, type SharedBucketsOptions } from './shared-buckets.ts';

/** One account's share of an engine's rate, of its burst and of its queue: a flood of one account leaves enough for another's request. */
const ENGINE_SHARE = 1 / 2;

interface Zone {
  name: string;
  buckets: SharedBuckets;
}

/** A question that was counted and is to be sent at its time. Requests with the same question meanwhile have it in common. */
export interface EngineQuestion {
  readonly zone: Zone;
  /** The account that it was counted for. */
  readonly account: string;
  readonly dueAt: number;
  holders: number;
  isSent: boolean;
}

interface Demand {
  asker: string;
  count: number;
}

/** Questions that may be sent without being counted again, by name. */
interface Held {
  questions: Map<string, EngineQuestion>;
  done(asker: string): void;
}

/**
 * The zones of blacklist engines, each with a rate of its own over all accounts. Questions get places in the order in which they come, and wait
 * for their time: a queue as long as the longest wait. An account that waits for its own share leaves half of that queue to the others.
 */
export class EngineQueues {
  readonly #clock: { now(): number };
  /** Zones by their registrable domain. */
  readonly #zones = new Map<string, Zone[]>();
  /** Questions that are counted and not answered yet. */
  readonly #questions = new Map<string, EngineQuestion>();

  constructor(options: SharedBucketsOptions, rates: ReadonlyMap<string, Rate> = new Map()) {
    this.#clock = options.clock;
    for (const [name, rate] of rates) {
      const ownBurst = Math.ceil(rate.burst * ENGINE_SHARE);
      const buckets = new SharedBuckets(options, { ...rate, share: ENGINE_SHARE, ownBurst });
      const under = registrableDomain(name);
      this.#zones.set(under, [...(this.#zones.get(under) ?? []), { name, buckets }]);
    }
  }

  /** The engine's zone that has the name. */
  zoneOf(name: string): Zone | undefined {
    return this.#zones.get(registrableDomain(name))?.find((zone) => isAtOrUnder(name, zone.name));
  }

  /** Counts questions whose turn comes within `mostMs`: all of them, or none. */
  take(
    account: string,
    askers: ReadonlyMap<string, readonly string[]>,
    mostMs: number,
  ): (Held & { waitMs: number }) | Extract<ReturnType<NonNullable<Gate['queue']>>, { late: unknown }> {
    const now = this.#clock.now();
    const demands = new Map<Zone, Demand>();
    const late = new Map<string, number>();
    let dueAt = now;
    const allow = (asker: string, waitMs: number, isLate: boolean): void => {
      if (isLate) late.set(asker, Math.max(late.get(asker) ?? 0, waitMs));
      dueAt = Math.max(dueAt, now + waitMs);
    };
    for (const [asker, names] of askers)
      for (const name of names) {
        const known = this.#questions.get(name);
        const zone = known?.zone ?? this.zoneOf(name);
        if (known) allow(asker, known.dueAt - now, known.dueAt - now > mostMs);
        else if (zone) demands.set(zone, { asker, count: (demands.get(zone)?.count ?? 0) + 1 });
      }
    for (const [{ name, buckets }, { asker, count }] of demands) {
      const ownMs = buckets.ownWaitMs(account, name, count);
      const allMs = buckets.allWaitMs(name, count);
      allow(asker, Math.max(ownMs, allMs), ownMs > mostMs || allMs > (ownMs > 0 ? mostMs * ENGINE_SHARE : mostMs));
    }
    if (late.size > 0) return { late: [...late.keys()], retry_after_s: Math.max(...late.values()) / 1_000 };
    for (const [{ name, buckets }, { count }] of demands) buckets.take(account, name, count);
    return { waitMs: dueAt - now, ...this.#hold(account, askers, dueAt) };
  }

  #hold(account: string, askers: ReadonlyMap<string, readonly string[]>, dueAt: number): Held {
    const questions = new Map<string, EngineQuestion>();
    for (const name of [...askers.values()].flat()) {
      const zone = this.zoneOf(name);
      if (!zone || questions.has(name)) continue;
      const question = this.#questions.get(name) ?? { zone, account, dueAt, holders: 0, isSent: false };
      question.holders++;
      this.#questions.set(name, question);
      questions.set(name, question);
    }
    const left = new Map(askers);
    const done = (asker: string): void => {
      for (const name of left.get(asker) ?? []) {
        const question = questions.get(name);
        questions.delete(name);
        if (question) this.#release(name, question);
      }
      left.delete(asker);
    };
    return { questions, done };
  }

  /** Gives back what was counted for a question that was not sent, once it is held by none. */
  #release(name: string, question: EngineQuestion): void {
    question.holders--;
    const isOver = question.isSent || question.holders === 0;
    if (isOver && this.#questions.get(name) === question) this.#questions.delete(name);
    if (question.holders === 0 && !question.isSent) question.zone.buckets.take(question.account, question.zone.name, -1);
  }
}
