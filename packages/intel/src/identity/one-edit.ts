/** Whether one text becomes the other by one edit of Damerau and Levenshtein: a character more, less or another, or two that change places. */
export function distanceIsOne(one: string, other: string): boolean {
  if (one.length > other.length) return distanceIsOne(other, one);
  if (other.length - one.length > 1 || one === other) return false;
  let at = 0;
  while (one[at] === other[at]) at++;
  if (one.length < other.length) return one.slice(at) === other.slice(at + 1);
  const changed = one.slice(at + 1) === other.slice(at + 1);
  const swapped = one[at] === other[at + 1] && one[at + 1] === other[at];
  return changed || (swapped && one.slice(at + 2) === other.slice(at + 2));
}
