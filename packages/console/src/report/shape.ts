/** The shape of a value: the renderer knows no field. */

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);
/** The objects of a list; none where it is something else. */
export const objectsOf = (value: unknown): Members[] => (Array.isArray(value) ? (value as unknown[]).filter(isObject) : []);

export const isScalar = (value: unknown): value is string | number | boolean | null => typeof value !== 'object' || value === null;

/** Arrays, and objects that number their members: `{"0": …, "1": …}`. */
export function itemsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((name, i) => name === String(i)) ? Object.values(value) : undefined;
}

export const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0);

/** A value as one line of text: for sorting, filtering and copying. */
export function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object') return JSON.stringify(value);
  const items = itemsOf(value);
  return items?.every(isScalar) ? items.map(plainText).join(', ') : JSON.stringify(value);
}

/** Numbers by size, all else as people sort. */
export function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return plainText(a).localeCompare(plainText(b), 'en', { numeric: true });
}
