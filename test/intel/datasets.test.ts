import { DATASETS, defineDataset, FEED_CATALOGUE } from '@vedette/intel/datasets';
import { expect, it } from 'vitest';

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
