import type { Field } from '../api/operations.ts';

type Request = Readonly<Record<string, unknown>>;

/** A word that a POSIX shell takes as it is, whatever is in it. */
const quoted = (text: string): string => (/^[\w.:/@][\w.:/@,-]*$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/** The request as a command line; the key is left to the reader's environment. */
export const curl = (origin: string, operation: string, request: Request): string =>
  [
    `curl -s ${quoted(`${origin}/v2/${operation}`)} -H "X-API-Key: $VEDETTE_API_KEY" -H 'Content-Type: application/json'`,
    operation === 'account-info' ? '-X POST' : `-d ${quoted(JSON.stringify(request))}`,
  ].join(' ');

/** The request for `vedette`: what is required stands bare, all else as flags. A file is named by the reader. */
export function cli({ name, fields }: { name: string; fields: readonly Field[] }, request: Request): string {
  const bare = fields.filter((field) => field.required && field.name in request).map((field) => wordOf(field, request[field.name]));
  const flags = fields
    .filter((field) => !field.required && field.name in request)
    .flatMap((field) => {
      const inner = request[field.name];
      if (field.name !== 'options') return flagsOf(field, inner);
      return (field.fields ?? []).flatMap((option) => flagsOf(option, (inner as Request)[option.name]));
    });
  return ['vedette', name, ...flags, ...(bare.some((word) => /^'?-/.test(word)) ? ['--'] : []), ...bare].join(' ');
}

const isFile = ({ name }: Field): boolean => name.endsWith('_base64');

function wordOf(field: Field, value: unknown): string {
  if (isFile(field)) return 'FILE';
  return quoted(Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : JSON.stringify(value));
}

function flagsOf(field: Field, value: unknown): string[] {
  if (value === undefined || value === field.default) return [];
  const flag = field.name === 'locations' ? 'from' : field.name.replace(/_base64$/, '').replaceAll('_', '-');
  if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`];
  if (field.type === 'object')
    return Object.entries(value as Request).map(([name, one]) => `--${flag} ${quoted(`${name}: ${String(one)}`)}`);
  return [`--${flag}=${wordOf(field, value)}`];
}

/** The request by `@vedette/client`. */
export function typescript(operation: string, request: Request): string {
  const method = operation.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return `await client.${method}(${operation === 'account-info' ? '' : JSON.stringify(request)})`;
}
