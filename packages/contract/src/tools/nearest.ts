const NEAR = 2;
/** Longer words are not misspellings, and would be costly to compare. */
const MAX_LENGTH = 64;

/** The one of `names` that was probably meant: the same but for case and outer spaces, or at most two slips away. */
export function nearest(text: string, names: readonly string[]): string | undefined {
  const word = text
    .slice(0, MAX_LENGTH + 1)
    .trim()
    .toLowerCase();
  if (word.length > MAX_LENGTH) return undefined;
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    // Two slips would change a short name completely.
    const limit = Math.min(NEAR, Math.floor(name.length / 2));
    const distance = editDistance(word, name.toLowerCase(), limit);
    if (distance <= limit && (!best || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** Damerau-Levenshtein distance with adjacent swaps (optimal string alignment); more than `limit` is not counted out. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = above[j - 1]! + Number(a[i - 1] !== b[j - 1]);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : Infinity;
      row.push(Math.min(change, above[j]! + 1, row[j - 1]! + 1, swapped));
    }
    if (Math.min(...row) > limit) return limit + 1;
    before = above;
    above = row;
  }
  return above[b.length]!;
}
