import { type Clock, ENDED, unlessAborted, within } from '@vedette/contract';
import type { BlacklistOptions } from '../ports/index.ts';
import type { Engine } from './engine.ts';
import type { Subject } from './questions.ts';
import { LATE, type Outcome, type ZoneAnswer, type ZoneAsker, type ZoneQuery } from './zone-asker.ts';

/** When a second server is asked too. */
const HEDGE_MS = 120;
/** When the questions are given up. */
const CUT_MS = 400;
/** How long a check after a start waits for the first trials of its zones. */
const TRIALS_MS = 3_000;

/** Outcomes of questions that were to be sent and were not. */
const UNSENT: ReadonlySet<Outcome> = new Set<Outcome>(['paced', 'off', 'open']);
/** Outcomes of questions without an answer. */
const SILENT: ReadonlySet<Outcome> = new Set<Outcome>(['late', 'unanswered']);
/** Fewer engines that fail at once may have failed by chance. */
const TOGETHER_LEAST = 3;

export interface ZoneToAsk {
  engine: Engine;
  asker: ZoneAsker;
}

/** The result of one engine, and its time. */
export interface EngineAnswer {
  engine: Engine;
  answer: ZoneAnswer;
  ms: number;
}

interface Round extends Pick<BlacklistOptions, 'resolver' | 'key' | 'signal'> {
  subject: Subject;
  clock: Clock;
  /** See `BlacklistsOptions`. */
  isOnline: (() => Promise<boolean>) | undefined;
  /** Told of each answer when it is there. */
  onAnswer(answer: EngineAnswer): void;
}

/**
 * Asks zones about a subject when the turn of all has come, and returns their answers and when it began to ask. Where the turn of some is too
 * late, these alone are returned as paced: a report without them would acquit what another accuses, and the others are not asked in vain.
 */
export async function askZones(zones: readonly ZoneToAsk[], round: Round): Promise<{ answers: EngineAnswer[]; started: number }> {
  const { subject, key, resolver, signal, clock, isOnline } = round;
  await untilTried(zones, clock, signal);
  const names = new Map(zones.map(({ engine, asker }) => [engine.id, asker.namesToAsk(subject, key)]));
  const queued = await resolver.queue(names, signal);
  const started = clock.now();
  const answers: EngineAnswer[] = [];
  const add = (engine: Engine, answer: ZoneAnswer): void => {
    const one = { engine, answer, ms: clock.now() - started };
    answers.push(one);
    round.onAnswer(one);
  };
  if ('late' in queued) {
    for (const { engine, asker } of zones) if (queued.late.includes(engine.id)) add(engine, asker.late(queued.retry_after_s));
    return { answers, started };
  }
  let ours: readonly ZoneAnswer[] = [];
  try {
    await inTime(clock, signal, async (times) => {
      const failures = new Failures(zones.length, times, isOnline);
      const questions = zones.map(async ({ engine, asker }) => {
        const answer = await asker.ask(subject, { resolver, key, ...times }).finally(() => queued.done(engine.id));
        add(engine, answer);
        failures.add(asker, answer);
      });
      const settled = await Promise.allSettled(questions);
      ours = await failures.count();
      // A defect; the others' breakers were told.
      for (const one of settled) if (one.status === 'rejected') throw one.reason;
    });
  } finally {
    for (const { engine } of zones) queued.done(engine.id);
  }
  for (const one of answers) if (ours.includes(one.answer)) one.answer = { ...one.answer, ours: { cause: 'network', retry_after_s: 1 } };
  return { answers, started };
}

/** Waits for the first trials of these zones after a start: a report without them would acquit what the next one accuses. */
async function untilTried(zones: readonly ZoneToAsk[], clock: Clock, signal: AbortSignal): Promise<void> {
  const pending = zones.filter(({ asker }) => !asker.isTried);
  if (pending.length === 0) return;
  const trials = Promise.all(pending.map(({ asker }) => asker.tried));
  await within(
    clock,
    TRIALS_MS,
    signal,
    () => LATE,
    (cut) => unlessAborted(cut, trials),
  ).catch((error: unknown) => {
    if (error !== LATE) throw error;
  });
}

/** Gives the work 400 ms. Its questions end then, and with them the work. */
async function inTime(
  clock: Clock,
  signal: AbortSignal,
  work: (times: Pick<ZoneQuery, 'signal' | 'hedge'>) => Promise<unknown>,
): Promise<void> {
  const over = new AbortController();
  const hedge = clock.sleep(HEDGE_MS, over.signal).catch(() => undefined); // it was over before
  try {
    await within(
      clock,
      CUT_MS,
      signal,
      () => LATE,
      (cut) => work({ signal: cut, hedge }),
    );
  } finally {
    over.abort(ENDED);
  }
}

/**
 * The failures of the engines that one check asks, which are counted against the engines or are ours. The engines are services of many owners,
 * which do not fail in the same moment: where most of three or more have failed, our line or our resolver did. Where all of one or two are
 * silent, our own network is asked while they are: it has to answer before the check ends, since a stall may be over by then.
 */
class Failures {
  readonly #ended: { asker: Pick<ZoneAsker, 'blame' | 'spare'>; answer: ZoneAnswer }[] = [];
  readonly #toAsk: number;
  readonly #signal: AbortSignal;
  readonly #network: Promise<void>;
  #isOnline: boolean;

  /** `isOnline`: see `BlacklistsOptions`. */
  constructor(toAsk: number, { signal, hedge }: Pick<ZoneQuery, 'signal' | 'hedge'>, isOnline: (() => Promise<boolean>) | undefined) {
    this.#toAsk = toAsk;
    this.#signal = signal;
    this.#isOnline = isOnline === undefined;
    this.#network = this.#askNetwork(hedge, isOnline);
  }

  async #askNetwork(hedge: Promise<unknown>, isOnline: (() => Promise<boolean>) | undefined): Promise<void> {
    await hedge;
    if (isOnline && !this.#signal.aborted && this.#areFewSilent()) this.#isOnline = await isOnline();
  }

  add(asker: Pick<ZoneAsker, 'blame' | 'spare'>, answer: ZoneAnswer): void {
    this.#ended.push({ asker, answer });
  }

  /**
   * Counts them, once all engines have been added, and returns those that are ours. Waits for our own network as long as the check has time.
   */
  async count(): Promise<readonly ZoneAnswer[]> {
    const failed = this.#ended.filter(({ answer }) => answer.isFailure === true);
    if (failed.length === 0) return [];
    const areFewSilent = this.#areFewSilent();
    if (areFewSilent && !this.#isOnline) await unlessAborted(this.#signal, this.#network).catch(() => undefined); // in vain
    const areTogether = this.#sent >= TOGETHER_LEAST && failed.length * 2 > this.#sent;
    const areOurs = areTogether || (areFewSilent && !this.#isOnline);
    for (const { asker } of failed) {
      if (areOurs) asker.spare();
      else asker.blame();
    }
    return areOurs ? failed.map(({ answer }) => answer) : [];
  }

  get #sent(): number {
    return this.#toAsk - this.#ended.filter(({ answer }) => UNSENT.has(answer.outcome)).length;
  }

  /** Whether fewer engines were asked than tell by themselves whose failure it is, and none of them has answered yet. */
  #areFewSilent(): boolean {
    const isHeard = this.#ended.some(({ answer: { outcome } }) => !UNSENT.has(outcome) && !SILENT.has(outcome));
    return !isHeard && this.#sent > 0 && this.#sent < TOGETHER_LEAST;
  }
}
