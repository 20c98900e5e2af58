import { Type } from 'typebox';

/** One of a closed list of strings, written as JSON Schema `enum`. */
export const Enum = <const Values extends readonly string[]>(
  values: Values,
  options: { title?: string; description?: string; default?: string; examples?: string[] } = {},
) => Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });

/** Longest URL of a client. */
export const URL_MAX_CHARS = 8_192;

/** Response headers of a target: lowercase names, every value kept on its own. */
export const HeaderLists = Type.Record(Type.String(), Type.Array(Type.String()), {
  title: 'HeaderLists',
  description: 'Response headers: lower-case names, each value as its own item',
});
export const HeaderStrings = Type.Record(Type.String(), Type.String(), {
  title: 'HeaderStrings',
  description: 'Response headers: lower-case names, values of repeated headers joined by commas',
});
