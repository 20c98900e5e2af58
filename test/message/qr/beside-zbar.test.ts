import { readPicture } from '@vedette/message/qr';
import { scanGrayBuffer } from '@undecaf/zbar-wasm';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { distorted, DISTORTIONS, random } from './distorted.ts';

const EACH = 10;

/** Codes that we and zbar read of the same pictures. */
async function compared(seed: number): Promise<{ ours: number; zbar: number; all: number }> {
  const next = random(seed);
  const found = { ours: 0, zbar: 0, all: 0 };
  for (const distortion of DISTORTIONS)
    for (let at = 0; at < EACH; at++) {
      const text = `https://example.org/${'abcdefghij'.repeat(Math.floor(next() * 9))}${at}`;
      const { grey, side } = await distorted(text, distortion, next);
      const png = await sharp(grey, { raw: { width: side, height: side, channels: 1 } })
        .png()
        .toBuffer();
      const symbols = await scanGrayBuffer(grey.slice().buffer, side, side);
      if (symbols.some((symbol) => symbol.decode() === text)) found.zbar++;
      const { codes } = await readPicture(png);
      if (codes.some(({ content }) => content === text)) found.ours++;
      expect(codes.filter(({ content }) => content !== text)).toEqual([]);
      found.all++;
    }
  return found;
}

it('more of ninety codes, nine kinds of pictures, are read than zbar reads, by ten in a hundred and more', async () => {
  const { ours, zbar, all } = await compared(7);
  expect(ours / all).toBeGreaterThanOrEqual(zbar / all + 0.1);
  expect(zbar).toBeGreaterThan(all / 2);
}, 60_000);
