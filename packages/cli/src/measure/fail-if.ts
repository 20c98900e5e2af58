import { Environment, type TypeError as CelError } from '@marcbachmann/cel-js';
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
  '%': (a, b) => a % b,
};
/** CEL with what users expect of numbers, and with lists such as `[null, "clean"]` and `[1.5, 2]`. */
function environment(unlistedVariablesAreDyn: boolean): Environment {
  const cel = new Environment({ unlistedVariablesAreDyn, homogeneousAggregateLiterals: false });
  for (const [sign, calculate] of Object.entries(CALCULATIONS)) {
    const mixed = (a: unknown, b: unknown): number => calculate(Number(a), Number(b));
    cel.registerOperator(`double ${sign} int: double`, mixed).registerOperator(`int ${sign} double: double`, mixed);
  }
  cel.registerOperator('double == int: bool', (a: unknown, b: unknown) => Number(a) === Number(b));
  return cel;
}

/** Takes each name for a field of any type. */
const withoutTypes = (): Environment => environment(true);

/**
 * Compiles a condition in CEL over the fields of an operation's report, such as `locations.exists(l, l.ping_output.percent_packet_loss > 0)`. Throws if the text is
 * not CEL, names a field that the report does not have, or compares one with a value of another type.
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
const VALUE = '(?:string|double|int|bool)';
const VALUES = `(?:list<)*${VALUE}>*`;
const OTHER = `(?:${VALUE}|[A-Z]\\w*|list<.*>)`;
/** Messages of CEL about types that are wrong for any report, and the sentence for each. Other messages are ignored: a report may have maps and mixed lists. */
const WRONG: readonly (readonly [message: RegExp, told: (text: string, a: string, b: string) => string])[] = [
  [/^no such overload: (\S+) (?:[<>]=?) (\S+)$/, (text, a, b) => `${text} compares ${a} with ${b}`],
  [/^no such overload: (\S+) (?:[-*/%]) (\S+)$/, (text, a, b) => `${text} calculates with ${a} and ${b}`],
  [new RegExp(`^no such overload: (${VALUE}) [=!]= (${OTHER})$`), (text, a, b) => `${text} compares ${a} with ${b}`],
  [new RegExp(`^no such overload: (${OTHER}) [=!]= (${VALUE})$`), (text, a, b) => `${text} compares ${a} with ${b}`],
  [new RegExp(`^no such overload: (${VALUE}) \\+ (${VALUE})$`), (text, a, b) => `${text} adds ${b} to ${a}`],
  [new RegExp(`^no such overload: (${VALUE}) in (${VALUES})$`), (text, a, b) => `${text} looks for ${a} in ${b}`],
  [new RegExp(`^no such overload: [-!](${OTHER})$`), (text, a) => `${text} negates ${a}`],
  [new RegExp(`bool.*, got '(${VALUES})'$`), (text, a) => `${text} needs true or false, and has ${a}`],
  [new RegExp(`^Cannot index type '(${VALUE})'$`), (text, a) => `${a} has no field ${text}`],
  [new RegExp(`^Expression of type '(${VALUE})' cannot be range`), (text, a) => `${a} has no items, as ${text} needs them`],
  [/^no such overload: (?:type (?:\S+) \S+|\S+ (?:\S+) type)$/, (text) => `${text}: type is a word of CEL, and report.type the field`],
  [/^has\(\) invalid argument$/, () => 'has() asks for a field of an object, such as has(report.locations)'],
  [/^List index must be int, got 'string'$/, (text) => `a list has no field ${text}: use exists(), all() or [0]`],
  [
    new RegExp(`^found no matching overload for '(?:${VALUES}\\.)?\\w+\\((?:${VALUES}(?:, )?)*\\)'$`),
    (text) => `${text} calls a function that does not exist for these values`,
  ],
];
const WORDS: Readonly<Record<string, string>> = { string: 'a string', double: 'a number', int: 'a number', bool: 'true or false' };
const word = (type: string): string => WORDS[type] ?? (type.startsWith('list<') ? 'a list' : 'an object');

/** Describes a wrong type in a condition: `verdict > 3 compares a string with a number`. Undefined for errors that the run time may not have. */
function wrongType({ summary, range }: CelError, source: string): string | undefined {
  for (const [message, told] of WRONG) {
    const found = message.exec(summary);
    if (found) return told(source.slice(range?.start, range?.end), word(found[1] ?? ''), word(found[2] ?? ''));
  }
  return undefined;
}

/** Comparisons that a report itself allows: its numbers in lists of whole ones, and any field with null. */
const COMPARISONS = ['double in list<int>', 'int in list<double>', 'string == null', 'double == null', 'bool == null'];

/** Refuses a condition that no report can meet, before one is paid for: unknown fields, and values of another type. Fields without a type in the API description are not judged. */
function checkFields(source: string, operation: string): void {
  const cel = environment(false);
  for (const comparison of COMPARISONS) cel.registerOperator(`${comparison}: bool`, () => false);
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
  // `has()` takes any name; `dyn()` takes only what is there, and leaves all places as they are.
  const error = (typed.error ?? cel.check(source.replaceAll(/\bhas(?=\s*\()/g, 'dyn')).error) as CelError | undefined;
  if (error) {
    const field = UNKNOWN.exec(error.summary)?.[1];
    const told = field === undefined ? wrongType(error, source) : unknownField(field, operation, paths);
    if (told !== undefined) throw new Error(`--fail-if: ${told}`);
  }
  // A report itself has maps and lists: they may be joined, asked for a name, and compared with null.
  const { valid, type, error: untyped } = typed.valid ? typed : withoutTypes().check(source);
  if (!valid) throw new Error(`--fail-if: ${untyped!.message.split('\n', 1)[0]!}`);
  if (type !== 'bool' && type !== 'dyn') throw new Error(`--fail-if is neither true nor false: ${type}`);
}

function unknownField(field: string, operation: string, paths: ReadonlyMap<string, string>): string {
  // It is a field of another object.
  const meant = paths.get(field) ?? nearest(field, [...paths.keys()]);
  return `the report of ${operation} has no field ${field}${paths.has(field) ? ' there' : ''}${meant === undefined ? '' : `: did you mean ${meant}?`}`;
}
