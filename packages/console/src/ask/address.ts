import type { Field, Operation } from '../api/operations.ts';
import { withoutUser } from '../text/index.ts';

/** Fields that no address of a page may hold: secrets, and what is too long for one. */
const KEPT_OUT = /_base64$|password|bearer|^(?:custom_)?(?:headers?|proxy)$|^blocklist_key$/;

/** A plain value as text; a URL without its user and password. */
const text = (value: unknown): string => (typeof value === 'string' ? withoutUser(value) : JSON.stringify(value));

type Request = Readonly<Record<string, unknown>>;

/** The name in an address of the key whose kept answer the page is to show. */
const RUN = 'run';

/** The address of a run: a link to its answer, for the same account and as long as the gateway keeps it. */
export function addressOfRun(operation: Operation, request: Request, key: string): string {
  const address = addressOf(operation, request);
  return `${address}${address.includes('?') ? '&' : '?'}${RUN}=${encodeURIComponent(key)}`;
}

/** The key of a run that an address names; undefined where it names none. */
export const runKeyOf = (search: string): string | undefined => new URLSearchParams(search).get(RUN) || undefined;

/** The address of a request's page: a link to share. Opening it fills the form and asks nothing. */
export function addressOf({ name }: Operation, request: Request): string {
  const search = new URLSearchParams();
  const add = (prefix: string, values: Request): void => {
    for (const [field, value] of Object.entries(values)) {
      if (KEPT_OUT.test(field) || value === undefined) continue;
      if (Array.isArray(value)) for (const item of value) search.append(prefix + field, withoutUser(String(item)));
      else if (typeof value === 'object' && value !== null) add(`${prefix}${field}.`, value as Request);
      else search.append(prefix + field, text(value));
    }
  };
  add('', request);
  return `/ask/${name}${search.size === 0 ? '' : `?${search.toString()}`}`;
}

/** The request of a page's address, as far as its text fits the fields; anything else in it is left. */
export function requestOf({ fields }: Operation, search: string): Request {
  const params = new URLSearchParams(search);
  const read = (all: readonly Field[], prefix: string): Record<string, unknown> => {
    const request: Record<string, unknown> = {};
    for (const field of all) {
      const texts = params.getAll(prefix + field.name);
      if (KEPT_OUT.test(field.name)) continue;
      const inner = field.fields && read(field.fields, `${prefix}${field.name}.`);
      const value = inner ? (Object.keys(inner).length === 0 ? undefined : inner) : valueOf(field, texts);
      if (value !== undefined) request[field.name] = value;
    }
    return request;
  };
  return read(fields, '');
}

function valueOf({ type, enum: choices }: Field, texts: readonly string[]): unknown {
  const [text] = texts;
  if (text === undefined) return undefined;
  if (type === 'array') return texts;
  if (type === 'boolean') return text === 'true';
  const value = type === 'integer' || type === 'number' ? Number(text) : text;
  return Number.isNaN(value) || (choices && !choices.includes(value)) ? undefined : value;
}
