import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cidrContains, embeddedV4, formatIp, type IpAddress, parseCidr, parseIp, unmapped } from '@vedette/contract';
import { createNetworks, type Range, RangeListBuilder, readRange, readRangeIn } from '@vedette/intel/networks';
import { readWords, readWordsIn } from '../../../packages/intel/src/networks/tables/address-words.ts';
import { changeLists, emptyMarkTable, MarkTable } from '../../../packages/intel/src/networks/tables/mark-table.ts';
import { runs } from '../../runs.ts';

/** A list of `[entry, label]`. */
function snapshotOf(entries: readonly (readonly [string, string])[]): Uint8Array {
  const builder = new RangeListBuilder();
  for (const [entry, label] of entries) if (!builder.add(entry, label)) throw new Error(`not read: ${entry}`);
  return builder.build();
}

/** The obvious way: every entry of every list is held against the address, whose carried IPv4 address counts too. */
function marksByScan(address: string, lists: Lists): string[] {
  const written = parseIp(address)!;
  const inner = formatIp(written).startsWith('2001:0:') ? undefined : embeddedV4(written);
  const forms: IpAddress[] = inner && isCarried(address) ? [unmapped(written), inner] : [written];
  const hits = Object.entries(lists).flatMap(([list, entries]) =>
    entries.filter(([entry]) => forms.some((form) => covers(entry, form))).map(([, label]) => `${list} ${label}`),
  );
  return [...new Set(hits)].sort();
}
type Lists = Record<string, readonly (readonly [string, string])[]>;

const isCarried = (address: string): boolean => /^(::ffff:|64:ff9b::|2002:)/.test(formatIp(parseIp(address)!));

function covers(entry: string, ip: IpAddress): boolean {
  const [from, to] = entry.split('-');
  if (to === undefined) return cidrContains(parseCidr(entry)!, ip);
  const [first, last] = [unmapped(parseIp(from!)!), unmapped(parseIp(to)!)];
  return first.version === ip.version && first.value <= ip.value && ip.value <= last.value;
}

// A handful of places, so that ranges nest, touch and overlap; the ends of the space among them.
const v4 = fc
  .tuple(fc.constantFrom(0, 1, 10, 127, 128, 255), fc.constantFrom(0, 1, 255), fc.constantFrom(0, 255), fc.integer({ min: 0, max: 255 }))
  .map((octets) => octets.join('.'));
const group = fc.constantFrom('0', '1', '7fff', '8000', 'ffff');
const v6 = fc.oneof(
  fc
    .tuple(fc.constantFrom('2001', '2a00', '0', 'ffff', '2002', '64'), group, group, group, group, group, group, group)
    .map((all) => all.join(':')),
  v4.map((address) => `::ffff:${address}`),
  v4.map((address) => `64:ff9b::${address}`),
);
const pair = (address: fc.Arbitrary<string>) =>
  fc.tuple(address, address).map(([a, b]) => {
    const [one, other] = [unmapped(parseIp(a)!), unmapped(parseIp(b)!)];
    if (one.version !== other.version) return a;
    return one.value <= other.value ? `${a}-${b}` : `${b}-${a}`;
  });
const entry = fc.oneof(
  v4,
  v6,
  pair(v4),
  pair(v6),
  fc.tuple(v4, fc.integer({ min: 0, max: 32 })).map((parts) => parts.join('/')),
  fc
    .tuple(v6, fc.integer({ min: 0, max: 128 }))
    .map(([address, bits]) => `${address}/${unmapped(parseIp(address)!).version === 4 ? 96 + (bits % 33) : bits}`),
);
const list = fc.array(fc.tuple(entry, fc.constantFrom('', 'a', 'b', 'c')), { maxLength: 12 });
const lists = fc.dictionary(fc.constantFrom('one', 'two', 'three'), list, { maxKeys: 3 });
const address = fc.oneof(v4, v6);

/** Neighbours of every entry's ends are where mistakes would be. */
function edges(all: Lists): string[] {
  return Object.values(all)
    .flat()
    .flatMap(([text]) => {
      const [from, to] = text.split('-');
      const cidr = parseCidr(from!)!;
      const size = cidr.version === 4 ? 32 : 128;
      const first = cidr.base;
      const last = to === undefined ? first + (1n << BigInt(size - cidr.bits)) - 1n : unmapped(parseIp(to)!).value;
      return [first - 1n, first, last, last + 1n]
        .filter((value) => value >= 0n && value < 1n << BigInt(size))
        .map((value) => formatIp({ version: cidr.version, value }));
    });
}

const shown = (table: MarkTable, at: string) =>
  table
    .marks(at)
    .map((mark) => `${mark.list} ${mark.label}`)
    .sort();

describe('one table over all lists', () => {
  it('says what a scan of every entry says', () => {
    fc.assert(
      fc.property(lists, fc.array(address, { maxLength: 10 }), (all, addresses) => {
        const changes = new Map(Object.entries(all).map(([name, entries]) => [name, snapshotOf(entries)]));
        const table = new MarkTable(changeLists(emptyMarkTable(), changes).table);
        for (const at of [...edges(all), ...addresses]) expect([at, shown(table, at)]).toEqual([at, marksByScan(at, all)]);
      }),
      { numRuns: runs(300) },
    );
  });

  it('comes to the same, whichever way lists came and went', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('one', 'two', 'three'), fc.option(list)), { maxLength: 6 }), (steps) => {
        let data = emptyMarkTable();
        const all: Lists = {};
        for (const [name, entries] of steps) {
          data = changeLists(data, new Map([[name, entries === null ? undefined : snapshotOf(entries)]])).table;
          if (entries === null) delete all[name];
          else all[name] = entries;
        }
        const table = new MarkTable(data);
        for (const at of edges(all)) expect([at, shown(table, at)]).toEqual([at, marksByScan(at, all)]);
        expect(['one', 'two', 'three'].filter((name) => table.hasList(name)).sort()).toEqual(Object.keys(all).sort());
      }),
      { numRuns: 100 },
    );
  });
});

