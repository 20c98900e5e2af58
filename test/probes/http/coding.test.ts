import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PAGE_CODINGS, unpackUpTo } from '../../../packages/probes/src/http/wire/coding.ts';

const TEXT = Buffer.from('page '.repeat(100));
const CODED: [string, (bytes: Buffer) => Buffer][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync], // what half of the servers mean by it
  ['br', (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ['zstd', zstdCompressSync],
];

describe.each(CODED)('%s', (coding, pack) => {
  it('is removed', async () => {
    expect(await unpackUpTo([coding], pack(TEXT), 1_000)).toEqual({ bytes: TEXT, truncated: false, broken: false });
  });

  it('is unpacked no further than wanted, however much there is', async () => {
    const { bytes, truncated, broken } = await unpackUpTo([coding], pack(Buffer.alloc(2_000_000, 'x')), 1_000);
    expect([bytes.length, truncated, broken]).toEqual([1_000, true, false]);
  });

  it('of a body that was cut off, what came is unpacked', async () => {
    const packed = pack(Buffer.from(Array.from({ length: 100_000 }, (_, i) => i.toString(36)).join(' ')));
    const { bytes, broken } = await unpackUpTo([coding], packed.subarray(0, packed.length / 2), 1_000_000);
    expect([bytes.length > 5_000, broken]).toEqual([true, false]);
  });
});

it('two codings are removed, the last one first', async () => {
  const twice = { bytes: TEXT, truncated: false, broken: false };
  expect(await unpackUpTo(['gzip', 'gzip'], gzipSync(gzipSync(TEXT)), 1_000)).toEqual(twice);
  expect(await unpackUpTo(['zstd', 'br'], brotliCompressSync(zstdCompressSync(TEXT)), 1_000)).toEqual(twice);
  expect(await unpackUpTo(['br', 'zstd'], brotliCompressSync(zstdCompressSync(TEXT)), 1_000)).toMatchObject({ broken: true });
});

describe('a bomb', () => {
  const GIBIBYTE_OF_NOTHING = (() => {
    const hundred = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    return Buffer.concat(Array.from({ length: 10 }, () => hundred)); // members of one file, RFC 1952 §2.2
  })();

  it('is unpacked to 250 times what was sent, though more would fit', async () => {
    const bomb = brotliCompressSync(Buffer.alloc(5 * 1024 * 1024), { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    const { bytes, truncated, broken } = await unpackUpTo(['br'], bomb, 5 * 1024 * 1024);
    expect([bytes.length, truncated, broken]).toEqual([Math.max(64 * 1024, 250 * bomb.length), true, false]);
    const zeros = await unpackUpTo(['zstd'], zstdCompressSync(Buffer.alloc(20 * 1024 * 1024)), 5 * 1024 * 1024);
    expect([zeros.bytes.length < 5 * 1024 * 1024, zeros.truncated]).toEqual([true, true]);
  });

  it('within another costs no more than one', async () => {
    const twice = gzipSync(GIBIBYTE_OF_NOTHING);
    const before = process.memoryUsage().rss;
    const { bytes, truncated, broken } = await unpackUpTo(['gzip', 'gzip'], twice, 2 * 1024 * 1024);
    expect([bytes.length <= Math.min(2 * 1024 * 1024, 250 * twice.length), truncated, broken]).toEqual([true, true, false]);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  it('a page of one word, short as it is, is none', async () => {
    const page = Buffer.from('word '.repeat(12_000));
    expect(await unpackUpTo(['br'], brotliCompressSync(page), 1_000_000)).toEqual({ bytes: page, truncated: false, broken: false });
  });
});

it('what is no coding, an unknown one, or more than two is broken', async () => {
  const broken = { bytes: expect.any(Uint8Array), truncated: false, broken: true };
  expect(await unpackUpTo(['gzip'], TEXT, 1_000)).toEqual(broken);
  expect(await unpackUpTo(['zstd'], TEXT, 1_000)).toEqual(broken);
  expect(await unpackUpTo(['compress'], TEXT, 1_000)).toEqual(broken);
  expect(await unpackUpTo(['gzip', 'gzip', 'gzip'], gzipSync(gzipSync(gzipSync(TEXT))), 1_000)).toEqual(broken);
  expect(
    await unpackUpTo(
      Array.from({ length: 100 }, () => 'gzip'),
      TEXT,
      1_000,
    ),
  ).toEqual(broken);
});

it('without a coding the bytes are what they are', async () => {
  expect(await unpackUpTo([], TEXT, 10)).toEqual({ bytes: TEXT.subarray(0, 10), truncated: true, broken: false });
  expect(await unpackUpTo(['gzip'], Buffer.alloc(0), 10)).toEqual({ bytes: Buffer.alloc(0), truncated: false, broken: false });
});

it('every coding that is asked for is known', async () => {
  for (const coding of PAGE_CODINGS.split(', ')) expect(CODED.map(([known]) => known)).toContain(coding);
});
