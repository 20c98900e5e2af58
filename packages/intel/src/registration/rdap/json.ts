import { shown } from '@vedette/contract';

/** A stranger's JSON, whose nesting the reader of the wire has bounded. */
export type Json = Readonly<Record<string, unknown>>;

const TEXT_MAX_CHARS = 300;
const LIST_MAX = 100;

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the objects of a list; an empty list for any other value. */
export const objectsOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A text as it may stand in a report: without what is not seen, and not too long. Empty for any other value. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? shown(value, TEXT_MAX_CHARS).replace(/\s+/g, ' ').trim() : '';

/** The first texts of a list, a single one, or none. */
export const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, LIST_MAX) : [value]).map(textOf).filter((text) => text !== '');
