import { inflateSync } from 'node:zlib';
import { type FileKind, kindByMagic } from '../files/index.ts';
import { imageSize } from '@vedette/web/images';

/** Kinds of pictures of pixels that are decoded. */
export type RasterKind = 'png' | 'jpeg' | 'gif' | 'bmp' | 'webp';
const RASTERS: ReadonlySet<FileKind> = new Set<RasterKind>(['png', 'jpeg', 'gif', 'bmp', 'webp']);

/** The header of a picture: nothing is decoded. */
export interface Raster {
  kind: RasterKind;
  width: number;
  height: number;
}

/** Scans of a progressive JPEG that are ordinary; each goes over the whole picture, so that it takes twice as long as another. */
const SCANS_MAX = 20;
/** A code has 21 modules, and a small relative fewer. */
const SIDE_MIN = 11;

/** Reads a picture's header; undefined for other files, and for a side of 0. */
export function rasterOf(file: Uint8Array): Raster | undefined {
  const kind = kindByMagic(file);
  if (!RASTERS.has(kind)) return undefined;
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  const size = kind === 'bmp' ? bmpSize(bytes) : imageSize(file);
  return size && size.width > 0 && size.height > 0 ? { kind: kind as RasterKind, ...size } : undefined;
}

const bmpSize = (bytes: Buffer): { width: number; height: number } | undefined =>
  bytes.length < 26 ? undefined : { width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) };

/** Whether decoding a picture takes what its size says: a few bytes can stand for gigabytes of lines that it does not have, or for thousands of scans. */
export function isHonest(file: Uint8Array, { kind, width, height }: Raster): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  if (kind === 'jpeg') return scansOf(bytes) <= SCANS_MAX;
  return kind !== 'png' || inflates(bytes, width * height);
}

export const isProgressive = (file: Uint8Array, { kind }: Raster): boolean =>
  kind === 'jpeg' && scansOf(Buffer.from(file.buffer, file.byteOffset, file.length)) > 1;

const SCAN = Buffer.from([0xff, 0xda]);

function scansOf(bytes: Buffer): number {
  let scans = 0;
  for (let at = bytes.indexOf(SCAN); at >= 0 && scans <= SCANS_MAX; at = bytes.indexOf(SCAN, at + 2)) scans++;
  return scans;
}

/** Deflate makes at most so many bytes of one. */
const DEFLATE_MAX = 1_032;
/** Samples of a pixel, by the colour type of a PNG (PNG §11.2.1). */
const SAMPLES = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

/** Whether the lines of a PNG are as many as its header says. */
function inflates(bytes: Buffer, pixels: number): boolean {
  const parts: Buffer[] = [];
  for (let at = 8; at + 8 <= bytes.length;) {
    const size = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(bytes.subarray(at + 8, at + 8 + size));
    at += 12 + size;
  }
  const data = Buffer.concat(parts);
  const [depth = 16, type = 6] = bytes.subarray(24, 26); // the most that there is, where the header ends before
  const pixelBytes = ((SAMPLES.get(type) ?? 4) * depth) / 8;
  // A byte in front of each line, and more lines where it is interlaced.
  const most = Math.ceil(pixels * (pixelBytes + 2 / SIDE_MIN)) + 65_536;
  if (data.length * DEFLATE_MAX <= most) return true;
  try {
    inflateSync(data, { maxOutputLength: most });
    return true;
  } catch {
    return false; // larger than any picture of this size, or broken
  }
}
