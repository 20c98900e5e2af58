import type { SiteEvidence } from '../evidence.ts';
import { registrableOf } from '../registrable-of.ts';
import type { Landing } from '../visit/main-visit.ts';
import type { Form } from '../visit/page-facts.ts';
import { secretOf } from './asked.ts';
import { isBesidePage, labelOf, SELF_HOSTED, wordsIn } from './claims.ts';
import type { Meant } from './wording.ts';

/** The folder that a browser saves a page's files to. */
const SAVED = /(?:^|\/)[^/?#]+_files\//i;
const SAVED_MIN = 2;

const isSaved = ({ page }: Landing): boolean =>
  page.assets.filter(({ url }) => !/^https?:/i.test(url) && SAVED.test(url)).length >= SAVED_MIN;

/** The brand in the title of a page that a browser saved. */
export function brandSaved(landing: Landing, { brands }: SiteEvidence): Meant | undefined {
  if (!isSaved(landing)) return undefined;
  const words = wordsIn(landing.page.info.title);
  const token = words
    .map((word) => brands.token(word))
    .find((each) => each && (each.isOften || !each.isWord) && !SELF_HOSTED.has(each.text));
  return token && { brand: token.text, says: `a saved page, ${landing.page.info.title}` };
}

/** Firms to which the pages of others link: networks, shops for apps, maps, payments. */
const LINKED_BY_OTHERS = new Set(
  'facebook instagram youtube twitter x linkedin github google apple tiktok pinterest whatsapp telegram paypal discord microsoft wordpress gitlab medium reddit vimeo flickr tumblr amazon'.split(
    ' ',
  ),
);
const LINKS_MIN = 5;
const LINKS_SHARE = 0.6;

/** The host of a brand that most links of the page lead to. Empty without one. */
export function mostLinksTo({ page, url }: Landing, { brands }: SiteEvidence): string {
  const here = registrableOf(new URL(url).hostname);
  const hosts = page.links.flatMap(({ href }) =>
    /^[#?]|^$|^javascript:|^mailto:|^tel:/i.test(href) || !URL.canParse(href, url) ? [] : [new URL(href, url).hostname],
  );
  if (hosts.length < LINKS_MIN) return '';
  const counts = new Map<string, number>();
  for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1);
  const [most, count] = [...counts].toSorted(([, a], [, b]) => b - a)[0]!;
  const there = registrableOf(most);
  const owner = brands.ownerOf(there);
  if (!owner || count < hosts.length * LINKS_SHARE || owner === brands.ownerOf(here) || labelOf(there) === labelOf(here)) return '';
  return owner.tokens.some(({ text }) => LINKED_BY_OTHERS.has(text)) || LINKED_BY_OTHERS.has(labelOf(there)) ? '' : most;
}

/** Names of fields that only the log-in of one brand has. */
const FIELDS_OF_BRANDS = [
  ['microsoft', /\bloginfmt\b/, /\bpasswd\b/],
  ['linkedin', /\bsession_key\b/, /\bsession_password\b/],
  ['netflix', /\buserloginid\b/, /password/],
] as const;

/** The brand whose log-in form this one is a copy of, by the names of its fields. */
export function brandOfFields({ fields }: Form): Meant | undefined {
  const found = FIELDS_OF_BRANDS.find(([, ...names]) => names.every((name) => fields.some((field) => name.test(field))));
  return (
    found && { brand: found[0], says: `fields named ${found[1].source.replaceAll('\\b', '')} and ${found[2].source.replaceAll('\\b', '')}` }
  );
}

const PICTURE_TEXT_MAX_CHARS = 200;

/** Whether the fields of the form are laid over a picture of a page. */
export const isOverPicture = ({ page }: Landing, { placed }: Form): boolean =>
  placed >= 2 && page.text.length < PICTURE_TEXT_MAX_CHARS && page.showsMore;

/** Documents that are promised for the password of a mailbox. */
const DOCUMENT =
  /^(?:view |open )?(?:encrypted|protected|secured?|shared|confidential|password[- ]protected) (?:file|document|pdf|fax|invoice|spreadsheet|voice ?mail)s?$/i;

/** The name of a document that a short page shows for a user's name and a password, sent to a program beside it. Empty without one. */
export const documentGate = ({ page }: Landing, form: Form): string =>
  isBesidePage(form) && form.fields.length > 1 ? ([page.info.title, ...page.headings].find((name) => DOCUMENT.test(name)) ?? '') : '';

/** Whether a page that says nothing of itself asks for a card, and a program beside it takes the number. Shops say what is paid. */
export const isNamelessCheckout = ({ page: { text } }: Landing, form: Form): boolean =>
  text.length < NAMELESS_MAX_CHARS && secretOf(form) === 'card' && isBesidePage(form);
const NAMELESS_MAX_CHARS = 40;
