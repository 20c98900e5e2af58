import { allDatasets } from '../feeds/all-datasets.ts';
import { DEFAULT_FEEDS } from '@vedette/intel/datasets';
import { shippedNames } from '@vedette/intel/names';
import { builders } from '../../../packages/intel/src/datasets/builders.ts';
import { buildFile } from '../../../packages/intel/src/feeds/build/build-file.ts';
import { FEED_FILES } from '../../gateway/feed-files.ts';

/** The shipped names with the lists of bad ones, made from files in their publishers' form. */
export async function namesOfFeeds(): Promise<ReturnType<typeof shippedNames>> {
  const names = shippedNames();
  const { datasets } = allDatasets({ names });
  for (const feed of DEFAULT_FEEDS.catalogue.filter((one) => one.dataset === 'malicious_names' && one.enabled)) {
    const file = FEED_FILES[feed.name];
    if (typeof file !== 'string') throw new TypeError(`no file of ${feed.name}`);
    const { snapshot } = await buildFile(builders, feed, Buffer.from(file));
    await datasets['malicious_names']!.use(feed, snapshot.bytes);
  }
  return names;
}
