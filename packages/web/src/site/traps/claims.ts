import { type Brand, type Brands, speakerOf, type Token } from '@vedette/intel/identity';
import type { SiteEvidence } from '../evidence.ts';
import { registrableOf } from '../registrable-of.ts';
import type { Landing } from '../visit/main-visit.ts';
import type { Form } from '../visit/page-facts.ts';

/** Whether the domain is the brand's: one of its own, or its name under another suffix. */
export const isOwn = (brand: string, domain: string, brands: Brands): boolean => {
  const known = brands.token(brand)?.brand;
  return labelOf(domain) === brand || (known !== undefined && brands.ownerOf(domain) === known);
};

export const labelOf = (host: string): string => registrableOf(host).split('.', 1)[0]!;

/** The names of a page: its title, the name of its site, and its first-level headings. */
const namesOf = ({ page }: Landing): string[] => [page.info.title, page.info.og_site_name, ...page.headings];
export const wordsIn = (name: string): string[] =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
/** Words of the title, the site's name and the first heading. */
const mainWords = (landing: Landing): string[] => namesOf(landing).slice(0, 3).flatMap(wordsIn);

/** Programs that anyone runs on a host of his own, and whose log-in has their name; and brands that firms have as a word of their names. */
export const SELF_HOSTED = new Set(
  'wordpress roundcube zimbra cpanel globalprotect okta shopify gitlab github outlook electrum fidelity interbank phantom odoo grafana mattermost bitwarden drupal nextcloud jenkins keycloak atlassian bitbucket qnap matomo piwik homeassistant directadmin kerio jetbrains zendesk freshworks'.split(
    ' ',
  ),
);
/** Words of any log-in: a brand that is a word too is meant where a name has no other words. */
const OF_LOGINS = new Set(
  'log login in on sign signin to your account accounts my manage verify verification confirm identity welcome hello back the a page secure anmelden se connecter or up register signup id login into inloggen accedi acceder entrar authorization authentication'.split(
    ' ',
  ),
);
/** Words of the names of a page other than these and those of any log-in: its own name. */
export const otherWords = (landing: Landing, words: readonly string[]): string[] =>
  namesOf(landing)
    .flatMap(wordsIn)
    .filter((word) => !OF_LOGINS.has(word) && !words.includes(word));
/** Whether a page has no name but that of a domain's label, in one word or several. */
export const hasNoNameBut = (landing: Landing, label: string, words: readonly string[] = []): boolean =>
  otherWords(landing, words).every((word) => label.includes(word));

/** Whether words, or several in a row, are a name that is written in one. */
export function hasName(words: readonly string[], name: string): boolean {
  const sought = name.replaceAll('-', '');
  return words.some((_, first) => {
    let joined = '';
    for (let at = first; at < words.length && joined.length < sought.length; at++) joined += words[at]!;
    return joined === sought;
  });
}
const LOGIN_WORDS =
  /\b(?:log[ -]?(?:in|on)|sign[ -]?(?:in|on|up)|verify|verification|confirm|password|account|anmelden|einloggen|loggen sie|connexion|connecter|accedi|acceder|entrar|inicia(?:r)? sesi|inloggen|logga in|log ind|zaloguj|giriş|вход|войти|登录|ログイン)/iu;
/** A name of so many letters that is not a word belongs to one firm. */
const SURE_LETTERS = 10;
const LONG_TEXT_CHARS = 2_500;
const LITTLE_TEXT_CHARS = 1_500;

/** Whether a PHP program beside the page, or in a folder near it, takes what is typed, as those of kits do. */
export const isBesidePage = ({ action }: Form): boolean =>
  /^(?:\.{1,2}\/){0,3}(?:[\w-]+\/){0,3}[\w-]+\.php(?:\?(?:\w{1,20}=(?:[\da-z]{16,})?)?)?$/i.test(action);

export const isShort = ({ page }: Landing): boolean => page.text.length < LITTLE_TEXT_CHARS;

/** Whether signing in is what the page is for: its names say so, or it says little else. */
export const isSignIn = (landing: Landing): boolean => landing.page.text.length < LONG_TEXT_CHARS || isNamedLogIn(landing);

/** Whether title or headings are words of a log-in. */
export const isNamedLogIn = (landing: Landing): boolean => namesOf(landing).some((name) => LOGIN_WORDS.test(name));

const isAlwaysBrand = (token: Token | undefined): boolean => token?.isOften === true && !token.isWord;

