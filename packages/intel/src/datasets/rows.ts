import { type FeedFile, FeedRefused, type Row, type Snapshot } from '../feeds/index.ts';

/** Runs in the thread that builds snapshots, where it delays no requests. */
export const noPause = (): Promise<void> => Promise.resolve();

/** The longest lists have a million rows. With this bound no builder comes near what the thread may hold. */
const ROWS_MAX = 2_500_000;
/** Hands every row to `take`, and counts those that it does not take. */
export const takeAll = (file: FeedFile, take: (row: Row) => boolean) => takeEach(file.rows(), take);

export async function takeEach<Entry>(
  entries: AsyncIterable<readonly Entry[]>,
  take: (entry: Entry) => boolean,
): Promise<{ rows: number; unreadable: number }> {
  let [rows, unreadable] = [0, 0];
  try {
    for await (const some of entries) {
      if (rows + unreadable + some.length > ROWS_MAX) throw new FeedRefused('too_large', `it has more than ${ROWS_MAX} rows`);
      for (const row of some) {
        if (take(row)) rows++;
        else unreadable++;
      }
    }
  } catch (error) {
    // Builders say so when a list has more than they can hold.
    if (error instanceof RangeError) throw new FeedRefused('too_large', error.message, { cause: error });
    throw error;
  }
  return { rows, unreadable };
}

export async function bytesOf(file: FeedFile): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(file.bytes()));
}

export const ofBuilder = (
  counts: { rows: number; unreadable: number },
  builder: { build(): Uint8Array },
  forbidden?: string,
): Snapshot => ({
  ...counts,
  forbidden,
  bytes: builder.build(),
});
