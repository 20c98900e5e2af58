import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PAGE_MAX_BYTES, pageText } from '../../../packages/probes/src/vpn/page.ts';

const read = (body: Uint8Array, headers: Record<string, string> = {}) =>
  pageText({ version: 'HTTP/1.1', status: 200, statusMessage: '', headers: Object.entries(headers) }, body);
const page = Buffer.from('<title>Zürich</title>');
const codings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync };

describe('unpacks', () => {
  it.each(Object.entries(codings))('%s', async (coding, pack) => {
    expect(await read(pack(page), { 'content-encoding': coding })).toBe('<title>Zürich</title>');
  });
  // A zstd frame of this size is one piece to Node: nothing of a cut one comes out.
  it.each(Object.entries(codings).filter(([coding]) => coding !== 'zstd'))('%s that was cut off', async (coding, pack) => {
    const noise = Buffer.from(Array.from({ length: 100_000 }, (_, i) => `${(i * 7919) % 10_007} `).join(''));
    const packed = pack(noise);
    const text = await read(packed.subarray(0, packed.length >> 1), { 'content-encoding': coding });
    expect(text.length).toBeGreaterThan(1_000);
    expect(noise.toString()).toContain(text);
  });
  it.each(Object.entries(codings))('no more of a %s bomb than it needs', async (coding, pack) => {
    const text = await read(pack(Buffer.alloc(16 * 1024 * 1024, 'a')), { 'content-encoding': coding });
    expect(text).toMatch(/^a+$/);
    expect(text.length).toBeLessThanOrEqual(PAGE_MAX_BYTES);
  });
});

describe('gives up quietly', () => {
  it.each([
    ['three codings', gzipSync(gzipSync(gzipSync(page))), { 'content-encoding': 'gzip, gzip, gzip' }],
    ['a hundred codings', page, { 'content-encoding': Array(100).fill('gzip').join() }],
    ['a coding named like a property', page, { 'content-encoding': 'constructor' }],
    ['an unknown coding', page, { 'content-encoding': 'compress' }],
    ['not what it says', page, { 'content-encoding': 'gzip' }],
    ['an image', page, { 'content-type': 'image/png' }],
  ])('%s', async (_what, body, headers) => {
    expect(await read(body, headers)).toBe('');
  });
});

describe('reads the charset', () => {
  const latin1 = Buffer.from('<title>Zürich</title>', 'latin1');
  it.each<[string, Uint8Array, Record<string, string>]>([
    ['of the header', latin1, { 'content-type': 'text/html; charset=ISO-8859-1' }],
    ['of the page', Buffer.concat([Buffer.from('<meta name="x"><meta charset="latin1">'), latin1]), {}],
    ['UTF-8 without any', page, {}],
    ['UTF-8 instead of one that nobody knows', page, { 'content-type': 'text/html; charset=utf-7' }],
  ])('%s', async (_where, body, headers) => {
    expect(await read(body, headers)).toContain('<title>Zürich</title>');
  });
});

it('fits a frame even when every byte has to be escaped', async () => {
  for (const byte of [0x00, 0x22, 0xff]) {
    const text = await read(Buffer.alloc(PAGE_MAX_BYTES, byte));
    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThanOrEqual(96 * 1024);
  }
});
