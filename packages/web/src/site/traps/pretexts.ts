import { registrableOf } from '../registrable-of.ts';
import type { SiteEvidence } from '../evidence.ts';
import { elsewhere, type Landing } from '../visit/main-visit.ts';
import type { Form } from '../visit/page-facts.ts';
import { secretOf } from './asked.ts';
import { isBesidePage, isShort, labelOf, otherWords } from './claims.ts';

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

const ASKS_PASSWORD = /\b(?:enter|type|confirm|provide|submit)\b[^.!?]{0,40}\bpass(?:word|phrase)\b/i;
const LOG_IN = /\b(?:log|sign)[ -]?(?:in|on)\b/i;

/** Why a short page asks for the password of its visitor's wireless network, or for a password alone. Empty without a reason. */
export function devicePretext(landing: Landing, { fields }: Form): string {
  const { text } = landing.page;
  if (!isShort(landing)) return '';
  if (fields.some((field) => OF_WIRELESS.test(field)) || ASKS_WIRELESS.test(text)) return PRETEXT.exec(text)?.[0] ?? '';
  const isAlone = fields.length === 1 && fields[0]!.startsWith('password');
  // The log-in of a device tells of firmware, too.
  if (!isAlone || LOG_IN.test(text)) return '';
  return (
    (ASKS_PASSWORD.test(text) || OF_WIRELESS.test(text) ? FIRMWARE.exec(text)?.[0] : undefined) ??
    (/\brouter password\b/i.test(text) ? (PRETEXT.exec(text)?.[0] ?? '') : '')
  );
}

const THREAT =
  /\baccount\b[^.!?]{0,40}\bwill (?:soon |then )?be (?:\w{1,20}ly )?(?:deactivat|disabl|lock|suspend|restrict|clos|delet|terminat|limit)\w{0,9}|\bwe will (?:\w{1,20}ly )?(?:deactivate|disable|lock|suspend|restrict|close|delete|limit)\b[^.!?]{0,30}\byour\b[^.!?]{0,20}\baccount/i;
/** Rules that honest log-ins state, around the same words: for failed attempts, for accounts that are not used, and for what a user may do some day. */
const RULE =
  /\b(?:attempts?|tries|times in a row|inactiv\w{1,6}|infringers?|repeat(?:ed)?|requested)\b|\bif (?:unusual|suspicious|fraud|any|we)|\bif you (?:violat|break|post|upload|share|publish|use|sell|abuse|spam|engage|are found)/i;
/** Pages that speak of such threats. */
const LESSON = /\b(?:phishing|scams?|fake|beware|training|awareness|clones?|demo)\b/i;
const SENTENCE_CHARS = 120;
/** Reasons of networks, which have moderators. */
const REASON = /\bcopyrights?\b|\bcommunity standards?\b|\bviolat\w+|\bunusual activity\b|\bsomeone (?:has )?reported\b|\breported your\b/i;

