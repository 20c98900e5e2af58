import { expect, it } from 'vitest';
import { roundTripMs } from '../../../../../packages/probes/src/net/icmp/kernel/round-trip.ts';

const HOUR_MS = 3_600_000;

it.each([
  { title: 'the clock ran on', kernel_ms: 12.345, earliest_ms: 10, latest_ms: 15, rtt_ms: 12.345 },
  { title: 'there was no earlier poll', kernel_ms: 0.02, earliest_ms: -5000, latest_ms: 3, rtt_ms: 0.02 },
  { title: 'the loop was busy for a second', kernel_ms: 12.345, earliest_ms: -3, latest_ms: 1015, rtt_ms: 12.345 },
  { title: 'the packet was stamped a little before or after it was seen', kernel_ms: 31, earliest_ms: 10, latest_ms: 15, rtt_ms: 31 },
  { title: 'the clock was put forward by an hour', kernel_ms: 12.345 + HOUR_MS, earliest_ms: 10, latest_ms: 15, rtt_ms: 15 },
  { title: 'the clock was put back by an hour', kernel_ms: 12.345 - HOUR_MS, earliest_ms: 10, latest_ms: 15, rtt_ms: 15 },
  { title: 'the clock was put back by less than the round trip', kernel_ms: 100, earliest_ms: 300, latest_ms: 305, rtt_ms: 305 },
  { title: 'the clock was put back by a little more than it', kernel_ms: -0.5, earliest_ms: 0, latest_ms: 5, rtt_ms: 5 },
])('$title: $rtt_ms ms', ({ kernel_ms, earliest_ms, latest_ms, rtt_ms }) => {
  expect(roundTripMs(kernel_ms, earliest_ms, latest_ms)).toBe(rtt_ms);
});
