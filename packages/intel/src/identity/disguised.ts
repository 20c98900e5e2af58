import type { Brands, Token } from './brands.ts';
import { lettersOf, runsOnce } from './letters.ts';
import { STRONG_LURES } from './lures.ts';
import { isOrdinary } from './slips.ts';
import { SELF_HOSTED } from './spoken.ts';

/**
 * A brand that a tenant's name has in wrong letters, beside a word for signing in or one of its products: `mottomuskk-loginix`, `ledgr-live-downld`. Filters
 * of hosts look for the brand as it is written, so forgers change vowels and double letters, and keep what a reader hears.
 */
export interface Disguised {
  token: Token;
  detail: string;
}

/** Letters that a brand needs: of few, most words are near. */
const LETTERS = 5;
/** Consonants by which a word is known without its vowels, and those without which it is not known at all. */
const HEARD = 4;
const HEARD_LEAST = 3;
/** Letters that may differ where fewer are heard. */
const WRONG = 2;

/** A word for signing in as it ends such a name, whatever its vowels: `logix`, `lugin`, `lognhus`, `logeenie`, `iogin`. */
const SIGN_IN =
  /(?:[l1i][o0aiu]{1,3}|l)[gq]{1,3}h?(?:[aeiouy]{0,4}[nmpx][a-z]{0,4}|[eiuo]{1,3}[a-z]{0,2}|[xz][a-z]{0,2})\d{0,2}$|l[o0][gq]{2,3}\d{0,2}$/;
/** Words in front of a brand in such names. */
const BEFORE = /^(?:www|us|usa|en|eng|a|the|my|pro|live|web|app|get|sign|start|i|e|u|x)[-_]?/;
/** Words that end like that: what people write, list and study, what goods are sent by, lakes, liquids, games and a country. */
const NOT_SIGN_IN =
  /(?:b|v|cata|dia|ana|pro|epi|mono|back|change|dev|prolo|hexa|apo|way|deca|sy|phot|bio|eco|geo|psycho|techno)log[a-z]*$|log(?:ic|i[sqt]|an|ue|os|or|ger)[a-z]*$|(?:[li]a[gq]|li(?:q|g(?:[en]|am|an|or|io|os?$))|lo?uq|loq|lg(?:am|u[iry]|ium|irl|host|old|eek|enius)|lugan|[bc]ologn|i[ao]gam)[a-z]*$/;
/** Words beside wallets and exchanges in names of copies, in any spelling; alone they are anyone's. */
const BESIDE_WALLETS =
  /^(?:wal+[aeiou]*t+s?|wl+e?t+|sui+te?(?:app)?|ext[a-z]{2,8}n|bridge|chrome|desktop|desk|download|downl?d|dwnlo?d|live|li+ve|start|sttart|started|begin|setup|install|recovery|connect|official|access|hardware|device)$/;

/** Brands whose copies are called so. Honest words are heard as others: `tourist-desk` (Truist), `kirken-live` (Norwegian for church; Kraken). */
const COPIED: ReadonlySet<string> = new Set(
  'trezor trezorsuite ledger ledgerlive metamask atomicwallet exodus blockfi kucoin coinbase coinsquare netcoins uphold robinhood myetherwallet pancakeswap trustwallet phantom uniswap opensea bitmart binance crypto netflix xfinity comcast telstra microsoft bankofamerica wellsfargo steamcommunity'.split(
    ' ',
  ),
);
const SAME: Readonly<Record<string, string>> = { q: 'k', c: 'k', z: 's', n: 'm', v: 'b' };

/** The consonants of a word, as one where they sound alike, each run once. */
const heard = (word: string): string => {
  let text = '';
  let before = '';
  for (const letter of lettersOf(word)) {
    const sound = /[aeiouywh]/.test(letter) ? '' : (SAME[letter] ?? letter);
    if (sound !== before) text += sound;
    before = sound;
  }
  return text;
};

interface Heard {
  token: Token;
  sound: string;
}
const tables = new WeakMap<Brands, readonly Heard[]>();
function tableOf(brands: Brands): readonly Heard[] {
  const known = tables.get(brands);
  if (known) return known;
  const own = brands.tokens
    .filter(({ isOften, text }) => isOften && text.length >= LETTERS && /^[a-z]+$/.test(text) && !SELF_HOSTED.has(text))
    .map((token) => ({ token, sound: heard(token.text) }))
    .filter(({ sound }) => sound.length >= HEARD_LEAST);
  const made = [...own, ...(brands.base ? tableOf(brands.base) : [])];
  tables.set(brands, made);
  return made;
}

