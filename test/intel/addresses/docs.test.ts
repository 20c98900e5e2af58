import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LISTS_OF, MAIL_SENDERS } from '@vedette/intel/addresses';

const page = readFileSync(new URL('../../../docs/ip-reputation.md', import.meta.url), 'utf8');

it.each(Object.entries(LISTS_OF))('the page names the lists behind %s', (field, lists) => {
  const row = page.split('\n').find((line) => line.startsWith(`| \`${field}`));
  expect(row).toBeDefined();
  const named = row!.split(' | ').at(-1)!;
  if (named.startsWith('as `is_hosting`')) return;
  expect(lists.filter((list) => !named.split(/[ ,|]+/).includes(list))).toEqual([]);
});

it('the page counts the mail providers', () => {
  expect(MAIL_SENDERS).toHaveLength(22); // "twenty-two"
});
