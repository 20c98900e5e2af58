import { expect, it } from 'vitest';
import { isAtNight, isInBusinessHours, timeOfDay } from '../../../packages/message/src/message/head/sending-time.ts';

const at = (weekday: number, hours: number, minutes: number) => ({ weekday, minutes: hours * 60 + minutes });
const [SUNDAY, MONDAY, FRIDAY, SATURDAY] = [0, 1, 5, 6];

it.each([
  [MONDAY, 7, 59, false],
  [MONDAY, 8, 0, true],
  [FRIDAY, 17, 59, true],
  [FRIDAY, 18, 0, false],
  [SATURDAY, 12, 0, false],
  [SUNDAY, 12, 0, false],
])('weekday %i, %i:%i is in business hours: %s', (weekday, hours, minutes, expected) => {
  expect(isInBusinessHours(at(weekday, hours, minutes))).toBe(expected);
});

it.each([
  [21, 59, false],
  [22, 0, true],
  [0, 0, true],
  [5, 59, true],
  [6, 0, false],
])('%i:%i is at night: %s', (hours, minutes, expected) => {
  expect(isAtNight(at(MONDAY, hours, minutes))).toBe(expected);
});

it('shows hours and minutes', () => {
  expect([timeOfDay(at(MONDAY, 0, 5)), timeOfDay(at(MONDAY, 23, 59))]).toEqual(['00:05', '23:59']);
});
