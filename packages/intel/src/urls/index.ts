export { canonicalText, type CanonicalUrl, canonicalUrl } from './canonical.ts';
export { exactExpression, expressionsOf, partsOf } from './expressions.ts';
export { posingUserName, type UrlShape, urlShape } from './shape.ts';
export { type HostRisk, type UrlEvidence, urlRisk } from './url-risk.ts';
export { UrlList } from './url-list.ts';
export { createUrls, type UrlSetters } from './urls.ts';
