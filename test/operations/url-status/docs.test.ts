import { readFileSync } from 'node:fs';
import { LINK_RULES } from '@vedette/web/links';
import { FINAL_STATUSES, REDIRECT_TYPES } from '@vedette/web/redirects';
import { expect, it } from 'vitest';
import { UrlStatusReport } from '../../../packages/operations/src/url-status/schema.ts';

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

it('docs/url-status.md has everything that a request adds to hops', () => {
  const { chain } = UrlStatusReport.properties;
  const optional = Object.keys(chain.items.properties).filter((name) => !chain.items.required.some((required) => required === name));
  const elsewhere = ['redirected_from', 'valid_ssl', 'ssl_details', 'html_info', 'html_truncated'];
  expect(rowsOf('What the final hop carries').toSorted()).toEqual(optional.filter((name) => !elsewhere.includes(name)).toSorted());
});

it('docs/url-status.md has every boolean of redirect_info', () => {
  const { redirect_info } = UrlStatusReport.properties.chain.items.properties;
  for (const name of Object.keys(redirect_info.properties)) expect(sectionOf('`redirect_info`')).toContain(`\`${name}\``);
});

it('docs/url-status.md has every service whose links are unwrapped', () => {
  const section = sectionOf('Wrapped links').replaceAll(/\s+/g, ' ');
  expect(LINK_RULES.map(({ name }) => name).filter((name) => !section.includes(name))).toEqual([]);
});
