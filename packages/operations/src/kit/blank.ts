import type { Static, TObject, TSchema } from 'typebox';

/** JSON Schema as far as results use it. */
interface Shape {
  type?: string;
  properties?: Record<string, TSchema>;
  required?: string[];
  default?: unknown;
}

const EMPTY: Record<string, unknown> = { string: '', number: 0, integer: 0, boolean: false };

/**
 * A value of the schema with nothing in it: its default, else `''`, 0, false, `[]` and `{}`; optional fields are left out. Limits of length
 * or size are ignored: the schema of a result must allow an empty one (`test/contract/blank.test.ts`). Throws for a union.
 */
export function blank<S extends TObject>(schema: S): Static<S> {
  return blankOf(schema) as Static<S>;
}

function blankOf(schema: TSchema): unknown {
  const { type = '', properties = {}, required = [], default: given }: Shape = schema;
  if (given !== undefined) return given;
  if (type === 'array') return [];
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, blankOf(properties[name]!)]));
  if (!(type in EMPTY)) throw new TypeError(`no blank value of ${JSON.stringify(schema)}`);
  return EMPTY[type];
}
