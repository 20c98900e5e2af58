import type { Brands, Token } from '@vedette/intel/identity';
import type { SiteEvidence } from '../evidence.ts';
import type { Landing } from '../visit/main-visit.ts';
import type { Form } from '../visit/page-facts.ts';
import { isBesidePage, isShort, SELF_HOSTED, wordsIn } from './claims.ts';

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
/** An account beside which one may use another is not the page's own. */
const OF_ACCOUNT = /^.{1,40}?[ -](?:account|konto)\b(?! (?:to|or|for|instead|if|om|oder|um)\b)/i;
const NEEDS_ACCOUNT = /^(?:use|gebruik|verwenden|don)/i;
const SECURITY_CHECK = /^.{2,30}? security check\b/i;

/** The brand whose log-in a short page says it is. */
export function brandSpoken(landing: Landing, { brands }: SiteEvidence, form: Form): Meant | undefined {
  const { text } = landing.page;
  if (!isShort(landing)) return undefined;
  const check = SECURITY_CHECK.test(text) ? brandAt(text, brands, true) : undefined;
  if (check) return { brand: check.text, says: text.slice(0, 60) };
  for (const found of text.matchAll(BEFORE_NAME)) {
    const rest = text.slice(found.index + found[0].length, found.index + found[0].length + 80);
    const isOfAccount = OF_ACCOUNT.test(rest);
    const token = NEEDS_ACCOUNT.test(found[0]) && !isOfAccount ? undefined : brandAt(rest, brands, isOfAccount || isBesidePage(form));
    if (!token) continue;
    return { brand: token.text, says: `${found[0]}${rest}`.slice(0, 60) };
  }
  return undefined;
}

/** The brand that the title of a short page begins with, where a program beside the page takes what is typed. */
export function brandFirst(landing: Landing, { brands }: SiteEvidence, form: Form): Meant | undefined {
  const { title } = landing.page.info;
  const [first = ''] = title.split(/:\s|\s[-–—»]\s|[|·•]/);
  const token = isShort(landing) && isBesidePage(form) ? brands.token(wordsIn(first).join('')) : undefined;
  return token && !token.isWord && !SELF_HOSTED.has(token.text) ? { brand: token.text, says: title } : undefined;
}

/** Rewards that users of games and networks are promised for their password. */
const REWARD =
  /\b(?:log|sign)[ -]?in\b[^.!?]{0,20}\bto (?:get|claim|receive|win|earn|collect)\b[^.!?]{0,40}\b(?:followers|likes|subscribers|views|robux|v-?bucks|nitro|coins|diamonds|gems|skins)\b/i;

const FREE = /\bfree\b[^.!?]{1,30}\b(?:followers|likes|subscribers|robux|v-?bucks|nitro|diamonds|gems|skins)\b/i;

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
  const names = [landing.page.info.title, ...landing.page.headings.slice(0, 1)].join(' ');
  const reward = FREE.exec(names)?.[0] ?? (isShort(landing) ? REWARD.exec(landing.page.text)?.[0] : undefined);
  if (reward === undefined) return undefined;
  const words = wordsIn(`${landing.page.info.title} ${reward}`);
  const token = words.flatMap((word, i) => [brands.token(word), brands.token(word + (words[i + 1] ?? ''))]).find((each) => each?.isOften);
  return token && { brand: token.text, says: reward };
}

const SPACED = /(?<!\p{L})(?:\p{L} ){4,14}\p{L}(?!\p{L})/gu;
const SPACED_MAX = 20;

/** The brand that the page writes so that machines do not read it: `AppIe` with a capital I, `P a y P a l`. */
export function brandDisguised({ page }: Landing, { brands }: SiteEvidence): Meant | undefined {
  const texts = [page.info.title, ...page.headings, page.text.slice(0, TEXT_MAX_CHARS)];
  for (const text of texts) {
    for (const [word] of text.matchAll(/(?<!\p{L})\p{L}{1,20}I\p{Ll}{1,20}/gu)) {
      const token = brands.token(word.replaceAll('I', 'l').toLowerCase());
      if (token?.isOften && /\p{Ll}/u.test(word) && !brands.token(word.toLowerCase())) return { brand: token.text, says: word };
    }
    for (const [spaced] of [...text.matchAll(SPACED)].slice(0, SPACED_MAX)) {
      const token = brands.token(spaced.replaceAll(' ', '').toLowerCase());
      if (token?.isOften && token.text.length >= 5) return { brand: token.text, says: spaced };
    }
  }
  return undefined;
}
const TEXT_MAX_CHARS = 4_000;

/** Letters of Greek and Cyrillic that look Latin, within words of Latin letters or at their beginning; elements may stand between. */
const FOREIGN_LETTER = /\p{Script=Latin} ?[οΟνΝΑΒΕΖΗΙΚΜΡΤΥΧаеорсухіАВЕКМНОРСТХ] ?[a-z]|(?<!\p{L})[ΟΝΑΒΕΖΗΙΚΜΡΤΥΧАВЕКМНОРСТХ] ?[a-z]{2}/gu;
const FOREIGN_WORD = /[\p{Script=Greek}\p{Script=Cyrillic}]{3}/u;
const FOREIGN_LETTERS_MIN = 3;

/** The beginning of a short text that has letters of another script in its words, and no word of that script. Empty without it. */
export function mixedText({ page: { text } }: Landing): string {
  if (text.length > TEXT_MAX_CHARS || FOREIGN_WORD.test(text)) return '';
  const found = [...text.matchAll(FOREIGN_LETTER)];
  return found.length < FOREIGN_LETTERS_MIN ? '' : text.slice(found[0]!.index, found[0]!.index + 30);
}

const OF_WIRELESS = /\b(?:wpa\d?|wi-?fi|wireless|router)\b[^.!?]{0,60}\b(?:password|passphrase|key)\b/i;
const PRETEXT = /\bfirmware\b|\bre-?authenticate\b|\bconnection (?:has been |was )?(?:lost|reset)\b|\bno internet connection\b/i;

/** Why a short page wants the password of its visitor's wireless network. Empty without a reason. */
export const wirelessPretext = (landing: Landing): string =>
  isShort(landing) && OF_WIRELESS.test(landing.page.text) ? (PRETEXT.exec(landing.page.text)?.[0] ?? '') : '';
