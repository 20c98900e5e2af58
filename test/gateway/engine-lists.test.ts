import { FEED_CATALOGUE } from '@vedette/feeds';
import { ENGINE_CATALOGUE } from '@vedette/intel/engines';
import { expect, it } from 'vitest';

/** Lists that engines of names ask; the others are of addresses, and one name may stand for one of each. */
const NAME_DATASETS: readonly string[] = ['malicious_names', 'named_services'];

/** Engines whose list none of the feeds fills. */
function unfilled(feeds: typeof FEED_CATALOGUE, engines: typeof ENGINE_CATALOGUE): string[] {
  const filled = new Set(feeds.map(({ list, name, dataset }) => `${NAME_DATASETS.includes(dataset) ? 'name' : 'address'} ${list ?? name}`));
  return engines.filter(({ subject, list }) => list !== undefined && !filled.has(`${subject} ${list}`)).map(({ id }) => id);
}

it('a list engine that is on has a feed that fills its list, which is on too', () => {
  const on = ({ enabled }: { enabled: boolean }) => enabled;
  expect(unfilled(FEED_CATALOGUE.filter(on), ENGINE_CATALOGUE.filter(on))).toEqual([]);
});

it('what has no feed at all is an operator’s own, or wants one of his', () => {
  expect(unfilled(FEED_CATALOGUE, ENGINE_CATALOGUE).sort()).toEqual([
    'et-block',
    'openphish',
    'own-names',
    'own-reports',
    'phishtank',
    'sslbl',
    'stop-forum-spam',
    'threatfox-domains',
  ]);
});
