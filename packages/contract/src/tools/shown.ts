/** Control characters, and those that are not seen but move or hide others: directions, joiners, separators of lines. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu;

/** A stranger's text as it may stand in a sentence of ours: what is not seen goes, and the length is capped. */
export function shown(text: string, maxChars: number): string {
  // Before the pattern runs over all of it.
  const clean = text.slice(0, 2 * maxChars).replace(UNSEEN, ' ');
  return clean.length > maxChars ? `${clean.slice(0, maxChars)}…` : clean;
}
