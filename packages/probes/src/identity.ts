import { readFileSync } from 'node:fs';
import { ECHO_TEXT_BYTES } from './net/icmp/message.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
const RELEASE = version.split('.').slice(0, 2).join('.');

/**
 * The User-Agent of everything that we fetch: what we are and, where the operator said it, whom to ask about it. The form is that of
 * the search engines' crawlers, which servers know and let in.
 */
export const userAgentOf = (contact: string | undefined): string =>
  `Mozilla/5.0 (compatible; Vedette/${RELEASE}${contact === undefined ? '' : `; +${contact}`})`;

/** What an echo request carries besides its cookie: who sends it, and the contact where it fits. A piece of one would lead nowhere. */
export function echoText(contact: string | undefined): string {
  const text = `Vedette +${contact?.replace(/^(https?:\/\/|mailto:)/, '') ?? ''}`;
  return contact === undefined || text.length > ECHO_TEXT_BYTES ? 'Vedette' : text;
}
