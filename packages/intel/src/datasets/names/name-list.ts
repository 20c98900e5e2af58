import type { Names } from '../../ports/index.ts';
import { parseIp } from '@vedette/contract';
import { type BuildSnapshot, listOf } from '../../feeds/index.ts';
import { POPULAR_DOMAINS } from '../../identity/index.ts';
import { isListed, MANY_TENANTS, NameListBuilder, shippedNames, tenantOf } from '../../names/index.ts';
import { noPause, takeAll } from '../rows.ts';

/** Names that a list of harmful names has only after a compromise or by mistake. */
const NEVER_HARMFUL: ReadonlySet<string> = new Set(
  (
    'google.com gmail.com youtube.com facebook.com instagram.com whatsapp.com microsoft.com office.com live.com outlook.com apple.com icloud.com ' +
    'amazon.com wikipedia.org cloudflare.com github.com paypal.com netflix.com linkedin.com yahoo.com baidu.com mozilla.org debian.org ubuntu.com'
  ).split(' '),
);

/** How many of the best known names a list may have by mistake. The lists that we examined had at most two. */
const MOST_BEST_KNOWN = 25;

/**
 * The host of a URL, as a name to be listed. Undefined if the URL says nothing of its host: the host is an address, or a host of many
 * tenants, of whose pages this is one. Empty for an invalid URL.
 */
function hostOf(url: string, shipped: Pick<Names, 'listings'>): string | undefined {
  const host = URL.parse(url)?.hostname.replace(/\.$/, '') ?? '';
  const isOfMany = POPULAR_DOMAINS.has(tenantOf(host) ?? '') || MANY_TENANTS.some((list) => isListed(host, list, shipped));
  return isOfMany || parseIp(host.replace(/^\[|\]$/g, '')) ? undefined : host;
}

/**
 * A list of names; a part of one is made in the same way, and joined line by line. An accusing list leaves out well-known names, and is
 * refused as poisoned if it has many of them.
 */
export const namesBuilder =
  ({ accuses }: { accuses: boolean }): BuildSnapshot =>
  async (file, feed) => {
    const list = new NameListBuilder(listOf(feed));
    const shipped = shippedNames();
    let forbidden: string | undefined;
    const bestKnown = new Set<string>();
    const counts = await takeAll(file, ([entry = '']) => {
      const named = /^https?:/i.test(entry) ? hostOf(entry, shipped) : entry.toLowerCase();
      if (named === undefined) return true;
      const name = named.replace(/^\*?\.|\.$/g, '');
      const bare = name.replace(/^www\./, '');
      if (NEVER_HARMFUL.has(bare)) forbidden ??= name;
      if (accuses && (POPULAR_DOMAINS.has(bare) || shipped.rank(bare) !== undefined)) bestKnown.add(bare);
      return accuses && POPULAR_DOMAINS.has(name) ? true : name.includes('.') && list.add(name);
    });
    if (bestKnown.size > MOST_BEST_KNOWN) forbidden ??= `${bestKnown.size} of the best known names`;
    const bytes = list.rows === 0 ? new Uint8Array() : await list.build(noPause);
    return { ...counts, forbidden, bytes, ...(accuses && { entries: list.names }) };
  };
