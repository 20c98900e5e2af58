import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inflateSync } from 'node:zlib';
import type { readBarcodes } from 'zxing-wasm/reader';
import { imageSize } from '@vedette/web/images';

/** Pictures of a message that are looked at, and their pixels: one of a telephone has 12 million. */
export const IMAGES_MAX = 50;
export const PIXELS_MAX = 16_000_000;
export const IMAGE_PIXELS_MAX = 12_500_000;
/** Pixels that are searched line by line where no code was found: one that is small in its picture. A picture that is made for it takes fifteen times as long. */
const SEARCHED_HARD_MAX = 1_200_000;
/** A false code takes as long as so many pixels. A picture with several of them is searched hard only if it is small. */
const FAILURE_PIXELS = 1_000_000;
const FAILURES_FEW = 2;
const SMALL_PIXELS = 250_000;
/** A code has 21 modules and a margin. */
const SIDE_MIN = 21;
export const CODES_MAX = 8;
/** Scans of a progressive JPEG that are ordinary; each goes over the whole picture, so that it takes twice as long as another. */
const SCANS_MAX = 20;

interface Picture {
  bytes: Uint8Array;
  /** How many pixels of an ordinary picture take as long as it does. */
  pixels: number;
}

/** Reads the QR codes in the pictures of a message, the smallest first. */
export class QrCodes {
  /** There were more, or larger ones, than are looked at. */
  truncated = false;
  readonly #pictures: Picture[] = [];

  /** Takes a picture. Ignores files that are not pictures, or of an unsupported kind. */
  add(bytes: Uint8Array): void {
    const pixels = pixelsOf(bytes);
    if (pixels === undefined) return;
    if (this.#pictures.length < IMAGES_MAX && pixels <= IMAGE_PIXELS_MAX && isHonest(bytes, pixels))
      this.#pictures.push({ bytes, pixels: isProgressive(bytes) ? 2 * pixels : pixels });
    else this.truncated = true;
  }

  /** The texts of the codes, in the order of the pictures' sizes. */
  async read(): Promise<string[]> {
    const said = new Set<string>();
    let total = 0;
    let hard = 0;
    for (const { bytes, pixels } of this.#pictures.sort((one, other) => one.pixels - other.pixels)) {
      total += pixels;
      if (total > PIXELS_MAX) {
        this.truncated = true;
        break;
      }
      let found = await codesIn(bytes, false);
      if (found.texts.length === 0 && (found.failures <= FAILURES_FEW || pixels <= SMALL_PIXELS) && (hard += pixels) <= SEARCHED_HARD_MAX) {
        total += found.failures * FAILURE_PIXELS;
        found = await codesIn(bytes, true);
      }
      total += found.failures * FAILURE_PIXELS;
      // They may hide one that is.
      this.truncated ||= found.failures > 0 && found.failures + found.texts.length >= CODES_MAX;
      for (const text of found.texts) said.add(text);
    }
    return [...said];
  }
}

interface Found {
  texts: string[];
  /** Number of codes that could not be read. */
  failures: number;
}

async function codesIn(bytes: Uint8Array, tryHarder: boolean): Promise<Found> {
  const read = await loadReader();
  // Without the errors it goes on to hundreds of them.
  const codes = await read(bytes, { formats: ['QRCode'], tryHarder, maxNumberOfSymbols: CODES_MAX, returnErrors: true });
  const texts = codes.flatMap(({ isValid, text }) => (isValid && text !== '' ? [text] : []));
  return { texts, failures: codes.length - texts.length };
}

let loading: Promise<typeof readBarcodes> | undefined;

/**
 * Takes some 40 ms, so only messages with a picture load it. It receives its WebAssembly from us; otherwise it would fetch it from a
 * foreign server.
 */
const loadReader = (): Promise<typeof readBarcodes> => (loading ??= load());

async function load(): Promise<typeof readBarcodes> {
  const reader = await import('zxing-wasm/reader');
  const program = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
  reader.prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(program).buffer } });
  return reader.readBarcodes;
}

/** Number of pixels of a PNG, GIF, JPEG or BMP; undefined for other files, and for pictures too small for a code. */
function pixelsOf(file: Uint8Array): number | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  const begins = bytes.toString('latin1', 0, 4);
  const size = begins.startsWith('BM') ? bmpSize(bytes) : /^(?:\x89PNG|GIF8|\xff\xd8)/.test(begins) ? imageSize(file) : undefined;
  return size && Math.min(size.width, size.height) >= SIDE_MIN ? size.width * size.height : undefined;
}

const bmpSize = (bytes: Buffer): { width: number; height: number } | undefined =>
  bytes.length < 26 ? undefined : { width: Math.abs(bytes.readInt32LE(18)), height: Math.abs(bytes.readInt32LE(22)) };

/** Whether decoding a picture takes what its size says: a few bytes can stand for gigabytes of lines that it does not have, or for thousands of scans. */
function isHonest(file: Uint8Array, pixels: number): boolean {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  if (bytes[0] === 0xff) return scansOf(bytes) <= SCANS_MAX;
  return bytes[0] !== 0x89 || inflates(bytes, pixels);
}

const isProgressive = (file: Uint8Array): boolean =>
  file[0] === 0xff && scansOf(Buffer.from(file.buffer, file.byteOffset, file.length)) > 1;

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
