import { ContentReader } from './content.ts';
import { FormReader, type PageForm } from '../forms.ts';
import { IconReader } from '../icons.ts';
import { emptyInfo, InfoReader, type PageInfo } from '../info.ts';
import { LinkReader, type PageLink } from '../links.ts';
import { type Refresh, RefreshReader } from '../refresh.ts';
import { TextReader } from './text.ts';
import { BaseReader, withoutUser } from '../urls.ts';
import { PageWalk, walkPage } from './walk.ts';

/** The content of a page for reports. Everything is bounded; omissions set `partial`. */
export interface PageDocument {
  /** `html_info`, with absolute URLs. `refresh_url`: where `refresh` leads. */
  info: PageInfo & { refresh_url: string };
  links: PageLink[];
  forms: PageForm[];
  /** Everything that it says, a line for each block. */
  text: string;
  /** The text of its article: `clean_page_content`. The whole text if the article would be empty. */
  content: string;
  /** The first `meta` element's that a browser with scripts obeys; undefined without. */
  refresh: Refresh | undefined;
  /** Candidates for its icon, absolute; `/favicon.ico` is the last. */
  icons: string[];
  /** Absolute; empty without. */
  ogImage: string;
  /** It was longer, deeper, or had more of something than is read. */
  partial: boolean;
}

/** `info` where no page came. */
export const NO_PAGE_INFO: PageDocument['info'] = { ...emptyInfo(), refresh_url: '' };

/**
 * Reads a page in steps, so that a long page does not block other work, in time linear in its length. `address`: its own URL, absolute.
 * Accepts any text: text other than HTML has no elements. Rejects with the signal's reason.
 */
export async function readDocument(html: string, address: string, signal?: AbortSignal): Promise<PageDocument> {
  const url = withoutUser(address);
  const base = new BaseReader(url);
  const refresh = new RefreshReader(url, () => base.base);
  const [info, links, forms] = [new InfoReader(), new LinkReader(), new FormReader()];
  const [text, content, icons] = [new TextReader(), new ContentReader(), new IconReader()];
  const whole = await walkPage(new PageWalk([base, refresh, info, links, forms, text, content, icons]), html, signal);
  const absolute = info.absolute(base.base);
  return {
    info: { ...absolute, refresh_url: refresh.refresh?.url ?? '' },
    links: links.links(url, base.base),
    forms: forms.forms(url, base.base),
    text: text.said,
    content: content.content || text.said,
    refresh: refresh.refresh,
    icons: icons.icons(url, base.base),
    ogImage: absolute.og_image,
    partial: !whole || links.truncated || forms.truncated || text.truncated,
  };
}