/** The brand that the page is called by; undefined without one. */
export function brandInNames(landing: Landing, { brands }: SiteEvidence): string | undefined {
  if (!isSignIn(landing)) return undefined;
  const words = mainWords(landing);
  const named = words.find((word) => isAlwaysBrand(brands.token(word)) && !SELF_HOSTED.has(word));
  if (named !== undefined) return named;
  const only = onlyBrand(words, brands);
  if (only && (only.isOften || !only.isWord)) return only.text;
  const parts = landing.page.info.title.split(/\s[-–—:»]\s|[|·•]/);
  const part = parts
    .map((each) => onlyBrand(wordsIn(each), brands))
    .find((token) => isAlwaysBrand(token) || (token?.isWord === false && token.text.length >= SURE_LETTERS));
  if (part) return part.text;
  const whole = namesOf(landing).map((name) => onlyBrand(wordsIn(name), brands));
  return whole.find((token) => token?.isWord === false)?.text ?? speakerIn([...parts, ...namesOf(landing).slice(1)], brands);
}

/** The brand in whose name one of the texts speaks: in several words, in letters that look like its own, or beside words of forgers. */
function speakerIn(texts: readonly string[], brands: Brands): string | undefined {
  for (const text of texts) {
    const speaker = speakerOf(text, brands);
    const name = speaker?.text.toLowerCase().replaceAll(' ', '') ?? '';
    if (speaker && !SELF_HOSTED.has(name)) return brands.token(name)?.text ?? speaker.brand.tokens[0]?.text;
  }
  return undefined;
}

/** Firms by whose accounts one signs in elsewhere, and whose programs stand on servers of others with their notice of copyright. */
export const IN_LOGINS_OF_OTHERS = new Set(
  'google facebook apple twitter github microsoft linkedin amazon yahoo adobe zoom cisco oracle citrix vmware'.split(' '),
);
const COPYRIGHT = /(?:©|\(c\)|copyright)[\s\d,–-]{0,30}([\p{L}\p{N}&. ]{2,60})/iu;

/** The brand that a page of little text has at its beginning, as its logo has it, or in its notice of copyright. */
export function brandInText({ page: { text } }: Landing, { brands }: SiteEvidence): string | undefined {
  if (text.length >= LITTLE_TEXT_CHARS) return undefined;
  const owner = COPYRIGHT.exec(text)?.[1] ?? '';
  for (const words of [wordsIn(text).slice(0, 3), wordsIn(owner).slice(0, 2), wordsIn(owner).slice(0, 1)]) {
    const brand = speakerIn([words.join(' ')], brands);
    const isFirst = brand?.startsWith(words[0]!) === true;
    if (isFirst && isAlwaysBrand(brands.token(brand)) && !IN_LOGINS_OF_OTHERS.has(brand)) return brand;
  }
  return undefined;
}

/** Firms to which the pages of others link: networks, shops for apps, maps, payments. */
export const LINKED_BY_OTHERS = new Set(
  'facebook instagram youtube twitter x linkedin github google apple tiktok pinterest whatsapp telegram paypal discord microsoft wordpress gitlab medium reddit vimeo flickr tumblr amazon'.split(
    ' ',
  ),
);
const LEGAL = /privacy|terms|legal|cookie|datenschutz|conditions/i;
const RECOVERY = /forgot|reset|recover|password|help/i;
/** Shops for apps, to which log-ins of others link. */
const SHOPS_FOR_APPS = /^(?:apps|itunes)\.apple\.com$|^play\.google\.com$/;

/** The host of a brand that both the help with a password and the terms are at; empty without one. */
export function termsElsewhere({ page, url }: Landing, { brands }: SiteEvidence): string {
  const here = registrableOf(new URL(url).hostname);
  const hosts = (words: RegExp): string[] =>
    page.links
      .flatMap(({ href, label }) =>
        /^https?:/i.test(href) && URL.canParse(href) && words.test(`${new URL(href).pathname} ${label}`) ? [new URL(href).hostname] : [],
      )
      .filter((host) => !SHOPS_FOR_APPS.test(host));
  const terms = new Set(hosts(LEGAL).map((host) => brands.ownerOf(registrableOf(host))));
  const found = hosts(RECOVERY).find((host) => {
    const owner = brands.ownerOf(registrableOf(host));
    const isElsewhere = owner !== brands.ownerOf(here) && labelOf(registrableOf(host)) !== labelOf(here);
    return owner !== undefined && isElsewhere && terms.has(owner) && !dressesOthers(owner);
  });
  return found ?? '';
}

/** The brand that is the whole title, or the whole first heading, but for words of log-ins; undefined without one. */
export function onlyName({ page }: Landing, { brands }: SiteEvidence): string | undefined {
  const tokens = [page.info.title, page.headings[0] ?? ''].map((name) => onlyBrand(wordsIn(name), brands));
  return tokens.find((token) => token && (token.isOften || !token.isWord))?.text;
}

/** Legal forms, which firms write after their names. */
const LEGAL_FORMS = new Set('inc llc ltd limited gmbh corp corporation plc'.split(' '));

