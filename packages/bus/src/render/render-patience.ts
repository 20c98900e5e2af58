import type { RenderKind } from '@vedette/contract';

/** Renders of each kind that are remembered, and how many make a word on how long they take. */
const REMEMBERED = 200;
const ENOUGH = 20;
/** Silence is let pass for so long at least, at most, and where too few were seen. A page that never loads takes half a minute. */
const LEAST_MS = 15_000;
const MOST_MS = 40_000;
const UNKNOWN_MS = 35_000;
/** Times what 99 of 100 took. */
const FACTOR = 1.5;

/** How long renders of each kind took, and so when one is silent for too long. Times in ms, without what the job itself wants to wait. */
export class RenderPatience {
  readonly #took = new Map<RenderKind, number[]>();
  readonly #known = new Map<RenderKind, number>();

  /** One was done in so long. */
  took(kind: RenderKind, ms: number): void {
    const took = this.#took.get(kind) ?? [];
    this.#took.set(kind, took);
    took.push(ms);
    if (took.length > REMEMBERED) took.shift();
    const p99 = took.toSorted((a, b) => a - b)[Math.ceil(took.length * 0.99) - 1]!;
    if (took.length >= ENOUGH) this.#known.set(kind, Math.min(MOST_MS, Math.max(LEAST_MS, FACTOR * p99)));
  }

  /** A render that says nothing for longer is to begin elsewhere. */
  ms(kind: RenderKind): number {
    return this.#known.get(kind) ?? UNKNOWN_MS;
  }
}
