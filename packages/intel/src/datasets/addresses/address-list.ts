import { type BuildSnapshot } from '../../feeds/index.ts';
import { networksOf, type Range, RangeListBuilder, readRange, readRangeIn } from '../../networks/index.ts';
import { takeAll, takeEach } from '../rows.ts';
import { coverageOf, judgeRange } from './canaries.ts';

/** Indicators of what listens somewhere name the port: `192.0.2.1:443`, `[2001:db8::1]:443`. */
const withoutPort = (entry: string): string =>
  /^(?:\[([\da-f:.]+)\]|(\d+(?:\.\d+){3})):\d{1,5}$/i.exec(entry)?.slice(1).find(Boolean) ?? entry;

/** Addresses for which a list is refused as a whole, and addresses that are only left out. */
export interface AddressRules {
  forbids(verdict: ReturnType<typeof judgeRange>): boolean;
  leavesOut(verdict: ReturnType<typeof judgeRange>): boolean;
  /** Whether it is told when an entry came. */
  accuses?: boolean;
  /** False for a list of unannounced addresses: its share of the announced space means nothing. */
  isAnnounced?: boolean;
}

/**
 * A list of addresses. A part of one that several feeds fill is kept as text, an entry and its label on each line, since lists are made of all
 * their parts at once.
 */
export const addressesBuilder =
  ({ forbids, leavesOut, accuses = false, isAnnounced = true }: AddressRules): BuildSnapshot =>
  async (file, feed) => {
    const list = new RangeListBuilder();
    const lines: string[] = [];
    const entries: string[] = [];
    let forbidden: string | undefined;
    const take = (range: Range | undefined, entry: () => string, said: string): boolean => {
      const verdict = range && judgeRange(range);
      if (!verdict || verdict.isCarrier || leavesOut(verdict)) return false;
      if (forbids(verdict)) forbidden ??= entry();
      const label = feed.label ?? said;
      if (feed.list !== undefined) lines.push(`${entry()}\t${label.replaceAll(/\s+/g, ' ')}\n`);
      if (accuses) for (const network of networksOf(range)) entries.push(network);
      return list.add(range, label);
    };
    // Most lists are lines of nothing but addresses, and the longest all are.
    const counts = file.lines
      ? await takeEach(file.lines(), ({ bytes, from, to }) =>
          take(readRangeIn(bytes, from, to), () => Buffer.from(bytes.subarray(from, to)).toString('latin1'), ''),
        )
      : await takeAll(file, ([entry = '', said = '']) => {
          const address = withoutPort(entry);
          return take(readRange(address), () => address, said);
        });
    const coverage = isAnnounced ? coverageOf(list.addresses()) : undefined;
    return {
      ...counts,
      forbidden,
      ...(coverage && { coverage }),
      ...(accuses && { entries }),
      bytes: feed.list === undefined ? list.build() : Buffer.from(lines.join('')),
    };
  };

/** A list that accuses its addresses. */
export const accused = addressesBuilder({
  forbids: (entry) => entry.isWide || entry.isInner || entry.isCanary,
  leavesOut: () => false,
  accuses: true,
});
