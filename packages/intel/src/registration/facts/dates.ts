/** A registration is not older than the DNS and not in the future; one day allows for time zones. */
const FIRST_YEAR = 1985;
const DAY_MS = 86_400_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = '([a-z]{3})[a-z]*';

/** How registries write days. Each gives year, month and day, by the order of its name. */
const FORMS: { pattern: RegExp; order: 'ymd' | 'dmy' | 'mdy' }[] = [
  { pattern: /^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/, order: 'ymd' }, // RFC 3339, and most others
  { pattern: /^(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)/, order: 'ymd' }, // .jp
  { pattern: /^(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})(?!\d)/, order: 'ymd' }, // .kr, .pl
  { pattern: /^(\d{4})(\d{2})(\d{2})(?!\d)/, order: 'ymd' }, // .br
  { pattern: new RegExp(`^(\\d{4})-${MONTH}-(\\d{1,2})(?!\\d)`, 'i'), order: 'ymd' }, // .tr
  { pattern: new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?[- .]${MONTH}[- .,]+(\\d{4})(?!\\d)`, 'i'), order: 'dmy' }, // .uk, .gg
  { pattern: /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(?!\d)/, order: 'dmy' }, // .cz, .fi, .pt, .hk; no registry puts the month first
  { pattern: new RegExp(`^(?:[a-z]{3},? )?${MONTH} +(\\d{1,2}),? (?:[\\d:]+ (?:[a-z]+ )?)?(\\d{4})(?!\\d)`, 'i'), order: 'mdy' }, // as ctime(3)
];
/** The word of .uk and .ch for what is older than their records: that month is all that is known. */
const BEFORE = new RegExp(`^before (?:1 )?${MONTH}[- ](\\d{4})`, 'i');

/**
 * Returns the date that a registry writes, as YYYY-MM-DD; empty for an unknown format or an impossible date. `before Aug-1996` is the first
 * of that month: the youngest that it can be.
 */
export function dayOf(text: string, now: Date): string {
  const written = text.trim();
  const before = BEFORE.exec(written);
  if (before) return checked(before[2]!, before[1]!, '1', now);
  for (const { pattern, order } of FORMS) {
    const match = pattern.exec(written);
    if (!match) continue;
    const part = (letter: string): string => match[order.indexOf(letter) + 1]!;
    return checked(part('y'), part('m'), part('d'), now);
  }
  return '';
}

function checked(year: string, month: string, day: string, now: Date): string {
  const number = /^\d+$/.test(month) ? Number(month) : MONTHS.indexOf(month.toLowerCase()) + 1;
  const date = new Date(Date.UTC(Number(year), number - 1, Number(day)));
  const isReal = date.getUTCMonth() === number - 1 && date.getUTCDate() === Number(day);
  if (!isReal || date.getUTCFullYear() < FIRST_YEAR || date.getTime() > now.getTime() + DAY_MS) return '';
  return date.toISOString().slice(0, 10);
}

const FUTURE_YEARS = 101;

/** The same of a day that is to come, such as the end of a registration. */
export function comingDayOf(text: string, now: Date): string {
  return dayOf(text, new Date(now.getTime() + FUTURE_YEARS * 365 * DAY_MS));
}
