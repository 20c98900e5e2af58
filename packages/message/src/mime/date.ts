export interface MailDate {
  /** YYYY-MM-DDTHH:MM:SS±HH:MM in its own zone; -00:00 where it tells none (RFC 3339 §4.3). */
  iso: string;
  /** Minutes since midnight in its own zone. */
  minutes: number;
  /** The day of the week that the calendar has for it: 0 is Sunday. */
  weekday: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** RFC 5322 §4.3. */
const ZONES: ReadonlyMap<string, string> = new Map([
  ['ut', '+00:00'],
  ['utc', '+00:00'],
  ['gmt', '+00:00'],
  ['z', '+00:00'],
  ['est', '-05:00'],
  ['edt', '-04:00'],
  ['cst', '-06:00'],
  ['cdt', '-05:00'],
  ['mst', '-07:00'],
  ['mdt', '-06:00'],
  ['pst', '-08:00'],
  ['pdt', '-07:00'],
]);
const LONGEST = 200;

const TIME = /(?<!\d)(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?(?:\s*([ap])\.?m\b\.?)?/i;
const NUMBER_ZONE = /^(?:gmt|utc)?([+-])(\d{1,2}):?(\d{2})?$/i;
const ISO_DAY = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?:T|\b)/i;

/**
 * A Date field: RFC 5322 with what its §4.3 allowed, RFC 850, asctime, and ISO 8601 as some write it. Undefined for an invalid date. The
 * day of the week that it claims is not believed. Never throws.
 */
export function parseDate(raw: string): MailDate | undefined {
  const text = raw
    .slice(0, LONGEST)
    .replaceAll(/\([^()]*\)|[\r\n]/g, ' ')
    .trim();
  const iso = ISO_DAY.exec(text);
  const withoutDay = iso ? text.replace(iso[0], ' ') : text;
  const time = TIME.exec(withoutDay);
  if (!time) return undefined;
  const words = withoutDay
    .replace(time[0], ' ')
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  const day = iso ? { year: Number(iso[1]), month: Number(iso[2]), date: Number(iso[3]) } : dayOf(words);
  const half = time[4]?.toLowerCase();
  const hour = half === undefined ? Number(time[1]) : (Number(time[1]) % 12) + (half === 'p' ? 12 : 0);
  const minute = Number(time[2]);
  const second = Math.min(Number(time[3] ?? 0), 60);
  if (!day || hour > 23 || minute > 59) return undefined;
  return dated(day, { hour, minute, second: Math.min(second, 59) }, zoneOf(words));
}

interface Day {
  year: number;
  month: number;
  date: number;
}

function dated({ year, month, date }: Day, time: { hour: number; minute: number; second: number }, zone: string): MailDate | undefined {
  const utc = new Date(Date.UTC(2000, month - 1, date));
  utc.setUTCFullYear(year, month - 1, date);
  if (utc.getUTCMonth() !== month - 1 || utc.getUTCDate() !== date || year < 1_900 || year > 9_999) return undefined;
  const clock = [time.hour, time.minute, time.second].map((part) => String(part).padStart(2, '0')).join(':');
  return { iso: `${utc.toISOString().slice(0, 10)}T${clock}${zone}`, minutes: time.hour * 60 + time.minute, weekday: utc.getUTCDay() };
}

/** `17 Nov 2026`, `17-Nov-26`, `Nov 17 2026` (asctime). */
function dayOf(words: readonly string[]): Day | undefined {
  const apart = words.flatMap((word) => (/^\d{1,2}-[a-z]{3,}-\d{2,4}$/i.test(word) ? word.split('-') : [word]));
  const at = apart.findIndex((word) => MONTHS.includes(word.slice(0, 3).toLowerCase()) && /^[a-z]+\.?$/i.test(word));
  if (at < 0) return undefined;
  const month = MONTHS.indexOf(apart[at]!.slice(0, 3).toLowerCase()) + 1;
  const [before, after] = [apart[at - 1] ?? '', apart.slice(at + 1).filter((word) => /^\d{1,4}$/.test(word))];
  const [date, year] = /^\d{1,2}$/.test(before) ? [before, after[0]] : [after[0], after[1]];
  return date === undefined || year === undefined || date.length > 2 || year.length < 2
    ? undefined
    : { year: fullYear(year), month, date: Number(date) };
}

/** RFC 5322 §4.3: two digits are of 1950 to 2049, three are counted from 1900. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length === 2) return year < 50 ? year + 2_000 : year + 1_900;
  return digits.length === 3 ? year + 1_900 : year;
}

/** Military letters and unlisted names do not tell a zone (§4.3). */
function zoneOf(words: readonly string[]): string {
  for (const word of words) {
    const [, sign, hours, minutes = '00'] = NUMBER_ZONE.exec(word) ?? [];
    if (sign !== undefined && Number(hours) <= 23 && Number(minutes) <= 59) return `${sign}${hours!.padStart(2, '0')}:${minutes}`;
  }
  return words.map((word) => ZONES.get(word.toLowerCase())).find((zone) => zone !== undefined) ?? '-00:00';
}
