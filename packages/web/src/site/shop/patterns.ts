import { findCommerce } from './commerce.ts';
import { contactDomains, hasImprint, hasFakeSocials } from './contacts.ts';
import type { SiteEvidence } from '../evidence.ts';
import type { Landing } from '../visit/main-visit.ts';
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
