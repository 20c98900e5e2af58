import { readFileSync } from 'node:fs';
import { FiltersEngine, makeRequest, type RequestType } from '@ghostery/adblocker';
import type { Protocol } from 'puppeteer-core';

/** Blocks requests and hides elements when a job excludes ads. */
export interface AdFilter {
  /** Whether a request is one of ads or trackers. The page's own document never is. */
  blocks(request: { url: string; type: Protocol.Network.ResourceType; frameUrl: string }): boolean;
  /** A style sheet that closes the places of ads on a page with these ids and classes. */
  styleFor(url: string, seen: { ids: string[]; classes: string[] }): string;
}

/** Chromium's word for what a resource is, in the words of filter lists. */
const TYPES: Partial<Record<Protocol.Network.ResourceType, RequestType>> = {
  Document: 'sub_frame',
  Stylesheet: 'stylesheet',
  Image: 'image',
  Media: 'media',
  Font: 'font',
  Script: 'script',
  XHR: 'xmlhttprequest',
  Fetch: 'xmlhttprequest',
  EventSource: 'xmlhttprequest',
  WebSocket: 'websocket',
  Ping: 'ping',
  CSPViolationReport: 'csp_report',
};

/** Reads lists in Adblock Plus syntax. Rules that need code in the page are left out. */
export const engineOf = (lists: readonly string[]): FiltersEngine =>
  FiltersEngine.parse(lists.join('\n'), { enableMutationObserver: false, loadExtendedSelectors: false, enableHtmlFiltering: false });

/** A filter of what `engineOf` made, as its `serialize` wrote it. Takes some tens of milliseconds for a hundred thousand rules, where reading the lists takes seconds. */
export const readAdFilter = (serialized: Uint8Array): AdFilter => adFilterOf(FiltersEngine.deserialize(serialized));

/** The engine that judges requests and pages. */
export function adFilterOf(engine: FiltersEngine): AdFilter {
  return {
    blocks({ url, type, frameUrl }) {
      const request = makeRequest({ url, sourceUrl: frameUrl, type: TYPES[type] ?? 'other' });
      return engine.match(request).match;
    },
    styleFor(url, { ids, classes }) {
      const { hostname, domain } = makeRequest({ url, type: 'main_frame' });
      return engine.getCosmeticsFilters({ url, hostname, domain, ids, classes, getInjectionRules: false, getExtendedRules: false }).styles;
    },
  };
}

/** The list that is shipped. It is a part of every filter. */
export const ownList = (): string => readFileSync(new URL('own-list.txt', import.meta.url), 'utf8');

/** The shipped list, used before any list was fetched. Read when the first job asks for it. */
export const ownAdFilter = (() => {
  let filter: AdFilter | undefined;
  return () => (filter ??= adFilterOf(engineOf([ownList()])));
})();
