import { FeedRefused } from '../../feeds/index.ts';
import { bytesOf } from '../rows.ts';
import { nodesOf } from './mmdb-nodes.ts';
import { defineDataset } from '../define.ts';

/** Where addresses are. */
export const geo = defineDataset({
  name: 'geo',
  rules: 2,
  async build(file) {
    const bytes = await bytesOf(file);
    const nodes = nodesOf(bytes);
    if (nodes === undefined) throw new FeedRefused('format', 'no database in MaxMind’s form');
    return { bytes, rows: nodes, unreadable: 0, forbidden: undefined };
  },
  open: ({ networks }) => ({ use: (_feed, snapshot) => networks.setCityDatabase(snapshot) }),
});
