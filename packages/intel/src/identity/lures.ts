import { readFileSync } from 'node:fs';

const lines = readFileSync(new URL('./lures.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const wordsOf = (strong: boolean): string[] =>
  lines.filter((line) => line.startsWith('!') === strong).flatMap((line) => line.replace(/^!/, '').split(/\s+/));

/** What a forged site says that it is for, in the words of forgers, beside a brand. */
export const LURE_WORDS: ReadonlySet<string> = new Set([...wordsOf(true), ...wordsOf(false)]);
/** The ones that honest names hardly ever have. */
export const STRONG_LURES: ReadonlySet<string> = new Set(wordsOf(true));
