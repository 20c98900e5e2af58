import { FEED_CATALOGUE } from '@vedette/intel/datasets';
import { listOf } from '@vedette/intel/feeds';
import { ENGINE_CATALOGUE } from '@vedette/intel/engines';
import { expect, it } from 'vitest';

/** Engines of names, of addresses and of URLs ask lists of their own: one name may stand for one of each. */
const SUBJECTS: Readonly<Record<string, 'address' | 'name' | 'url'>> = {
  attackers: 'address',
  anonymizers: 'address',
  services: 'address',
  bogons: 'address',
  malicious_names: 'name',
  named_services: 'name',
  malicious_urls: 'url',
};

/** What an operator fills by a feed of his own. */
const OPERATORS_OWN = ['own-names', 'own-reports', 'own-urls'];
/** Lists of the accusing kinds that something else reads: site-trust asks for certificates. */
const READ_ELSEWHERE = ['name sslbl'];

const keyOf = (subject: string | undefined, list: string): string => `${subject} ${list}`;
const on = ({ enabled }: { enabled: boolean }): boolean => enabled;

/** Engines whose list none of the feeds fills. */
function unfilled(feeds: typeof FEED_CATALOGUE, engines: typeof ENGINE_CATALOGUE): string[] {
  const filled = new Set(feeds.map((feed) => keyOf(SUBJECTS[feed.dataset], listOf(feed))));
  return engines.filter(({ subject, list }) => list !== undefined && !filled.has(keyOf(subject, list))).map(({ id }) => id);
}

/** Feeds that accuse, and whose list none of the engines reads; a copy of a zone is called as the engine that would ask there. */
function unread(feeds: typeof FEED_CATALOGUE, engines: typeof ENGINE_CATALOGUE): string[] {
  const read = new Set([...READ_ELSEWHERE, ...engines.map(({ subject, list = '' }) => keyOf(subject, list))]);
  const accusing = feeds.filter(({ dataset }) => ['attackers', 'malicious_names', 'malicious_urls'].includes(dataset));
  const isCopyOfZone = (name: string): boolean => engines.some(({ id, zone }) => id === name && zone !== undefined);
  return accusing
    .filter((feed) => !isCopyOfZone(feed.name) && !read.has(keyOf(SUBJECTS[feed.dataset], listOf(feed))))
    .map(({ name }) => name);
}

it('every engine that reads a list has a feed in the catalogue, of its own subject, but for what is the operator’s own', () => {
  expect(unfilled(FEED_CATALOGUE, ENGINE_CATALOGUE).sort()).toEqual(OPERATORS_OWN);
});

it('every feed that accuses has an engine that reads it', () => {
  expect(unread(FEED_CATALOGUE, ENGINE_CATALOGUE)).toEqual([]);
});

it('what is on has the other on: no engine without its list, and nothing fetched for an engine that is off', () => {
  expect(unfilled(FEED_CATALOGUE.filter(on), ENGINE_CATALOGUE.filter(on))).toEqual([]);
  expect(unread(FEED_CATALOGUE.filter(on), ENGINE_CATALOGUE.filter(on))).toEqual([]);
});
