import { unwrapLink } from '../links/index.ts';
import { absoluteHttpUrl } from './urls.ts';
import { type OpenElement, type PageReader, PageWalk, walkPage } from './markup/walk.ts';

const SCRIPT_MAX_CHARS = 32 * 1024;

/** The parts of a page that only redirects: its links, its scripts, and its refreshes for clients without scripts. */
interface Signpost {
  url: URL;
  links: readonly { href: string; attributes: OpenElement['attributes'] }[];
  scripts: string;
  /** Contents of `meta http-equiv=refresh`, also within `noscript`. */
  refreshes: readonly string[];
}

interface SiteRule {
  hosts: readonly string[];
  path?: RegExp;
  find(page: Signpost): string | undefined;
}

const refreshed: SiteRule['find'] = ({ refreshes }) => /url\s*=\s*["']?([^"']+)/i.exec(refreshes[0] ?? '')?.[1];
/** A text of a script, with its escapes undone. */
const scripted =
  (call: RegExp): SiteRule['find'] =>
  ({ scripts }) => {
    const found = call.exec(scripts)?.[1];
    return found
      ?.replaceAll('\\/', '/')
      .replace(/\\u00([0-7][0-9a-f])|\\x([0-7][0-9a-f])/gi, (_all, u?: string, x?: string) =>
        String.fromCharCode(Number.parseInt(u ?? x ?? '0', 16)),
      );
  };
const replaced = scripted(/location(?:\.href)?\s*(?:\.(?:replace|assign)\s*\(|=)\s*["'](https?:[^"'\s]{1,4096})["']/i);
const linkWith =
  (name: string, value: string): SiteRule['find'] =>
  ({ links }) =>
    links.find(({ attributes }) => attributes[name] === value)?.href;

/** Sites whose short links answer a browser with a page that leads on by script. */
const SITE_RULES: readonly SiteRule[] = [
  // 200 with `<noscript><meta http-equiv=refresh …>` and `location.replace("https:\/\/…")`.
  { hosts: ['t.co'], path: /^\/\w{1,40}\/?$/, find: (page) => refreshed(page) ?? replaced(page) },
  { hosts: ['lnkd.in', 'www.linkedin.com'], find: linkWith('data-tracking-control-name', 'external_url_click') },
  { hosts: ['apple.news'], find: scripted(/redirectToUrlAfterTimeout\(\s*["'](https?:[^"'\s]{1,4096})["']/) },
  { hosts: ['www.reddit.com', 'out.reddit.com'], path: /^\/(?:t3_|$)/, find: replaced },
  { hosts: ['vk.cc'], find: (page) => refreshed(page) ?? replaced(page) },
  { hosts: ['www.google.com', 'google.com'], path: /^\/url$/, find: (page) => refreshed(page) ?? replaced(page) },
  { hosts: ['l.facebook.com', 'lm.facebook.com', 'l.instagram.com', 'l.messenger.com'], find: (page) => refreshed(page) ?? replaced(page) },
  { hosts: ['href.li', 'anonym.to', 'anonym.es', 'nullrefer.com'], find: ({ url }) => carried(url) },
];

/** Pages that hide whence one comes: the query itself is the URL. */
const carried = ({ search }: URL): string | undefined => /^\?(https?:\/\/.+)/is.exec(search)?.[1];

/**
 * Where a page leads that answers by no redirect, by rules for its own site: its exit pages, which have the target in their URL, and short links whose page leads on
 * by script. Undefined where it leads nowhere. `url`: of the page, absolute; `html`: what it answered, of which the beginning is read.
 */
export async function siteRedirect(url: string, html: string, signal?: AbortSignal): Promise<string | undefined> {
  const link = unwrapLink(url);
  if (link) return link.url;
  const from = new URL(url);
  const rules = SITE_RULES.filter(({ hosts, path }) => hosts.includes(from.hostname) && (path?.test(from.pathname) ?? true));
  if (rules.length === 0 || from.port !== '') return undefined;
  const reader = new SignpostReader();
  await walkPage(new PageWalk([reader]), html.slice(0, 256 * 1024), signal);
  const page = reader.signpost(from);
  for (const rule of rules) {
    const to = absoluteHttpUrl(rule.find(page) ?? '', url);
    if (to !== '' && to !== from.href) return to;
  }
  return undefined;
}

class SignpostReader implements PageReader {
  readonly #links: { href: string; attributes: OpenElement['attributes'] }[] = [];
  readonly #refreshes: string[] = [];
  #scripts = '';
  #script = false;

  signpost(url: URL): Signpost {
    return { url, links: this.#links, scripts: this.#scripts, refreshes: this.#refreshes };
  }

  open({ name, attributes }: OpenElement): void {
    if (name === 'a' && attributes['href'] !== undefined && this.#links.length < 100)
      this.#links.push({ href: attributes['href'], attributes });
    if (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh' && this.#refreshes.length < 10)
      this.#refreshes.push((attributes['content'] ?? '').slice(0, 8_192));
    if (name === 'script') this.#script = true;
  }

  text(text: string): void {
    if (this.#script && this.#scripts.length < SCRIPT_MAX_CHARS) this.#scripts += text.slice(0, SCRIPT_MAX_CHARS);
  }

  close({ name }: OpenElement): void {
    if (name === 'script') this.#script = false;
  }
}
