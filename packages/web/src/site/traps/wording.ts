import type { Brands, Token } from '@vedette/intel/identity';
import type { SiteEvidence } from '../evidence.ts';
import type { Landing } from '../visit/main-visit.ts';
import type { Form } from '../visit/page-facts.ts';
import { IN_LOGINS_OF_OTHERS, isBesidePage, isShort, otherWords, SELF_HOSTED, wordsIn } from './claims.ts';

/** A brand that a page means, and the words by which it says so. */
export interface Meant {
  brand: string;
  says: string;
}

/** Names have at most so many words: Bank of America. */
const PARTS_MAX = 3;

/**
 * The brand at the beginning of a text. One that is a word too, or that few forge, must be sure: its account is meant, or a program beside the page
 * takes what is typed. A word has a capital letter.
 */
function brandAt(text: string, brands: Brands, isSure: boolean): Token | undefined {
  const words = text.slice(0, 80).split(/[^\p{L}\p{N}]+/u, PARTS_MAX);
  for (let length = Math.min(PARTS_MAX, words.length); length > 0; length--) {
    const token = brands.token(words.slice(0, length).join('').toLowerCase());
    if (!token || SELF_HOSTED.has(token.text)) continue;
    if (token.isWord ? isSure && token.isOften && /^\p{Lu}/u.test(text) : isSure || token.isOften) return token;
  }
  return undefined;
}

