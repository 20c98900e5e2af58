import type { Brand, Brands, Token } from '@vedette/intel/identity';
import type { SiteEvidence } from '../evidence.ts';
import { registrableOf } from '../registrable-of.ts';
import type { Landing } from '../visit/main-visit.ts';

/** Whether the domain is the brand's: one of its own, or its name under another suffix. */
export const isOwn = (brand: string, domain: string, brands: Brands): boolean => {
  const known = brands.token(brand)?.brand;
  return labelOf(domain) === brand || (known !== undefined && brands.ownerOf(domain) === known);
};

export const labelOf = (host: string): string => registrableOf(host).split('.', 1)[0]!;

/** The names of a page: its title, the name of its site, and its first-level headings. */
const namesOf = ({ page }: Landing): string[] => [page.info.title, page.info.og_site_name, ...page.headings];
const wordsIn = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
/** Words of the title, the site's name and the first heading. */
const mainWords = (landing: Landing): string[] => namesOf(landing).slice(0, 3).flatMap(wordsIn);

/** Programs that anyone runs on a host of his own, and whose log-in has their name; and brands that firms have as a word of their names. */
const SELF_HOSTED = new Set(
  'wordpress roundcube zimbra cpanel globalprotect okta shopify gitlab github outlook electrum fidelity interbank phantom'.split(' '),
);
/** Words of any log-in: a brand that is a word too is meant where a name has no other words. */
const OF_LOGINS = new Set(
  'log login in on sign signin to your account accounts my welcome hello back the a page secure anmelden se connecter or up register signup id login into inloggen accedi acceder entrar'.split(
    ' ',
  ),
);
const LOGIN_WORDS =
  /\b(?:log[ -]?(?:in|on)|sign[ -]?(?:in|on|up)|verify|verification|confirm|password|account|anmelden|connexion|connecter|accedi|acceder|entrar|inloggen|zaloguj|giriş|вход|войти|登录|ログイン)/iu;
const LONG_TEXT_CHARS = 2_500;

/** Whether signing in is what the page is for: its names say so, or it says little else. */
export const isSignIn = (landing: Landing): boolean =>
  landing.page.text.length < LONG_TEXT_CHARS || namesOf(landing).some((name) => LOGIN_WORDS.test(name));

const isAlwaysBrand = (token: Token | undefined): boolean => token?.isOften === true && !token.isWord;

/** The brand that the page is called by; undefined without one. */
export function brandInNames(landing: Landing, { brands }: SiteEvidence): string | undefined {
  const words = mainWords(landing);
  const named = words.find((word) => isAlwaysBrand(brands.token(word)) && !SELF_HOSTED.has(word));
  if (named !== undefined) return named;
  const only = onlyBrand(words, brands);
  if (only && (only.isOften || !only.isWord)) return only.text;
  if (!isSignIn(landing)) return undefined;
  const parts = landing.page.info.title.split(/\s[-–—:»]\s|[|·•]/);
  const whole = namesOf(landing).map((name) => onlyBrand(wordsIn(name), brands));
  return (
    whole.find((token) => token?.isWord === false) ??
    parts.map((part) => onlyBrand(wordsIn(part), brands)).find((token) => isAlwaysBrand(token))
  )?.text;
}

/** The brand that words are, but for those of any log-in. */
function onlyBrand(words: readonly string[], brands: Brands): Token | undefined {
  const token = brands.token([...new Set(words.filter((word) => !OF_LOGINS.has(word)))].join(''));
  return token && !SELF_HOSTED.has(token.text) ? token : undefined;
}

/** Words for third-party products beside a brand, which a brand does not use for its own log-in: an `API for WhatsApp`, an `app for Shopify`. */
const BESIDE = new Set(
  'with mit avec con for für pour para per api apis gateway tool tools toolkit plugin plugins extension integration integrations automation bot bots crm analytics marketing agency agentur ads downloader download converter mp3 mp4 viewer scheduler sender bulk growth followers reviews template templates themes course courses training guide tutorial tutorials alternative alternatives jobs experts consulting partner partners reseller'.split(
    ' ',
  ),
);
export const isBeside = (landing: Landing): boolean => mainWords(landing).some((word) => BESIDE.has(word));

/** A picture or style sheet of the brand's own server. Its scripts are on every other page, and so are counting pixels. */
export const borrowsFrom = (brand: string, { page, url }: Landing): boolean =>
  page.assets.some(({ kind, url: written }) => {
    if (kind === 'script' || kind === 'frame' || !URL.canParse(written, url)) return false;
    const { hostname, pathname } = new URL(written, url);
    return labelOf(hostname) === brand && !/^\/tr\/?$/.test(pathname);
  });

/**
 * The host that the page itself says it is at, where that is a brand's or a well-known one: by its canonical URL, or by the note of the program
 * that saved it. Empty without one.
 */
export function homeElsewhere({ page, url }: Landing, { brands, isWellKnown }: SiteEvidence): string {
  const here = registrableOf(new URL(url).hostname);
  for (const said of [page.info.canonical, ...page.origins]) {
    if (said === '' || !URL.canParse(said, url)) continue;
    const { hostname } = new URL(said, url);
    const there = registrableOf(hostname);
    const owner = brands.ownerOf(there);
    if (there === here || labelOf(there) === labelOf(here) || (owner && owner === brands.ownerOf(here))) continue;
    if (owner || isWellKnown(there)) return hostname;
  }
  return '';
}

/** Hosts that serve only Microsoft's own log-in. Its other hosts serve pages of others, too. */
const OF_MICROSOFT_LOGIN = new Set(['gfx.ms', 'microsoftonline-p.com', 'msauth.net', 'msftauth.net']);
/** Firms whose style sheets and icons are on pages of others: builders of sites, log-ins as a service, fonts and buttons. */
const DRESSES_OTHERS = new Set(
  'google microsoft shopify squarespace wix tumblr medium zendesk salesforce hubspot wordpress okta auth0 substack webflow godaddy weebly blogger meta facebook'.split(
    ' ',
  ),
);
const dressesOthers = ({ tokens, domains }: Brand): boolean =>
  [...tokens.map(({ text }) => text), ...domains.map((domain) => domain.split('.', 1)[0]!)].some((name) => DRESSES_OTHERS.has(name));

/**
 * The host of a brand that the page is dressed by: all its style sheets, or all its icons, are there. Empty without one, and for firms that dress the
 * pages of others.
 */
export function dressedBy({ page, url }: Landing, { brands }: SiteEvidence): string {
  const here = registrableOf(new URL(url).hostname);
  for (const kind of ['style', 'icon'] as const) {
    const hosts = page.assets.flatMap((asset) =>
      asset.kind === kind && URL.canParse(asset.url, url) ? [new URL(asset.url, url).hostname] : [],
    );
    const [first = ''] = hosts;
    if (OF_MICROSOFT_LOGIN.has(registrableOf(first)) && brands.ownerOf(here)?.name !== brands.token('microsoft')?.brand.name) return first;
    const owner = brands.ownerOf(registrableOf(first));
    if (!owner || owner === brands.ownerOf(here) || owner.domains.some((domain) => labelOf(domain) === labelOf(here))) continue;
    if (!dressesOthers(owner) && hosts.every((host) => brands.ownerOf(registrableOf(host)) === owner)) return first;
  }
  return '';
}
