import { DomainList } from '../names/index.ts';
import { readDisposable } from '../mailboxes/index.ts';
import { noPause, takeAll } from './rows.ts';
import { defineDataset } from './define.ts';

/** Domains of disposable mailboxes. */
export const disposable = defineDataset({
  name: 'disposable',
  rules: 2,
  async build(file, { curated }) {
    const entries: string[] = [];
    await takeAll(file, ([entry = '']) => entries.push(entry) > 0);
    const { bytes, unreadable, forbidden } = await readDisposable(entries, { curated }, noPause);
    return { bytes, unreadable, forbidden, rows: bytes.reduce((lines, byte) => (byte === 0x0a ? lines + 1 : lines), 0) };
  },
  open: ({ mailboxes }) => ({
    shipped: ({ name }) => mailboxes.shipped.get(name),
    use: ({ name, curated }, snapshot) => mailboxes.setDisposable(name, new DomainList(snapshot), { curated }),
  }),
});
