import { type Feed, FeedRefused } from '../../feeds/index.ts';
import { totalAddresses } from '../../networks/index.ts';
import { coverageOf } from '../addresses/canaries.ts';
import type { DatasetPorts } from '../define.ts';
import { takeAll } from '../rows.ts';
import { defineDataset } from '../define.ts';

/** Autonomous systems that no criminal has: the largest clouds, and the hundred that announce most addresses of IPv4. */
const NEVER_CRIMINAL: ReadonlySet<number> = new Set(
  (
    '15169 13335 32934 54113 1299 6939 24940 16276 749 16509 4134 7018 8075 7922 4837 4766 701 17676 3320 721 4713 3356 174 3269 3215 396982 2516 9808 14618 714 521 37963 31399 203665 4538 ' +
    '6167 15557 209 9318 21928 22394 2856 8151 1221 9394 20115 3209 22773 3462 7377 26599 3352 5650 17858 7029 28573 26615 12322 12389 2907 6253 5089 7303 6805 3786 4812 20940 4808 680 56 45899 ' +
    '8452 1136 1103 10796 1267 9644 5410 12479 20001 786 5607 45090 3301 9121 577 1257 33915 2828 3561 6713 36992 9829 45102 33363 702 23693 11427 812 1659 30722 4804 5617 17506 6327 3292 4230 ' +
    '3257 31898 7552 2914 6128 11426 9824 852'
  )
    .split(' ')
    .map(Number),
);

/** Percent of the announced IPv4 space. Spamhaus' list of networks, which is longer, has half of one. */
const CRIMINALS_ANNOUNCE = 1;

/** Autonomous systems that belong to criminals, as the networks that they announce: made again when others are known. */
function criminalNetworks({ networks, addressLists, log }: DatasetPorts) {
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
    await addressLists.part(feed, lines.length === 0 ? undefined : Buffer.from(lines.join('')));
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

/** Autonomous systems of criminals. */
export const asDrop = defineDataset({
  name: 'as_drop',
  rules: 2,
  async build(file) {
    const asns = new Set<number>();
    let forbidden: string | undefined;
    const counts = await takeAll(file, ([text = '']) => {
      const asn = Number(/^(?:AS)?(\d{1,10})$/i.exec(text)?.[1] ?? 0);
      // The last line tells of the file. AS0 stands for unannounced ranges (RFC 7607).
      if (asn === 0) return false;
      if (NEVER_CRIMINAL.has(asn)) forbidden ??= `AS${asn}`;
      asns.add(asn);
      return true;
    });
    return { ...counts, forbidden, bytes: Buffer.from(Array.from(asns, (asn) => `${asn}\n`).join('')) };
  },
  open(ports) {
    const criminal = criminalNetworks(ports);
    ports.onAnnounced.push(() => criminal.again());
    return { use: (feed, asns) => criminal.set(feed, asns), drop: (feed) => criminal.set(feed, undefined) };
  },
});
