import type { Urls } from '../ports/index.ts';
import { hashOf } from './expressions.ts';
import type { UrlList } from './url-list.ts';

export interface UrlSetters {
  /** Sets a source's part of a list, in place of the one that was there; undefined takes it out. */
  setList(list: string, source: string, part: UrlList | undefined): void;
}

/** The lists of URLs in use. None is shipped: phishing lives for hours. */
export function createUrls(): Urls & UrlSetters {
  const lists = new Map<string, Map<string, UrlList>>();
  return {
    setList(list, source, part) {
      const parts = lists.get(list) ?? new Map<string, UrlList>();
      if (part) parts.set(source, part);
      else parts.delete(source);
      if (parts.size > 0) lists.set(list, parts);
      else lists.delete(list);
    },
    hasList: (list) => lists.has(list),
    listings(expressions) {
      const hashed = expressions.map((entry) => ({ entry, hash: hashOf(entry) }));
      return Array.from(lists, ([list, parts]) => ({
        list,
        entry: hashed.find(({ hash }) => parts.values().some((part) => part.has(hash)))?.entry,
      })).flatMap(({ list, entry }) => (entry === undefined ? [] : [{ list, entry }]));
    },
  };
}
