import { FeedRefused } from '../feeds/index.ts';
import { readLogList } from '../transparency/index.ts';
import { defineDataset } from './define.ts';
import { bytesOf } from './rows.ts';

const listOf = (bytes: Uint8Array) => readLogList(new TextDecoder().decode(bytes));

/** The logs of Certificate Transparency, with their keys. */
export const ctLogs = defineDataset({
  name: 'ct_logs',
  rules: 1,
  async build(file) {
    const bytes = await bytesOf(file);
    const list = listOf(bytes);
    if (!list) throw new FeedRefused('format', 'not a list of logs, version 3');
    return { rows: list.logs.size, unreadable: list.unreadable, forbidden: undefined, bytes };
  },
  open: ({ transparency }) => ({
    use: (_feed, snapshot) => transparency.setList(listOf(snapshot)),
    drop: () => transparency.setList(undefined),
  }),
});
