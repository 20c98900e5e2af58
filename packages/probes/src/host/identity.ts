import manifest from '../../package.json' with { type: 'json' };
import { ECHO_TEXT_BYTES } from '../net/icmp/message.ts';

const RELEASE = manifest.version.split('.').slice(0, 2).join('.');

/**
 * The User-Agent of everything that we fetch: what we are and, where the operator said it, whom to ask about it. The form is that of
 * the search engines' crawlers, which servers know and let in.
 */
export const userAgentOf = (contact: string | undefined): string =>
  `Mozilla/5.0 (compatible; Vedette/${RELEASE}${contact === undefined ? '' : `; +${contact}`})`;

/**
 * The end of the User-Agent of a request that looks like a browser's, such as `Vedette/1.2 (+https://example.org)`: servers may know the
 * sender.
 */
export function ownTokenOf(userAgent: string): string {
  const [, product = 'Vedette', contact] = /(Vedette\/[\d.]+)(?:; \+([^)]+))?\)$/.exec(userAgent) ?? [];
  return contact === undefined ? product : `${product} (+${contact})`;
}

/** Major versions of autumn 2026: pages for outdated browsers are not what people see. */
const CHROMIUM = 153;
const FIREFOX = 156;
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WINDOWS = 'Windows NT 10.0; Win64; x64';
const CHROME_ON_WINDOWS = `Mozilla/5.0 (${WINDOWS}) ${WEBKIT} Chrome/${CHROMIUM}.0.0.0 Safari/537.36`;

const BROWSERS = {
  desktop: CHROME_ON_WINDOWS,
  'desktop-chrome': CHROME_ON_WINDOWS,
  'desktop-edge': `${CHROME_ON_WINDOWS} Edg/${CHROMIUM}.0.0.0`,
  'desktop-firefox': `Mozilla/5.0 (${WINDOWS}; rv:${FIREFOX}.0) Gecko/20100101 Firefox/${FIREFOX}.0`,
  // The reduced User-Agent that Chrome sends on every phone.
  mobile: `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/${CHROMIUM}.0.0.0 Mobile Safari/537.36`,
} as const;

/** The browser that a request imitates. */
export type BrowserKind = keyof typeof BROWSERS;

/** The User-Agent of such a request: the browser's, and behind it our own token. `userAgent` is what `userAgentOf` made. */
export const browserAgentOf = (kind: BrowserKind, userAgent: string): string => `${BROWSERS[kind]} ${ownTokenOf(userAgent)}`;

/** The text of an echo request besides its cookie: the sender, and the contact if it fits. A piece of one would lead nowhere. */
export function echoText(contact: string | undefined): string {
  const text = `Vedette +${contact?.replace(/^(https?:\/\/|mailto:)/, '') ?? ''}`;
  return contact === undefined || text.length > ECHO_TEXT_BYTES ? 'Vedette' : text;
}
