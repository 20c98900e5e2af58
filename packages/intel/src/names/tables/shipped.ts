import { readdirSync, readFileSync } from 'node:fs';
import type { NameList } from './catalogue.ts';
import { DomainList } from './domain-list.ts';

/** A list as it is shipped. */
export interface ShippedNames {
  /** The arguments of `NameSetters`. */
  snapshot: Uint8Array;
  /** Day of the source's version, as YYYY-MM-DD. */
  date: string;
}

const FOLDER = new URL('../lists/', import.meta.url);
const DATE = / of (\d{4}-\d\d-\d\d)/;

const read = (file: URL): ShippedNames => {
  const snapshot = readFileSync(file);
  return { snapshot, date: DATE.exec(snapshot.toString('latin1', 0, 500))![1]! };
};

/** The lists that are used where no feed has brought another, by name. The heads of the files say where they are from. */
export const shippedLists = (): ReadonlyMap<string, ShippedNames> =>
  new Map(readdirSync(FOLDER).map((file) => [file.replace(/\.txt$/, ''), read(new URL(file, FOLDER))]));

/** One of them, by itself. */
export const shippedList = (list: NameList): DomainList => new DomainList(read(new URL(`${list}.txt`, FOLDER)).snapshot);

/** The ranking that is used so long as no feed has brought another: 500 domains by how many others lead to them. */
export const shippedRanks = (): ShippedNames => read(new URL('../ranks.txt', import.meta.url));
