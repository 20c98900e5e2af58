export { canonicalText, canonicalUrl } from './canonical.ts';
export { exactExpression, expressionsOf, partsOf } from './expressions.ts';
export { UrlList } from './url-list.ts';
export { createUrls, type UrlSetters } from './urls.ts';
