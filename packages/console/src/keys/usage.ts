import type { Usage } from '@vedette/client';

/** The bars of a picture as wide as there are days and 100 high, and what a pointer or a reader is told. */
export interface Bars {
  most: number;
  bars: { x: number; y: number; height: number; label: string }[];
  summary: string;
}

export const number = (value: number): string => value.toLocaleString('en-GB');

export const credits = (value: number): string => `${number(value)} ${value === 1 ? 'credit' : 'credits'}`;

export function barsOf({ days, credits: all }: Pick<Usage, 'days' | 'credits'>): Bars {
  const most = Math.max(...days.map((day) => day.credits), 0);
  const bars = days.map((day, x) => {
    const height = day.credits === 0 ? 0 : Math.max(1, (day.credits / most) * 100);
    return {
      x,
      y: 100 - height,
      height,
      label: `${day.day}: ${credits(day.credits)}, ${number(day.requests)} ${day.requests === 1 ? 'request' : 'requests'}`,
    };
  });
  const busiest = days.find((day) => day.credits === most);
  const summary =
    all === 0
      ? `Nothing was charged in ${days.length} days`
      : `${credits(all)} in ${days.length} days, most on ${busiest!.day}: ${number(most)}`;
  return { most, bars, summary };
}

/** How much of the whole a part is, for people. */
export function shareOf(part: number, whole: number): string {
  if (whole === 0) return '';
  const percent = (100 * part) / whole;
  return percent > 0 && percent < 1 ? '< 1 %' : `${Math.round(percent)} %`;
}

/** The search of the page's address: what is the default stays out of it. */
export function searchOf(view: { days: number; account: string; key: string }): string {
  const search = new URLSearchParams();
  if (view.days !== DEFAULT_DAYS) search.set('days', String(view.days));
  if (view.account !== '') search.set('account', view.account);
  if (view.key !== '') search.set('key', view.key);
  return search.size === 0 ? '' : `?${search.toString()}`;
}

export const PERIODS = [7, 30, 90] as const;
const DEFAULT_DAYS = 30;

/** Reads period, account and key from a page's address, and leaves values that are not valid. */
export function viewOf(search: string): { days: number; account: string; key: string } {
  const params = new URLSearchParams(search);
  const days = PERIODS.find((period) => String(period) === params.get('days')) ?? DEFAULT_DAYS;
  const read = (name: string, form: RegExp) => form.exec(params.get(name) ?? '')?.[0] ?? '';
  // A person's key is `person:` and the name that the provider gives.
  return { days, account: read('account', /^[\w-]{1,63}$/), key: read('key', /^[\x21-\x7e]{1,320}$/) };
}
