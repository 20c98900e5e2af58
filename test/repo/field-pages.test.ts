import { readFileSync } from 'node:fs';
import { operations } from '@vedette/operations';
import { expect, it } from 'vitest';
import { FIELD_PAGES, FIELD_TABLE } from '../../scripts/field-tables.ts';

// `npm run generate --check` holds the tables between the marks; this test finds fields that a page explains in a table of its own.

/** What stands under a keyword anywhere in a schema. */
const under = (keyword: 'properties' | 'enum', schema: object): string[] =>
  Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null) return [];
    const here = key !== keyword ? [] : Array.isArray(value) ? value.map(String) : Object.keys(value);
    return [...here, ...under(keyword, value)];
  });

it.each(Object.keys(FIELD_PAGES))('%s explains no field outside of the generated tables', (path) => {
  const operation = operations.find(({ name }) => path === `docs/${name}.md`)!;
  // A page may explain the values of a field that has a closed list of them.
  const fields = new Set(under('properties', operation.response)).difference(new Set(under('enum', operation.response)));
  const byHand = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').replaceAll(FIELD_TABLE, '');
  const named = Array.from(byHand.matchAll(/^\| `(\w+)`/gm), ([, name]) => name!);
  expect(named.filter((name) => fields.has(name))).toEqual([]);
});
