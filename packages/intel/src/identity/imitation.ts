import { restrictionLevel, skeleton } from '../confusables/index.ts';
import type { Brands, Token } from './brands.ts';
import { POPULAR_DOMAINS } from './popular-domains.ts';
import { isOrdinary, nearBrand } from './slips.ts';

/** A domain for people: labels as they are shown. */
export interface ShownDomain {
  /** The registered label, such as `example` of `www.example.co.uk`. */
  name: string;
  subdomain: string;
  tld: string;
}

/** The brand that a domain imitates, and how. Empty where it does not. */
export interface Imitation {
  /** The brand that it is written to look like, in other letters. */
  homograph: string;
  /** The brand that it names beside what a forger asks for, or whose own domain stands in front of it. */
  lure: string;
  /** The brand that it names beside another word: customers, critics and repair shops do that too. The brand that is a word, beside a lure. */
  mention: string;
  /** Whether a label mixes scripts that no language mixes, such as Latin and Cyrillic (UTS 39 §5.2). */
  mixedScripts: boolean;
}

/**
 * Letters that a brand needs before it can be imitated in its own alphabet (`rn` for `m`): `stearn` is a family name, `rnicrosoft` is not.
 * Names that are never forged are not imitated so either: `kemel` is a camel and `allégro` a tempo.
 */
const DISTINCT_LETTERS = 6;
/** Accents make a word of few: `àpple` is not a word in any language. Shorter ones they do: `dèll`. */
const DISTINCT_LETTERS_ACCENTED = 5;

const registeredLabels = [...POPULAR_DOMAINS].map((domain) => domain.slice(0, domain.indexOf('.')));
const oftenForged = (word: string, brands: Brands): Token | undefined => {
  const token = brands.token(word);
  return token?.isOften ? token : undefined;
};

/** The actions that a forged site asks of its victims, in the words of forgers. */
const LURES: ReadonlySet<string> = new Set(
  'account accounts alert auth authenticate authentication bill billing bonus claim confirm confirmation id kyc locked login logon myaccount password passwordreset recover recovery refund reset restore secure secured security signin signon suspended suspension unlock unusual update validate validation verification verified verify wallet webmail'.split(
    ' ',
  ),
);
/** Lures that are also in honest names: beside a brand that is a word, one of them alone proves little (chase-recovery.com). */
const HONEST_LURES: ReadonlySet<string> = new Set(
  'alert bill billing bonus claim id recover recovery refund reset restore secure secured security unlock unusual update wallet'.split(' '),
);
/** Whether a word of an address is a forger's beside a brand. */
export const isForgersWord = (word: string): boolean => LURES.has(word);

/** Latin small capitals, which UTS 39 takes for letters of their own; `ɢoogle.com` was registered in 2016. */
const SMALL_CAPITALS = new Map(
  [...'ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz'.matchAll(/(.)(.)/gu)].map(([, from, to]) => [from, to!]),
);

/** UTS 39's skeleton of a name in lower case: `0` has the form of `O`, which in a domain is `o`. */
const shape = (text: string): string =>
  skeleton(skeleton(Array.from(text, (character) => SMALL_CAPITALS.get(character) ?? character).join('')).toLowerCase());

const shapes = new WeakMap<Brands, ReadonlyMap<string, string>>();
function brandOfShape(of: string, brands: Brands): string | undefined {
  const known = shapes.get(brands);
  if (known) return known.get(of) ?? (brands.base && brandOfShape(of, brands.base));
  const names = [...(brands.base ? [] : registeredLabels), ...brands.tokens.map(({ text }) => text)].filter((text) => text.length >= 4);
  shapes.set(brands, new Map(names.map((brand) => [shape(brand), brand])));
  return brandOfShape(of, brands);
}

export function judgeImitation({ name, subdomain, tld }: ShownDomain, table: Brands): Imitation {
  const labels = [name, ...subdomain.split('.')].filter((label) => label !== '');
  const words = labels.flatMap((label) => label.split('-')).filter((word) => word !== '');
  const brands = oftenForged(name, table) ? [] : words.filter((word) => oftenForged(word, table));
  const lure = lureOf(name, subdomain, table) ?? brands.find((brand) => isLure(brand, words, table));
  const mention = brands.find((brand) => oftenForged(brand, table)?.isWord === false || words.some((word) => LURES.has(word)));
  return {
    homograph: words.map((word) => homographOf(word, tld, table)).find((found) => found !== undefined) ?? '',
    lure: lure ?? '',
    mention: mention ?? '',
    mixedScripts: labels.some((label) => ['minimally_restrictive', 'unrestricted'].includes(restrictionLevel(label))),
  };
}

