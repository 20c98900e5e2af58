import { registrableOf } from '../registrable-of.ts';
import type { SiteEvidence } from '../evidence.ts';
import { elsewhere, type Landing } from '../visit/main-visit.ts';
import type { Form } from '../visit/page-facts.ts';
import { isShort, labelOf } from './claims.ts';

const OF_WIRELESS = /\b(?:wpa\d?|wi-?fi|wireless)\b[^.!?]{0,30}\b(?:password|passphrase|key)\b/i;
const ASKS_WIRELESS = new RegExp(
  String.raw`\b(?:enter|type|confirm|provide|submit) (?:in )?(?:your|the) [^.!?]{0,30}${OF_WIRELESS.source}`,
  'i',
);
const FIRMWARE = /\bnew\b[^.!?]{0,20}\bfirmware\b|\bfirmware (?:update|upgrade)\b/i;
const PRETEXT = new RegExp(
  String.raw`${FIRMWARE.source}|\b(?:update|upgrade)\b[^.!?]{0,20}\bfirmware\b|\bre-?authenticate\b|\bconnection (?:has been |was )reset\b`,
  'i',
);

/** Why a short page asks for the password of its visitor's wireless network, or for a password alone. Empty without a reason. */
export function devicePretext(landing: Landing, { fields }: Form): string {
  const { text } = landing.page;
  if (!isShort(landing)) return '';
  if (fields.some((field) => OF_WIRELESS.test(field)) || ASKS_WIRELESS.test(text)) return PRETEXT.exec(text)?.[0] ?? '';
  const isAlone = fields.length === 1 && fields[0]!.startsWith('password');
  if (!isAlone) return '';
  return FIRMWARE.exec(text)?.[0] ?? (/\brouter password\b/i.test(text) ? (PRETEXT.exec(text)?.[0] ?? '') : '');
}

const THREAT =
  /\baccounts?\b[^.!?]{0,40}\bwill (?:soon |then )?be (?:\w+ly )?(?:deactivat|disabl|lock|suspend|restrict|clos|delet|terminat|limit)\w*|\bwe will (?:\w+ly )?(?:deactivate|disable|lock|suspend|restrict|close|delete|limit)\b[^.!?]{0,30}\baccount/i;
/** Reasons of networks, which have moderators. */
const REASON = /\bcopyrights?\b|\bcommunity standards?\b|\bviolat\w+|\bunusual activity\b|\bsomeone (?:has )?reported\b|\breported your\b/i;

/** The words by which a short page threatens to close its visitor's account for breaking the rules of a network; empty without them. */
export function threatIn(landing: Landing): string {
  const said = `${landing.page.info.title}. ${landing.page.text}`;
  return isShort(landing) && REASON.test(said) ? (THREAT.exec(said)?.[0].slice(0, 80) ?? '') : '';
}

/**
 * The host of another owner to whose PHP program a short page sends what is typed: a rented one, or one that a page on a rented host says nothing of. Empty
 * without one. Firms have their programs at a host of their own, and name it.
 */
export function rentedProgram(landing: Landing, { isFreeHost, isRented }: SiteEvidence, { action }: Form): string {
  const here = registrableOf(new URL(landing.url).hostname);
  if (!isShort(landing) || !URL.canParse(action, landing.url)) return '';
  const { protocol, pathname, hostname, href } = new URL(action, landing.url);
  if (!/^https?:$/.test(protocol) || !/\.php$/i.test(pathname) || elsewhere(href, here) === '') return '';
  return isRented(hostname) || (isFreeHost && !isNamed(hostname, landing)) ? hostname : '';
}

/** Whether the page names the domain of a host, links to it, or has parts from it. */
function isNamed(hostname: string, { page, url }: Landing): boolean {
  const domain = registrableOf(hostname);
  const urls = [...page.links.map(({ href }) => href), ...page.assets.map((asset) => asset.url), page.info.canonical, ...page.origins];
  const said = `${page.info.title} ${page.headings.join(' ')} ${page.text}`.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return (
    said.includes(labelOf(hostname).replaceAll('-', '')) ||
    urls.some((each) => URL.canParse(each, url) && registrableOf(new URL(each, url).hostname) === domain)
  );
}
