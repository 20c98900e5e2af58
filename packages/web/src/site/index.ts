export { readSiteCertificate } from './certificate.ts';
export { judgeSite, SITE_CHECKS, type SiteCheck, type SiteVerdict } from './checks.ts';
export { findCommerce, PLATFORMS } from './shop/commerce.ts';
export type { SiteCertificate, SiteDns, SiteEvidence, SiteHop, SiteVisit } from './evidence.ts';
export { elsewhere, lastAnswer, mainVisit } from './visit/main-visit.ts';
export { type HtmlInfo, NO_INFO, NO_PAGE } from './visit/page-facts.ts';
export { readPage } from './visit/read-page.ts';
export { registrableOf } from './registrable-of.ts';
export { isTurnedAway, POPULAR_FLOOR, scoreTrust, TRUST_CAPS, TRUST_MODIFIERS, UNHEARD_POINTS } from './score.ts';
