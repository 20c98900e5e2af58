import { join } from 'node:path';
import type { DataPorts, ListDays, Mailboxes, Names, Networks, Phones, Urls } from '@vedette/intel/ports';
import type { OpenBlacklists } from '@vedette/intel/engines';
import { createMailboxes, type MailboxSetters } from '@vedette/intel/mailboxes';
import { createPhones, type PhoneSetters } from '@vedette/intel/phone';
import { createTransparency, type Transparency, type TransparencySetters } from '@vedette/intel/transparency';
import { createUrls, type UrlSetters } from '@vedette/intel/urls';
import { type NameSetters, shippedNames } from '@vedette/intel/names';
import { createNetworks, type NetworkSetters, useEmbedded } from '@vedette/intel/networks';
import type { Log } from '@vedette/process/log';
import { type BlacklistDeps, openBlacklists } from './blacklists.ts';
import { type Documents, torRelaysIn } from '@vedette/intel/datasets';

/** The data that operations read, with the functions that set it at run time. */
export interface Data extends DataPorts {
  networks: Networks & NetworkSetters;
  names: Names & NameSetters;
  mailboxes: Mailboxes & MailboxSetters;
  phones: Phones & PhoneSetters;
  urls: Urls & UrlSetters;
  transparency: Transparency & TransparencySetters;
  /** Files of others that are used as they are. */
  documents: Documents;
  blacklists: OpenBlacklists;
  /** Feeds say how old lists are once they run. */
  lists: ListDays;
}

/**
 * Opens the tables of addresses that are installed with us, beside whatever else is opened: `inUse` resolves when they answer, or when it
 * is known that they cannot.
 */
export function openNetworks(dataDir: string, log: Log): { networks: Data['networks']; inUse: Promise<void> } {
  const folder = join(dataDir, 'networks');
  const networks = createNetworks(folder);
  const inUse = useEmbedded(networks, folder).then(
    ({ places, origins }) =>
      log.info({ places, origins }, 'what is installed knows where addresses are and who announces them, as of these days'),
    (error: unknown) => log.error({ err: error }, 'the installed tables of addresses cannot be read: where they are is not known'),
  );
  return { networks, inUse };
}

/** Opens what the gateway knows beside the DNS. */
export function openData(
  { networks, registries, documents, passiveDns }: Pick<Data, 'networks' | 'registries' | 'documents' | 'passiveDns'>,
  deps: BlacklistDeps,
): Data {
  const names = shippedNames();
  const urls = createUrls();
  return {
    networks,
    names,
    urls,
    mailboxes: createMailboxes(),
    phones: createPhones(),
    transparency: createTransparency(),
    documents,
    blacklists: openBlacklists(deps, { networks, names, urls }),
    registries,
    passiveDns,
    torRelays: torRelaysIn(documents),
    lists: { staleSince: () => '', isAwaited: () => false },
  };
}
