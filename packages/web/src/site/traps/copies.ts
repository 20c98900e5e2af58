import type { Token } from '@vedette/intel/identity';
import type { SiteEvidence } from '../evidence.ts';
import { registrableOf } from '../registrable-of.ts';
import type { Landing } from '../visit/main-visit.ts';
import type { Form } from '../visit/page-facts.ts';
import { secretOf } from './asked.ts';
import {
  dressesOthers,
  hasName,
  hasNoNameBut,
  IN_LOGINS_OF_OTHERS,
  isBesidePage,
  isShort,
  isSignIn,
  labelOf,
  LINKED_BY_OTHERS,
  onlyBrand,
  otherWords,
  SELF_HOSTED,
  wordsIn,
} from './claims.ts';
import type { Meant } from './wording.ts';

/** The folder beside the page that a browser saves its files to. */
const SAVED = /^(?:\.\/)?[^/?#]+_files\//i;
const SAVED_MIN = 2;

const isSaved = ({ page }: Landing): boolean => page.assets.filter(({ url }) => SAVED.test(url)).length >= SAVED_MIN;

/** The brand that the title of a log-in is, or a part of it, where a browser saved the page. */
export function brandSaved(landing: Landing, { brands }: SiteEvidence): Meant | undefined {
  if (!isSaved(landing) || !isSignIn(landing)) return undefined;
  const { title } = landing.page.info;
  const token = [title, ...title.split(/\s[-–—:»]\s|[|·•]/)]
    .map((part) => onlyBrand(wordsIn(part), brands))
    .find((each) => each && (each.isOften || !each.isWord));
  return token && { brand: token.text, says: `a saved page, ${title}` };
}

/** Whether two domains have one owner for all that is known: by their names, by the certificate, or as a brand's. */
function isOneOwner(here: string, there: string, { certificate, brands }: SiteEvidence): boolean {
  const [own, label] = [here, there].map((domain) => labelOf(domain).replaceAll('-', '')) as [string, string];
  const owner = brands.ownerOf(here);
  return (
    label.includes(own) ||
    own.includes(label) ||
    (owner !== undefined && owner === brands.ownerOf(there)) ||
    certificate?.hosts.some((host) => registrableOf(host) === there) === true
  );
}

const OWN_LINKS_MIN = 3;
/** Words beside the name in the title of a log-in. */
const OF_TITLES = 'com net org dashboard home please official'.split(' ');

/**
 * Whether a page has no name but that of another site, or begins with it and has the links of that site. The log-ins of a firm's staff, of a university's rooms and of an agency's
 * customers have names of their own.
 */
function isCalledAs(landing: Landing, there: string): boolean {
  const { page, url } = landing;
  const label = labelOf(there);
  if (label.length < LABEL_MIN) return false;
  if (hasNoNameBut(landing, label, OF_TITLES)) return true;
  const words = wordsIn(page.info.title);
  const isFirst = words.some((_, i) => words.slice(0, i + 1).join('') === label.replaceAll('-', ''));
  const isTheirs = (href: string): boolean => URL.canParse(href, url) && registrableOf(new URL(href, url).hostname) === there;
  return isFirst && page.links.filter(({ href }) => isTheirs(href)).length >= OWN_LINKS_MIN;
}

const LINKS_MIN = 5;
const LINKS_SHARE = 0.6;

const TO_LOGIN = /log[-_ ]?in|sign[-_ ]?(?:in|up)|register|password|forgot/i;

/** The main host of a brand that most links of the page lead to, a log-in among them. Empty without one. */
export function mostLinksTo({ page, url }: Landing, { brands }: SiteEvidence): string {
  const here = registrableOf(new URL(url).hostname);
  const links = page.links.flatMap(({ href, label }) =>
    /^[#?]|^$|^javascript:|^mailto:|^tel:/i.test(href) || !URL.canParse(href, url) ? [] : [{ to: new URL(href, url), label }],
  );
  if (links.length < LINKS_MIN) return '';
  const counts = new Map<string, number>();
  for (const { to } of links) counts.set(to.hostname, (counts.get(to.hostname) ?? 0) + 1);
  const [most, count] = [...counts].toSorted(([, a], [, b]) => b - a)[0]!;
  const there = registrableOf(most);
  const owner = brands.ownerOf(there);
  if (!owner || count < links.length * LINKS_SHARE || owner === brands.ownerOf(here) || labelOf(there) === labelOf(here)) return '';
  // Help desks and tenants are at names below a brand's.
  if (most.replace(/^www\./, '') !== there || dressesOthers(owner)) return '';
  if (owner.tokens.some(({ text }) => LINKED_BY_OTHERS.has(text)) || LINKED_BY_OTHERS.has(labelOf(there))) return '';
  return links.some(({ to, label }) => to.hostname === most && TO_LOGIN.test(`${to.pathname} ${label}`)) ? most : '';
}

/** Pictures that a program saved in the page itself, as it did with its icon. */
const SAVED_PICTURES_MIN = 3;

/** Whether a program saved the page with all that it shows, as SingleFile does. */
function isSavedWhole({ page: { assets } }: Landing): boolean {
  const within = (kind: string): number => assets.filter((asset) => asset.kind === kind && asset.url.startsWith('data:')).length;
  return within('icon') > 0 && within('image') >= SAVED_PICTURES_MIN;
}

/**
 * The host of another site at which a page says that it is, though a program beside it takes what is typed: a page that a program saved, or, of a well-known
 * site, a short one without another name. Empty without one, and for a site whose certificate has both names.
 */
export function copyOfAnother(landing: Landing, { certificate, isWellKnown, brands }: SiteEvidence, form: Form): string {
  const { page, url } = landing;
  const isCopy = isSaved(landing) || isSavedWhole(landing);
  const isNameless = isShort(landing) && otherWords(landing, []).length === 0;
  if (!isBesidePage(form) || !(isCopy || isNameless)) return '';
  const here = registrableOf(new URL(url).hostname);
  for (const said of [page.info.canonical, ...page.origins]) {
    if (said === '' || !URL.canParse(said, url)) continue;
    const { hostname } = new URL(said, url);
    const there = registrableOf(hostname);
    const isOther = there !== here && labelOf(there) !== labelOf(here) && brands.ownerOf(here) === undefined;
    const isCertified = certificate?.hosts.some((host) => registrableOf(host) === there) === true;
    if (isOther && !isCertified && (isCopy || isWellKnown(there))) return hostname;
  }
  return '';
}

/** Words by which Microsoft's log-ins are called. */
const OF_MICROSOFT = 'microsoft outlook office office365 365 onedrive sharepoint teams hotmail online your account web app'.split(' ');
/** Names of fields that only the log-in of one brand has. Programs of others have LinkedIn's names, too. */
const FIELDS_OF_BRANDS = [
  ['microsoft', /\bloginfmt\b/, /passw|\bpass\b/],
  ['microsoft', /\be-?mail(?: address)?, phone,? or skype\b/, /\be-?mail(?: address)?, phone,? or skype\b/],
  ['amazon', /\bap_email/, /\bap_password/],
  ['linkedin', /\bsession_key\b/, /\bsession_password\b/],
  ['netflix', /\buserloginid\b/, /password/],
  ['facebook', /\bc_user\b/, /\bxs\b/],
] as const;

/** Where the log-ins of Amazon, of its firms, and those that Microsoft runs for firms at their own names post to. */
const OWN_PROGRAMS: Readonly<Record<string, RegExp>> = { amazon: /^\/ap\//, microsoft: /^\/[\w-]+\.onmicrosoft\.com\// };
/** Words of Microsoft's first step. Teachers and advisers want their pupils' in the same words: a page with another name has its own form. */
const OF_SKYPE = /skype/;

/** The brand whose log-in the forms of the page are a copy of, by the names of their fields. Firms of Amazon have its form, and its program. */
export function brandOfFields(landing: Landing, _evidence: SiteEvidence, form: Form): Meant | undefined {
  const { page: { forms }, url } = landing; // prettier-ignore
  const fields = forms.flatMap((each) => each.fields);
  const here = registrableOf(new URL(url).hostname);
  const hasProgram = (program: RegExp): boolean =>
    forms.some(({ action }) => {
      const to = URL.canParse(action, url) ? new URL(action, url) : undefined;
      return to !== undefined && program.test(to.pathname) && registrableOf(to.hostname) === here;
    });
  const found = FIELDS_OF_BRANDS.map(([brand, ...names]) => ({
    brand,
    said: names.map((name) => fields.map((field) => name.exec(field)?.[0]).find((each) => each !== undefined)),
  })).find(({ brand, said }) => {
    if (said.includes(undefined) || (brand === 'linkedin' && !isBesidePage(form))) return false;
    if (OF_SKYPE.test(said[0]!) && otherWords(landing, OF_MICROSOFT).length > 0) return false;
    const program = OWN_PROGRAMS[brand];
    return program === undefined || !hasProgram(program);
  });
  return found && { brand: found.brand, says: `fields named ${[...new Set(found.said)].join(' and ')}` };
}

/** Whether the fields of the form are laid over a picture of a page, which says what text would, and a program beside it takes them. */
export const isOverPicture = ({ page }: Landing, form: Form): boolean =>
  form.placed >= 2 && page.text.length < NAMELESS_MAX_CHARS && isBesidePage(form) && page.assets.some(({ kind }) => kind === 'image');

/** Pages with the logos of others whose accounts they take. */
const BY_OTHERS = /\b(?:with|using|via|through|continue|mit|avec|con|com|met)\b/i;
const FEW_CHARS = 300;
const LABEL_MIN = 4;
const LOGO = /logo|favicon|icon|wordmark|symbol/i;

/**
 * The brand that alone is named by the files of a log-in's pictures, on a page of few words, where a program beside the page takes what is typed. Firms by whose accounts one
 * signs in elsewhere, or to which others link, must have the only picture, and so must all brands on a page with another name. A picture that leads to the brand's own site is a link.
 */
export function brandOfLogo(landing: Landing, { brands }: SiteEvidence, form: Form): Meant | undefined {
  const { page } = landing;
  if (!isBesidePage(form) || page.text.length >= FEW_CHARS || BY_OTHERS.test(page.text) || isNamedByDomain(landing)) return undefined;
  const urls = [...new Set(page.assets.flatMap(({ kind, url }) => (kind === 'image' ? [url] : [])))].slice(0, PICTURES_MAX);
  const found = urls.flatMap((url) => {
    const path = url.split(/[?#]/, 1)[0]!;
    const file = path.slice(path.lastIndexOf('/') + 1).slice(-FILE_MAX_CHARS);
    const words = wordsIn(file.replace(/\.\w{2,5}$/, '').replaceAll(/logo|favicon|icon|_/gi, ' ')).filter(
      (word) => !OF_PICTURES.test(word),
    );
    const token = words.map((word) => brands.token(word)).find((each) => each?.isOften && !each.isWord);
    return token && (words.length === 1 || LOGO.test(file)) ? [{ token, file }] : [];
  });
  const [first] = found;
  if (!first || found.some(({ token }) => token.brand !== first.token.brand) || SELF_HOSTED.has(first.token.text)) return undefined;
  const isLink = page.links.some(
    ({ href }) => URL.canParse(href) && brands.ownerOf(registrableOf(new URL(href).hostname)) === first.token.brand,
  );
  if (isLink) return undefined;
  const isOfOthers = IN_LOGINS_OF_OTHERS.has(first.token.text) || LINKED_BY_OTHERS.has(first.token.text);
  const isNameless = otherWords(landing, wordsIn(first.token.brand.name)).every((word) => word === first.token.text);
  const isBadge = LINKED_BY_OTHERS.has(first.token.text) && !IN_LOGINS_OF_OTHERS.has(first.token.text) && !isNameless;
  return isBadge || (urls.length > 1 && (isOfOthers || !isNameless)) ? undefined : { brand: first.token.text, says: first.file };
}
const LOGO_LABEL = /^([\p{L}\p{N}&. ]{2,30}) logo$/iu;
const TO_ITSELF = /^(?:#[\w-]*|\/|(?:index|login)\.(?:html?|php))?$/i;

/** The brand that a log-in without another name calls its own logo, which leads to the page itself, where a program beside the page takes the password. */
export function brandOfLogoLink(landing: Landing, { brands }: SiteEvidence, form: Form): Meant | undefined {
  if (!isBesidePage(form) || !isShort(landing) || isNamedByDomain(landing)) return undefined;
  for (const { href, label } of landing.page.links) {
    const name = TO_ITSELF.test(href) ? LOGO_LABEL.exec(label)?.[1] : undefined;
    const token = name === undefined ? undefined : brands.token(wordsIn(name).join(''));
    const isSureOne =
      isSure(token) && !SELF_HOSTED.has(token!.text) && !IN_LOGINS_OF_OTHERS.has(token!.text) && !LINKED_BY_OTHERS.has(token!.text);
    if (token && isSureOne && otherWords(landing, wordsIn(token.brand.name)).length === 0) return { brand: token.text, says: label };
  }
  return undefined;
}
const FILE_MAX_CHARS = 120;
const PICTURES_MAX = 30;
const OF_PICTURES = /^(?:\d+|x|px|white|black|dark|light|small|big|large|new|img|image|pic|picture|svg|png|full|color|login|signin)$/;

/** Whether title or headings have the name of the page's own domain. Such pages have logos of networks and of payments. */
function isNamedByDomain({ page, url }: Landing): boolean {
  const names = wordsIn([page.info.title, page.info.og_site_name, ...page.headings].join(' ')).join('');
  const label = labelOf(new URL(url).hostname).replaceAll('-', '');
  return label.length >= LABEL_MIN && names.includes(label);
}

/** A document that is promised for the password of a mailbox. */
const DOCUMENT =
  /^(?:(?:view |open )?(?:encrypted|(?:password[- ])?protected)|(?:view|open) (?:secured?|shared|confidential)) (?:file|document|pdf|fax|invoice|spreadsheet|voice ?mail)$/i;

/** The name of a document that a page without another name shows for a user's name and a password, sent to a program beside it. Empty without one. */
export function documentGate(landing: Landing, form: Form): string {
  const gate = [landing.page.info.title, ...landing.page.headings].find((name) => DOCUMENT.test(name)) ?? '';
  return isBesidePage(form) && form.fields.length > 1 && otherWords(landing, wordsIn(gate)).length === 0 ? gate : '';
}

/** Whether a page that says nothing of itself asks for a card, and a program beside it takes the number. Shops say what is paid. */
export const isNamelessCheckout = ({ page: { text } }: Landing, form: Form): boolean =>
  text.length < NAMELESS_MAX_CHARS && secretOf(form) === 'card' && isBesidePage(form);
const NAMELESS_MAX_CHARS = 40;

/** Log-ins of programs of Microsoft and Adobe on servers of others, which have their maker's icon: AD FS, Exchange, SharePoint, Experience Manager. */
const OF_PROGRAMS = /^\/(?:adfs|owa|ecp|rdweb|_layouts|_forms|libs\/granite)\//i;

/** The brand whose icon a log-in has. Microsoft and others that one signs in by elsewhere must have a page of few words, which is none of their programs'. */
export function brandOfIcon(landing: Landing, { brands, icon }: SiteEvidence): Meant | undefined {
  const token = icon === undefined || !isSignIn(landing) ? undefined : brands.ofIcon(icon);
  if (!token || SELF_HOSTED.has(token.text)) return undefined;
  if (IN_LOGINS_OF_OTHERS.has(token.text) && (!isShort(landing) || OF_PROGRAMS.test(new URL(landing.url).pathname))) return undefined;
  return { brand: token.text, says: `MurmurHash3 ${icon}` };
}

const NOTICE = /(?:©|\(c\)|copyright)[\s\d,–-]{0,30}([\p{L}\p{N}&.]{2,30})/iu;

/** The brand, which is no word, whose notice of copyright stands on a page of few words that has no other name, where a program beside the page takes what is typed. */
export function brandOfNotice(landing: Landing, { brands }: SiteEvidence, form: Form): Meant | undefined {
  const { text } = landing.page;
  const notice = isBesidePage(form) && text.length < FEW_CHARS ? NOTICE.exec(text) : null;
  const token = brands.token(wordsIn(notice?.[1] ?? '')[0] ?? '');
  if (!token || !isSure(token) || SELF_HOSTED.has(token.text) || BY_OTHERS.test(text)) return undefined;
  return otherWords(landing, [token.text]).length === 0 ? { brand: token.text, says: notice![0] } : undefined;
}

const FORGOTTEN = /forgot|reset|recover|restor|lost[-_ ]?pass/i;

/**
 * The host of another site that helps with a forgotten password, though a program beside the page takes the password. The page is called by that site. Empty without one,
 * and for two sites of one name or one certificate.
 */
export function helpElsewhere(landing: Landing, evidence: SiteEvidence, form: Form): string {
  const { page, url } = landing;
  if (!isBesidePage(form) || !isShort(landing) || secretOf(form) !== 'password') return '';
  const here = registrableOf(new URL(url).hostname);
  const helping = page.links.flatMap(({ href, label }) =>
    FORGOTTEN.test(`${href} ${label}`) && URL.canParse(href, url) ? [new URL(href, url)] : [],
  );
  if (helping.some(({ protocol, hostname }) => !protocol.startsWith('http') || registrableOf(hostname) === here)) return '';
  const said = wordsIn(`${page.info.title} ${page.text}`);
  const found = helping.find(({ hostname }) => {
    const there = registrableOf(hostname);
    return isCalledAs(landing, there) && hasName(said, labelOf(there)) && !isOneOwner(here, there, evidence);
  });
  return found?.hostname ?? '';
}

/** Words of the log-ins of programs that anyone runs. */
const OF_CLIENTS = 'client webmail クライアント'.split(' ');
/** Names that Chrome gives to scripts of a page that it saves. */
const DOWNLOADED = /\.download$/i;

/**
 * The first file of a short page that a browser saved from elsewhere, though a program beside it takes the password. The page has no name, or a brand's. Empty for other pages:
 * sites are made from saved templates, too.
 */
export function savedFile(landing: Landing, { brands }: SiteEvidence, form: Form): string {
  const { assets } = landing.page;
  const saved = assets.filter(({ url }) => SAVED.test(url) || DOWNLOADED.test(url));
  const isCopy = isBesidePage(form) && secretOf(form) !== undefined && isShort(landing) && saved.length >= SAVED_MIN;
  if (!isCopy || isNamedByDomain(landing)) return '';
  const others = otherWords(landing, OF_CLIENTS);
  const isBrands = others.some((word, i) => [word, word + (others[i + 1] ?? '')].some((name) => isSure(brands.token(name))));
  return others.length === 0 || isBrands ? saved[0]!.url : '';
}
const isSure = (token: Token | undefined): boolean => token?.isOften === true && !token.isWord;

const BORROWED_MIN = 3;

/**
 * The domain of another site whose pictures, icons and style sheets a short page has, and by whose name it is called, though a program beside it takes the password.
 * Empty without one, and for two sites of one name or one certificate.
 */
export function borrowedFrom(landing: Landing, evidence: SiteEvidence, form: Form): string {
  const { page, url } = landing;
  if (!isBesidePage(form) || !isShort(landing) || secretOf(form) === undefined) return '';
  const here = registrableOf(new URL(url).hostname);
  const counts = new Map<string, number>();
  for (const asset of page.assets) {
    if (asset.kind === 'script' || asset.kind === 'frame' || !URL.canParse(asset.url, url)) continue;
    const there = registrableOf(new URL(asset.url, url).hostname);
    if (there !== here && there !== '') counts.set(there, (counts.get(there) ?? 0) + 1);
  }
  const names = wordsIn([page.info.title, page.info.og_site_name, ...page.headings].join(' '));
  const found = [...counts].find(([there, count]) => {
    const isCalled = hasName(names, labelOf(there)) && isCalledAs(landing, there);
    return count >= BORROWED_MIN && isCalled && !isOneOwner(here, there, evidence);
  });
  return found?.[0] ?? '';
}

const BRIEF_CHARS = 600;

/** Words before a firm whose service or whose page at a network is told of. */
const TOLD_OF = /^(?:on|by|per|at|via|accept|follow|join|powered|pay|watch|or|and|from|of)$/;

/**
 * The one brand that a short log-in without a name of its own speaks of, where a program beside the page takes the password. Networks, payments and firms of mailboxes are on
 * the pages of others.
 */
export function brandAlone(landing: Landing, { brands }: SiteEvidence, form: Form): Meant | undefined {
  const { text } = landing.page;
  if (!isBesidePage(form) || text.length >= BRIEF_CHARS || secretOf(form) === undefined || BY_OTHERS.test(text)) return undefined;
  const words = wordsIn(`${landing.page.info.title} ${landing.page.headings.join(' ')} ${text}`);
  const said = words.flatMap((word, i) => {
    const token = brands.token(word) ?? brands.token(word + (words[i + 1] ?? ''));
    return token && isSure(token) ? [{ token, isTold: TOLD_OF.test(words[i - 1] ?? '') }] : [];
  });
  const [first] = said;
  if (!first || said.some(({ token, isTold }) => isTold || token.brand !== first.token.brand)) return undefined;
  const { brand, text: name } = first.token;
  if (SELF_HOSTED.has(name) || brand.tokens.some((token) => IN_LOGINS_OF_OTHERS.has(token.text) || LINKED_BY_OTHERS.has(token.text)))
    return undefined;
  const isNameless = otherWords(landing, [...wordsIn(brand.name), ...brand.tokens.map((token) => token.text)]).length === 0;
  return isNameless ? { brand: name, says: text.slice(0, 60) } : undefined;
}

/** Programs whose log-ins are not taken by a PHP file beside the page. */
const NOT_PHP = new Set('zimbra cpanel outlook okta shopify'.split(' '));
/** The parts of the log-in of AD FS. */
const OF_ADFS = /(?:^|\/)adfs\/portal\//i;
/** Whether a page has such parts from elsewhere. A university's other pages have the logo from its own AD FS. */
const hasAdfs = ({ page, url }: Landing): boolean =>
  page.assets.some(
    (asset) =>
      OF_ADFS.test(asset.url) &&
      !(
        /^(?:https?:)?\/\//i.test(asset.url) &&
        URL.canParse(asset.url, url) &&
        registrableOf(new URL(asset.url, url).hostname) === registrableOf(new URL(url).hostname)
      ),
  );
/** Words beside the name of such a program in the titles of its own log-in. */
const OF_PROGRAM_TITLES = 'please web client webmail mail email app access admin store microsoft office 365 sso portal world'.split(' ');

/**
 * The program by whose name alone a log-in is called, though it is taken by a PHP file beside the page, which that program does not have. Outlook is an inn, too, without
 * a word of programs.
 */
export function brandOfProgram(landing: Landing, { brands }: SiteEvidence, form: Form): Meant | undefined {
  const { title } = landing.page.info;
  if (!isBesidePage(form) || !isShort(landing) || secretOf(form) !== 'password' || isNamedByDomain(landing)) return undefined;
  if (hasAdfs(landing)) return { brand: 'microsoft', says: 'AD FS' };
  const words = wordsIn(title);
  const token = words.map((word) => brands.token(word)).find((each) => each !== undefined && NOT_PHP.has(each.text));
  if (!token || otherWords(landing, [token.text, ...OF_PROGRAM_TITLES]).length > 0) return undefined;
  return token.text !== 'outlook' || words.some((word) => OF_PROGRAM_TITLES.includes(word))
    ? { brand: token.text, says: title }
    : undefined;
}
