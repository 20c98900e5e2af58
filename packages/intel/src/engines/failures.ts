import { unlessAborted } from '@vedette/contract';
import type { ZoneAnswer, ZoneQuery, Outcome, ZoneAsker } from './zone-asker.ts';

/** Outcomes of questions that were to be sent and were not. */
const UNSENT: ReadonlySet<Outcome> = new Set<Outcome>(['paced', 'off', 'open']);
/** Outcomes of questions without an answer. */
const SILENT: ReadonlySet<Outcome> = new Set<Outcome>(['late', 'unanswered']);
/** Fewer engines that fail at once may have failed by chance. */
const TOGETHER_LEAST = 3;

/**
 * The failures of the engines that one check asks, which are counted against the engines or are ours. The engines are services of many owners,
 * which do not fail in the same moment: where most of three or more have failed, our line or our resolver did. Where all of one or two are
 * silent, our own network is asked while they are: it has to answer before the check ends, since a stall may be over by then.
 */
export class Failures {
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
