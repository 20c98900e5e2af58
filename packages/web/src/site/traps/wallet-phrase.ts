import type { SiteEvidence } from '../evidence.ts';
import { registrableOf } from '../registrable-of.ts';
import { elsewhere, type Landing } from '../visit/main-visit.ts';
import type { Form } from '../visit/page-facts.ts';
import { secretOf } from './asked.ts';
import { isOwn, labelOf } from './claims.ts';
import { scriptSink, sinkOf } from './secret-sink.ts';

const PHRASE = /\b(?:seed|recovery|backup|mnemonic)[\s-]*(?:phrase|words)\b|\bsecret[\s-]*phrase\b|\b(?:12|18|24)[\s-]words?\b/i;
const NUMBERED = /(?:word|phrase|seed|^text \w*?)[\s_-]*\d{1,2}\b/;
const WORDS_MIN = 12;
/** Text areas that say what they take, and those of forms for messages. */
const FOR_PHRASE = /phrase|\bseed|mnemonic|recovery/;
const FOR_MESSAGE = /comment|message|contact|reply|feedback|review|question|inquir|enquir|kommentar|nachricht|mensaje/;
export const WALLETS: readonly string[] = [
  'metamask',
  'trustwallet',
  'ledger',
  'trezor',
  'phantom',
  'coinbase',
  'exodus',
  'walletconnect',
  'electrum',
  'myetherwallet',
  'blockchain',
  'safepal',
  'uniswap',
  'opensea',
];
const LURE =
  /\b(?:validat|synchroni[sz]|rectif|verif|migrat|restor|whitelist|claim|connect|import|recover|unlock|fix)\w{0,10}\s{1,3}(?:\w{1,20}\s){0,3}?wallets?\b|\bairdrop\b|\bdapps? (?:protocol|browser)/i;
const LONG_TEXT_CHARS = 4_000;

/**
 * Returns the evidence that a page takes the words by which a wallet is restored. It sends them to another site, or asks in the name of a wallet that
 * is not its own, or for those of any of several wallets. Wallets that run in the page ask in their own name and send nothing. Empty without it.
 */
export function walletPhrase(landing: Landing, evidence: SiteEvidence): string {
  const { page, url } = landing;
  const domain = registrableOf(new URL(url).hostname);
  if (evidence.isWellKnown(domain)) return '';
  const saysPhrase = page.text.length < LONG_TEXT_CHARS && PHRASE.test(page.text);
  const asked = page.forms.find((form) => secretOf(form) === 'recovery phrase' || (saysPhrase && hasFieldsForPhrase(form)));
  if (!asked) return '';
  const names = [page.info.title, ...page.headings].join(' ').toLowerCase().replace(/\s/g, '');
  const named = WALLETS.find((wallet) => names.includes(wallet) && !isOwn(wallet, domain, evidence.brands));
  const text = page.text.toLowerCase().replace(/\s/g, '');
  const offered = WALLETS.filter((wallet) => text.includes(wallet));
  const lure = names.includes(labelOf(domain)) ? undefined : LURE.exec(page.text)?.[0];
  const sink = sinkOf(asked, scriptSink(landing));
  const target = URL.canParse(asked.action, url) ? new URL(asked.action, url) : undefined;
  const posts = target?.protocol.startsWith('http') === true && elsewhere(target.href, domain) !== '' ? asked.action : '';
  const how =
    named !== undefined ? `in the name of ${named}`
    : sink !== '' ? `and sends it to ${sink}`
    : posts !== '' ? `and sends it to ${posts}`
    : offered.length >= 3 && lure !== undefined ? `of any of ${offered.slice(0, 3).join(', ')} ("${lure}")`
    : ''; // prettier-ignore
  return how === '' ? '' : `it asks for the recovery phrase of a wallet ${how}`;
}

const hasFieldsForPhrase = (form: Form): boolean =>
  form.fields.filter((field) => NUMBERED.test(field)).length >= WORDS_MIN || form.fields.some((field) => isForPhrase(field, form));

/** Whether the field is a text area for a phrase: by its own words, or because the form has no other field and is not for messages. */
const isForPhrase = (field: string, { fields, action }: Form): boolean =>
  field.startsWith('textarea') &&
  (FOR_PHRASE.test(field) || (fields.length === 1 && !FOR_MESSAGE.test(`${field} ${action.toLowerCase()}`)));
