import { readFileSync } from 'node:fs';

const lines = readFileSync(new URL('./lures.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const wordsOf = (mark: '!' | '=' | '*' | ''): string[] =>
  lines.filter((line) => (/^[!=*]/.exec(line)?.[0] ?? '') === mark).flatMap((line) => line.replace(/^[!=*]/, '').split(/\s+/));

/** What a forged site says that it is for, in the words of forgers, beside a brand. */
export const LURE_WORDS: ReadonlySet<string> = new Set([...wordsOf('!'), ...wordsOf('*'), ...wordsOf('')]);
/** The ones that honest names hardly ever have. */
export const STRONG_LURES: ReadonlySet<string> = new Set([...wordsOf('!'), ...wordsOf('*')]);
/** Words of offices, which prove something only where a name has nothing else. */
export const OFFICE_WORDS: ReadonlySet<string> = new Set([...LURE_WORDS, ...wordsOf('=')]);
/** The strong ones that prove something beside another in a tenant's name: a firm has `refund-help`, and a program `password-login`. */
export const SURE_LURES: ReadonlySet<string> = new Set(wordsOf('*'));
