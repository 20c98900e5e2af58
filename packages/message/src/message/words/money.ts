import { HIGH_FROM } from './currencies.ts';

const escaped = (text: string): string => text.replaceAll('$', String.raw`\$`);
const isWord = (text: string): boolean => /^\p{L}+$/u.test(text);
const longestFirst = (texts: string[]): string[] => texts.sort((a, b) => b.length - a.length);

const spellings = longestFirst([...HIGH_FROM.keys()]);
/** A currency as it is written; words and codes stand alone or touch a figure. */
const CURRENCY = new RegExp(
  `(?<![\\p{L}$])(?:${spellings.filter(isWord).join('|')})(?!\\p{L})|${spellings
    .filter((text) => !isWord(text))
    .map(escaped)
    .join('|')}`,
  'giu',
);

/** Characters beside a currency in which its amount is looked for. */
const REACH = 40;
const SPACES = '[ \\u00a0\\u2009\\u202f]';
/** Digits in groups of three, or of two as in India (`1,00,000`), or in a row, then decimals. */
const NUMBER = `\\d{1,3}(?:[.,'’\\u00a0\\u2009\\u202f ]\\d{2,3})+(?:[.,]\\d{1,2})?|\\d{1,15}(?:[.,]\\d{1,9})?`;
const SCALE = `${SPACES}{0,2}(?:(k|thousand|tausend|mil|mille|duizend)|(mio|million|millions|millionen|millones|milioni|milhoes|milhões|miljoen|mm|m)|(mrd|billion|billions|milliarden|milliards|miliardi|bn|b)|(lakh|lakhs|lac)|(crore|crores|cr))(?!\\p{L})`;
/** The words between a figure and its currency: `2 millones de euros`, `2 millions d'euros`, `2 milioni di euro`. */
const OF = `(?:${SPACES}{1,2}d(?:[ei](?=${SPACES})|['’]))?`;
const AFTER = new RegExp(`^\\.?${SPACES}{0,2}[:=]?${SPACES}{0,2}(${NUMBER})(?!\\d)(?:${SCALE})?(?![\\d@_$])`, 'iu');
const BEFORE = new RegExp(`(?<![\\d.,'’])(${NUMBER})(?:${SCALE}${OF})?[.,]?[-–]{0,2}${SPACES}{0,2}$`, 'iu');
const SCALES = [1e3, 1e6, 1e9, 1e5, 1e7];

/** A text that names more sums than that is a table; its first ones tell. */
const SUMS_MAX = 20_000;

/** Beyond this it is a number of something: of an account, of a card. */
const NO_SUM_FROM = 1e13;

/** Codes that are words as well, or short for others (`try`, a room, PHP 8): they count in capitals. */
const CODES_THAT_ARE_WORDS: ReadonlySet<string> = new Set('try ron sar cop rm ils php kes ars tl rp'.split(' '));

/** Whether a text names a sum that is high, as `currencies.ts` has it: `€ 12.500,00`, `USD 15k`, `1.5 million dollars`, `10 000 EUR`. */
export function namesHighSum(text: string): boolean {
  let sums = 0;
  for (const { 0: written, index } of text.matchAll(CURRENCY)) {
    const from = HIGH_FROM.get(written.toLowerCase());
    if (from === undefined || (CODES_THAT_ARE_WORDS.has(written.toLowerCase()) && written !== written.toUpperCase())) continue;
    if (++sums > SUMS_MAX) return false;
    const { amount } = likelier(sumAfter(text, index, written), sumBefore(text, index));
    if (amount >= from && amount < NO_SUM_FROM) return true;
  }
  return false;
}

interface Sum {
  amount: number;
  /** It is written as sums are, and numbers of orders are not: in groups, with decimals, in thousands. */
  asSum: boolean;
}
const NONE: Sum = { amount: 0, asSum: false };

/** The amount of a currency that stands between two numbers: `invoice 100482 EUR 50.00`. */
const likelier = (after: Sum, before: Sum): Sum => (after.amount > 0 && (after.asSum || !before.asSum) ? after : before);

function sumAfter(text: string, index: number, written: string): Sum {
  // Message-IDs of Outlook and hashes of passwords have dollar signs among their digits.
  if (!isWord(written) && /[\da-z]/.test(text[index - 1] ?? '')) return NONE;
  const at = index + written.length;
  const reach = text.slice(at, at + REACH);
  return /^[\s:=.]{0,5}\d/.test(reach) ? sumOf(AFTER.exec(reach)) : NONE;
}

function sumBefore(text: string, at: number): Sum {
  // A figure that is cut off at its left end would be another number.
  const reach = text.slice(Math.max(0, at - REACH), at);
  const found = /\d/.test(reach) ? BEFORE.exec(reach) : null;
  const sum = sumOf(found);
  const isNumberOfSomething = found !== null && (/[\p{L}#_/@-]/u.test(reach[found.index - 1] ?? '') || /^\d{8}/.test(found[1]!));
  return isNumberOfSomething && !sum.asSum ? NONE : sum;
}

function sumOf(found: RegExpExecArray | null): Sum {
  if (found === null) return NONE;
  const [, digits = '', ...scales] = found;
  const scale = SCALES.find((_, at) => scales[at] !== undefined) ?? 1;
  return { amount: readNumber(digits) * scale, asSum: scale > 1 || /\D/.test(digits) };
}

/** A number as people write it: what stands last with one or two digits behind it are decimals, everything else is a separator of groups. */
function readNumber(written: string): number {
  const last = Math.max(written.lastIndexOf('.'), written.lastIndexOf(','));
  const decimals = last < 0 ? '' : written.slice(last + 1);
  const separators = written.replace(/\d/g, '');
  // `1.250` is a thousand and more; `0.125` and `12.3456` are not; nor are groups behind which another sign stands.
  const isFraction =
    last >= 0 && (decimals.length !== 3 || written.startsWith('0') || (separators.length > 1 && separators.at(-1) !== separators[0]));
  const whole = isFraction ? written.slice(0, last) : written;
  return Number(`${whole.replace(/\D/g, '')}.${isFraction ? decimals : 0}`);
}