/** The brand that words are, but for those of any log-in. A legal form makes another firm of a word: `Chase Ltd`. */
export function onlyBrand(words: readonly string[], brands: Brands): Token | undefined {
  const said = [...new Set(words.filter((word) => !OF_LOGINS.has(word)))];
  const token = brands.token(said.join('')) ?? ofFirm(said, brands);
  return token && !SELF_HOSTED.has(token.text) ? token : undefined;
}

/** The brand of a name with a legal form or its banking behind it, if only a brand is called so: `ANZ Internet Banking`. */
function ofFirm(words: readonly string[], brands: Brands): Token | undefined {
  const [last = '', before = ''] = words.toReversed();
  const isForm = words.length > 1 && LEGAL_FORMS.has(last);
  const bank = words.slice(0, /^(?:internet|online|mobile|net)$/.test(before) ? -2 : -1).join('');
  const token =
    isForm ? brands.token(words.slice(0, -1).join(''))
    : last === 'banking' && bank !== '' ? brands.token(`${bank}bank`)
    : undefined; // prettier-ignore
  return token?.isWord === false && token.isOften ? token : undefined;
}

/** Words for third-party products beside a brand, which a brand does not use for its own log-in: an `API for WhatsApp`, an `app for Shopify`. */
const BESIDE = new Set(
  'with mit avec con for für pour para per api apis gateway tool tools toolkit plugin plugins extension integration integrations automation bot bots crm analytics marketing agency agentur ads downloader download converter mp3 mp4 viewer scheduler sender bulk growth followers reviews template templates themes course courses training guide tutorial tutorials alternative alternatives jobs experts consulting partner partners reseller implementation integrator services support fan fans clan guild stadium arena'.split(
    ' ',
  ),
);
export const isBeside = (landing: Landing, { brands }: SiteEvidence): boolean =>
  !onlyBrand(wordsIn(landing.page.info.title), brands) &&
  !isSignInTo(landing.page.info.title, brands) &&
  mainWords(landing).some((word) => BESIDE.has(word));
const SIGN_IN_TO = /^(?:sign|log)[ -]?in to (?:your )?(?=\p{L})/iu;

/** Whether a title is `Sign in to` a brand, and not to a product beside it: `Sign in to Instagram Scheduler`. */
function isSignInTo(title: string, brands: Brands): boolean {
  const before = SIGN_IN_TO.exec(title)?.[0];
  const [first = '', second = ''] = before === undefined ? [] : wordsIn(title.slice(before.length));
  return isAlwaysBrand(brands.token(first)) && !BESIDE.has(second);
}

/** A picture or style sheet of the brand's own server. Its scripts are on every other page, and so are counting pixels. */
export const borrowsFrom = (brand: string, { page, url }: Landing): boolean =>
  page.assets.some(({ kind, url: written }) => {
    if (kind === 'script' || kind === 'frame' || !URL.canParse(written, url)) return false;
    const { hostname, pathname } = new URL(written, url);
    return labelOf(hostname) === brand && !/^\/tr\/?$/.test(pathname);
  });

/**
 * The host that the page itself says it is at, where that is a brand's: by its canonical URL, or by the note of the program that saved it.
 * Empty without one.
 */
export function homeElsewhere({ page, url }: Landing, { brands }: SiteEvidence): string {
  const here = registrableOf(new URL(url).hostname);
  for (const said of [page.info.canonical, ...page.origins]) {
    if (said === '' || !URL.canParse(said, url)) continue;
    const { hostname } = new URL(said, url);
    const there = registrableOf(hostname);
    const owner = brands.ownerOf(there);
    if (there === here || labelOf(there) === labelOf(here)) continue;
    if (owner && owner !== brands.ownerOf(here)) return hostname;
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
/** Hosts of brands, and domains, with files of strangers: pictures, fonts, forms for newsletters. */
const FILES_OF_STRANGERS = new Set(
  'imgur.com discordapp.com discordapp.net bunny.net pbs.twimg.com githubusercontent.com dropboxusercontent.com wikimedia.org pinimg.com redd.it media.licdn.com steamusercontent.com userapi.com at.alicdn.com telegra.ph archive.org flaticon.com cdn-images.mailchimp.com'.split(
    ' ',
  ),
);
const holdsOthers = (host: string): boolean => FILES_OF_STRANGERS.has(host) || FILES_OF_STRANGERS.has(registrableOf(host));
export const dressesOthers = ({ tokens, domains }: Brand): boolean =>
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
    if (!dressesOthers(owner) && !hosts.some(holdsOthers) && hosts.every((host) => brands.ownerOf(registrableOf(host)) === owner))
      return first;
  }
  return '';
}
