// Signs that nobody chose a name to be remembered. Each is meant for one lower-case word.

/** Seven figures after a letter, or six between letters: a counter or a random number; years have four, birthdays at most eight alone. */
export const hasDigitRun = (text: string): boolean => /\p{L}.*\d{7}|\p{L}\d{6}\p{L}/u.test(text);

/** Seven consonants in a row; compounds such as `knightsbridge` and `catchphrase` have six. */
export const hasLongConsonantRun = (text: string): boolean => /[bcdfghjklmnpqrstvwxz]{7}/.test(text);

const WALKS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop', '1234567890', '1qaz2wsx3edc'];
const WALK_LENGTH = 5;

/** Five neighbouring keys, either way. A run of figures alone is judged elsewhere. */
export function isKeyboardWalk(text: string): boolean {
  const walks = WALKS.flatMap((row) => [row, row.split('').reverse().join('')]);
  return walks.some((row) => {
    for (let i = 0; i + WALK_LENGTH <= row.length; i++) if (text.includes(row.slice(i, i + WALK_LENGTH))) return true;
    return false;
  });
}

/** Letters and figures that change places often, as in `x7k2m9q4`. */
export const looksRandom = (text: string): boolean => text.length >= 8 && (text.match(/[a-z](?=\d)|\d(?=[a-z])/g)?.length ?? 0) >= 5;