/** A text as bytes amid others, which are none of it. */
function amid(text: string): [bytes: Uint8Array, from: number, to: number] {
  const bytes = Buffer.from(`1:.${text}1.:`);
  return [bytes, 3, bytes.length - 3];
}

const valueOf = (words: Uint32Array, width: 1 | 4): bigint =>
  [...words.subarray(0, width)].reduce((sum, word) => (sum << 32n) | BigInt(word), 0n);
const spanOf = (range: Range | undefined) =>
  range && { version: range.width === 1 ? 4 : 6, first: valueOf(range.first, range.width), last: valueOf(range.last, range.width) };

describe('reading addresses', () => {
  // Among them a digit and a colon whose lower bytes alone would be those of ASCII.
  const odd = fc.string({
    unit: fc.constantFrom('0', '1', 'f', ':', ':', '.', '25', '::', 'g', '-', '\u0131', '\u013a', '\u{10330}'),
    maxLength: 24,
  });
  const text = fc.oneof(odd, fc.ipV4(), fc.ipV6(), v4, v6);

  it('reads what the contract reads, and nothing else, from texts and from bytes', () => {
    const words = new Uint32Array(4);
    fc.assert(
      fc.property(text, (written) => {
        for (const width of [readWords(written, words), readWordsIn(amid(written)[0], words, 3, amid(written)[2])])
          expect(width === 0 ? undefined : { version: width === 1 ? 4 : 6, value: valueOf(words, width) }).toEqual(parseIp(written));
      }),
      { numRuns: runs(5000) },
    );
  });

  it('reads the networks that the contract reads, and nothing else, from texts and from bytes', () => {
    const length = fc.constantFrom('', '/', '/0', '/8', '/08', '/31', '/32', '/33', '/96', '/128', '/129', '/+8', '/8/8', '/\u0138');
    fc.assert(
      fc.property(text, length, (written, bits) => {
        const network = `${written}${bits}`;
        fc.pre(!network.includes('-'));
        const cidr = parseCidr(network);
        const first = cidr?.base ?? 0n;
        const span = cidr && {
          version: cidr.version,
          first,
          last: first + (1n << BigInt((cidr.version === 4 ? 32 : 128) - cidr.bits)) - 1n,
        };
        expect(spanOf(readRange(network))).toEqual(span);
        expect(spanOf(readRangeIn(...amid(network)))).toEqual(span);
      }),
      { numRuns: runs(5000) },
    );
  });

  it.each([
    '',
    'x',
    '1.2.3',
    '1.2.3.4/33',
    '1.2.3.4/',
    '1.2.3.4/+8',
    '1.2.3.4/8/8',
    '2001:db8::/129',
    '2.0.0.0-1.0.0.0',
    '1.2.3.4-::1',
    '::ffff:1.2.3.4/95',
    '01.2.3.4',
    '1.2.3.4 ',
  ])('does not take %j for an entry of a list', (text) => {
    expect(new RangeListBuilder().add(text)).toBe(false);
    expect(readRangeIn(...amid(text))).toBe(undefined);
  });
});

describe('createNetworks', () => {
  it('puts lists in use, several at once, and takes them out', async () => {
    const networks = createNetworks();
    expect([networks.marks('192.0.2.1'), networks.hasList('tor-exits')]).toEqual([[], false]);
    await Promise.all([
      networks.setList('tor-exits', snapshotOf([['192.0.2.1', '']])),
      networks.setList(
        'aws',
        snapshotOf([
          ['192.0.2.0/24', 'AMAZON/us-east-1'],
          ['192.0.2.0/25', 'EC2/us-east-1'],
        ]),
      ),
    ]);
    expect(networks.marks('192.0.2.1')).toEqual([
      { list: 'tor-exits', label: '' },
      { list: 'aws', label: 'AMAZON/us-east-1' },
      { list: 'aws', label: 'EC2/us-east-1' },
    ]);
    expect(networks.marks('192.0.2.1')).toBe(networks.marks('192.0.2.1')); // nothing is made for an answer
    await networks.setList('aws', undefined);
    expect([networks.marks('::ffff:192.0.2.1'), networks.hasList('aws')]).toEqual([[{ list: 'tor-exits', label: '' }], false]);
  });

  it('makes the changes together that come while a table is made', async () => {
    let threads = 0;
    const count = () => void threads++;
    process.on('worker', count);
    try {
      const networks = createNetworks();
      const names = Array.from({ length: 20 }, (_, at) => `list-${at}`);
      await Promise.all(names.map((name) => networks.setList(name, snapshotOf([['192.0.2.1', name]]))));
      expect(networks.marks('192.0.2.1').map(({ list }) => list)).toEqual(names);
      expect(threads).toBeLessThanOrEqual(2);
    } finally {
      process.off('worker', count);
    }
  });

  it('keeps a list whose next snapshot is none, and the others that came with it', async () => {
    const networks = createNetworks();
    const good = snapshotOf([['2001:db8::/32', 'x']]);
    await networks.setList('one', good);
    const [refused, taken] = await Promise.allSettled([networks.setList('one', good.subarray(0, 100)), networks.setList('two', good)]);
    expect([refused, taken.status]).toEqual([{ status: 'rejected', reason: new RangeError('the snapshot is cut off') }, 'fulfilled']);
    expect(networks.marks('2001:db8::1')).toEqual([
      { list: 'one', label: 'x' },
      { list: 'two', label: 'x' },
    ]);
  });
});