/** The brand that a word is heard as. Where few consonants are heard, the letters have to be near as well. */
function heardAs(word: string, brands: Brands, beside: 'sign in' | 'words'): Token | undefined {
  if (word.length < LETTERS - 1 || word.length > 24 || isOrdinary(word)) return undefined;
  const sound = heard(word);
  for (const { token, sound: of } of tableOf(brands)) {
    if (
      (beside === 'words' && !COPIED.has(token.text)) ||
      of.length < (beside === 'words' ? HEARD : HEARD_LEAST) ||
      Math.abs(word.length - token.text.length) > 5 ||
      heard(word[0]!) !== heard(token.text[0]!)
    )
      continue;
    const isLong = of.length >= HEARD && !token.isWord;
    if (sound === of && differing(word, token.text) <= (isLong ? (beside === 'words' ? 3 : 5) : WRONG)) return token;
    if (beside === 'sign in' && !token.isWord && token.text.length >= 7 && word.length >= 6 && differing(word, token.text) <= WRONG)
      return token;
  }
  return undefined;
}

/** Letters to add, leave out or change (Levenshtein). */
export function differing(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[to.length]!;
}

/** The brand that a tenant's label has in disguise. */
export function disguisedBrand(label: string, brands: Brands): Disguised | undefined {
  return beforeSignIn(label, brands) ?? besideWords(label, brands) ?? stretched(label, brands);
}

function beforeSignIn(label: string, brands: Brands): Disguised | undefined {
  const squashed = label.replaceAll(/[-_]/g, '').replace(/(?:us|usa|en|io|com)$/, '');
  const end = SIGN_IN.exec(squashed);
  if (!end || NOT_SIGN_IN.test(squashed)) return undefined;
  for (const from of [squashed, squashed.replace(BEFORE, '')]) {
    // The end of the brand and the word for signing in run into one another.
    for (const cut of [0, 1, 2, -1]) {
      const word = from.slice(0, from.length - end[0].length - cut);
      const token = heardAs(word, brands, 'sign in');
      if (token) return { token, detail: label };
    }
  }
  return undefined;
}

function besideWords(label: string, brands: Brands): Disguised | undefined {
  const words = label.split(/[-_]/).filter((word) => word !== '');
  const isBeside = (word: string): boolean => BESIDE_WALLETS.test(word) || STRONG_LURES.has(word);
  for (const [at, word] of words.entries()) {
    if (isBeside(word) || brands.token(word)) continue;
    const rests = words.filter((_, i) => i !== at);
    if (rests.some(isBeside)) {
      const token = heardAs(word.replace(/(?:com|io|app)$/, ''), brands, 'words') ?? heardAs(word, brands, 'words');
      if (token) return { token, detail: label };
    }
    for (let cut = LETTERS - 1; cut <= word.length - 4; cut++) {
      const [front, back] = [word.slice(0, cut), word.slice(cut)];
      const token = isBeside(back) ? heardAs(front, brands, 'words') : isBeside(front) ? heardAs(back, brands, 'words') : undefined;
      if (token) return { token, detail: label };
    }
  }
  return undefined;
}

/** A brand with letters doubled: `xffiniittyy`; or a long one that is often copied as it is heard, and nothing else: `aeitomicwallettt`. Any other would be heard in honest names: `cookbooks`, `airport-transfer`. */
function stretched(label: string, brands: Brands): Disguised | undefined {
  for (const word of new Set([...label.split(/[-_\d]+/), label.replaceAll(/[-_]/g, '')])) {
    if (word.length < LETTERS || brands.token(word) || isOrdinary(word)) continue;
    const [once, sound] = [runsOnce(word), heard(word)];
    const found = tableOf(brands).find(({ token: { text, isWord }, sound: of }) =>
      isWord
        ? false
        : (text.length > LETTERS && once === runsOnce(text)) ||
          (text.length > 9 && COPIED.has(text) && sound === of && differing(word, text) <= 4),
    );
    if (found) return { token: found.token, detail: label };
  }
  return undefined;
}
