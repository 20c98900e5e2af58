// Signs of a generated name. Each is meant for one lower-case word.

/** Seven figures after a letter, or six between letters: a counter or a random number; years have four, birthdays at most eight alone. */
export const hasDigitRun = (text: string): boolean => /\p{L}.*\d{7}|\p{L}\d{6}\p{L}/u.test(text);

/** Seven consonants in a row; compounds such as `knightsbridge` have six. German and Dutch write one sound as `sch`, `tsch` or `ch`. */
export const hasLongConsonantRun = (text: string): boolean => /[bcdfghjklmnpqrstvwxz]{7}/.test(text.replace(/t?sch|ch/g, 's'));

/** Rows of keys, and the length from which a part of one is not a word: `blazertje` and `destreza` have five of the French row. */
const WALKS: readonly [row: string, length: number][] = [
  ['qwertyuiop', 5],
  ['asdfghjkl', 5],
  ['zxcvbnm', 5],
  ['qwertzuiop', 5],
  ['azertyuiop', 6],
  ['1234567890', 5],
  ['1qaz2wsx3edc', 5],
];

/** Five neighbouring keys, either way. */
export const isKeyboardWalk = (text: string): boolean =>
  WALKS.some(([row, length]) => [row, row.split('').reverse().join('')].some((walk) => hasPart(text, walk, length)));

function hasPart(text: string, walk: string, length: number): boolean {
  for (let i = 0; i + length <= walk.length; i++) if (text.includes(walk.slice(i, i + length))) return true;
  return false;
}

/** Letters and figures that change places often, as in `x7k2m9q4`. */
export const looksRandom = (text: string): boolean => text.length >= 8 && (text.match(/[a-z](?=\d)|\d(?=[a-z])/g)?.length ?? 0) >= 5;
