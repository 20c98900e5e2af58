import { createHash } from 'node:crypto';
import type { FeedForm } from '../feed.ts';
import { firstDays, type KeptDays } from '../first-days.ts';
import { fileOf } from '../formats/index.ts';
import type { BuildSnapshot, BuiltFile, Digested } from '../ports.ts';

/** How those datasets are made that a process uses. */
export type Builders = Readonly<Record<string, BuildSnapshot>>;

/** Makes a file into a snapshot, here and now. Rejects with `FeedRefused`. */
export async function buildFile(builders: Builders, feed: FeedForm, body: Uint8Array, kept?: KeptDays): Promise<BuiltFile> {
  const build = builders[feed.dataset];
  if (!build) throw new TypeError(`nobody here makes ${feed.dataset}`);
  const { bytes, entries, ...snapshot } = await build(fileOf(body, feed), feed);
  const days = entries && kept && digested(firstDays(entries, kept));
  return { ...snapshot, snapshot: digested(bytes), raw: digested(body), ...(days && { days }) };
}

const digested = (bytes: Uint8Array): Digested => ({ bytes, digest: createHash('sha256').update(bytes).digest('hex') });
