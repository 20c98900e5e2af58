import { findCommerce } from './commerce.ts';
import { contactDomains, hasImprint, hasFakeSocials } from './contacts.ts';
import type { SiteEvidence } from '../evidence.ts';
import { elsewhere, type Landing } from '../visit/main-visit.ts';
import { reductions } from './prices.ts';
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
 * Whether a page that is not the brand's asks for a password or a card in a brand's name. Forums and shops name brands beside their log-in forms
 * too, so something else has to speak against it: the name, the age, a free host, a form that sends elsewhere, pictures taken from the brand itself.
 */
export function isCredentialTrap(landing: Landing, evidence: SiteEvidence): boolean {
  const { page, url } = landing;
  const trap = page.forms.find(({ hasPassword, hasCard }) => hasPassword || hasCard);
  if (!trap) return false;
  const brand = brandOf(landing, evidence);
  const host = new URL(url).hostname;
  if (brand === undefined || evidence.isWellKnown(registrableOf(host)) || labelOf(host) === brand) return false;
  const sendsTo = URL.canParse(trap.action, url) ? new URL(trap.action, url).href : url;
  return (
    evidence.name.homoglyph !== '' ||
    evidence.name.typosquat !== '' ||
    evidence.isFreeHost ||
    (evidence.age?.recent === true && !isBeside(landing)) ||
    (/^https?:/.test(sendsTo) &&
      elsewhere(sendsTo, registrableOf(new URL(url).hostname)) !== '' &&
      labelOf(new URL(sendsTo).hostname) !== brand) ||
    borrowsFrom(brand, landing)
  );
}

const namesOf = ({ page }: Landing): string[] =>
  `${page.info.title} ${page.info.og_site_name} ${page.headings[0] ?? ''}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);

const brandOf = (landing: Landing, { brands }: SiteEvidence): string | undefined => namesOf(landing).find((word) => brands.has(word));

/** Words for third-party products beside a brand, which a brand does not use for its own log-in: an `API for WhatsApp`, an `app for Shopify`. */
const BESIDE = new Set(
  'for für pour para per api apis gateway tool tools toolkit plugin plugins extension integration integrations automation bot bots crm analytics marketing agency agentur ads downloader download converter mp3 mp4 viewer scheduler sender bulk growth followers reviews template templates themes course courses training guide tutorial tutorials alternative alternatives jobs experts consulting partner partners reseller'.split(
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
