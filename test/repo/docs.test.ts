import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { operations } from '@vedette/operations';
import { expect, it } from 'vitest';
import { createMetrics } from '../../packages/gateway/src/metrics.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...['docs', 'deploy', 'terraform'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
];

it('every link from page to page leads somewhere', () => {
  const dead = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, target]) => target!)
      .filter((target) => !existsSync(join(ROOT, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(dead).toEqual([]);
});

it('every file that a page names exists', () => {
  const dead = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:test|packages|scripts|docs)\/[\w./-]+[^/`])`/g)]
      .map(([, path]) => path!)
      .filter((path) => !path.includes('tlsa-status') && !existsSync(join(ROOT, path))) // CONTRIBUTING's example
      .map((path) => `${page}: ${path}`),
  );
  expect(dead).toEqual([]);
});

it('every metric that a page names exists', () => {
  const names = new Set(
    createMetrics()
      .registry.getMetricsAsArray()
      .map(({ name }) => name),
  );
  const unknown = pages.flatMap((page) =>
    [...read(page).matchAll(/\bvedette_gateway_\w+/g)].filter(([name]) => !names.has(name)).map(([name]) => `${page}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

it('every npm command that a page names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const unknown = pages.flatMap((page) =>
    [...read(page).matchAll(/\bnpm run (?:-s )?([a-z][a-z:]*)/g)]
      .map(([, script]) => script!)
      .filter((script) => !(script in scripts))
      .map((script) => `${page}: ${script}`),
  );
  expect(unknown).toEqual([]);
});

it('the README lists the operations with what they cost', () => {
  const rows = [...read('README.md').matchAll(/^\| ([a-z][a-z-]+) \| (\d+) \|/gm)].map(([, name, credits]) => [name, Number(credits)]);
  const prices = operations.map(({ name, cost }) => [name, typeof cost === 'number' ? cost : cost.base]);
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(prices));
});
