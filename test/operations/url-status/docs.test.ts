import { readFileSync } from 'node:fs';
import { LINK_RULES } from '@vedette/web/links';
import { FINAL_STATUSES, REDIRECT_TYPES } from '@vedette/web/redirects';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../../../docs/url-status.md', import.meta.url), 'utf8');
const sectionOf = (heading: string): string => page.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}`))!;
/** First cells of the table below a heading. */
const rowsOf = (heading: string): string[] => [...sectionOf(heading).matchAll(/^\| `([a-z0-9_]+)` \|/gm)].map((match) => match[1]!);

it('docs/url-status.md has every type of redirect, and nothing else', () => {
  expect(rowsOf('`redirect_type`')).toEqual(REDIRECT_TYPES.filter((type) => type !== ''));
});

it('docs/url-status.md has every status of the final URL, and nothing else', () => {
  expect(rowsOf('`final_url.status`')).toEqual([...FINAL_STATUSES]);
});

it('docs/url-status.md has every service whose links are unwrapped', () => {
  const section = sectionOf('Wrapped links').replaceAll(/\s+/g, ' ');
  expect(LINK_RULES.map(({ name }) => name).filter((name) => !section.includes(name))).toEqual([]);
});
