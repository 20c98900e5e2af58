import { findCommerce } from './commerce.ts';
import { contactDomains, hasImprint, hasFakeSocials } from './contacts.ts';
import type { SiteEvidence } from '../evidence.ts';
import { elsewhere, type Landing } from '../visit/main-visit.ts';
import { reductions } from './prices.ts';
import type { Brands, Token } from '@vedette/intel/identity';
import { registrableOf } from '../registrable-of.ts';

/** Fewer products are not representative of a shop. */
const PRODUCTS_MIN = 5;
const HIGH_DISCOUNT = 60;

/** Whether half of the products are reduced by 60 % or more. */
export function hasHighDiscounts({ page }: Pick<Landing, 'page'>): boolean {
  const found = reductions(page.prices).toSorted((a, b) => a - b);
  return found.length >= PRODUCTS_MIN && found[Math.floor(found.length / 2)]! >= HIGH_DISCOUNT;
}

/** Whether the site's contact is a free mailbox: it gives one, and no mailbox of its own domain. */
export function hasFreeMail({ page }: Pick<Landing, 'page'>, { domain, isFreeMail }: Pick<SiteEvidence, 'domain' | 'isFreeMail'>): boolean {
  if (isFreeMail(domain)) return false;
  const domains = [...contactDomains(page)];
  return domains.some(isFreeMail) && !domains.some((other) => registrableOf(other) === domain);
}

const isCommerce = (landing: Landing): boolean => {
  const { platforms, other } = findCommerce(landing.fields, landing.headers.cookies, landing.page);
  return other || platforms.size > 0;
};

/** Signs of shops that take money and send nothing; honest shops may show one of them. */
function shopSigns(landing: Landing, evidence: SiteEvidence): string[] {
  const signs: [string, boolean][] = [
    ['a free mailbox for contact', hasFreeMail(landing, evidence)],
    ['no address or telephone number', !hasImprint(landing.page)],
    ['icons of social networks that lead nowhere', hasFakeSocials(landing.page)],
    ['high discounts', hasHighDiscounts(landing)],
  ];
  return signs.flatMap(([sign, holds]) => (holds ? [sign] : []));
}

/** Whether a shop of a recent domain shows two of the signs; undefined if it does and its age is unknown. */
export function isScamShop(landing: Landing, evidence: SiteEvidence): boolean | undefined {
  if (!isCommerce(landing) || shopSigns(landing, evidence).length < 2) return false;
  return evidence.age?.recent;
}

/**
 * Whether a page that is not the brand's asks for a password or a card in a brand's name: in its title, site name or first heading. Names of
 * programs that anyone may run (WordPress, Roundcube) are no brands here, and pages for something beside a brand are not its log-in.
 */
export function isCredentialTrap(landing: Landing, evidence: SiteEvidence): boolean {
  const { page, url } = landing;
  const trap = page.forms.find(({ hasPassword, hasCard }) => hasPassword || hasCard);
  const brand = trap && brandOf(landing, evidence);
  if (!trap || brand === undefined) return false;
  const domain = registrableOf(new URL(url).hostname);
  if (evidence.isWellKnown(domain) || isOwn(brand, domain, evidence.brands)) return false;
  const sendsTo = URL.canParse(trap.action, url) ? new URL(trap.action, url).href : url;
  return (
    !isBeside(landing) ||
    evidence.name.homoglyph !== '' ||
    evidence.name.typosquat !== '' ||
    evidence.isFreeHost ||
    (/^https?:/.test(sendsTo) &&
      elsewhere(sendsTo, domain) !== '' &&
      !isOwn(brand, registrableOf(new URL(sendsTo).hostname), evidence.brands)) ||
    borrowsFrom(brand, landing)
  );
}

const isOwn = (brand: string, domain: string, brands: Brands): boolean => {
  const known = brands.token(brand)?.brand;
  return domain.split('.', 1)[0] === brand || (known !== undefined && brands.ownerOf(domain) === known);
};

const namesOf = ({ page }: Landing): string[] =>
  `${page.info.title} ${page.info.og_site_name} ${page.headings[0] ?? ''}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** Programs that anyone runs on a host of his own, and whose log-in has their name; and brands that firms have as a word of their names. */
const SELF_HOSTED = new Set(
  'wordpress roundcube zimbra cpanel globalprotect okta shopify gitlab github outlook electrum fidelity interbank phantom'.split(' '),
);
/** Words of any log-in: a brand that is a word too is meant where a name has no other words. */
const OF_LOGINS = new Set(
  'log login in on sign signin to your account accounts my welcome the a page secure anmelden se connecter or up register signup id login into inloggen accedi acceder entrar'.split(
    ' ',
  ),
);

const isAlwaysBrand = (token: Token | undefined): boolean => token?.isOften === true && !token.isWord;

function brandOf(landing: Landing, { brands }: SiteEvidence): string | undefined {
  const words = namesOf(landing);
  const named = words.find((word) => isAlwaysBrand(brands.token(word)) && !SELF_HOSTED.has(word));
  if (named !== undefined) return named;
  const others = new Set(words.filter((word) => word !== '' && !OF_LOGINS.has(word)));
  const only = brands.token([...others].join(''));
  return only && (only.isOften || !only.isWord) && !SELF_HOSTED.has(only.text) ? only.text : undefined;
}

/** Words for third-party products beside a brand, which a brand does not use for its own log-in: an `API for WhatsApp`, an `app for Shopify`. */
const BESIDE = new Set(
  'with mit avec con for für pour para per api apis gateway tool tools toolkit plugin plugins extension integration integrations automation bot bots crm analytics marketing agency agentur ads downloader download converter mp3 mp4 viewer scheduler sender bulk growth followers reviews template templates themes course courses training guide tutorial tutorials alternative alternatives jobs experts consulting partner partners reseller'.split(
    ' ',
  ),
);
const isBeside = (landing: Landing): boolean => namesOf(landing).some((word) => BESIDE.has(word));

/** A picture or style sheet of the brand's own server. Its scripts are on every other page, and so are counting pixels. */
const borrowsFrom = (brand: string, { page, url }: Landing): boolean =>
  page.assets.some(({ kind, url: written }) => {
    if (kind === 'script' || kind === 'frame' || !URL.canParse(written, url)) return false;
    const { hostname, pathname } = new URL(written, url);
    return labelOf(hostname) === brand && !/^\/tr\/?$/.test(pathname);
  });

const labelOf = (host: string): string => registrableOf(host).split('.', 1)[0]!;
