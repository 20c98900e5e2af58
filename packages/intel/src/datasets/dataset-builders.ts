import { isListed, MANY_TENANTS, NameListBuilder, POPULAR_DOMAINS, RanksBuilder, shippedNames, tenantOf } from '../names/index.ts';
import { readDisposable } from '../mailboxes/index.ts';
import { NumberList } from '../phone/index.ts';
import {
  AutonomousSystemsBuilder,
  DelegationsBuilder,
  OriginsBuilder,
  PrefixesBuilder,
  type Range,
  RangeListBuilder,
  readRange,
  readRangeIn,
} from '../networks/index.ts';
import { parseCidr, parseIp } from '@vedette/contract';
import { type Builders, type BuildSnapshot, type FeedFile, FeedRefused, listOf, type Row, type Snapshot } from '../feeds/index.ts';
import {
  coverageOf,
  judgeRange,
  MOST_BEST_KNOWN,
  NEVER_CRIMINAL,
  NEVER_DISPOSABLE_NUMBERS,
  NEVER_HARMFUL,
  WELL_KNOWN_ORIGINS,
} from './canaries.ts';
import { nodesOf } from './mmdb-nodes.ts';

/** Runs in the thread that builds snapshots: it holds up nobody. */
const noPause = (): Promise<void> => Promise.resolve();

/** The longest lists have a million rows. With this bound no builder comes near what the thread may hold. */
const ROWS_MAX = 2_500_000;
/** Numbers are given back, and to others: who has one that was read by everybody a year before the list was made is somebody else. */
const NUMBER_KEPT_MS = 365 * 86_400_000;

/** Hands every row to `take`, and counts those that it does not take. */
const takeAll = (file: FeedFile, take: (row: Row) => boolean) => takeEach(file.rows(), take);

async function takeEach<Entry>(
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

/** What a list of addresses refuses altogether, and what it only leaves out. */
interface AddressRules {
  forbids(verdict: ReturnType<typeof judgeRange>): boolean;
  leavesOut(verdict: ReturnType<typeof judgeRange>): boolean;
  /** False for a list of what nobody announces: how much of the announced space it covers says nothing. */
  isAnnounced?: boolean;
}

/**
 * A list of addresses. A part of one that several feeds fill is kept as text, an entry and its label on each line, since lists are made of all
 * their parts at once.
 */
const addresses =
  ({ forbids, leavesOut, isAnnounced = true }: AddressRules): BuildSnapshot =>
  async (file, feed) => {
    const list = new RangeListBuilder();
    const lines: string[] = [];
    let forbidden: string | undefined;
    const take = (range: Range | undefined, entry: () => string, said: string): boolean => {
      const verdict = range && judgeRange(range);
      if (!verdict || verdict.isCarrier || leavesOut(verdict)) return false;
      if (forbids(verdict)) forbidden ??= entry();
      const label = feed.label ?? said;
      if (feed.list !== undefined) lines.push(`${entry()}\t${label.replaceAll(/\s+/g, ' ')}\n`);
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
      bytes: feed.list === undefined ? list.build() : Buffer.from(lines.join('')),
    };
  };

const accused = addresses({ forbids: (entry) => entry.isWide || entry.isInner || entry.isCanary, leavesOut: () => false });
// Providers tell of inner addresses of theirs as well, which are everybody's.
const owned = addresses({ forbids: ({ isWide }) => isWide, leavesOut: ({ isInner, isWide }) => isInner && !isWide });
const unassigned = addresses({ forbids: ({ isCanary }) => isCanary, leavesOut: () => false, isAnnounced: false });

/** Indicators of what listens somewhere name the port: `192.0.2.1:443`, `[2001:db8::1]:443`. */
const withoutPort = (entry: string): string =>
  /^(?:\[([\da-f:.]+)\]|(\d+(?:\.\d+){3})):\d{1,5}$/i.exec(entry)?.slice(1).find(Boolean) ?? entry;

/** Lists that are shipped of places where anybody has a page. */
const shipped = shippedNames();

/**
 * The host of a URL, as a name to be listed. Undefined where the URL says nothing of its host: an address, which is no name, and a host of many, one of
 * whose pages it is. Empty for what is no URL.
 */
function hostOf(url: string): string | undefined {
  const host = URL.parse(url)?.hostname.replace(/\.$/, '') ?? '';
  const isOfMany = POPULAR_DOMAINS.has(tenantOf(host) ?? '') || MANY_TENANTS.some((list) => isListed(host, list, shipped));
  return isOfMany || parseIp(host.replace(/^\[|\]$/g, '')) ? undefined : host;
}

/** A list of names; a part of one is made in the same way, and joined line by line. One that accuses leaves out what everybody knows, and is poisoned with much of it. */
const names =
  ({ accuses }: { accuses: boolean }): BuildSnapshot =>
  async (file, feed) => {
    const list = new NameListBuilder(listOf(feed));
    let forbidden: string | undefined;
    const bestKnown = new Set<string>();
    const counts = await takeAll(file, ([entry = '']) => {
      const named = /^https?:/i.test(entry) ? hostOf(entry) : entry.toLowerCase();
      if (named === undefined) return true;
      const name = named.replace(/^\*?\.|\.$/g, '');
      const bare = name.replace(/^www\./, '');
      if (NEVER_HARMFUL.has(bare)) forbidden ??= name;
      if (accuses && (POPULAR_DOMAINS.has(bare) || shipped.rank(bare) !== undefined)) bestKnown.add(bare);
      return accuses && POPULAR_DOMAINS.has(name) ? true : name.includes('.') && list.add(name);
    });
    if (bestKnown.size > MOST_BEST_KNOWN) forbidden ??= `${bestKnown.size} of the best known names`;
    return { ...counts, forbidden, bytes: list.rows === 0 ? new Uint8Array() : await list.build(noPause) };
  };

async function bytesOf(file: FeedFile): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(file.bytes()));
}

