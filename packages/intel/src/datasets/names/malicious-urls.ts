import { POPULAR_DOMAINS } from '../../identity/index.ts';
import { isListed, MANY_TENANTS, shippedNames } from '../../names/index.ts';
import { type CanonicalUrl, canonicalUrl, exactExpression, UrlList } from '../../urls/index.ts';
import { listOf } from '../../feeds/index.ts';
import { defineDataset } from '../define.ts';
import { takeAll } from '../rows.ts';

/** How many front pages of the best known names a list may have by mistake. */
const MOST_BEST_KNOWN = 25;

/** The expressions of a listed URL: itself, and the folder that it names where its last part has no extension, since servers send visitors of `/kit` to `/kit/`. */
const listedAs = (url: CanonicalUrl): string[] =>
  url.query === '' && /\/[^/.]+$/.test(url.path) ? [exactExpression(url), `${exactExpression(url)}/`] : [exactExpression(url)];

/**
 * URLs that do harm, as they are listed: none of them speaks for its host. The front page of a well-known site, or of a host of many tenants, is left
 * out, since it would accuse all pages below it.
 */
export const maliciousUrls = defineDataset({
  name: 'malicious_urls',
  rules: 1,
  async build(file) {
    const shipped = shippedNames();
    const expressions = new Set<string>();
    const bestKnown = new Set<string>();
    const counts = await takeAll(file, ([entry = '']) => {
      const url = /^https?:\/\//i.test(entry.trim()) ? canonicalUrl(entry) : undefined;
      if (!url) return false;
      const isFront = url.path === '/' && url.query.length < 2;
      const bare = url.host.replace(/^www\./, '');
      const isBestKnown = isFront && (POPULAR_DOMAINS.has(bare) || shipped.rank(bare) !== undefined);
      if (isBestKnown) bestKnown.add(bare);
      const isOfMany = isFront && MANY_TENANTS.some((list) => isListed(bare, list, shipped));
      if (!isBestKnown && !isOfMany) for (const expression of listedAs(url)) expressions.add(expression);
      return true;
    });
    const forbidden = bestKnown.size > MOST_BEST_KNOWN ? `${bestKnown.size} of the best known names` : undefined;
    return { ...counts, forbidden, bytes: UrlList.compile(expressions), entries: expressions };
  },
  open: ({ urls }) => ({
    use: (feed, snapshot) => urls.setList(listOf(feed), feed.name, new UrlList(snapshot)),
    drop: (feed) => urls.setList(listOf(feed), feed.name, undefined),
  }),
});
