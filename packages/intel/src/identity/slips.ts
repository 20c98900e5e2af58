import { readFileSync } from 'node:fs';
import type { Brands, Token } from './brands.ts';
import { distanceIsOne } from './one-edit.ts';
import { homoglyphsOf, permutations, type Slip } from './permutations.ts';

/** Letters that a name needs before any of them may be wrong. */
const SHORTEST = 5;

/** A brand, and the kind of slip by which a word is near it. */
export interface NearBrand {
  token: Token;
  slip: Slip | 'one letter';
  /** The brand is a word too, and the slip proves little. */
  isWeak: boolean;
}

/** Honest words and firms near a brand. The head of the file says where it is from. */
const ORDINARY: ReadonlySet<string> = new Set(readFileSync(new URL('./ordinary-words.txt', import.meta.url), 'utf8').split('\n'));
export const isOrdinary = (word: string): boolean => ORDINARY.has(word);

/** Kinds of slips by which a brand that is a word is still known for sure. */
const PLAIN_SLIPS: ReadonlySet<Slip> = new Set<Slip>(['repetition', 'transposition', 'vowel-swap']);
const isPlain = (text: string, slip: Slip): boolean => PLAIN_SLIPS.has(slip) || (slip === 'homoglyph' && /\d|rn|vv/.test(text));
/** Kinds of slips that count for the words that are forged most, too: a letter left out, or the key beside it. */
const COMMON_SLIPS: ReadonlySet<Slip> = new Set<Slip>(['omission', 'replacement']);
const MOST_FORGED: ReadonlySet<string> = new Set(['amazon', 'apple']);

const isDistinct = ({ text, isWord, isAmongOthers }: Token): boolean => text.length >= SHORTEST && !isWord && !isAmongOthers;
const isForgedWord = (token: Token): boolean => token.isOften && token.text.length >= SHORTEST && !isDistinct(token);

/** Letters from which on a name may have several letters that are read for its own: `crelbitkarrna`. */
const LONG = 7;

/** A name by what the eye takes in of it: letters of ASCII that are read for one another (dnstwist's homoglyphs) are one. */
const strokesOf = (text: string): string =>
  text
    .replaceAll(/cl|dl|lb/g, 'd')
    .replaceAll('lc', 'k')
    .replaceAll('lh', 'h')
    .replaceAll('b', 'd')
    .replaceAll(/[il]/g, '1')
    .replaceAll('o', '0')
    .replaceAll('e', 'c')
    .replaceAll('q', 'g')
    .replaceAll(/[uvw]+/g, 'v')
    .replaceAll(/[mnr]+/g, 'n');

interface Tables {
  /** Every distinct name, and each less one letter: what is one edit from a name shares one of these with it (SymSpell). */
  deletes: ReadonlyMap<string, readonly Token[]>;
  /** Slips of words that are forged, in full. */
  words: ReadonlyMap<string, NearBrand>;
  /** Long distinct names by their strokes. */
  strokes: ReadonlyMap<string, Token>;
  /** Short distinct names with two homoglyphs; with more of them they are another word. */
  twice: ReadonlyMap<string, Token>;
}
const tables = new WeakMap<Brands, Tables>();

/** Made when the first name is judged. */
function tablesOf(brands: Brands): Tables {
  const known = tables.get(brands);
  if (known) return known;
  const deletes = new Map<string, Token[]>();
  for (const token of brands.tokens.filter(isDistinct))
    for (const text of lessOne(token.text)) {
      const those = deletes.get(text);
      if (!those) deletes.set(text, [token]);
      else if (!those.includes(token)) those.push(token);
    }
  const words = new Map<string, NearBrand>();
  for (const token of brands.tokens.filter(isForgedWord))
    for (const [text, slip] of permutations(token.text))
      if (words.get(text)?.isWeak !== false)
        words.set(text, { token, slip, isWeak: !isPlain(text, slip) && !(MOST_FORGED.has(token.text) && COMMON_SLIPS.has(slip)) });
  const strokes = new Map<string, Token>();
  for (const token of brands.tokens.filter((one) => isDistinct(one) && one.text.length >= LONG)) {
    const form = strokesOf(token.text);
    if (!strokes.get(form)?.isOften) strokes.set(form, token);
  }
  const twice = new Map<string, Token>();
  for (const token of brands.tokens.filter((one) => isDistinct(one) && one.text.length < LONG))
    for (const once of homoglyphsOf(token.text))
      for (const form of homoglyphsOf(once)) if (!twice.get(form)?.isOften) twice.set(form, token);
  const made = { deletes, words, strokes, twice };
  tables.set(brands, made);
  return made;
}

function* lessOne(text: string): Iterable<string> {
  yield text;
  for (let at = 0; at < text.length; at++) yield text.slice(0, at) + text.slice(at + 1);
}

/** The brand from which a word is one slip away. A brand itself, and an ordinary word, are slips of nothing. */
export function nearBrand(word: string, brands: Brands): NearBrand | undefined {
  if (word.length < SHORTEST - 1 || word.length > 26 || isOrdinary(word) || brands.token(word)) return undefined;
  const { deletes, words, strokes, twice } = tablesOf(brands);
  const slip = words.get(word);
  if (slip?.isWeak === false) return slip;
  const token = tokenNear(word, deletes);
  if (token) return { token, slip: kindOf(word, token.text), isWeak: false };
  const drawn = (word.length < LONG ? undefined : strokes.get(strokesOf(word))) ?? twice.get(word);
  if (drawn) return { token: drawn, slip: 'homoglyph', isWeak: true };
  return (brands.base && nearBrand(word, brands.base)) ?? slip;
}

/** The same of ordinary words. */
export const isOneSlipAway = (word: string, brands: Brands): boolean =>
  brands.token(word) === undefined && (tokenNear(word, tablesOf(brands).deletes) !== undefined || tablesOf(brands).words.has(word));

function tokenNear(word: string, deletes: Tables['deletes']): Token | undefined {
  let found: Token | undefined;
  for (const text of lessOne(word))
    for (const token of deletes.get(text) ?? [])
      if (distanceIsOne(word, token.text)) {
        if (token.isOften) return token;
        found ??= token;
      }
  return found;
}

function kindOf(word: string, brand: string): NearBrand['slip'] {
  for (const [text, slip] of permutations(brand)) if (text === word) return slip;
  return 'one letter';
}
