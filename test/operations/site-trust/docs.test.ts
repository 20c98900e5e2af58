import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { POPULAR_FLOOR, TRUST_CAPS, TRUST_MODIFIERS } from '@vedette/web/site';
import { SiteTrustReport } from '../../../packages/operations/src/site-trust/schema.ts';

const read = (page: string) => readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
/** First cells of the tables below the headings that match. */
const fieldsOf = (text: string, heading: RegExp): string[] =>
  text
    .split(/^(?=## )/m)
    .filter((section) => heading.test(section.split('\n', 1)[0]!))
    .flatMap((section) => [...section.matchAll(/^\| `([a-z0-9_]+)` \|/gm)].map((match) => match[1]!));

const page = read('site-trust.md');
const { properties } = SiteTrustReport;

it('docs/site-trust.md has every field of security_checks, and nothing else', () => {
  const documented = fieldsOf(page, /^## `security_checks`/);
  expect(documented.toSorted()).toEqual(Object.keys(properties.security_checks.properties).toSorted());
  expect(documented.length).toBeGreaterThan(75);
});

it('docs/site-trust.md has every other field of the report', () => {
  expect(fieldsOf(page, /^## The other fields/).toSorted()).toEqual(Object.keys(properties).toSorted());
});

it('each check has a rule of its own and an example', () => {
  const rows = [...page.matchAll(/^\| `(is_[a-z0-9_]+)` \| ([^|]*) \|([^|]*)\|$/gm)];
  expect(rows.length).toBeGreaterThan(64);
  for (const [, field, rule, example] of rows)
    expect([field, rule!.trim().length > 8, /^as \S+ has it/.test(rule!.trim()), example!.trim().length > 2]).toEqual([
      field,
      true,
      false,
      true,
    ]);
});

it('docs/scores.md has every factor and every cap with its points', () => {
  const section = read('scores.md')
    .split(/^(?=## )/m)
    .find((part) => part.startsWith('## Trust in a site'))!;
  const rows = Object.fromEntries(
    [...section.matchAll(/^\| `([a-z0-9_]+)` \| (-?\d+) \|/gm)].map(([, factor, points]) => [factor!, Number(points)]),
  );
  const caps = Object.fromEntries(Object.entries(TRUST_CAPS).map(([cap, points]) => [`cap_${cap}`, points]));
  expect(rows).toEqual({ ...TRUST_MODIFIERS, ...caps });
  expect(section).toContain(`does not fall below ${POPULAR_FLOOR}`);
});
