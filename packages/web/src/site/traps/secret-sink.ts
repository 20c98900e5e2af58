import type { Landing } from '../visit/main-visit.ts';
import type { Form } from '../visit/page-facts.ts';
import { secretOf } from './asked.ts';

/** Services that bring what is posted to them into a chat or a mailbox. The second is the token of a bot of Telegram, the fourth is Telegram's address in base64. */
const SINKS: readonly (readonly [name: string, address: RegExp])[] = [
  ['a bot of Telegram', /api\.telegram\.org\/bot/i],
  ['a channel of Discord', /discord(?:app)?\.com\/api\/webhooks\//i],
  ['a bot of Telegram', /["'`]\d{8,10}:AA[\w-]{33}["'`]/],
  ['a bot of Telegram', /aHR0cHM6Ly9hcGkudGVsZWdyYW0ub3JnL2Jv/],
  ['a channel of Slack', /hooks\.slack\.com\/services\//i],
  ['a mailbox, by a service for forms', /(?:formspree\.io|formsubmit\.co|getform\.io|web3forms\.com|submit-form\.com)\//i],
];
const PIN_IN_CODE = /\bpin(?:[A-Z_]|\b)|Pin\b/;
const SECRET_IN_CODE = /passw|\bpass\b|\bpwd\b|\botp\b|\bcvv\b|card_?num|phrase|mnemonic|\bseed\b/i;

const sinkIn = (texts: readonly string[]): string => SINKS.find(([, address]) => texts.some((text) => address.test(text)))?.[0] ?? '';

/** The chat or the mailbox to which a script of the page sends a secret; empty without one. */
export const scriptSink = ({ page }: Landing): string =>
  sinkIn(page.inlineScripts.filter((script) => SECRET_IN_CODE.test(script) || PIN_IN_CODE.test(script)));

/** The chat or the mailbox to which the form sends a secret; empty without one. A script sends what has no address of its own. */
export function sinkOf({ action }: Form, ofScripts: string): string {
  if (/^mailto:/i.test(action)) return 'a mailbox';
  return /^(?:#|javascript:|$)/i.test(action) ? ofScripts : sinkIn([action]);
}

/** Returns the evidence that a page sends a password, a card or a recovery phrase into a chat or a mailbox; empty without it. */
export function secretSink(landing: Landing): string {
  const ofScripts = scriptSink(landing);
  for (const form of landing.page.forms) {
    const secret = secretOf(form);
    const sink = secret === undefined ? '' : sinkOf(form, ofScripts);
    if (sink !== '') return `a form asks for a ${secret}, and it goes to ${sink}`;
  }
  return '';
}
