/** When a message says that it was written, on its sender's own clock. */
export interface SentAt {
  /** Minutes of that day, 0 to 1439. */
  minutes: number;
  /** 0 is Sunday. */
  weekday: number;
}

const hourOf = ({ minutes }: SentAt): number => minutes / 60;

/** HH:MM. */
export const timeOfDay = ({ minutes }: SentAt): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Monday to Friday from 08:00 until before 18:00. */
export const isInBusinessHours = (at: SentAt): boolean => at.weekday >= 1 && at.weekday <= 5 && hourOf(at) >= 8 && hourOf(at) < 18;

/** Night is from 22:00 until before 06:00. */
export const isAtNight = (at: SentAt): boolean => hourOf(at) >= 22 || hourOf(at) < 6;
