import { createHash } from 'node:crypto';
import type { CentralContext } from '../kit/index.ts';
import { NO_PAGE_INFO, readContent } from '@vedette/web/page';
import type { Chain } from './chain.ts';
import { faviconDetails, ogImageDetails } from './extras.ts';
import type { UrlStatusQuery } from './query.ts';

/** The fields of the final hop besides those of every hop. Fetches what its page refers to, where that is wanted. */
export async function finalHop({ hops, page, document }: Chain, query: UrlStatusQuery, context: CentralContext) {
  const { wanted } = query;
  const { url, location, head } = hops.at(-1)!;
  // A server that did not answer is asked no more.
  const icons = document?.icons ?? (head ? [`${location.origin}/favicon.ico`] : []);
  const needsContent = wanted.clean && document !== undefined && (wanted.body || wanted.links);
  const [favicon, ogImage, content] = await Promise.all([
    wanted.favicon ? faviconDetails(icons, query, context) : undefined,
    wanted.ogImage ? ogImageDetails(document, query, context) : undefined,
    needsContent ? readContent(page.text, url, context.signal) : undefined,
  ]);
  const body = content ? Buffer.from(content.markup) : Buffer.from(page.body);
  return {
    html_info: document?.info ?? NO_PAGE_INFO,
    html_truncated: document !== undefined && (document.partial || page.truncated),
    ...(wanted.body && {
      body_base64: body.toString('base64'),
      body_md5_hash_original: createHash('md5').update(page.body).digest('hex'),
      body_size_bytes: page.body.length,
      body_truncated: page.truncated,
    }),
    ...(wanted.text && { body_text: document ? (wanted.clean ? document.content : document.text) : page.text }),
    ...(favicon && { favicon_details: favicon }),
    ...(ogImage && { og_image_details: ogImage }),
    ...(wanted.links && { links: (content ?? document)?.links ?? [] }),
    ...(wanted.forms && { forms: document?.forms ?? [] }),
  };
}
