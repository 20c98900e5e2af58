import type { Sightings } from '../ports/index.ts';

/** What makes listings old: the day, and lists that their sources have not confirmed for long. */
export interface ListAges {
  /** Milliseconds since the epoch. */
  today(): number;
  /** Days for which a list should have been confirmed by its source. */
  overdueDays(list: string): number;
  /** The day on which our copies of a list first had an entry, by one of its forms; null where it is not known. */
  firstDay(list: string, entries: readonly string[]): string | null;
  /** Whether a part of the list has not come yet since the start. */
  isAwaited(list: string): boolean;
}

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d/;

/**
 * Splits a label such as `Emotet/2026-08-01 12:00:00/2026-08-20` into what it says and the days when the source first and last saw the entry,
 * of which one may be empty.
 */
export function readLabel(label: string): { says: string; first: string; last: string } {
  const parts = label.split('/');
  const [first = '', last = ''] = parts.slice(-2).map((part) => DAY.exec(part)?.[0] ?? '');
  return first === '' && last === '' ? { says: label, first, last } : { says: parts.slice(0, -2).join('/'), first, last };
}

/**
 * The sightings behind the hits of one list, and their age: since the last one that the source tells of, or as long as our copy is overdue. Where the
 * source tells of no first one, it is the day on which our copies first had one of the entries.
 */
export function sightingsOf(
  list: string,
  hits: readonly { first: string; last: string }[],
  ages: ListAges,
  entries: () => readonly string[],
): Sightings {
  const days = (name: 'first' | 'last'): string[] =>
    hits
      .map((hit) => hit[name])
      .filter((day) => day !== '')
      .toSorted();
  const [firsts, lasts] = [days('first'), days('last')];
  const latest = lasts.at(-1) ?? firsts.at(-1);
  const since = latest === undefined ? 0 : (ages.today() - Date.parse(latest)) / DAY_MS;
  return {
    first_seen: firsts[0] ?? (lasts.length > 0 ? null : ages.firstDay(list, entries())),
    last_seen: lasts.at(-1) ?? null,
    age_days: Math.max(0, Math.floor(since), ages.overdueDays(list)),
  };
}
