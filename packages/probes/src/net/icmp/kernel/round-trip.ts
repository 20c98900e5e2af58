/**
 * The kernel stamps packets with the wall clock, which an operator or NTP may step while an echo is on its way. The
 * monotonic clock cannot be stepped, but knows an arrival only as "between two polls". The kernel's figure therefore counts if it lies
 * between those bounds, with some slack for a loaded machine.
 */
const SLACK_MS = 20;

/**
 * Round trip in ms.
 * @param kernel_ms difference of the kernel's two stamps
 * @param earliest_ms monotonic time from sending to the last poll that had not seen the reply; not positive if there was none
 * @param latest_ms monotonic time from sending to the poll that saw it
 */
export function roundTripMs(kernel_ms: number, earliest_ms: number, latest_ms: number): number {
  const plausible = kernel_ms >= 0 && kernel_ms >= earliest_ms - SLACK_MS && kernel_ms <= latest_ms + SLACK_MS;
  return plausible ? kernel_ms : latest_ms;
}
