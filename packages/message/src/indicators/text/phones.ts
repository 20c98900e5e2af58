import type * as Library from 'libphonenumber-js/max';
import { loadNumbering } from '@vedette/intel/phone';

/** Numbers that are tried: each costs some microseconds. */
const TRIED_MAX = 5_000;
/** The most digits by E.164; numbers with fewer than 7 cannot be called from other places. */
const DIGITS_MAX = 15;
const DIGITS_MIN = 7;
/**
 * Digits and what people write between them, from a plus or a digit on. Digits after a letter (of a script that spaces its words), a
 * currency or another number do not match, nor do digits that are keyed in after the call is answered (`,,1234#`).
 */
const CANDIDATE =
  /(?<!(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}])\p{L}|[\d#€$£¥%&=_@+]|\d[,.:/-]|,,)(?:\+ ?|\((?=\+?\d)){0,2}\d(?:[\d().\-/ \u00a0\u2010-\u2015]{4,30})\d(?!(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}])\p{L}|[\d%€$£¥_@=#])/gu;
/** Numbers of North America as people write them: by area, exchange and line. */
const NANP = /^(?:1[-. ])?(?:\(\d{3}\)[-. ]?|\d{3}([-.]))\d{3}[-.]\d{4}$/;
const VANITY = /(?<![\w+.-])(?:\+?1[-. ])?\(?8(?:00|33|44|55|66|77|88)\)?[-. ][A-Z](?:[-. ]?[A-Z\d]){6,9}(?![\w-])/g;
/** Words before a number that the reader should call, in the most frequent languages of mail. */
const CALL =
  /(?<!\p{L})(?:call(?:ing)?|dial|phone|telephone|tel|mobile|cell|fax|hot ?line|n[úu]mero verde|help ?line|toll.?free|sms|whats ?app|telefon\p{L}*|rufnummer|anruf\p{L}*|rufen|handy|mobil|appel\p{L}*|t[ée]l[ée]phone\p{L}*|t[ée]l|tel[ée]fono\p{L}*|llam\p{L}+|m[óo]vil|chiam\p{L}+|cellulare|bel(?:len)?|telefoon\p{L}*|lig(?:ue|ar)|telefone|celular|тел|моб|факс|телефон\p{L}*|(?:по)?звон\p{L}+|(?:ال)?هاتف|جوال|اتصل)(?!\p{L})([^\n]*)$|(?:電話|电话|手机|手機|携帯|热线|熱線|致电|传真|전화|휴대폰|연락처)([^\n]*)$/iu;
/** Words that stand before other numbers as well: those of North America are told by themselves. */
const CONTACT = /(?<!\p{L})(?:support|help ?desk|contact|reach|text|billing|customer (?:care|service))(?!\p{L})/iu;
/** Words before numbers of other kinds. */
const OTHER_NUMBER =
  /(?<!\p{L})(?:ids?|ref|reference|ticket|order|case|invoice|pin|code|account|conference|meeting|kunden\p{L}*|konto|rechnung\p{L}*|commande|factur\p{L}*|pedido)(?!\p{L})/iu;
const DATE = /^(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{2}|\d{4})|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?:\D|$)/;
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}(?:\D|$)/;
const BEFORE_CHARS = 50;

/**
 * Finds the telephone numbers of a text without URLs: those with a plus and the code of a country, those written as North America does, and others that words like
 * "call" or "Telefon" stand before. In E.164 where the country is known, else their digits. Linear in the text's length. Whether all of it was read.
 */
export async function findPhones(text: string, found: (number: string) => void): Promise<boolean> {
  let tried = 0;
  for (const match of candidatesOf(text)) {
    if (++tried > TRIED_MAX) return false;
    const number = numberOf(await loadNumbering(), match.written, text.slice(Math.max(0, match.at - BEFORE_CHARS), match.at));
    if (number !== undefined) found(number);
  }
  return true;
}

/** A number that stands alone, as in a `tel:` link or behind the URL of a messenger. */
export async function readPhone(written: string): Promise<string | undefined> {
  // Behind a pause is what is keyed in then.
  const number = written.split(/[,;]/, 1)[0]!;
  const digits = digitsOf(number);
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) return undefined;
  const library = await loadNumbering();
  return international(library, number.trim()) ?? northAmerican(library, digits) ?? digits;
}

interface Candidate {
  written: string;
  at: number;
}

function* candidatesOf(text: string): Generator<Candidate> {
  for (const match of text.matchAll(CANDIDATE)) {
    const written = match[0].replaceAll('\u00a0', ' ').replace(/[\u2010-\u2015]/g, '-');
    // Two beside one another, or none.
    const parts = digitsOf(written).length > DIGITS_MAX ? written.split(/ {2,}| \/ /) : [written];
    for (const part of parts) if (digitsOf(part).length >= DIGITS_MIN) yield { written: part, at: match.index };
  }
  for (const match of text.matchAll(VANITY)) yield { written: dialled(match[0]), at: match.index };
}

function numberOf(library: typeof Library, written: string, before: string): string | undefined {
  const digits = digitsOf(written);
  if (written.includes('+') || /^(?:00|011)[1-9 -]/.test(written)) return international(library, written);
  if (digits.length > DIGITS_MAX || DATE.test(written) || ADDRESS.test(written)) return undefined;
  if (NANP.test(written)) return northAmerican(library, digits);
  const said = before.slice(before.lastIndexOf('\n') + 1);
  const call = CALL.exec(said);
  if (OTHER_NUMBER.test(call?.[1] ?? call?.[2] ?? said)) return undefined;
  // Free numbers of India and Australia begin like that.
  if (call) return /^1[38]00 /.test(written) ? digits : (northAmerican(library, digits) ?? digits);
  return CONTACT.test(said) ? northAmerican(library, digits) : undefined;
}

/**
 * E.164 of what names its country. With a plus, a possible number is enough, since its author means a telephone number; without one, it
 * must be valid.
 */
function international(library: typeof Library, written: string): string | undefined {
  const plus = written.replace(/^[( ]*(?:\+|00|011)[ -]*/, '+').replace('(0)', '');
  if (!plus.startsWith('+')) return undefined;
  const parsed = library.parsePhoneNumberFromString(plus, { extract: false });
  return parsed && (written.includes('+') ? parsed.isPossible() : parsed.isValid()) ? parsed.number : undefined;
}

function northAmerican(library: typeof Library, digits: string): string | undefined {
  if (digits.length !== 10 && !(digits.length === 11 && digits.startsWith('1'))) return undefined;
  const parsed = library.parsePhoneNumberFromString(`+1${digits.slice(-10)}`, { extract: false });
  return parsed?.isValid() ? parsed.number : undefined;
}

const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** E.161, from 2; letters beyond the tenth digit are pressed in vain. */
function dialled(vanity: string): string {
  const keys = '22233344455566677778889999';
  const digits = digitsOf(vanity.replace(/[A-Z]/g, (letter) => keys[letter.charCodeAt(0) - 0x41]!));
  const national = digits.startsWith('1') ? digits.slice(1, 11) : digits.slice(0, 10);
  return `+1${national}`;
}