/** The words by which a short page threatens to close its visitor's account for breaking the rules of a network; empty without them. */
export function threatIn(landing: Landing): string {
  const said = `${landing.page.info.title}. ${landing.page.text}`;
  const threat = isShort(landing) && REASON.test(said) ? THREAT.exec(said) : null;
  if (!threat || LESSON.test([landing.page.info.title, ...landing.page.headings].join('\n'))) return '';
  const before = said
    .slice(Math.max(0, threat.index - SENTENCE_CHARS), threat.index)
    .split(/[.!?]/)
    .at(-1)!;
  const end = threat.index + threat[0].length;
  const after = said.slice(end, end + SENTENCE_CHARS).split(/[.!?]/, 1)[0]!;
  return RULE.test(before + threat[0] + after) ? '' : threat[0].slice(0, 80);
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

/** Orders to make a mailbox larger or to confirm it. A provider does that without a password. Members of other sites confirm an e-mail account. */
const MAILBOX =
  /\b(?:upgrade|verify|validate|re-?validate|re-?activate|confirm|restore|re-?confirm|update) (?:your |my |the )?(?:mail ?box|web ?mail|e-?mail (?:quota|storage))\b|\b(?:upgrade|validate|re-?validate|re-?activate|restore) (?:your |my |the )?e-?mail account\b|\bmail ?box (?:upgrade|quota|storage|verification|validation|re-?validation|update|deactivation|termination)\b|\be-?mail (?:upgrade|quota|re-?validation)\b|邮箱(?:升级|验证|容量)|(?:电子)?邮件升级/iu;
/** Words of such orders, and of those who pretend to give them. */
const OF_MAILBOXES =
  /^(?:e|mail|mailbox|box|webmail|email|quota|storage|upgrade|update|validate|validation|re|revalidate|revalidation|reactivate|reconfirm|restore|deactivation|termination|admin|administrator|server|system|portal|center|centre|service|support|helpdesk|help|desk|team|it|notice|notification|settings|now|\p{Script=Han}+)$/u;
/** A document for which the password of any mailbox is wanted. */
const PROVIDER =
  /\b(?:view|read|access|open|download)\b[^.!?]{0,30}\b(?:documents?|files?|attachments?|invoices?|fax|pdf|statements?|voice ?mails?)\b[^.!?]{0,40}\b(?:select|choose) (?:your|an) e?-?mail provider\b/i;

/** The same in a text, where the password is the means. */
const BY_PASSWORD =
  /\b(?:confirm|verify|enter|log ?in|sign ?in|provide)\b[^.!?]{0,40}\bto (?:upgrade|validate|re-?validate|stop|avoid|prevent) (?:your |my |the )?(?:web ?mail|mail ?box|e-?mail (?:account|quota|storage|termination))\b(?!(?: storage)? plan\b| subscription\b| to (?:pro|premium)\b)/i;
/** A password proves no one to be a human. */
const HUMAN =
  /\b(?:verify|confirm) your (?:e-?mail|identity|account)[^.!?]{0,30}\bto prove (?:that )?you(?:['’]re| are) (?:not a robot|(?:a )?human)\b/i;

/**
 * Why a short page asks for the password of a mailbox: it has no name and says that it must grow, be confirmed or not be closed, by a program beside the page,
 * or it opens a document, or there is a program beside it for each of several providers. Empty without a reason.
 */
export function mailboxPretext(landing: Landing, form: Form): string {
  const { info, headings, text } = landing.page;
  if (!isShort(landing)) return '';
  const isNameless = otherWords(landing, []).every((word) => OF_MAILBOXES.test(word));
  const grown = isNameless ? (MAILBOX.exec([info.title, ...headings].join('\n')) ?? BY_PASSWORD.exec(text)) : null;
  const human = form.fields.length === 1 ? HUMAN.exec(text) : null;
  const beside = isBesidePage(form) ? (grown ?? human) : null;
  return (beside ?? PROVIDER.exec(text))?.[0] ?? providersIn(landing, form);
}

/** Programs and pictures that have the name of a firm of mailboxes. */
const OF_PROVIDER = /(?:^|\/)(gmail|yahoo|hotmail|outlook|aol|office365)[\w-]{0,8}\.(?:php|png|jpe?g|gif|svg)$/i;
const PROGRAMS_MIN = 2;
const PICTURES_MIN = 3;

/** The firms of mailboxes for whose passwords a page has a program each, or whose pictures are on one without a name that a program beside it takes. Empty without them. */
function providersIn(landing: Landing, form: Form): string {
  const { forms, assets } = landing.page;
  if (!otherWords(landing, []).every((word) => OF_DOCUMENTS.test(word))) return '';
  const firmsOf = (files: readonly string[]): string[] => [
    ...new Set(files.flatMap((file) => OF_PROVIDER.exec(file)?.[1]?.toLowerCase() ?? [])),
  ];
  const programs = firmsOf(forms.flatMap((each) => (isBesidePage(each) && secretOf(each) === 'password' ? [each.action] : [])));
  if (programs.length >= PROGRAMS_MIN) return `a program for each of ${programs.join(', ')}`;
  const pictures = isBesidePage(form) ? firmsOf(assets.flatMap(({ kind, url }) => (kind === 'image' ? [url] : []))) : [];
  return pictures.length >= PICTURES_MIN ? `the pictures of ${pictures.join(', ')}` : '';
}

/** Words by which a page is called that shows a document, and the programs for documents. */
const OF_DOCUMENTS =
  /^(?:to|for|continue|documents?|files?|pdf|online|view|viewer|mode|secured?|shared|encrypted|confirm|adobe|excel|word|docs|googledocs|onedrive|business|sharepoint|docusign|office|office365|microsoft)$/;
const DOCUMENT_WORDS = String.raw`(?:secured?|shared|protected|encrypted|confidential)? ?(?:document|file|pdf|fax|invoice|spreadsheet|voice ?mail)\b`;
/** Orders to type a password for a document. */
const TO_VIEW = new RegExp(
  String.raw`\b(?:sign|log)[ -]?in (?:with your [^.!?]{0,30}|below )?to (?:view|open|access|read|download) (?:(?:the|this|a) )?${DOCUMENT_WORDS}|\bto (?:view|open|access|read|download) (?:(?:the|this|a) )?${DOCUMENT_WORDS}[^.!?]{0,30}\b(?:sign|log)[ -]?in with your e-?mail|\b(?:correct|e-?mail) password to continue\b.{0,120}\bview (?:&|and) (?:edit|download) document\b`,
  'i',
);

/** The words by which a short page, called by nothing but documents and programs for them, wants a name and a password to show one, by a program beside it. Empty without them. */
export function documentPretext(landing: Landing, form: Form): string {
  const isCalledSo = otherWords(landing, []).every((word) => OF_DOCUMENTS.test(word));
  return isShort(landing) && isBesidePage(form) && form.fields.length > 1 && isCalledSo ? (TO_VIEW.exec(landing.page.text)?.[0] ?? '') : '';
}

/** Names of fields for the password that a bank asks for to confirm a payment. Kits call them so. */
const BANK_CODE = /(?:^|[\s_-])vbv(?:[\s_-]|$)|\bverified by visa (?:code|password)\b/;
/** Names of fields for secrets that no shop asks for beside a card. Alone, they are a shop's picture of letters, a society's question about a family, and a bank's for its own customers. */
const BESIDE_CARD = /\bsecurecode\b|\bccpass\b|\b3-?d (?:secure )?password\b|\bmother'?s? maiden name\b|\batm[\s_-]?pin\b/;
/** The same in France, where a lender asks it, too: a kit has a program beside the page. */
const OF_BIRTH = /\bd[eé]partement[ _](?:de[ _])?nais\w{3,6}\b/;

/** The field of a form that asks for the code of a card beside other secrets; empty without one. */
export function cardCodeOf(form: Form): string {
  if (form.fields.length < 2) return '';
  const isCard = form.hasCard || secretOf({ ...form, fields: form.fields.filter((field) => !field.startsWith('password')) }) === 'card';
  for (const field of form.fields) {
    const found =
      BANK_CODE.exec(field) ?? (isCard ? (BESIDE_CARD.exec(field) ?? (isBesidePage(form) ? OF_BIRTH.exec(field) : null)) : null);
    if (found) return found[0].trim();
  }
  return '';
}
