import { type Static, Type } from 'typebox';
import { type Row } from './row.ts';
import { FeedRefused } from '../refusal.ts';

const Field = Type.String({ minLength: 1, maxLength: 100 });
const Fields = Type.Array(Field, { minItems: 1, maxItems: 12 });

/**
 * Selects the used parts of a file. For JSON: `at` are paths to the elements, `*` for every element of an array or every value of an object
 * (`values.*.properties`). `entry` names the properties that have entries, a string, a number or an array of them; without it the element
 * is the entry. `label` are the properties that say what the entry is, joined by `/`; a property that an element lacks is looked for in
 * those around it, `@2` is the key at that step of the path, for `entry` too, and `@` the element itself. `columns` instead of both makes
 * each element one row of those properties. For text: `columns` are numbers of fields, from 0.
 */
export const Pick = Type.Object(
  {
    at: Type.Optional(Fields),
    entry: Type.Optional(Fields),
    label: Type.Optional(Fields),
    columns: Type.Optional(Type.Array(Type.Union([Field, Type.Integer({ minimum: 0, maximum: 100 })]), { minItems: 1, maxItems: 12 })),
    /** The separator of the fields of a line, if it is neither a comma nor white space. */
    separator: Type.Optional(Type.String({ minLength: 1, maxLength: 1 })),
    /** A suffix for the first field of a line, to make a name of it. */
    suffix: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  { additionalProperties: false },
);
export type Pick = Static<typeof Pick>;

/** An element, the way to it, and what is around it. */
interface Spot {
  value: unknown;
  keys: readonly string[];
  outer: Spot | undefined;
}

/** The rows of a JSON value. Throws `FeedRefused` for one without what the paths lead to. */
export function* picked(document: unknown, { at = ['*'], entry, label, columns }: Pick): Iterable<Row> {
  for (const path of at) {
    let found = 0;
    for (const spot of spots({ value: document, keys: [], outer: undefined }, path.split('.'))) {
      found++;
      if (columns) yield columns.map((name) => text(property(spot.value, String(name))));
      else yield* entriesAt(spot, entry, label);
    }
    // An empty array is what it says; a path that leads nowhere is another document.
    if (found === 0 && !leadsTo(document, path.split('.'))) throw new FeedRefused('format', `there is no ${path} in it`);
  }
}

function* entriesAt(spot: Spot, entry: Pick['entry'], label: Pick['label']): Iterable<Row> {
  const values = entry ? entry.map((name) => keyOf(spot, name) ?? property(spot.value, name)) : [spot.value];
  const labelled = label?.map((name) => labelOf(spot, name)).join('/') ?? '';
  const entries = values.flatMap((value): unknown[] => (Array.isArray(value) ? value : [value])).filter((value) => text(value) !== '');
  // A row without a value is reported, so that a new shape of the file is noticed.
  if (entries.length === 0 && !values.some(Array.isArray)) yield ['', ''];
  for (const value of entries) yield [text(value), labelled];
}

function* spots(from: Spot, [step, ...further]: readonly string[]): Iterable<Spot> {
  if (step === undefined) return yield from;
  for (const [key, value] of step === '*' ? elements(from.value) : [[step, property(from.value, step)] as const])
    if (value !== undefined) yield* spots({ value, keys: [...from.keys, key], outer: from }, further);
}

function elements(value: unknown): Iterable<readonly [string, unknown]> {
  if (Array.isArray(value)) return value.map((element: unknown, at) => [String(at), element] as const);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function leadsTo(value: unknown, [step, ...further]: readonly string[]): boolean {
  if (step === undefined || step === '*') return typeof value === 'object' && value !== null;
  const next = property(value, step);
  return next !== undefined && leadsTo(next, further);
}

/** A property, or one of one: `metadata.handle`. */
function property(value: unknown, path: string): unknown {
  let at: unknown = value;
  for (const name of path.split('.'))
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Record<string, unknown>)[name] : undefined;
  return at;
}

const keyOf = ({ keys }: Spot, name: string): string | undefined => (/^@\d+$/.test(name) ? keys[Number(name.slice(1))] : undefined);

function labelOf(spot: Spot, name: string): string {
  if (name === '@') return text(spot.value);
  if (name.startsWith('@')) return keyOf(spot, name) ?? '';
  for (let at: Spot | undefined = spot; at; at = at.outer) {
    const value = property(at.value, name);
    if (value !== undefined) return Array.isArray(value) ? value.map(text).join('+') : text(value);
  }
  return '';
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
