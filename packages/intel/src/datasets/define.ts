import type { Names, Networks } from '../ports/index.ts';
import type { BuildSnapshot, Dataset } from '../feeds/index.ts';
import type { MailboxSetters } from '../mailboxes/index.ts';
import type { NameSetters } from '../names/index.ts';
import type { NetworkSetters } from '../networks/index.ts';
import type { PhoneSetters } from '../phone/index.ts';
import type { TransparencySetters } from '../transparency/index.ts';
import type { UrlSetters } from '../urls/index.ts';
import type { ListFeeds } from './lists.ts';

/** The stores that datasets are loaded into, and by which operations judge. */
export interface DatasetPorts {
  networks: Networks & NetworkSetters;
  names: Names & NameSetters;
  urls: UrlSetters;
  mailboxes: MailboxSetters;
  phones: PhoneSetters;
  transparency: TransparencySetters;
  documents: { set(name: string, bytes: Uint8Array | undefined): void };
  /** Lists of addresses and of names, which several feeds may fill together. */
  addressLists: ListFeeds;
  nameLists: ListFeeds;
  /** Is called when another table of announced networks is in use. */
  onAnnounced: (() => Promise<void>)[];
  log: { warn(fields: object, message: string): void };
  /** Resolves when the tables that are installed are in use: a fetched table replaces them only after that. */
  installed: Promise<void>;
}

/** A kind of data that feeds bring: what a file becomes, and how that is put in use. */
export interface DatasetDefinition {
  /** Its name in rows of the catalogue and in VEDETTE_FEEDS_FILE. */
  name: string;
  /** Raised with every change of what `build` makes of rows, or of what the builders of `intel` make. */
  rules: number;
  /** Makes a snapshot in the builder's thread, and names the canaries that the file has. */
  build: BuildSnapshot;
  /** Opens it for one gateway: how a snapshot is used and dropped, and what is shipped. */
  open(ports: DatasetPorts): Pick<Dataset, 'use'> & Partial<Dataset>;
}

export const defineDataset = <const D extends DatasetDefinition>(dataset: D): D => dataset;
