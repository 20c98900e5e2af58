import type { Names } from '@vedette/intel/ports';
import { type Brands, isForgersWord, type Token } from '@vedette/intel/identity';
import { isListed, type NameList } from '@vedette/intel/names';
import { OFFICES, CELEBRITIES, DOUBTFUL_WORDS, NO_REPLY, NO_REPLY_END, OBSCENE_WORDS, OBSCENITIES } from '@vedette/intel/mailboxes';
import { hasDigitRun, hasLongConsonantRun, isKeyboardWalk, looksRandom } from './gibberish.ts';

/** `doubtful`: a word that is also a personal name. */
export type DirtyWords = 'none' | 'doubtful' | 'obscene';

/** The traits of a local part. */
export interface UsernameTraits {
  role: boolean;
  system: boolean;
  noreply: boolean;
  /** Looks made by a machine or by hands rolling over the keyboard. */
  suspicious: boolean;
  /** Has an invisible character. */
  invisible: boolean;
  dirtyWords: DirtyWords;
  onlyDigits: boolean;
  celebrity: boolean;
  /** Speaks for a brand (`paypal.support`), as impostors at public mailboxes do; Chase Miller does not. */
  imitatesBrand: boolean;
  /** Has a brand and a word that speaks for it, though the brand may be a word or a family name (`team.chase`). */
  namesBrand: boolean;
}

export interface CharacterCounts {
  dots: number;
  underscores: number;
  hyphens: number;
  digits: number;
  letters: number;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Digits and letters of any script. */
export const countCharacters = (username: string): CharacterCounts => ({
  dots: count(username, /\./g),
  underscores: count(username, /_/g),
  hyphens: count(username, /-/g),
  digits: count(username, /\p{Nd}/gu),
  letters: count(username, /\p{L}/gu),
});

const MAX_PLAIN_LENGTH = 36;

/** The longest name of a list: longer ones are not looked up. */
const A_LISTED_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

export function judgeUsername(username: string, names: Pick<Names, 'listings' | 'brands'>): UsernameTraits {
  const name = username.toLowerCase().replace(/^"|"$/g, '').replace(/\+.*$/s, '');
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const joined = words.join('');
  const letters = joined.replace(/\p{Nd}/gu, '');
  const noreply = NO_REPLY.test(name) || NO_REPLY_END.test(name);
  const table = names.brands();
  const brands = words.flatMap((word) => table.token(word) ?? []).filter(({ isOften, text }) => isOften && text.length > 3);
  const speaking = words.filter(speaks).length;
  const isOn = (list: NameList): boolean => [name, letters].some((text) => A_LISTED_NAME.test(text) && isListed(text, list, names));
  const role = noreply || isOn('role-names');
  const onlyDigits = /^\p{Nd}+$/u.test(joined);
  return {
    role,
    system: isOn('system-names'),
    noreply,
    suspicious: !role && !onlyDigits && isSuspicious(name, words),
    invisible: /[\p{Cc}\p{Cf}]|(?! )\p{Z}/u.test(name),
    dirtyWords: dirtyWords(words),
    onlyDigits,
    celebrity: CELEBRITIES.has(letters),
    imitatesBrand: brands.some(({ isWord }) => speaking > (isWord ? 1 : 0)),
    namesBrand: (brands.length > 0 && speaking > 0) || words.some((word) => runsTogether(word, table)),
  };
}

const speaks = (word: string): boolean => isForgersWord(word) || OFFICES.has(word);

/** Letters that a brand needs before it is read in a longer word. */
const LONG_BRAND = 6;
const isLong = (token: Token | undefined): boolean => token?.isOften === true && !token.isWord && token.text.length >= LONG_BRAND;

/** A brand and a word that speaks for it, written as one: `paypalsupport`. */
function runsTogether(written: string, brands: Brands): boolean {
  const word = written.replace(/\p{Nd}+$/u, '').slice(0, MAX_PLAIN_LENGTH);
  for (let at = 2; at < word.length; at++) {
    const [front, end] = [word.slice(0, at), word.slice(at)];
    if ((isLong(brands.token(front)) && speaks(end)) || (isLong(brands.token(end)) && speaks(front))) return true;
  }
  return false;
}

const FIGURES: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' };

/** The worst word of a name, figures at its end or in place of letters (`sh1t`) aside. */
export function dirtyWords(words: readonly string[]): DirtyWords {
  // Letters one by one (`f.u.c.k`) are read together; words are not: Jacob Itchener has two of his own.
  const read = words.every((word) => word.length === 1) ? [words.join('')] : words;
  const spelt = [
    ...read.map((word) => word.replace(/\p{Nd}+$/u, '')),
    ...read.map((word) => word.replace(/[013457]/g, (figure) => FIGURES[figure]!)),
  ];
  if (spelt.some((word) => OBSCENE_WORDS.has(word) || [...OBSCENITIES].some((dirty) => word.includes(dirty)))) return 'obscene';
  return spelt.some((word) => DOUBTFUL_WORDS.has(word)) ? 'doubtful' : 'none';
}

/** A number is not read as a word: by chance, one of ten figures in about 140 has four equal ones or five in a row. */
const isSuspicious = (name: string, words: readonly string[]): boolean =>
  name.length > MAX_PLAIN_LENGTH ||
  /(\P{Nd})\1{3}/u.test(name) ||
  count(name, /[._-]/g) > 4 ||
  words.some((word) => /\P{Nd}/u.test(word) && isMadeUp(word));

const isMadeUp = (word: string): boolean =>
  /(\p{Nd})\1{3}/u.test(word) || hasDigitRun(word) || isKeyboardWalk(word) || hasLongConsonantRun(word) || looksRandom(word);
