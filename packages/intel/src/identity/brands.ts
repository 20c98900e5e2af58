import { readFileSync } from 'node:fs';

/** A brand that others imitate. */
export interface Brand {
  name: string;
  /** Registrable domains of its own. */
  domains: readonly string[];
  /** Its forms in host names, in lower-case letters and figures. */
  tokens: readonly Token[];
  /** Words of its products. A name with the brand and one of these is a forger's. */
  words: ReadonlySet<string>;
}

export interface Token {
  text: string;
  /** Also a word, a family or another firm: alone it proves nothing. */
  isWord: boolean;
  /** Others are named nearly so: a slip of it proves nothing. */
  isAmongOthers: boolean;
  /** Forgers use it often. */
  isOften: boolean;
  brand: Brand;
}

/** Brands by their names and domains. */
export interface Brands {
  token(text: string): Token | undefined;
  /** The brand that owns a registrable domain. */
  ownerOf(domain: string): Brand | undefined;
  /** The name of the brand that has this favicon, by the MurmurHash3 of its file. */
  ofIcon(hash: number): Token | undefined;
  /** The names of this table, without those of `base`. */
  readonly tokens: readonly Token[];
  /** The table under this one: what it has counts where this one has nothing. */
  readonly base?: Brands;
}

/**
 * Makes the table of lines: own domains, a tab, the name, a tab, names in lower case, with `!` before those that forgers use often, `~` before
 * words, and `?` before those that others are near. Words of its products may follow the countries, and hashes of its favicons. If two lines have the same name, the later counts.
 */
export function brandsOf(text: string): Brands {
  const icons = new Map<number, Token>();
  const tokens = new Map<string, Token>();
  const owners = new Map<string, Brand>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [domains = '', name = '', marked = '', , words = '', hashes = ''] = line.split('\t');
    const own: Token[] = [];
    const brand: Brand = { name, domains: domains.split(','), tokens: own, words: new Set(words.split(',')) };
    for (const domain of brand.domains) owners.set(domain, brand);
    for (const mark of marked.split(',')) {
      const [isOften, isWord, isAmongOthers] = ['!', '~', '?'].map((sign) => mark.includes(sign)) as [boolean, boolean, boolean];
      const token = { text: mark.replace(/^[!~?]+/, ''), isWord, isAmongOthers, isOften, brand };
      own.push(token);
      tokens.set(token.text, token);
    }
    if (hashes !== '') for (const hash of hashes.split(',')) icons.set(Number(hash), own[0]!);
  }
  return {
    token: (text) => tokens.get(text),
    ownerOf: (domain) => owners.get(domain),
    ofIcon: (hash) => icons.get(hash),
    tokens: [...tokens.values()],
  };
}

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
let shipped: Brands | undefined;

/** The brands that are shipped. The heads of the files say where they are from. */
export const shippedBrands = (): Brands => (shipped ??= withIcons(brandsOf(textOf('./brands.txt')), textOf('./icons.txt')));

function withIcons(brands: Brands, text: string): Brands {
  const icons = new Map<number, Token>();
  for (const line of text.split('\n')) {
    const [name = '', hashes = ''] = line.split('\t');
    const token = brands.token(name);
    if (token) for (const hash of hashes.split(',')) icons.set(Number(hash), token);
  }
  return { ...brands, ofIcon: (hash) => icons.get(hash) };
}

/** The brands that are shipped, and others in the same form. */
export const withShippedBrands = (others: readonly string[]): Brands =>
  others.length === 0 ? shippedBrands() : brandsOver(shippedBrands(), others.join('\n'));

/** A small table over a large one, which is not copied. A brand that has a name of both is one, with the domains and words of both. */
export function brandsOver(base: Brands, text: string): Brands {
  const own = brandsOf(text);
  const wholes = new Map<Brand, Brand>();
  for (const { text: name, brand } of own.tokens) {
    const under = base.token(name)?.brand;
    if (!under || wholes.has(under) || wholes.has(brand)) continue;
    const whole = {
      ...brand,
      domains: [...brand.domains, ...under.domains],
      tokens: [...brand.tokens, ...under.tokens],
      words: new Set([...brand.words, ...under.words]),
    };
    wholes.set(brand, whole).set(under, whole);
  }
  const wholeOf = (brand: Brand): Brand => wholes.get(brand) ?? brand;
  const ofWhole = (token: Token): Token => (wholes.has(token.brand) ? { ...token, brand: wholeOf(token.brand) } : token);
  return {
    token(name) {
      const token = own.token(name) ?? base.token(name);
      return token && ofWhole(token);
    },
    ownerOf(domain) {
      const owner = own.ownerOf(domain) ?? base.ownerOf(domain);
      return owner && wholeOf(owner);
    },
    ofIcon(hash) {
      const token = own.ofIcon(hash) ?? base.ofIcon(hash);
      return token && ofWhole(token);
    },
    tokens: own.tokens.map(ofWhole),
    base,
  };
}
