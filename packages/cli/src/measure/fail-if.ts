import { Environment } from '@marcbachmann/cel-js';

/** Whether a report meets a condition. */
export type Condition = (report: Readonly<Record<string, unknown>>) => boolean;

/** Numbers of a report are doubles, and `2` in a condition is an int: between them CEL has comparisons alone. */
const CEL = new Environment({ unlistedVariablesAreDyn: true });
const CALCULATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};
for (const [sign, calculate] of Object.entries(CALCULATIONS)) {
  const mixed = (a: unknown, b: unknown): number => calculate(Number(a), Number(b));
  CEL.registerOperator(`double ${sign} int: double`, mixed).registerOperator(`int ${sign} double: double`, mixed);
}

/** Compiles a condition in CEL over the fields of a report, such as `locations.exists(l, l.ping_output.percent_packet_loss > 0)`. Throws if the text is not CEL. */
export function conditionOf(source: string): Condition {
  const evaluate = CEL.parse(source);
  return (report) => {
    const value: unknown = evaluate({ ...report });
    if (typeof value !== 'boolean') throw new Error(`--fail-if is neither true nor false: ${String(value)}`);
    return value;
  };
}
