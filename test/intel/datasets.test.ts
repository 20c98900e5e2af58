import { DATASETS, defineDataset, FEED_CATALOGUE } from '@vedette/intel/datasets';
import type { FeedForm } from '@vedette/intel/feeds';
import { networksOver } from '@vedette/intel/networks';
import { expect, it } from 'vitest';
import { fileOf } from '@vedette/intel/feeds/formats';

it('a dataset without a builder does not compile', () => {
  // @ts-expect-error: `build` is missing
  expect(defineDataset({ name: 'incomplete', rules: 1, open: () => ({ use() {} }) })).not.toHaveProperty('build');
});

it('every dataset has a name of its own, and every feed a dataset', () => {
  const names = DATASETS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  // Renderers make the lists of `filters`.
  expect([...new Set(FEED_CATALOGUE.map(({ dataset }) => dataset))].filter((name) => !names.includes(name))).toEqual(['filters']);
});

it.each([
  ['attackers', 'lines', '192.0.2.16/28\n198.51.100.7\n203.0.113.3-203.0.113.12\n2001:db8::/48\n::ffff:198.51.100.9\n', networksOver],
  ['malicious_names', 'lines', 'Bad.Example.Test.\nhttps://shop.evil.test/login\n', (name: string) => [name]],
  ['malicious_urls', 'lines', 'https://evil.test:8443/Kit?a=1\nhttp://evil.test/kit\n', (url: string) => [url]],
  ['services', 'lines', '192.0.2.0/24\n', networksOver],
] as const)('the entries of %s are told as engines look them up', async (name, format, text, formsOf) => {
  const feed: FeedForm = { name: 'ours', dataset: name, format, curated: true, max_bytes: 1_000 };
  const { entries = [] } = await DATASETS.find((dataset) => dataset.name === name)!.build(fileOf(Buffer.from(text), feed), feed);
  const all = new Set(entries);
  const has = (subject: string): boolean => formsOf(subject).some((form) => all.has(form));
  const subjects = {
    attackers: ['192.0.2.16', '192.0.2.31', '198.51.100.7', '203.0.113.3', '203.0.113.9', '203.0.113.12', '2001:db8::7', '198.51.100.9'],
    malicious_names: ['bad.example.test', 'shop.evil.test'],
    malicious_urls: ['evil.test/Kit?a=1', 'evil.test/kit', 'evil.test/kit/'],
    services: [],
  }[name];
  expect(subjects.filter((subject) => !has(subject))).toEqual([]);
  expect(['192.0.2.32', '192.0.2.15', '203.0.113.2', '203.0.113.13', '2001:db9::', 'example.test', 'evil.test/'].filter(has)).toEqual([]);
});
