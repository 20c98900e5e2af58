/** How long ago a day was, each counted whole: by the calendar, in UTC. Zeros for a day that is not known, or to come. */
export interface CalendarAge {
  days: number;
  months: number;
  years: number;
}

const DAY_MS = 86_400_000;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const RECENT_MONTHS = 6;
const VERY_RECENT_DAYS = 30;

/** The age of a day (YYYY-MM-DD), or undefined where that is not one. A month is over on the same day of the next, or on its last. */
export function ageOf(day: string, now: Date): CalendarAge | undefined {
  const match = DAY.exec(day);
  const then = match ? new Date(`${day}T00:00:00Z`) : undefined;
  if (!then || Number.isNaN(then.getTime()) || then.toISOString().slice(0, day.length) !== day) return undefined;
  const days = Math.floor((now.getTime() - then.getTime()) / DAY_MS);
  if (days < 0) return { days: 0, months: 0, years: 0 };
  const full = (now.getUTCFullYear() - then.getUTCFullYear()) * 12 + now.getUTCMonth() - then.getUTCMonth();
  const lastOfMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate();
  const months = now.getUTCDate() >= Math.min(then.getUTCDate(), lastOfMonth) ? full : full - 1;
  return { days, months, years: Math.floor(months / 12) };
}

/** Younger than six months. */
export const isRecent = ({ months }: CalendarAge): boolean => months < RECENT_MONTHS;

/** Younger than thirty days. */
export const isVeryRecent = ({ days }: CalendarAge): boolean => days < VERY_RECENT_DAYS;
