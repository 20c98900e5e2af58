import { Documents, openDatasets } from '@vedette/intel/datasets';
import { createMailboxes } from '@vedette/intel/mailboxes';
import { createNames } from '@vedette/intel/names';
import { createNetworks } from '@vedette/intel/networks';
import { createPhones } from '@vedette/intel/phone';
import { createTransparency } from '@vedette/intel/transparency';
import { createUrls } from '@vedette/intel/urls';
import { builders } from '../../../packages/intel/src/datasets/builders.ts';
import { buildFile } from '../../../packages/intel/src/feeds/build/build-file.ts';
import { silent } from '../../ledger/servers.ts';

const emptyData = () => ({
  networks: createNetworks(),
  names: createNames(),
  mailboxes: createMailboxes(),
  phones: createPhones(),
  transparency: createTransparency(),
  urls: createUrls(),
  documents: new Documents(),
});
type Data = ReturnType<typeof emptyData>;
type Ways = Pick<Parameters<typeof openDatasets>[0], 'log' | 'build'>;

/** The data of a gateway, empty but for what a test gives, and all datasets over them, built in this process. */
export function allDatasets({ log = silent, build = (feed, body) => buildFile(builders, feed, body), ...given }: Partial<Data & Ways>) {
  const data: Data = { ...emptyData(), ...given };
  return { ...data, datasets: openDatasets({ ...data, installed: Promise.resolve(), log, build }) };
}
