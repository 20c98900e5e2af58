import { DEFAULT_FEEDS, Documents, openDatasets } from '@vedette/intel/datasets';
import { createMailboxes } from '@vedette/intel/mailboxes';
import { shippedNames } from '@vedette/intel/names';
import { createNetworks } from '@vedette/intel/networks';
import { createPhones } from '@vedette/intel/phone';
import { createTransparency } from '@vedette/intel/transparency';
import { createUrls } from '@vedette/intel/urls';
import { builders } from '../../../packages/intel/src/datasets/builders.ts';
import { buildFile } from '../../../packages/intel/src/feeds/build/build-file.ts';
import { FEED_FILES } from '../../gateway/feed-files.ts';
import { silent } from '../../ledger/servers.ts';

/** The shipped names with the lists of bad ones, made from files in their publishers' form. */
export async function namesOfFeeds(): Promise<ReturnType<typeof shippedNames>> {
  const names = shippedNames();
  const build: Parameters<typeof openDatasets>[0]['build'] = (feed, body) => buildFile(builders, feed, body);
  const { malicious_names: dataset } = openDatasets({
    names,
    networks: createNetworks(),
    mailboxes: createMailboxes(),
    phones: createPhones(),
    transparency: createTransparency(),
    urls: createUrls(),
    documents: new Documents(),
    installed: Promise.resolve(),
    log: silent,
    build,
  });
  for (const feed of DEFAULT_FEEDS.catalogue.filter((one) => one.dataset === 'malicious_names' && one.enabled)) {
    const file = FEED_FILES[feed.name];
    if (typeof file !== 'string') throw new TypeError(`no file of ${feed.name}`);
    const { snapshot } = await build(feed, Buffer.from(file), new AbortController().signal);
    await dataset!.use(feed, snapshot.bytes);
  }
  return names;
}
