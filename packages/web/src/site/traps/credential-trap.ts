import type { SiteEvidence } from '../evidence.ts';
import { registrableOf } from '../registrable-of.ts';
import { elsewhere, type Landing } from '../visit/main-visit.ts';
import type { Form } from '../visit/page-facts.ts';
import { secretOf } from './asked.ts';
import { borrowsFrom, brandInNames, dressedBy, homeElsewhere, isBeside, isOwn, isSignIn } from './claims.ts';

/**
 * Returns the evidence that a page asks for a password or a card in a brand's name, and is not the brand's: the name, and the form. Empty without
 * it. Programs that anyone may run (WordPress, Roundcube) are no brands here, and pages for something beside a brand are not its log-in.
 */
export function credentialTrap(landing: Landing, evidence: SiteEvidence): string {
  const trap = landing.page.forms.find((form) => secretOf(form) !== undefined);
  if (!trap || evidence.isWellKnown(registrableOf(new URL(landing.url).hostname))) return '';
  const claim = claimOf(landing, evidence, trap);
  return claim === '' ? '' : `${claim}; a form ${trap.action === '' ? '' : `to ${trap.action} `}asks for a ${secretOf(trap)}`;
}

function claimOf(landing: Landing, evidence: SiteEvidence, trap: Form): string {
  const brand = brandInNames(landing, evidence);
  const name = brand === undefined ? '' : named(brand, landing, evidence, trap);
  if (name !== '' || !isSignIn(landing)) return name;
  const home = homeElsewhere(landing, evidence);
  if (home !== '') return `it says that it is at ${home}`;
  const dress = dressedBy(landing, evidence);
  return dress === '' ? '' : `its style sheets or icons are those of ${dress}`;
}

function named(brand: string, landing: Landing, evidence: SiteEvidence, trap: Form): string {
  const { page, url } = landing;
  const domain = registrableOf(new URL(url).hostname);
  if (isOwn(brand, domain, evidence.brands)) return '';
  const sendsTo = URL.canParse(trap.action, url) ? new URL(trap.action, url).href : url;
  const isMeant =
    !isBeside(landing) ||
    evidence.name.homoglyph !== '' ||
    evidence.name.typosquat !== '' ||
    evidence.isFreeHost ||
    (/^https?:/.test(sendsTo) &&
      elsewhere(sendsTo, domain) !== '' &&
      !isOwn(brand, registrableOf(new URL(sendsTo).hostname), evidence.brands)) ||
    borrowsFrom(brand, landing);
  return isMeant ? `it calls itself ${brand}: ${page.info.title || page.headings[0] || page.info.og_site_name}` : '';
}
