import { restrictionLevel, skeleton } from '../../confusables/index.ts';
import { ACCENTED_WORDS, BRANDS_THAT_ARE_WORDS, HONEST_LURES, IMITATED_BRANDS, LURES, POPULAR_DOMAINS } from './brands.ts';

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
const BRANDS: ReadonlySet<string> = new Set([...IMITATED_BRANDS, ...registeredLabels.filter((label) => label.length >= 4)]);

/** Latin small capitals, which UTS 39 takes for letters of their own; `ɢoogle.com` was registered in 2016. */
const SMALL_CAPITALS = new Map(
  [...'ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz'.matchAll(/(.)(.)/gu)].map(([, from, to]) => [from, to!]),
);

/** UTS 39's skeleton of a name in lower case: `0` has the form of `O`, which in a domain is `o`. */
const shape = (text: string): string =>
  skeleton(skeleton(Array.from(text, (character) => SMALL_CAPITALS.get(character) ?? character).join('')).toLowerCase());

let shapes: ReadonlyMap<string, string> | undefined;
const brandOfShape = (of: string): string | undefined => (shapes ??= new Map([...BRANDS].map((brand) => [shape(brand), brand]))).get(of);

export function judgeImitation({ name, subdomain, tld }: ShownDomain): Imitation {
  const labels = [name, ...subdomain.split('.')].filter((label) => label !== '');
  const words = labels.flatMap((label) => label.split('-')).filter((word) => word !== '');
  const brands = IMITATED_BRANDS.has(name) ? [] : words.filter((word) => IMITATED_BRANDS.has(word));
  const lure = lureOf(name, subdomain) ?? brands.find((brand) => isLure(brand, words));
  const mention = brands.find((brand) => !BRANDS_THAT_ARE_WORDS.has(brand) || words.some((word) => LURES.has(word)));
  return {
    homograph: words.map((word) => homographOf(word, tld)).find((found) => found !== undefined) ?? '',
    lure: lure ?? '',
    mention: mention ?? '',
    mixedScripts: labels.some((label) => ['minimally_restrictive', 'unrestricted'].includes(restrictionLevel(label))),
  };
}

/** Whether words that stand beside a brand are a forger's. */
function isLure(brand: string, words: readonly string[]): boolean {
  const lures = words.filter((word) => LURES.has(word));
  return BRANDS_THAT_ARE_WORDS.has(brand) ? lures.length > 1 || lures.some((word) => !HONEST_LURES.has(word)) : lures.length > 0;
}

/** The brand that a word looks like without being it. */
function homographOf(word: string, tld: string): string | undefined {
  if (BRANDS.has(word) || isAtHome(word, tld)) return undefined;
  const form = shape(word);
  const brand = brandOfShape(form);
  const isAscii = restrictionLevel(word) === 'ascii_only';
  if (brand !== undefined) return !isAscii || isForged(brand) || /\d/.test(word) ? brand : undefined;
  const bare = isAscii ? undefined : brandOfShape(shape(form.replace(/\p{M}/gu, '')));
  return bare !== undefined && IMITATED_BRANDS.has(bare) && bare.length >= DISTINCT_LETTERS_ACCENTED && !ACCENTED_WORDS.has(word)
    ? bare
    : undefined;
}

const isForged = (brand: string): boolean => IMITATED_BRANDS.has(brand) && brand.length >= DISTINCT_LETTERS;

/** A word without a Latin letter under a top-level domain that has none either is what people there write. */
const isAtHome = (word: string, tld: string): boolean => !/\p{Script=Latin}/u.test(word) && !/\p{Script=Latin}/u.test(tld);

/** The brand's own domain, as it stands in front of another one: `paypal.com.example.org`, `paypal-com.example.org`. */
const OWN_DOMAIN = new RegExp(`(?:^|[.-])(${[...IMITATED_BRANDS].join('|')})[.-](?:com|net|org|co)(?:[.-]|$)`);
const LONG_BRANDS = [...IMITATED_BRANDS].filter((brand) => brand.length >= DISTINCT_LETTERS);

/** That, and the words run together: `paypallogin`, `securepaypal`. */
function lureOf(name: string, subdomain: string): string | undefined {
  if (IMITATED_BRANDS.has(name)) return undefined;
  const inFront = OWN_DOMAIN.exec(subdomain)?.[1];
  return inFront ?? LONG_BRANDS.find((brand) => name.includes(brand) && isLure(brand, [name.replace(brand, '')]));
}
