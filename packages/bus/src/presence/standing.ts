/** An ejection, the first; each further one takes twice as long. */
const OUT_MS = 30_000;
const MAX_OUT_MS = 10 * 60_000;
/** Faults, less what was made good, at which an agent should be left out. */
const TOO_MANY = 3;
/** A good answer makes up for so much: who fails a third of the jobs gets there. */
const GOOD = 0.5;
/** The faults at the beginning of a trial: one more ends it. */
const ON_TRIAL = 2;

/** How an agent does with one kind of job. Pure; times in ms. */
export class Standing {
  #faults = 0;
  #ejections = 0;
  #outUntil = -Infinity;

  good(): void {
    this.#faults = Math.max(0, this.#faults - GOOD);
    if (this.#faults === 0) this.#ejections = 0;
  }

  /** Returns whether it should be left out, if there is another agent. */
  fault(now: number): boolean {
    this.#faults = Math.min(TOO_MANY, this.#faults + 1);
    return this.#faults === TOO_MANY && !this.isOut(now);
  }

  /** Leaves it out; returns for how long. */
  eject(now: number): number {
    const ms = Math.min(MAX_OUT_MS, OUT_MS * 2 ** this.#ejections);
    this.#ejections += 1;
    this.#outUntil = now + ms;
    this.#faults = ON_TRIAL;
    return ms;
  }

  isOut(now: number): boolean {
    return now < this.#outUntil;
  }

  /** Good enough to stand in for another. */
  isSound(now: number): boolean {
    return this.#faults < 1 && !this.isOut(now);
  }
}
