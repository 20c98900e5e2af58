import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PAGE_CODINGS, unpackUpTo } from '../../../packages/probes/src/http/coding.ts';

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

it('what is no coding, an unknown one, or several at once is broken', async () => {
  const broken = { bytes: expect.any(Uint8Array), truncated: false, broken: true };
  expect(await unpackUpTo(['gzip'], TEXT, 1_000)).toEqual(broken);
  expect(await unpackUpTo(['zstd'], TEXT, 1_000)).toEqual(broken);
  expect(await unpackUpTo(['compress'], TEXT, 1_000)).toEqual(broken);
  expect(await unpackUpTo(['gzip', 'gzip'], gzipSync(gzipSync(TEXT)), 1_000)).toEqual(broken);
});

it('without a coding the bytes are what they are', async () => {
  expect(await unpackUpTo([], TEXT, 10)).toEqual({ bytes: TEXT.subarray(0, 10), truncated: true, broken: false });
  expect(await unpackUpTo(['gzip'], Buffer.alloc(0), 10)).toEqual({ bytes: Buffer.alloc(0), truncated: false, broken: false });
});

it('every coding that is asked for is known', async () => {
  for (const coding of PAGE_CODINGS.split(', ')) expect(CODED.map(([known]) => known)).toContain(coding);
});
