import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DKIM_SELECTORS } from '@vedette/mail/dkim';
import { operations } from '@vedette/operations';
import { expect, it } from 'vitest';
import { LOOKUP_TYPES } from '../../packages/operations/src/dns-lookup/types.ts';
import { seriesNames, unknownMetrics } from './metric-names.ts';
import { PAGES, read, ROOT, sampleFiles } from './pages.ts';

it('every link from page to page leads somewhere', () => {
  const dead = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, target]) => target!)
      .filter((target) => !existsSync(join(ROOT, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(dead).toEqual([]);
});

it('no page has marks of a merge', () => {
  expect(PAGES.filter((page) => /^(?:<{7}|={7}|>{7})(?: |$)/m.test(read(page)))).toEqual([]);
});

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

it('every link to a section leads to one', () => {
  const headings = (page: string): string[] =>
    [
      ...read(page)
        .replaceAll(/^ *```.*?^ *```$/gms, '')
        .matchAll(/^#+ (.*)$/gm),
    ].map(([, heading]) => anchorOf(heading!));
  const dead = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*\.md)?#([^)\s]+)\)/g)]
      .filter(([, target, anchor]) => !headings(target === undefined ? page : join(dirname(page), target)).includes(anchor!))
      .map(([link]) => `${page}: ${link}`),
  );
  expect(anchorOf("`vedette`'s [bus](bus.md), and back")).toBe('vedettes-bus-and-back');
  expect(dead).toEqual([]);
});

it('every file that a page names exists, or would with the sample of CONTRIBUTING', () => {
  const sample = sampleFiles();
  const dead = PAGES.flatMap((page) =>
    [...read(page).matchAll(/`((?:test|packages|scripts|docs)\/[\w./-]+[^/`])`/g)]
      .map(([, path]) => path!)
      .filter((path) => !sample.has(path) && !existsSync(join(ROOT, path)))
      .map((path) => `${page}: ${path}`),
  );
  expect(dead).toEqual([]);
});

it('every metric that a page names exists', async () => {
  const names = await seriesNames();
  const pages = PAGES.filter((page) => page !== 'CHANGELOG.md'); // which names those that are no more
  expect(pages.flatMap((page) => unknownMetrics(read(page), names).map((name) => `${page}: ${name}`))).toEqual([]);
});

it('every npm command that a page names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const unknown = PAGES.flatMap((page) =>
    [...read(page).matchAll(/\bnpm run (?:-s )?([a-z][a-z:]*)/g)]
      .map(([, script]) => script!)
      .filter((script) => !(script in scripts))
      .map((script) => `${page}: ${script}`),
  );
  expect(unknown).toEqual([]);
});

it('the README lists the operations with what they cost', () => {
  const rows = [...read('README.md').matchAll(/^\| ([a-z][a-z0-9-]+) \| (\d+) \|/gm)].map(([, name, credits]) => [name, Number(credits)]);
  const prices = operations.map(({ name, cost }) => [name, typeof cost === 'number' ? cost : cost.base]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(prices));
});

it('README counts what there is', () => {
  const readme = read('README.md');
  expect(readme).toContain(`| ${LOOKUP_TYPES.length} record types`);
  const [, selectors] = /more than (\d+) known ones/.exec(readme) ?? [];
  expect(DKIM_SELECTORS.length - Number(selectors)).toSatisfy((more: number) => more > 0 && more < 100);
});

it('what README has for a shell can be pasted', () => {
  const lines = [...read('README.md').matchAll(/```sh\n([^]*?)```/g)].flatMap(([, code]) => code!.split('\n'));
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter((line) => /…|<[a-z-]+>/.test(line))).toEqual([]);
});

it('every page of docs is linked from the map, every decision from the index', () => {
  const unlinked = PAGES.filter(
    (path) => /^docs\/(?:adr\/|issues\/|reference\/|runbooks\/)?[\w-]+\.md$/.test(path) && !path.endsWith('README.md'),
  ).filter((path) => {
    const map = path.startsWith('docs/adr/') ? 'docs/adr/README.md' : 'docs/README.md';
    return !read(map).includes(`](${path.slice(map.lastIndexOf('/') + 1)})`);
  });
  expect(unlinked).toEqual([]);
});
