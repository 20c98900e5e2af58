// QR codes beside zbar: recall by what was done to the picture, and CPU time of a picture. Run from the root: node test/bench/qr.ts [pictures of each
// kind] [seed]. One JSON line per kind. zbar is given grey pixels and no inverted copy, as its own command does; ours a PNG, which it decodes first.

import { performance } from 'node:perf_hooks';
import { readPicture } from '@vedette/message/qr';
import { scanGrayBuffer } from '@undecaf/zbar-wasm';
import sharp from 'sharp';
import { distorted, DISTORTIONS, random } from '../message/qr/distorted.ts';
import { median } from './figures.ts';

const [each = 50, seed = 1] = process.argv.slice(2).map(Number);
const next = random(seed);
const total = { pictures: 0, ours: 0, zbar: 0 };
for (const distortion of DISTORTIONS) {
  const row = { ours: 0, zbar: 0 };
  const ms: Record<'ours' | 'zbar', number[]> = { ours: [], zbar: [] };
  for (let at = 0; at < each; at++) {
    const text = `https://example.org/${'abcdefghij'.repeat(Math.floor(next() * 9))}${at}`;
    const { grey, side } = await distorted(text, distortion, next);
    const png = await sharp(grey, { raw: { width: side, height: side, channels: 1 } })
      .png()
      .toBuffer();
    const started = performance.now();
    const symbols = await scanGrayBuffer(grey.slice().buffer, side, side);
    ms.zbar.push(performance.now() - started);
    if (symbols.some((symbol) => symbol.decode() === text)) row.zbar++;
    const then = performance.now();
    const { codes } = await readPicture(png);
    ms.ours.push(performance.now() - then);
    if (codes.some(({ content }) => content === text)) row.ours++;
  }
  total.pictures += each;
  total.ours += row.ours;
  total.zbar += row.zbar;
  const time = Number((median(ms.ours) / median(ms.zbar)).toFixed(2));
  process.stdout.write(
    `${JSON.stringify({ distortion, pictures: each, recall: row.ours / each, recall_zbar: row.zbar / each, time_ratio: time })}\n`,
  );
}
const { pictures, ours, zbar } = total;
process.stdout.write(`${JSON.stringify({ distortion: 'all', pictures, recall: ours / pictures, recall_zbar: zbar / pictures })}\n`);
