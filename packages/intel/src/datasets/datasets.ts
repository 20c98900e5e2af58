import type { Names, Networks } from '@vedette/contract';
import { type Dataset, type DatasetName, type Feed, FeedRefused, listOf } from '../feeds/index.ts';
import { disposable } from '../mailboxes/index.ts';
import { disposableNumbers, NumberList } from '../phone/index.ts';
import { DomainList, type NameSetters } from '../names/index.ts';
import { type NetworkSetters, totalAddresses } from '../networks/index.ts';
import { coverageOf } from './canaries.ts';
import type { Documents } from './documents.ts';
import { SharedLists } from './shared-lists.ts';

/** Raised with every change of what `dataset-builders.ts` makes of rows, or of what the builders of `intel` make. */
const RULES = 2;

/** What datasets have to tell. */
interface DatasetLog {
  warn(fields: object, message: string): void;
}

export interface DatasetDeps {
  networks: Networks & NetworkSetters;
  names: Names & NameSetters;
  documents: Documents;
  /** Makes the rows of a list, an entry and behind a tab its label on each line, into its snapshot. */
  makeList(list: string, dataset: 'services' | 'named_services', rows: Uint8Array): Promise<Uint8Array>;
  log: DatasetLog;
  /** Resolves when what is installed with us is in use: from then on what is fetched takes its place. */
  installed: Promise<void>;
}

/** Which feed fills what: every dataset, as it is used by the ports that operations judge with. */
export function openDatasets({
  networks,
  names,
  documents,
  makeList,
  log,
  installed,
}: DatasetDeps): Readonly<Record<Exclude<DatasetName, 'filters'>, Dataset>> {
  const nothing = { rules: RULES, shipped: () => undefined, drop() {} };
  const addressParts = new SharedLists(
    (list, rows) => makeList(list, 'services', rows),
    (list, snapshot) => networks.setList(list, snapshot),
  );
  const nameParts = new SharedLists(
    (list, rows) => makeList(list, 'named_services', rows),
    (list, snapshot) => names.setList(list, snapshot),
  );
  const listedNames = listsOf(nameParts, (list, snapshot) => names.setList(list, snapshot));
  const addresses: Dataset = listsOf(addressParts, (list, snapshot) => networks.setList(list, snapshot));
  const criminal = criminalNetworks(networks, addressParts, log);
  return {
    disposable: disposableDomains,
    disposable_numbers: {
      ...nothing,
      use: ({ name }, snapshot) => disposableNumbers.set(name, new NumberList(snapshot)),
      drop: ({ name }) => disposableNumbers.set(name, new NumberList(new Uint8Array())),
    },
    attackers: addresses,
    anonymizers: addresses,
    services: addresses,
    bogons: addresses,
    as_drop: { ...nothing, use: (feed, asns) => criminal.set(feed, asns), drop: (feed) => criminal.set(feed, undefined) },
    as_metadata: { ...nothing, use: (_feed, snapshot) => networks.setAutonomousSystems(snapshot) },
    origins: {
      ...nothing,
      async use(_feed, snapshot) {
        await installed;
        await networks.setOrigins(snapshot);
        await criminal.again();
      },
    },
    prefixes: {
      ...nothing,
      async use(_feed, snapshot) {
        await networks.setPrefixes(snapshot);
        await criminal.again();
      },
    },
    delegations: { ...nothing, use: (_feed, snapshot) => networks.setDelegations(snapshot) },
    geo: { ...nothing, use: (_feed, snapshot) => networks.setCityDatabase(snapshot) },
    malicious_names: listedNames,
    named_services: listedNames,
    ranks: { ...nothing, use: (_feed, snapshot) => names.setRanks(snapshot), drop: () => names.setRanks(undefined) },
    documents: {
      ...nothing,
      use: ({ name }, snapshot) => documents.set(name, snapshot),
      drop: ({ name }) => documents.set(name, undefined),
    },
  };
}

/** Lists of one feed are made by it; lists of several are made of their parts. */
const listsOf = (parts: SharedLists, put: (list: string, snapshot: Uint8Array | undefined) => void | Promise<void>): Dataset => {
  const set = (feed: Feed, snapshot: Uint8Array | undefined): void | Promise<void> =>
    feed.list === undefined ? put(listOf(feed), snapshot) : parts.set(feed.list, feed.name, snapshot);
  return { rules: RULES, shipped: () => undefined, use: set, drop: (feed) => set(feed, undefined) };
};

/** Percent of the announced IPv4 space. Spamhaus' list of networks, which is longer, has half of one. */
const CRIMINALS_ANNOUNCE = 1;

/** Autonomous systems that belong to criminals, as the networks that they announce: made again when others are known. */
function criminalNetworks(networks: Networks, parts: SharedLists, log: DatasetLog) {
  const systems = new Map<string, { feed: Feed; asns: readonly number[] }>();

  /** Throws `FeedRefused` for systems that announce a part of the internet: such a list, or such a table, is wrong. */
  async function put({ feed, asns }: { feed: Feed; asns: readonly number[] }): Promise<void> {
    const lines: string[] = [];
    let addresses = 0n;
    for (const asn of asns) {
      const { ipv4 = [], ipv6 = [] } = networks.prefixes(asn) ?? {};
      addresses += totalAddresses(ipv4);
      for (const network of [...ipv4, ...ipv6]) lines.push(`${network}\tAS${asn}\n`);
      // Finding the networks of one takes a part of a millisecond.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { ipv4: share } = coverageOf({ ipv4: Number(addresses), ipv6: 0 });
    if (share > CRIMINALS_ANNOUNCE)
      throw new FeedRefused('poisoned', `its systems announce more than ${CRIMINALS_ANNOUNCE} % of the IPv4 space`);
    await parts.set(listOf(feed), feed.name, lines.length === 0 ? undefined : Buffer.from(lines.join('')));
  }

  return {
    async set(feed: Feed, snapshot: Uint8Array | undefined): Promise<void> {
      const asns = snapshot ? Buffer.from(snapshot).toString('latin1').split('\n').filter(Boolean).map(Number) : [];
      const before = systems.get(feed.name);
      systems.set(feed.name, { feed, asns });
      try {
        await put({ feed, asns });
      } catch (error) {
        if (before) systems.set(feed.name, before);
        else systems.delete(feed.name);
        throw error;
      }
    },
    /** Where another table makes a list wrong, what was made by the one before stays. */
    async again(): Promise<void> {
      for (const system of systems.values())
        await put(system).catch((err: unknown) => {
          if (!(err instanceof FeedRefused)) throw err;
          log.warn(
            { err, feed: system.feed.name },
            'a new table of announced networks makes this list wrong: its networks stay as they were',
          );
        });
    },
  };
}

const disposableDomains: Dataset = {
  rules: RULES,
  shipped: ({ name }) => disposable.shipped.get(name),
  use: ({ name, curated }, snapshot) => disposable.set(name, new DomainList(snapshot), { curated }),
  drop() {},
};
