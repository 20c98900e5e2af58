/** E.161: the letters on the keys of a telephone, from 2. */
const KEYS = ['abc', 'def', 'ghi', 'jkl', 'mno', 'pqrs', 'tuv', 'wxyz'];
const FIRST_KEY = 2;
const VANITY_LETTERS = 3;
/** Compatibility forms become several characters: no number is as long as this. */
const MAX_CHARACTERS = 250;

/** Digits and what stands between them, then letters as well. */
const VANITY = /^\+?[\d\s().\-/]+[a-z][a-z\d\s().\-/]*$/i;
const EXTENSION = /\b(?:ext(?:ension)?|x)[\s:.]*\d{1,9}$/i;
/** NANP: three digits of area, seven of number. */
const NANP = /^\+?1?\d{10}/;

/** A number as people write and copy it, ready to be parsed: no invisible marks, ordinary digits, no letters where digits are meant. */
export function plain(text: string): string {
  const clean = text
    .normalize('NFKC')
    .slice(0, MAX_CHARACTERS + 1)
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const number = /^tel:/i.test(clean) ? fromUri(clean) : clean;
  return isVanity(number) ? dialled(number) : number;
}

/** RFC 3966 §3: a number that is not global stands within its context. */
function fromUri(uri: string): string {
  const [number = '', ...parameters] = uri.slice('tel:'.length).split(';');
  const value = (name: string): string =>
    parameters.find((parameter) => parameter.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  const context = value('phone-context');
  const extension = value('ext');
  const whole = !number.startsWith('+') && context.startsWith('+') ? context + number : number;
  return extension === '' ? whole : `${whole} ext. ${extension}`;
}

const isVanity = (text: string): boolean =>
  VANITY.test(text) && !EXTENSION.test(text) && (text.match(/[a-z]/gi)?.length ?? 0) >= VANITY_LETTERS;

/** The keys that are pressed. In North America letters beyond the tenth digit have no effect, and are allowed (1-800-CONTACTS). */
function dialled(text: string): string {
  const digits = text.toLowerCase().replace(/[a-z]/g, (letter) => String(KEYS.findIndex((key) => key.includes(letter)) + FIRST_KEY));
  const kept = digits.replace(/[^\d+]/g, '');
  return kept.startsWith('1') || kept.startsWith('+1') ? (NANP.exec(kept)?.[0] ?? kept) : kept;
}
