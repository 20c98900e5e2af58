import { LINK_RULES } from './rules.ts';
import type { LinkRule } from './rule.ts';

/** Longer URLs do not occur in practice, and are expensive to parse. */
const URL_MAX_CHARS = 16_384;
const RESULT_MAX_CHARS = 8_192;
/** A gateway may have rewritten the link of another. */
const LEVELS_MAX = 5;

const EXACT = new Map<string, LinkRule[]>();
const BELOW = new Map<string, LinkRule[]>();
for (const rule of LINK_RULES)
  for (const host of rule.hosts) {
    const [map, name] = host.startsWith('*.') ? [BELOW, host.slice(2)] : [EXACT, host];
    map.set(name, [...(map.get(name) ?? []), rule]);
  }

export interface Unwrapped {
  /** The target, http or https. */
  url: string;
  /** The service that wrote the link. */
  wrapper: string;
  kind: LinkRule['kind'];
}

/**
 * Returns the target of a link that a mail gateway, a tracker or a site's exit page has rewritten, as far as the link itself tells: one
 * level of it. Undefined for other links, and where only the service knows the target (Mimecast). Never throws, never sends a request.
 */
export function unwrapLink(url: string): Unwrapped | undefined {
  const from = url.length > URL_MAX_CHARS ? null : URL.parse(url);
  // A service of ours answers at its own port.
  if (!from || !/^https?:$/.test(from.protocol) || from.port !== '') return undefined;
  for (const rule of rulesFor(from.hostname.replace(/\.$/, ''))) {
    const to = httpUrl(rule.find(from));
    if (to !== undefined && to !== from.href) return { url: to, wrapper: rule.name, kind: rule.kind };
  }
  return undefined;
}

/** The target of the link; undefined for other links. */
export const unwrapUrl = (url: string): string | undefined => unwrapLink(url)?.url;

/** Takes off all of them, at most five, the outermost first. Other links keep their `url`. */
export function unwrapAll(url: string): { url: string; wrappers: string[] } {
  const wrappers: string[] = [];
  let last = url;
  while (wrappers.length < LEVELS_MAX) {
    const inner = unwrapLink(last);
    if (!inner) break;
    wrappers.push(inner.wrapper);
    last = inner.url;
  }
  return { url: last, wrappers };
}

function* rulesFor(host: string): Generator<LinkRule> {
  yield* EXACT.get(host) ?? [];
  for (let dot = host.indexOf('.'); dot > 0; dot = host.indexOf('.', dot + 1)) yield* BELOW.get(host.slice(dot + 1)) ?? [];
}

function httpUrl(written: string | undefined): string | undefined {
  const text = written?.trim() ?? '';
  // With two slashes or, where a mail program has folded them, one.
  if (text.length > URL_MAX_CHARS || !/^https?:\/{1,2}[^/]/i.test(text)) return undefined;
  const url = URL.parse(text);
  return url && url.href.length <= RESULT_MAX_CHARS ? url.href : undefined;
}
