import { readFileSync } from 'node:fs';

/** Letters from which on a label can be judged: shorter ones abbreviate. */
const LEAST = 8;
/** A triple that no name has. */
const UNSEEN = 0.05;
const UNSEEN_OF_MANY = 0.5;
const ALPHABET = 28;

let table: { pairs: ReadonlyMap<string, number>; triples: ReadonlyMap<string, number> } | undefined;

function counts(): NonNullable<typeof table> {
  if (table) return table;
  const [pairs, triples] = [new Map<string, number>(), new Map<string, number>()];
  for (const line of readFileSync(new URL('./triples.txt', import.meta.url), 'latin1').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [pair = '', all = '', ...next] = line.split(' ');
    pairs.set(pair, Number(all));
    for (const one of next) triples.set(pair + one[0], Number(one.slice(1)));
  }
  return (table = { pairs, triples });
}

/** How unlike a name a word of letters is: the mean bits of its letter triples. 0 for a word too short to tell. */
export const strangeness = (word: string): number =>
  word.length < LEAST || !/^[a-z]+$/.test(word) ? 0 : bitsOf(word, UNSEEN) / (word.length + 1);

/** The same of several words of letters. A triple that no name has is held against them less, since they are many. */
export function meanBits(words: readonly string[]): number {
  const letters = words.reduce((sum, word) => sum + word.length + 1, 0);
  return letters === 0 ? 0 : words.reduce((sum, word) => sum + bitsOf(word, UNSEEN_OF_MANY), 0) / letters;
}

function bitsOf(word: string, unseen: number): number {
  const { pairs, triples } = counts();
  const text = `^^${word}$`;
  let bits = 0;
  for (let at = 2; at < text.length; at++)
    bits -= Math.log2(
      ((triples.get(text.slice(at - 2, at + 1)) ?? 0) + unseen) / ((pairs.get(text.slice(at - 2, at)) ?? 0) + unseen * ALPHABET),
    );
  return bits;
}

const FIGURES: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };
/** A text with letters for the figures that are read for them. */
export const lettersOf = (text: string): string => text.replaceAll(/[013457]/g, (figure) => FIGURES[figure]!);

/** A text with each of its letters once where it stands several times in a row. */
export const runsOnce = (text: string): string => text.replaceAll(/([a-z])\1+/g, '$1');
