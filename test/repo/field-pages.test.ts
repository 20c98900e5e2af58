import { existsSync, readFileSync } from 'node:fs';
import { operations } from '@vedette/operations';
import { expect, it } from 'vitest';
import { FIELD_TABLE } from '../../scripts/field-tables.ts';

// `npm run generate --check` holds the tables between the marks; this test finds fields that a page explains in a table or a list of its own.

const pages = operations.filter(({ name }) => existsSync(new URL(`../../docs/${name}.md`, import.meta.url)));
/** A row or an item that begins with a name. */
const EXPLAINED = /^(?:\| |- )`(\w+)`/gm;

/** What stands under a keyword anywhere in a schema. */
const under = (keyword: 'properties' | 'enum', schema: object): string[] =>
  Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null) return [];
    const here = key !== keyword ? [] : Array.isArray(value) ? value.map(String) : Object.keys(value);
    return [...here, ...under(keyword, value)];
  });

it.each(pages)('docs/$name.md explains no field outside of the generated tables', ({ name: page, response }) => {
  // A page may explain the values of a field that has a closed list of them.
  const fields = new Set(under('properties', response)).difference(new Set(under('enum', response)));
  const byHand = readFileSync(new URL(`../../docs/${page}.md`, import.meta.url), 'utf8').replaceAll(FIELD_TABLE, '');
  const named = Array.from(byHand.matchAll(EXPLAINED), ([, name]) => name!);
  expect(named.filter((name) => fields.has(name))).toEqual([]);
});

it('finds pages, and fields in tables and lists', () => {
  expect(pages.length).toBeGreaterThanOrEqual(8);
  expect(Array.from('- `ttl`: seconds\n| `asn` | a number |'.matchAll(EXPLAINED), ([, name]) => name)).toEqual(['ttl', 'asn']);
});
