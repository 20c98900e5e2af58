import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FEED_CATALOGUE } from '@vedette/intel/datasets';
import { openBuilder, type SnapshotBuilder } from '@vedette/intel/feeds';
import { expect, it, onTestFinished } from 'vitest';
import { folderOfTest, ownFeed } from './own-feed.ts';

const never = new AbortController().signal;
const BUILDERS = new URL('../../../packages/intel/src/datasets/builders.ts', import.meta.url);

function open(builders: URL): SnapshotBuilder {
  const builder = openBuilder(builders);
  onTestFinished(() => builder.close());
  return builder;
}

/** A module with builders of the test's own, for disposable domains alone. */
function moduleOf(body: string): URL {
  const path = join(folderOfTest(), 'builders.mjs');
  writeFileSync(path, `export const builders = { async disposable(file, feed) { ${body} } };`);
  return pathToFileURL(path);
}

it('builds what the gateway uses while the event loop goes on, and hands the file back', async () => {
  const { build } = open(BUILDERS);
  const feed = FEED_CATALOGUE.find(({ name }) => name === 'blocklist-de')!;
  const text = Array.from({ length: 20_000 }, (_, i) => `11.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}\n`).join('');
  let turns = 0;
  let ended = false;
  const turn = (): void => {
    turns++;
    if (!ended) setImmediate(turn);
  };
  turn();
  const built = await build(feed, Buffer.from(text), never).finally(() => (ended = true));
  expect(built).toMatchObject({ rows: 20_000, unreadable: 0, forbidden: undefined });
  expect([Buffer.from(built.raw.bytes).toString() === text, built.raw.digest.length, built.snapshot.bytes.length > 50]).toEqual([
    true,
    64,
    true,
  ]);
  expect(turns).toBeGreaterThan(100);
  // A file that is refused takes nothing with it.
  await expect(build(feed, Buffer.from('<html>'), never)).rejects.toMatchObject({ why: 'html' });
  expect((await build(feed, Buffer.from('198.51.100.1\n'), never)).rows).toBe(1);
});

it('is asked for several files at once, and makes them one after the other', async () => {
  const { build } = open(moduleOf('return { bytes: Buffer.from(feed.name), rows: 1, unreadable: 0 };'));
  const built = await Promise.all(['one', 'two', 'three'].map((name) => build(ownFeed(1, { name }), Buffer.from(name), never)));
  expect(built.map(({ snapshot }) => Buffer.from(snapshot.bytes).toString())).toEqual(['one', 'two', 'three']);
});

it('a file that takes too much memory ends the thread, and no more than that', async () => {
  const hostile = "if (feed.name === 'hostile') for (const all = []; ; ) all.push(new Array(1e6).fill(1.5));";
  const { build } = open(moduleOf(`${hostile} return { bytes: Buffer.from('fine'), rows: 1, unreadable: 0 };`));
  await expect(build(ownFeed(1, { name: 'hostile' }), Buffer.from('x'), never)).rejects.toMatchObject({ why: 'too_large' });
  expect((await build(ownFeed(1), Buffer.from('x'), never)).rows).toBe(1);
});

it('a defect of a builder is one of ours, and the next file is read', async () => {
  const { build } = open(
    moduleOf("if (feed.name === 'hostile') throw new TypeError('oops'); return { bytes: Buffer.from('fine'), rows: 1, unreadable: 0 };"),
  );
  await expect(build(ownFeed(1, { name: 'hostile' }), Buffer.from('x'), never)).rejects.toMatchObject({
    why: 'internal',
    message: expect.stringContaining('oops'),
  });
  expect((await build(ownFeed(1), Buffer.from('x'), never)).rows).toBe(1);
});

it('a gateway that stops waits for no file: one that would never be read ends with the thread', async () => {
  const { build } = open(moduleOf("if (feed.name === 'hostile') for (;;); return { bytes: Buffer.from('fine'), rows: 1, unreadable: 0 };"));
  const stop = new AbortController();
  const built = build(ownFeed(1, { name: 'hostile' }), Buffer.from('x'), stop.signal);
  setTimeout(() => stop.abort(), 100);
  await expect(built).rejects.toThrow('aborted');
  expect((await build(ownFeed(1), Buffer.from('x'), never)).rows).toBe(1);
});
