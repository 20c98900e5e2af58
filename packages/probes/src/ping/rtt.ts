import { type Static, Type } from 'typebox';

export const Rtt = Type.Object(
  {
    min: Type.Number({ description: 'Shortest round-trip time in ms' }),
    avg: Type.Number({ description: 'Mean round-trip time in ms' }),
    max: Type.Number({ description: 'Longest round-trip time in ms' }),
    mdev: Type.Number({ description: 'Population standard deviation in ms, as ping(8) prints it' }),
  },
  { title: 'Rtt', description: 'Round-trip times of the answers; all 0 without an answer' },
);
export type Rtt = Static<typeof Rtt>;

/** Milliseconds as ping(8) prints them: to the microsecond. */
export const toMicroseconds = (ms: number): number => Math.round(ms * 1000) / 1000;

/** Summary of round-trip times in ms; all zero when there are none. mdev is √(E[x²] − E[x]²), as in iputils. */
export function rttSummary(times: readonly number[]): Rtt {
  if (times.length === 0) return { min: 0, avg: 0, max: 0, mdev: 0 };
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const avg = mean(times);
  const variance = mean(times.map((time) => (time - avg) ** 2)); // the same, without the cancellation
  return {
    min: toMicroseconds(Math.min(...times)),
    avg: toMicroseconds(avg),
    max: toMicroseconds(Math.max(...times)),
    mdev: toMicroseconds(Math.sqrt(variance)),
  };
}
