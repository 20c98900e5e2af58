import { FEED_CATALOGUE } from '@vedette/feeds';
import { ENGINE_CATALOGUE } from '@vedette/intel/engines';
import { expect, it } from 'vitest';

const listsOf = (feeds: typeof FEED_CATALOGUE): ReadonlySet<string> => new Set(feeds.map(({ list, name }) => list ?? name));

it('a list engine that is on has a feed that fills its list, which is on too', () => {
  const filled = listsOf(FEED_CATALOGUE.filter(({ enabled }) => enabled));
  const unfilled = ENGINE_CATALOGUE.filter(({ enabled, list }) => enabled && list !== undefined && !filled.has(list));
  expect(unfilled.map(({ id }) => id)).toEqual([]);
});

it('what has no feed at all is an operator’s own, or wants one of his', () => {
  // SSLBL's certificates are names here; its engine is about addresses.
  const known = listsOf(FEED_CATALOGUE.filter(({ name }) => name !== 'sslbl'));
  const without = ENGINE_CATALOGUE.filter(({ list }) => list !== undefined && !known.has(list));
  expect(without.map(({ id }) => id).sort()).toEqual([
    'et-block',
    'openphish',
    'own-names',
    'own-reports',
    'phishtank',
    'sslbl',
    'stop-forum-spam',
  ]);
});
