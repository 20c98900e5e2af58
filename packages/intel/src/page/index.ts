export { NO_PAGE_INFO, type PageDocument, readDocument } from './document.ts';
export type { PageForm } from './forms.ts';
export { InfoReader, type PageInfo } from './info.ts';
export type { PageLink } from './links.ts';
export { clean, isHidden, metaNames, wordsOf } from './markup.ts';
export { readContent } from './read-content.ts';
export { followable, readRefresh, type Refresh, refreshTarget } from './refresh.ts';
export { siteRedirect } from './site-redirects.ts';
export { type OpenElement, type PageReader, PageWalk, walkPage } from './walk.ts';
