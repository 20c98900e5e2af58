import { describe, expect, it } from 'vitest';
import { ageOf, isRecent, isVeryRecent } from '@vedette/intel/registration';

const at = (text: string) => new Date(text);
const AGES: [day: string, now: string, days: number, months: number, years: number][] = [
  ['2026-11-21', '2026-11-21T00:00:00Z', 0, 0, 0],
  ['2026-11-21', '2026-11-21T23:59:59Z', 0, 0, 0],
  ['2026-11-20', '2026-11-21T00:00:00Z', 1, 0, 0],
  ['2025-11-21', '2026-11-21T00:00:00Z', 365, 12, 1],
  ['2025-11-22', '2026-11-21T23:00:00Z', 364, 11, 0],
  ['2024-02-29', '2025-02-28T12:00:00Z', 365, 12, 1], // the year is over on the last of February
  ['2024-02-29', '2025-02-27T12:00:00Z', 364, 11, 0],
  ['2026-01-31', '2026-02-28T12:00:00Z', 28, 1, 0],
  ['2026-01-31', '2026-03-30T12:00:00Z', 58, 1, 0],
  ['1995-08-04', '2026-11-21T12:00:00Z', 11_432, 375, 31],
  ['2026-11-22', '2026-11-21T23:59:59Z', 0, 0, 0], // ahead of our clock
];

describe('the age of a day', () => {
  it.each(AGES)('%s at %s', (day, now, days, months, years) => {
    expect(ageOf(day, at(now))).toEqual({ days, months, years });
  });

  it.each(['', '2026', '2026-13-01', '2026-02-30', '20260101', '2026-1-1', '2026-01-01T00:00:00Z'])('%s is no day', (day) => {
    expect(ageOf(day, at('2026-11-21T00:00:00Z'))).toBeUndefined();
  });

  it('is recent below six months, and very recent below thirty days', () => {
    const of = (day: string) => ageOf(day, at('2026-11-21T12:00:00Z'))!;
    expect([of('2026-05-22'), of('2026-05-21')].map(isRecent)).toEqual([true, false]);
    expect([of('2026-10-23'), of('2026-10-22')].map(isVeryRecent)).toEqual([true, false]);
  });
});