const ofBuilder = (counts: { rows: number; unreadable: number }, builder: { build(): Uint8Array }, forbidden?: string): Snapshot => ({
  ...counts,
  forbidden,
  bytes: builder.build(),
});

/** How each dataset makes its snapshots. */
export const builders = {
  async disposable(file, { curated }) {
    const entries: string[] = [];
    await takeAll(file, ([entry = '']) => entries.push(entry) > 0);
    const { bytes, unreadable, forbidden } = await readDisposable(entries, { curated }, noPause);
    return { bytes, unreadable, forbidden, rows: bytes.reduce((lines, byte) => (byte === 0x0a ? lines + 1 : lines), 0) };
  },

  async disposable_numbers(file) {
    const seen = new Map<string, number>();
    let newest = 0;
    let forbidden: string | undefined;
    const counts = await takeAll(file, ([number = '', day = '']) => {
      const time = Date.parse(day);
      if (!/^[1-9]\d{6,14}$/.test(number) || Number.isNaN(time)) return false;
      if (NEVER_DISPOSABLE_NUMBERS.has(number)) forbidden ??= number;
      seen.set(number, time);
      newest = Math.max(newest, time);
      return true;
    });
    const recent = Array.from(seen).filter(([, time]) => newest - time <= NUMBER_KEPT_MS);
    return { ...counts, forbidden, bytes: NumberList.compile(recent.map(([number]) => number)).bytes };
  },

  attackers: accused,
  anonymizers: accused,
  services: owned,
  bogons: unassigned,

  async as_drop(file) {
    const asns = new Set<number>();
    let forbidden: string | undefined;
    const counts = await takeAll(file, ([text = '']) => {
      const asn = Number(/^(?:AS)?(\d{1,10})$/i.exec(text)?.[1] ?? 0);
      // The last line tells of the file. AS0 stands for what nobody announces (RFC 7607).
      if (asn === 0) return false;
      if (NEVER_CRIMINAL.has(asn)) forbidden ??= `AS${asn}`;
      asns.add(asn);
      return true;
    });
    return { ...counts, forbidden, bytes: Buffer.from(Array.from(asns, (asn) => `${asn}\n`).join('')) };
  },

  async as_metadata(file) {
    const builder = new AutonomousSystemsBuilder();
    const counts = await takeAll(file, ([asn = '', asname = '', org = '', country = '', category = '']) =>
      builder.add({ asn: Number(asn), asname, org, country_code: country === 'XX' ? '' : country, category, domain: '' }),
    );
    return ofBuilder(counts, builder);
  },

  async origins(file) {
    const builder = new OriginsBuilder();
    let forbidden: string | undefined;
    const known = WELL_KNOWN_ORIGINS.map(([address, asn]) => ({ address: parseCidr(address)!, asn }));
    const counts = await takeAll(file, ([first = '', last = '', asn = '', org = '']) => {
      const [from, to] = [first, last].map((end) => parseCidr(end));
      const wrong = known.find(
        ({ address, asn: right }) =>
          from?.version === 4 && to && from.base <= address.base && address.base <= to.base && Number(asn) !== right,
      );
      if (wrong) forbidden ??= `an address of AS${wrong.asn} at AS${asn}`;
      return builder.add(`${first}-${last}`, Number(asn), org);
    });
    return ofBuilder(counts, builder, forbidden);
  },

  async prefixes(file) {
    const builder = new PrefixesBuilder();
    let forbidden: string | undefined;
    const counts = await takeAll(file, ([prefix = '', asn = '']) => {
      const range = readRange(prefix);
      if (range && judgeRange(range).isWide) forbidden ??= prefix;
      return builder.add(Number(asn), prefix);
    });
    return ofBuilder(counts, builder, forbidden);
  },

  async delegations(file) {
    const builder = new DelegationsBuilder();
    const counts = await takeAll(file, (fields) => builder.add(fields.join('|')));
    return ofBuilder(counts, builder);
  },

  async geo(file) {
    const bytes = await bytesOf(file);
    const nodes = nodesOf(bytes);
    if (nodes === undefined) throw new FeedRefused('format', 'no database in MaxMind’s form');
    return { bytes, rows: nodes, unreadable: 0, forbidden: undefined };
  },

  malicious_names: names({ accuses: true }),
  named_services: names({ accuses: false }),

  async ranks(file) {
    const builder = new RanksBuilder();
    let best = Number.POSITIVE_INFINITY;
    const counts = await takeAll(file, ([name = '', rank = '']) => {
      if (name === 'google.com') best = Number(rank);
      return builder.add(name, Number(rank));
    });
    const forbidden = best <= 100 ? undefined : 'no google.com among the first hundred';
    return { ...counts, forbidden, bytes: builder.rows === 0 ? new Uint8Array() : await builder.build(noPause) };
  },

  async documents(file) {
    const counts = await takeAll(file, (fields) => fields.some((field) => field !== ''));
    return { ...counts, forbidden: undefined, bytes: await bytesOf(file) };
  },
} satisfies Builders;