/** Words before the name of the firm whose log-in it is. Apps of others say `with your Google account`. */
const BEFORE_NAME =
  /\b(?:your (?=\p{L}[\p{L}\p{N}]{1,20} password\b)|(?:sign|log)[ -]?(?:in|on) (?:to|into) (?:your )?|use your |gebruik (?:je|uw) |verwenden sie ihr |utilisez votre compte |usa(?:r)? (?:tu|su) cuenta (?:de )?|don['’]t have an? |new to )(?=\p{L})/giu;
/** An account beside which one may use another, or which is the first of several, is not the page's own. */
const OF_ACCOUNT = /^[ -](?:account|konto)\b(?! (?:to|or|for|first|instead|if|om|oder|um|zuerst)\b)/i;
const NEEDS_ACCOUNT = /^(?:use|gebruik|verwenden|don)/i;
const ONE_OF_SEVERAL = /\b(?:or|oder|ou|of|o)[\s,:]*$/i;
const SECURITY_CHECK = /^.{2,30}? security check\b/i;

/** A heading of a log-in, and a page that says nothing else: `Sign in. Use your Google Account`. */
const LOGIN_HEADING = /^(?:sign|log)[ -]?in$/i;
const FEW_CHARS = 200;

/** Text after the name of the brand. */
function afterName(text: string, { text: name }: Token): string {
  let end = 0;
  for (let length = 0; length < name.length && end < text.length; end++) if (/[\p{L}\p{N}]/u.test(text[end]!)) length++;
  return text.slice(end);
}

/** Whether title or headings have a name that is not the brand's. */
const isNamedElse = (landing: Landing, { brand }: Token): boolean =>
  otherWords(landing, [...wordsIn(brand.name), ...brand.tokens.map((token) => token.text)]).length > 0;

/** The brand whose log-in a short page says it is. */
export function brandSpoken(landing: Landing, { brands }: SiteEvidence, form: Form): Meant | undefined {
  const { text } = landing.page;
  if (!isShort(landing)) return undefined;
  const check = SECURITY_CHECK.test(text) ? brandAt(text, brands, true) : undefined;
  if (check) return { brand: check.text, says: text.slice(0, 60) };
  const isBeside = isBesidePage(form);
  for (const found of text.matchAll(BEFORE_NAME)) {
    if (ONE_OF_SEVERAL.test(text.slice(Math.max(0, found.index - 10), found.index)) || (/^new/i.test(found[0]) && !isBeside)) continue;
    const rest = text.slice(found.index + found[0].length, found.index + found[0].length + 80);
    const sure = brandAt(rest, brands, true);
    const isOfAccount = sure !== undefined && OF_ACCOUNT.test(afterName(rest, sure));
    if (NEEDS_ACCOUNT.test(found[0]) && !isOfAccount) continue;
    const isAllThereIs =
      isOfAccount &&
      text.length < FEW_CHARS &&
      LOGIN_HEADING.test(landing.page.headings[0] ?? '') &&
      LOGIN_HEADING.test(text.slice(0, found.index).trim());
    const token = isOfAccount || isBeside ? sure : brandAt(rest, brands, false);
    if (!token || isNamedElse(landing, token) || (IN_LOGINS_OF_OTHERS.has(token.text) && !isBeside && !isAllThereIs)) continue;
    return { brand: token.text, says: `${found[0]}${rest}`.slice(0, 60) };
  }
  return undefined;
}

/** A page of pictures. */
const NAMELESS_MAX_CHARS = 40;
/** Words that make Ledger the name of a wallet, not of a newspaper. */
const OF_COINS = /\bcrypto|\bwallet/i;

/** The brand that the title of a short page begins with, or that a part of the title is where there is no text, where a program beside the page takes what is typed. */
export function brandFirst(landing: Landing, { brands }: SiteEvidence, form: Form): Meant | undefined {
  const { text, info } = landing.page;
  const parts = info.title.split(/:\s|\s[-–—»]\s|[|·•]/).map((part) => brands.token(wordsIn(part).join('')));
  if (!isShort(landing) || !isBesidePage(form)) return undefined;
  const [first] = parts;
  const token =
    first && !first.isWord
      ? first
      : text.length < NAMELESS_MAX_CHARS
        ? parts.find((part) => part?.isOften && (!part.isWord || OF_COINS.test(info.title)))
        : undefined;
  return token && !SELF_HOSTED.has(token.text) ? { brand: token.text, says: info.title } : undefined;
}

/** Rewards that users of games and networks are promised for their password. */
const REWARD =
  /\b(?:log|sign)[ -]?in\b[^.!?]{0,20}\bto (?:get|claim|receive|win|earn|collect)\b[^.!?]{0,40}\b(?:followers|likes|subscribers|views|robux|v-?bucks|nitro|coins|diamonds|gems|skins)\b/i;

const FREE = /\bfree\b[^.!?]{1,30}\b(?:followers|likes|subscribers|robux|v-?bucks|nitro|diamonds|gems|skins)\b/i;

/** Pages that tell of a game to members of their own. */
const ADVICE = /\b(?:tips|guides?|tutorials?|tricks|how to|wiki|news|forums?)\b/i;

/** The brand whose password is asked for: by the field's own words, or for a reward at the brand's. */
export function brandAsked(landing: Landing, { brands }: SiteEvidence, { fields }: Form): Meant | undefined {
  for (const field of fields) {
    const words = wordsIn(field);
    const token = words.map((word) => brands.token(word)).find((each) => each?.isOften === true && !each.isWord);
    if (!token || SELF_HOSTED.has(token.text)) continue;
    const isPassword = words[0] === 'password' && words.indexOf(token.text) > 0;
    const isUser = /user ?name/.test(field) && wordsIn(landing.page.info.title).includes(token.text) && words.length < 12;
    if (isPassword || (isUser && fields.some((each) => each.startsWith('password'))))
      return { brand: token.text, says: `a field "${field}"` };
  }
  return rewardFor(landing, brands);
}

/** The brand whose users are promised a reward. */
export function rewardFor(landing: Landing, brands: Brands): Meant | undefined {
  const names = [landing.page.info.title, ...landing.page.headings.slice(0, 1)].join(' ');
  const reward = FREE.exec(names)?.[0] ?? (isShort(landing) ? REWARD.exec(landing.page.text)?.[0] : undefined);
  if (reward === undefined || ADVICE.test(names)) return undefined;
  const words = wordsIn(`${landing.page.info.title} ${reward}`);
  const token = words.flatMap((word, i) => [brands.token(word), brands.token(word + (words[i + 1] ?? ''))]).find((each) => each?.isOften);
  return token && { brand: token.text, says: reward };
}

const SPACED = /(?<!\p{L})(?:\p{L} ){4,14}\p{L}(?!\p{L})/gu;
const CAPITAL_I = /(?<!\p{L})\p{L}{1,20}I\p{Ll}{1,20}/gu;
const FOUND_MAX = 20;

/**
 * The brand that a short page writes so that machines do not read it, and nowhere otherwise: `AppIe` with a capital I, `P a y P a l`. Articles have
 * examples of several brands. Letters apart in capitals or in a heading are a design.
 */
export function brandDisguised(landing: Landing, { brands }: SiteEvidence): Meant | undefined {
  if (!isShort(landing)) return undefined;
  const { text, info, headings } = landing.page;
  const names = [info.title, ...headings].join('\n').slice(0, TEXT_MAX_CHARS);
  const all = `${names}\n${text}`;
  const found = new Map<string, Meant>();
  for (const [word] of [...all.matchAll(CAPITAL_I)].slice(0, FOUND_MAX)) {
    const token = brands.token(word.replaceAll('I', 'l').toLowerCase());
    if (token?.isOften && /\p{Ll}/u.test(word) && !brands.token(word.toLowerCase()))
      found.set(token.text, { brand: token.text, says: word });
  }
  for (const [spaced] of [...text.matchAll(SPACED)].slice(0, FOUND_MAX)) {
    const token = names.includes(spaced) || !/\p{Ll}/u.test(spaced) ? undefined : brands.token(spaced.replaceAll(' ', '').toLowerCase());
    if (token?.isOften && token.text.length >= 5) found.set(token.text, { brand: token.text, says: spaced });
  }
  const [only] = found.values();
  return only && found.size === 1 && !wordsIn(all).includes(only.brand) ? only : undefined;
}
const TEXT_MAX_CHARS = 4_000;

/** Letters of Greek and Cyrillic that look Latin, between Latin ones. */
const FOREIGN_LETTER = /\p{Script=Latin}[οΟΝΑΒΕΖΗΙΚΜΡΤΥΧаеорсухіѕјԁАВЕКМНОРСТХЅЈ]\p{Script=Latin}/gu;
/** The same at the beginning of a word, or with elements between. */
const FOREIGN_BEGINNING = /(?<!\p{L})[ΟΝΑΒΕΖΗΙΚΜΡΤΥΧАВЕКМНОРСТХ] ?[a-z]{2}/gu;
/** Three letters of such a script, one of which does not look Latin: a word of its language. */
const FOREIGN_WORD =
  /(?=[\p{Script=Greek}\p{Script=Cyrillic}]{0,2}[^\P{L}\p{Script=Latin}οΟΝΑΒΕΖΗΙΚΜΡΤΥΧаеорсухіѕјԁАВЕКМНОРСТХЅЈ])[\p{Script=Greek}\p{Script=Cyrillic}]{3}/u;
const FOREIGN_LETTERS_MIN = 3;

/** The beginning of a short text that has letters of another script in its words, and no word of that script. Empty without it. */
export function mixedText({ page: { text } }: Landing): string {
  if (text.length > TEXT_MAX_CHARS || FOREIGN_WORD.test(text)) return '';
  const within = [...text.matchAll(FOREIGN_LETTER)];
  const first = [...text.matchAll(FOREIGN_BEGINNING)];
  const isMixed = within.length > 0 && within.length + first.length >= FOREIGN_LETTERS_MIN;
  return isMixed ? text.slice(within[0]!.index, within[0]!.index + 30) : '';
}

/** Words of log-ins by which forgers name their pages. Others write jokes with figures (`p4ssw0rd`). */
const FIGURED = new Set(
  'validation verification account accounts confirm confirmation document documents online office update sharing'.split(' '),
);
const WITH_FIGURE = /(?<![\p{L}\p{N}])(?=\p{L}{0,12}[01])[\p{L}01]{6,14}(?![\p{L}\p{N}])/giu;

/** Names of meetings and games of hackers, who write so for fun. */
const FOR_FUN = /\bhack|\bctf\b|\bchallenge|\bpuzzle|\bgames?\b|\bcon\b|\bband\b|\btour\b/i;

/** A word of log-ins in the title or a heading that has 0 or 1 for a letter: `Validati0n`. Empty without one. */
export function wordWithFigures({ page }: Landing): string {
  const names = [page.info.title, ...page.headings].join('\n').slice(0, TEXT_MAX_CHARS);
  if (FOR_FUN.test(names)) return '';
  const found = [...names.matchAll(WITH_FIGURE)].slice(0, FOUND_MAX).map(([word]) => word);
  return found.find((word) => FIGURED.has(word.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'i'))) ?? '';
}

const APPLE_NAME = /\b(?:manage|verify|confirm|unlock|update|review|forgot|forgotten) (?:your )?App[lI]e ID\b/i;
const OF_APPLE = 'apple appie manage unlock update review forgot forgotten'.split(' ');

/**
 * Apple, where title or headings, or a short text, ask for an Apple ID. Its name alone is a word. Other sites link to Apple's own page for that, and schools and workshops,
 * whose pages have their names, speak of it.
 */
export function appleAccount(landing: Landing, _evidence: SiteEvidence, form: Form): Meant | undefined {
  const { info, headings, text } = landing.page;
  const others = otherWords(landing, OF_APPLE).length;
  if (others > 1) return undefined;
  const isBare = isBesidePage(form) || others === 0;
  const said =
    APPLE_NAME.exec([info.title, ...headings].join('\n').slice(0, TEXT_MAX_CHARS)) ??
    (isShort(landing) && isBare ? APPLE_NAME.exec(text) : null);
  return said ? { brand: 'apple', says: said[0] } : undefined;
}
