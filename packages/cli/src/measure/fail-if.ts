import { Environment } from '@marcbachmann/cel-js';
import { fieldTypes, reportTypes } from '@vedette/client/report-fields';
import { nearest } from '@vedette/contract/tools';

/** Whether a report meets a condition. */
export type Condition = (report: Readonly<Record<string, unknown>>) => boolean;

/** Numbers of a report are doubles, and `2` in a condition is an int: between them CEL has comparisons alone. */
const CALCULATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};
function withCalculations(cel: Environment): Environment {
  for (const [sign, calculate] of Object.entries(CALCULATIONS)) {
    const mixed = (a: unknown, b: unknown): number => calculate(Number(a), Number(b));
    cel.registerOperator(`double ${sign} int: double`, mixed).registerOperator(`int ${sign} double: double`, mixed);
  }
  return cel;
}

/** Takes each name for a field of any type. */
const withoutTypes = (): Environment => withCalculations(new Environment({ unlistedVariablesAreDyn: true }));

/**
 * Compiles a condition in CEL over the fields of an operation's report, such as `locations.exists(l, l.ping_output.percent_packet_loss > 0)`. Throws if the text is
 * not CEL, or names a field that the report does not have.
 */
export function conditionOf(source: string, operation: string): Condition {
  const evaluate = parsed(source);
  checkFields(source, operation);
  return (report) => {
    const value: unknown = inOneLine(() => evaluate({ report, ...report }));
    if (typeof value !== 'boolean') throw new Error(`--fail-if is neither true nor false: ${String(value)}`);
    return value;
  };
}

const parsed = (source: string): ReturnType<Environment['parse']> => inOneLine(() => withoutTypes().parse(source));

/** Errors of CEL have a picture of the source in further lines. */
function inOneLine<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new Error(`--fail-if: ${(cause as Error).message.split('\n', 1)[0]!}`, { cause });
  }
}

const UNKNOWN = /^(?:No such key|Unknown variable): (\w+)/;
/** A name that is not there, or an object that is ordered or calculated with. */
const CERTAIN = new RegExp(`${UNKNOWN.source}|^no such overload: .* (?:[<>]=?|[-*/%]) `);

/** Refuses a condition that no report can meet, before one is paid for. The values of fields are not judged. */
function checkFields(source: string, operation: string): void {
  const cel = withCalculations(new Environment());
  /** The fields of the report, with the path of each: the first one that has its name. */
  const paths = new Map<string, string>();
  const seen = new Set<string>();
  const register = (type: string, path: string): void => {
    const name = type.replaceAll(/list<|>/g, '');
    const fields = fieldTypes[name];
    if (fields === undefined || seen.has(name)) return;
    seen.add(name);
    for (const [field, inner] of Object.entries(fields)) {
      const at = `${path}${field}`;
      if (!paths.has(field)) paths.set(field, at);
      register(inner, `${at}${inner.startsWith('list<') ? '[0]' : ''}.`);
    }
    cel.registerType(name, { fields: { ...fields } });
  };
  const whole = reportTypes[operation]!;
  register(whole, '');
  for (const [field, type] of Object.entries({ report: whole, ...fieldTypes[whole] }))
    // `type` is a word of CEL: `report.type` is the field.
    if (!cel.hasVariable(field)) cel.registerVariable(field, type);
  const typed = cel.check(source);
  // A report itself has maps and lists: they may be joined, asked for a name, and compared with null.
  const { valid, type, error } = typed.valid || CERTAIN.test(typed.error!.message) ? typed : withoutTypes().check(source);
  if (!valid) throw new Error(`--fail-if: ${sentenceOf(error!.message, operation, paths)}`);
  if (type !== 'bool' && type !== 'dyn') throw new Error(`--fail-if is neither true nor false: ${type}`);
}

function sentenceOf(message: string, operation: string, paths: ReadonlyMap<string, string>): string {
  const field = UNKNOWN.exec(message)?.[1];
  if (field === undefined) return message.split('\n', 1)[0]!;
  // It is a field of another object.
  const meant = paths.get(field) ?? nearest(field, [...paths.keys()]);
  return `the report of ${operation} has no field ${field}${paths.has(field) ? ' there' : ''}${meant === undefined ? '' : `: did you mean ${meant}?`}`;
}
