import { IMITATED_BRANDS } from './lists/domains.ts';
import { CELEBRITIES, DIRTY_WHOLE_WORDS, DIRTY_WORDS, NO_REPLY, NO_REPLY_END, ROLES, SYSTEM_NAMES } from './lists/usernames.ts';
import { hasDigitRun, hasLongConsonantRun, isKeyboardWalk, looksRandom } from './gibberish.ts';

/** What a local part says of whoever chose it. */
export interface UsernameTraits {
  role: boolean;
  system: boolean;
  noreply: boolean;
  suspicious: boolean;
  dirtyWords: boolean;
  onlyDigits: boolean;
  celebrity: boolean;
  /** Names a brand or a service, as impostors at public mailboxes do. */
  imitatesBrand: boolean;
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

export function judgeUsername(username: string): UsernameTraits {
  const name = username.toLowerCase().replace(/^"|"$/g, '').replace(/\+.*$/s, '');
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const joined = words.join('');
  const letters = joined.replace(/\p{Nd}/gu, '');
  const noreply = NO_REPLY.test(name) || NO_REPLY_END.test(name);
  const role = noreply || ROLES.has(name) || ROLES.has(letters);
  return {
    role,
    system: SYSTEM_NAMES.has(name) || SYSTEM_NAMES.has(letters),
    noreply,
    suspicious: !role && isSuspicious(name, words),
    dirtyWords: hasDirtyWords(words),
    onlyDigits: /^\p{Nd}+$/u.test(joined),
    celebrity: CELEBRITIES.has(letters),
    imitatesBrand: words.some((word) => IMITATED_BRANDS.has(word)) && words.length > 1,
  };
}

const FIGURES: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' };

/** Whether a name has a dirty word, figures at its end or in place of letters (`sh1t`) aside. */
export function hasDirtyWords(words: readonly string[]): boolean {
  const plain = words.map((word) => word.replace(/\p{Nd}+$/u, ''));
  const unmasked = words.map((word) => word.replace(/[013457]/g, (figure) => FIGURES[figure]!));
  return [plain, unmasked].some(
    (spelling) =>
      spelling.some((word) => DIRTY_WHOLE_WORDS.has(word)) || [...DIRTY_WORDS].some((dirty) => spelling.join('').includes(dirty)),
  );
}

const isSuspicious = (name: string, words: readonly string[]): boolean =>
  name.length > MAX_PLAIN_LENGTH ||
  /[\p{Cc}\p{Cf}]|(?! )\p{Z}/u.test(name) || // invisible
  /(.)\1{3}/.test(name) ||
  count(name, /[._-]/g) > 4 ||
  words.some((word) => hasDigitRun(word) || isKeyboardWalk(word) || hasLongConsonantRun(word) || looksRandom(word));
