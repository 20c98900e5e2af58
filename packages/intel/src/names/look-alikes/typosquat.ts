import { readFileSync } from 'node:fs';
import {
  BRANDS_AMONG_OTHERS,
  BRANDS_THAT_ARE_WORDS,
  HONEST_NEIGHBOURS,
  IMITATED_BRANDS,
  LURES,
  MOST_FORGED_WORDS,
  POPULAR_DOMAINS,
} from './brands.ts';
import { DomainList } from '../tables/domain-list.ts';
import { distanceIsOne } from './one-edit.ts';
import { permutations, type Slip } from './permutations.ts';

/** Letters that a brand needs before any one of them may be wrong: what is near a shorter one is a word or another firm. */
const LONG = 6;
const SHORTEST = 5;

/** Honest words near a brand: words of many languages, towns, families. The head of the file says where it is from. */
const ORDINARY = new DomainList(readFileSync(new URL('../ordinary-words.txt', import.meta.url)));

/** A coined brand is not a word: any name that differs from it by one letter is a slip of it. */
const isDistinct = (brand: string): boolean => brand.length >= LONG && !BRANDS_THAT_ARE_WORDS.has(brand) && !BRANDS_AMONG_OTHERS.has(brand);
const DISTINCT_BRANDS = [...IMITATED_BRANDS].filter(isDistinct);

/** Kinds of slips by which a brand that is a word, or short, is still known for sure. */
const PLAIN_SLIPS: ReadonlySet<Slip> = new Set<Slip>(['repetition', 'transposition', 'vowel-swap']);
const isPlain = (text: string, slip: Slip): boolean => PLAIN_SLIPS.has(slip) || (slip === 'homoglyph' && /\d|rn|vv/.test(text));
/** Kinds of slips that count for the words that are forged most, too: a letter left out, or the key beside it. */
const COMMON_SLIPS: ReadonlySet<Slip> = new Set<Slip>(['omission', 'replacement']);
const isCommon = (brand: string, slip: Slip): boolean => MOST_FORGED_WORDS.has(brand) && COMMON_SLIPS.has(slip);

let slips: ReadonlyMap<string, string> | undefined;

/** Made when the first name is judged. */
function allSlips(): ReadonlyMap<string, string> {
  if (slips) return slips;
  const made = new Map<string, string>();
  for (const brand of IMITATED_BRANDS)
    if (brand.length >= SHORTEST)
      for (const [text, slip] of permutations(brand))
        if (!made.has(text) && (isDistinct(brand) || isPlain(text, slip) || isCommon(brand, slip))) made.set(text, `${brand}, ${slip}`);
  slips = made;
  return made;
}

/** Returns the brand that a word is near, and how; undefined for a brand itself, and for all other words. Ordinary words may be near one. */
export function nearBrand(word: string): string | undefined {
  if (word.length < SHORTEST - 1 || IMITATED_BRANDS.has(word)) return undefined;
  const slip = allSlips().get(word);
  if (slip !== undefined) return slip;
  const brand = DISTINCT_BRANDS.find((known) => distanceIsOne(word, known));
  return brand && `${brand}, one letter`;
}

/** Labels of well-known domains: Visa is not a slip of Vista. */
const POPULAR_LABELS = new Set([...POPULAR_DOMAINS].map((domain) => domain.slice(0, domain.indexOf('.'))));

const slipIn = (word: string): string | undefined =>
  [ORDINARY, HONEST_NEIGHBOURS, POPULAR_LABELS].some((known) => known.has(word)) ? undefined : nearBrand(word);

/**
 * Returns the brand of which the registered label, in ASCII, is a slip: the whole label, or one of its words beside a lure. Ordinary words,
 * and brands themselves, are slips of nothing.
 */
export function typosquatOf(label: string): string | undefined {
  if (!/^[a-z0-9-]+$/.test(label)) return undefined;
  const whole = slipIn(label);
  if (whole !== undefined) return whole;
  const words = label.split('-');
  return words.some((word) => LURES.has(word)) ? words.map(slipIn).find((slip) => slip !== undefined) : undefined;
}
