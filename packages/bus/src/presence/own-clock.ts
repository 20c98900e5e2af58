/** Number of locations that must agree, and most of all. */
const LOCATIONS = 3;
/** Clocks that differ by less agree. */
const AGREE_MS = 60_000;

/**
 * How far our wall clock is ahead of most locations', ms, by how far each location's is ahead of ours: 0 where that is within a minute, undefined where fewer than three
 * agree. Pure.
 */
export function ownSkewMs(skews: readonly number[]): number | undefined {
  if (skews.length < LOCATIONS) return undefined;
  const median = skews.toSorted((a, b) => a - b)[Math.floor(skews.length / 2)]!;
  const agreeing = skews.filter((skew) => Math.abs(skew - median) <= AGREE_MS).length;
  if (agreeing < LOCATIONS || agreeing * 2 <= skews.length) return undefined;
  return Math.abs(median) > AGREE_MS ? -median : 0;
}
