import { ContentReader } from './content.ts';
import { LinkReader, type PageLink } from '../links.ts';
import { BaseReader } from '../urls.ts';
import { PageWalk, walkPage } from './walk.ts';

/**
 * Reads the markup of a page's article, without scripts, styles, classes and events, and the links in it. `url`: its own, absolute. Rejects
 * with the signal's reason.
 */
export async function readContent(html: string, url: string, signal?: AbortSignal): Promise<{ markup: string; links: PageLink[] }> {
  const [base, content, links] = [new BaseReader(url), new ContentReader(true), new LinkReader()];
  await walkPage(new PageWalk([base, content]), html, signal);
  const { markup } = content;
  await walkPage(new PageWalk([links]), markup, signal);
  return { markup, links: links.links(url, base.base) };
}
