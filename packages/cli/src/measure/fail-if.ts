import { parse } from '@marcbachmann/cel-js';

/** Whether a report meets a condition. */
export type Condition = (report: Readonly<Record<string, unknown>>) => boolean;

/** Compiles a condition in CEL over the fields of a report, such as `locations.exists(l, l.ping_output.percent_packet_loss > 0)`. Throws if the text is not CEL. */
export function conditionOf(source: string): Condition {
  const evaluate = parse(source);
  return (report) => {
    const value: unknown = evaluate({ ...report });
    if (typeof value !== 'boolean') throw new Error(`--fail-if is neither true nor false: ${String(value)}`);
    return value;
  };
}