/** Whether words that stand beside a brand are a forger's. */
function isLure(brand: string, words: readonly string[], brands: Brands): boolean {
  const lures = words.filter((word) => LURES.has(word));
  return oftenForged(brand, brands)?.isWord === true ? lures.length > 1 || lures.some((word) => !HONEST_LURES.has(word)) : lures.length > 0;
}

/** The brand that a word looks like without being it. */
export function homographOf(word: string, tld: string, brands: Brands): string | undefined {
  if (brands.token(word) || registeredLabels.includes(word) || isOrdinary(word) || isAtHome(word, tld)) return undefined;
  const form = shape(word);
  const brand = brandOfShape(form, brands);
  const isAscii = restrictionLevel(word) === 'ascii_only';
  if (brand !== undefined) return !isAscii || isForged(brand, brands) || /\d/.test(word) ? brand : undefined;
  if (isAscii) return undefined;
  const bare = basicLetters(word);
  if (isOrdinary(bare)) return undefined;
  const token = brands.token(bare) ?? nearBrand(bare, brands)?.token;
  return token?.isOften && bare.length >= DISTINCT_LETTERS_ACCENTED ? token.text : undefined;
}

/** Latin letters that Unicode takes for letters of their own, beside those that UTS 39 calls confusable. */
const OWN_LETTERS = new Map(Object.entries({ т: 't', м: 'm', к: 'k', ь: 'b', ø: 'o', ł: 'l', đ: 'd', ħ: 'h', ŧ: 't', ı: 'i', ɩ: 'i', ɪ: 'i', ɨ: 'i', ɫ: 'l', ɭ: 'l', ə: 'e', ɛ: 'e', ĸ: 'k', ⱪ: 'k', ƙ: 'k', ɦ: 'h', ɠ: 'g', ɡ: 'g', ꞑ: 'n', ɲ: 'n', ɳ: 'n', ƫ: 't', ʈ: 't', ɓ: 'b', ɖ: 'd', ɗ: 'd', ƒ: 'f', ʂ: 's', ʋ: 'v', ƴ: 'y', ʐ: 'z', ƶ: 'z', ɱ: 'm', ɾ: 'r', ɽ: 'r', ƥ: 'p', ƈ: 'c', ɔ: 'o' })); // prettier-ignore

/** A word in the letters that it is read in: without marks, each strange letter as the basic one of its form. */
export const basicLetters = (word: string): string =>
  Array.from(word.normalize('NFD').replace(/\p{M}/gu, ''), (letter) => {
    if (letter <= '\x7f') return letter;
    const known = SMALL_CAPITALS.get(letter) ?? OWN_LETTERS.get(letter);
    const form = known ?? skeleton(letter).toLowerCase();
    return form === '' ? letter : form;
  }).join('');

const isForged = (brand: string, brands: Brands): boolean => oftenForged(brand, brands) !== undefined && brand.length >= DISTINCT_LETTERS;

/** A word without a Latin letter under a top-level domain that has none either is what people there write. */
const isAtHome = (word: string, tld: string): boolean => !/\p{Script=Latin}/u.test(word) && !/\p{Script=Latin}/u.test(tld);

/** The brand's own domain, as it stands in front of another one: `paypal.com.example.org`, `paypal-com.example.org`. */
const OWN_DOMAIN = /(?:^|[.-])([a-z0-9]+)[.-](?:com|net|org|co)(?=[.-]|$)/g;

/** That, and the words run together: `paypallogin`, `securepaypal`. */
function lureOf(name: string, subdomain: string, brands: Brands): string | undefined {
  if (oftenForged(name, brands)) return undefined;
  const inFront = [...subdomain.matchAll(OWN_DOMAIN)].map(([, brand]) => brand!).find((brand) => oftenForged(brand, brands));
  return inFront ?? longBrands(brands).find((brand) => name.includes(brand) && isLure(brand, [name.replace(brand, '')], brands));
}

const long = new WeakMap<Brands, readonly string[]>();
function longBrands(brands: Brands): readonly string[] {
  const known = long.get(brands);
  if (known) return known;
  const own = brands.tokens.filter(({ isOften, text }) => isOften && text.length >= DISTINCT_LETTERS).map(({ text }) => text);
  const found = [...own, ...(brands.base ? longBrands(brands.base) : [])];
  long.set(brands, found);
  return found;
}
