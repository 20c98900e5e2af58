import type { FieldSchema, OperationInfo } from '@vedette/client/catalogue';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { list, many } from '../context/arguments.ts';

/** Where on a command line a parameter of an operation stands. */
export interface Parameter {
  /** Place in the body, as `['options', 'count']`. */
  path: readonly string[];
  schema: FieldSchema;
  isArgument: boolean;
  /** Name of the flag without its dashes, or of the argument. */
  flag: string;
  /** A file is read, and sent in base64. */
  isFile: boolean;
}

const FROM = 'from';
/** Other users of a machine see the arguments of a command: these may come from a file. */
const SECRETS: ReadonlySet<string> = new Set([
  'basic_auth_password',
  'authorization_bearer',
  'custom_header',
  'custom_proxy',
  'blocklist_key',
  'headers',
]);

/** The parameters of an operation. Fields of `options` are flags like all others; what is required stands without a flag. */
export function parametersOf({ request }: Pick<OperationInfo, 'request'>): Parameter[] {
  return Object.entries(request.properties).flatMap(([name, schema]) => {
    if (name === 'options') return Object.entries(schema.properties ?? {}).map(([inner, field]) => parameter([name, inner], field, false));
    return [parameter([name], schema, request.required?.includes(name) ?? false)];
  });
}

function parameter(path: readonly string[], schema: FieldSchema, isArgument: boolean): Parameter {
  const name = path.at(-1)!;
  const isFile = name.endsWith('_base64');
  const flag = name === 'locations' ? FROM : (isFile ? name.slice(0, -'_base64'.length) : name).replaceAll('_', '-');
  return { path, schema, isArgument, flag, isFile };
}

/** Adds the parameters to a command. The one of which a list may be given can be left out. */
export function declare(command: Command, parameters: readonly Parameter[], bulk: string | undefined): void {
  for (const one of parameters) {
    const { schema, isArgument, flag, isFile } = one;
    const meaning = described(one);
    if (isArgument && one.path[0] === bulk) command.argument(`[${flag}]`, meaning);
    else if (isArgument) command.argument(`<${isFile ? `${flag}-file` : flag}>`, meaning);
    else if (schema.type === 'boolean') {
      // A switch that is on by default can be switched off, and one without a default both.
      if (schema.default !== true) command.option(`--${flag}`, meaning);
      if (schema.default !== false) command.option(`--no-${flag}`, schema.default === true ? `off: ${meaning}` : 'off');
    } else command.addOption(optionOf(one, meaning));
  }
}

function optionOf({ schema, flag, isFile }: Parameter, meaning: string): Option {
  if (isFile) return new Option(`--${flag} <file>`, meaning);
  if (flag === FROM) return new Option('-F, --from <list>', meaning).argParser(list);
  if (schema.type === 'object') return new Option(`--${flag} <name: value>`, `${meaning}; may be given several times`).argParser(many);
  if (schema.type === 'array') return new Option(`--${flag} <list>`, meaning).argParser(list);
  const option = new Option(`--${flag} <${schema.type === 'string' ? 'text' : 'number'}>`, meaning);
  if (schema.enum) option.choices(schema.enum.map(String));
  return option;
}

function described({ schema, isFile, path }: Parameter): string {
  const { description = '', default: fallback, minimum, maximum } = schema;
  const range = minimum === undefined || maximum === undefined ? '' : `, ${minimum} to ${maximum}`;
  const known = fallback === undefined || fallback === '' || typeof fallback === 'boolean' ? '' : ` (default: ${JSON.stringify(fallback)})`;
  return `${isFile ? 'file, or - for standard input: ' : ''}${description}${range}${known}${SECRETS.has(path.at(-1)!) ? '; @file or - reads it' : ''}`;
}

/** The body of a request, of what commander read. `readFile` gives a file in base64. */
export async function bodyOf(
  parameters: readonly Parameter[],
  args: readonly string[],
  flags: Readonly<Record<string, unknown>>,
  readFile: (path: string) => Promise<string>,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  let next = 0;
  for (const one of parameters) {
    const given = one.isArgument ? args[next++] : flags[one.flag.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
    if (given === undefined) continue;
    const value = one.isFile ? await readFile(given as string) : valueOf(one, await told(one, given, readFile));
    const [outer, inner] = one.path;
    if (inner === undefined) body[outer!] = value;
    else body[outer!] = { ...(body[outer!] as object | undefined), [inner]: value };
  }
  return body;
}

/** The value of a flag; a secret may be in a file (`@file`) or on standard input (`-`), headers with one on each line. */
async function told({ path, schema }: Parameter, given: unknown, readFile: (path: string) => Promise<string>): Promise<unknown> {
  if (!SECRETS.has(path.at(-1)!)) return given;
  const read = async (value: string): Promise<string> => {
    if (value !== '-' && !value.startsWith('@')) return value;
    const base64 = await readFile(value === '-' ? '-' : value.slice(1));
    return Buffer.from(base64, 'base64').toString('utf8').trim();
  };
  if (!Array.isArray(given)) return typeof given === 'string' ? read(given) : given;
  const values = await Promise.all(given.map((value: string) => read(value)));
  return schema.type === 'object' ? values.flatMap((text) => text.split(/\r?\n/).filter(Boolean)) : values;
}

function valueOf({ schema, flag }: Parameter, given: unknown): unknown {
  if (schema.type === 'boolean') return given;
  if (schema.type === 'object') return Object.fromEntries((given as string[]).map(headerOf));
  if (schema.type !== 'integer' && schema.type !== 'number') return given;
  const number = Number(given);
  if (String(given).trim() === '' || !Number.isFinite(number)) throw new InvalidArgumentError(`${flag} is not a number: ${String(given)}`);
  return number;
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError(`"${line}" is not of the form "name: value"`);
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}
