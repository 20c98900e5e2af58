import type { SiteEvidence } from '../evidence.ts';
import { registrableOf } from '../registrable-of.ts';
import { elsewhere, landingOf } from '../visit/main-visit.ts';
import { secretOf, stepOf } from './asked.ts';
import { isSignIn } from './claims.ts';
import { credentialTrap } from './credential-trap.ts';

/**
 * The URL of the icon that would tell whose page it is: of one that asks for a secret, at a domain that is little known, and that nothing else accuses.
 * Icons of other domains are not wanted. Empty for other pages.
 */
export function iconWanted(evidence: SiteEvidence): string {
  const landing = landingOf(evidence);
  if (landing?.guard !== '' || !landing.page.forms.some((form) => secretOf(form) ?? stepOf(form))) return '';
  const domain = registrableOf(new URL(landing.url).hostname);
  const isKnown = evidence.isWellKnown(domain) || evidence.brands.ownerOf(domain) !== undefined;
  if (isKnown || !isSignIn(landing) || credentialTrap(landing, evidence) !== '') return '';
  const declared = landing.page.assets.find(({ kind }) => kind === 'icon')?.url ?? '/favicon.ico';
  const url = URL.canParse(declared, landing.url) ? new URL(declared, landing.url).href : '';
  return /^https?:/.test(url) && elsewhere(url, domain) === '' ? url : '';
}
