import type { BuildFile, Dataset, FeedForm } from '../feeds/index.ts';
import { copyOf } from './copies/index.ts';
import { DATASETS } from './catalogue/feeds.ts';
import type { DatasetPorts } from './define.ts';
import { listFeeds, SharedLists } from './lists.ts';

export interface DatasetDeps extends Omit<DatasetPorts, 'addressLists' | 'nameLists' | 'onAnnounced'> {
  /** Builds a list of several feeds in the thread that builds those of one. */
  build: BuildFile;
}

const MEGABYTE = 1_048_576;

/** All parts of a list as one file: an entry and behind a tab its label on each line. */
const wholeList = (name: string, dataset: string): FeedForm => ({
  name,
  dataset,
  format: 'words',
  pick: { separator: '\t' },
  curated: true,
  max_bytes: 256 * MEGABYTE,
});

/** Opens all datasets for one gateway, by name. */
export function openDatasets({ build, ...deps }: DatasetDeps): Readonly<Record<string, Dataset>> {
  const { networks, names } = deps;
  const lists = (dataset: string, put: (list: string, snapshot: Uint8Array | undefined) => void | Promise<void>) => {
    const make = async (list: string, rows: Uint8Array) =>
      (await build(wholeList(list, dataset), rows, new AbortController().signal)).snapshot.bytes;
    return listFeeds(new SharedLists(make, put), put);
  };
  const ports: DatasetPorts = {
    ...deps,
    addressLists: lists('services', (list, snapshot) => networks.setList(list, snapshot)),
    nameLists: lists('named_services', (list, snapshot) => names.setList(list, snapshot)),
    onAnnounced: [],
  };
  return Object.fromEntries(
    DATASETS.map(({ name, rules, open }) => [name, { rules, shipped: ({ name: feed }) => copyOf(feed), drop() {}, ...open(ports) }]),
  );
}
