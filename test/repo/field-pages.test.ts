import { readFileSync } from 'node:fs';
import { operations } from '@vedette/operations';
import { expect, it } from 'vitest';
import { FIELD_PAGES, FIELD_TABLE } from '../../scripts/field-tables.ts';

// `npm run generate --check` holds the tables between the marks; this test finds fields that a page explains in a table of its own.

/** Names of all fields of a report, at any depth. */
function fieldsOf(schema: object): string[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null) return [];
    const own = key === 'properties' ? Object.keys(value as object) : [];
    return [...own, ...fieldsOf(value as object)];
  });
}

it.each(Object.keys(FIELD_PAGES))('%s explains no field outside of the generated tables', (path) => {
  const operation = operations.find(({ name }) => path === `docs/${name}.md`)!;
  const fields = new Set(fieldsOf(operation.response));
  const byHand = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8').replaceAll(FIELD_TABLE, '');
  const named = Array.from(byHand.matchAll(/^\| `(\w+)`/gm), ([, name]) => name!);
  expect(named.filter((name) => fields.has(name))).toEqual([]);
});
