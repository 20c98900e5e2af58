import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATASET_BUILDERS, DEFAULT_FEEDS, Documents, openDatasets } from '@vedette/intel/datasets';
import { openBuilder } from '@vedette/intel/feeds';
import { createMailboxes } from '@vedette/intel/mailboxes';
import { shippedNames } from '@vedette/intel/names';
import { createNetworks, useEmbedded } from '@vedette/intel/networks';
import { createTransparency } from '@vedette/intel/transparency';
import { createPhones } from '@vedette/intel/phone';
import { createUrls } from '@vedette/intel/urls';
import { silent } from '../../ledger/servers.ts';
import type { Corpus } from './corpus.ts';

/** A gateway's data with what is installed, and with every list of the corpus that has the name of a feed, in the form of its publisher. */
export async function loadLists(corpus: Corpus) {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-verdicts-'));
  const networks = createNetworks(folder);
  const data = {
    networks,
    names: shippedNames(),
    mailboxes: createMailboxes(),
    phones: createPhones(),
    transparency: createTransparency(),
    urls: createUrls(),
  };
  await useEmbedded(networks, folder);
  const builder = openBuilder(DATASET_BUILDERS);
  const signal = new AbortController().signal;
  const datasets = openDatasets({ ...data, documents: new Documents(), installed: Promise.resolve(), log: silent, build: builder.build });
  for (const { name, read } of corpus.files('lists')) {
    const feed = DEFAULT_FEEDS.catalogue.find((one) => one.name === name);
    if (!feed) throw new Error(`no feed has the name ${name}`);
    const { snapshot, rows } = await builder.build(feed, Buffer.from(read()), signal);
    await datasets[feed.dataset]!.use(feed, snapshot.bytes);
    process.stdout.write(`list ${name}: ${rows} rows\n`);
  }
  await builder.close();
  rmSync(folder, { recursive: true });
  return data;
}
