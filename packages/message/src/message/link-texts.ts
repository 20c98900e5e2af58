import { parseHost } from '@vedette/contract';
import { type HtmlLink, ledTo } from '../indicators/index.ts';
import type { MessageFacts } from '../report/index.ts';

/** Links with another text or another host than those before; a newsletter has fewer than a hundred. */
const LINKS_MAX = 200;
const HOSTS_MAX = 5;

/** Gathers what links say and where they lead, each pair once. */
export class LinkTexts {
  readonly #links = new Map<string, MessageFacts['links'][number]>();

  get all(): MessageFacts['links'] {
    return [...this.#links.values()];
  }

  add(links: readonly HtmlLink[]): void {
    for (const { text, href } of links) {
      if (this.#links.size >= LINKS_MAX) return;
      const hosts = text === '' ? [] : hostsOf(href);
      if (hosts.length > 0) this.#links.set([text, ...hosts].join('\0'), { text, hosts });
    }
  }
}

function hostsOf(href: string): string[] {
  const url = URL.parse(href);
  if (!url || !/^https?:$/.test(url.protocol)) return [];
  const hosts = [url, ...ledTo(url, true).flatMap((to) => URL.parse(to) ?? [])].flatMap(({ hostname }) => parseHost(hostname)?.host ?? []);
  return [...new Set(hosts)].slice(0, HOSTS_MAX);
}
