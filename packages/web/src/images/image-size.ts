import { type ImageSize, svgSize } from './svg-size.ts';

/** Headers of pictures are at the beginning; a JPEG may have some of other programs before its own. */
const HEADER_MAX_BYTES = 1024 * 1024;
/** Markers of a JPEG, and boxes of an AVIF, that are looked at. */
const PARTS_MAX = 1_000;

/** The size of a PNG, GIF, JPEG, WebP, AVIF or SVG; undefined for other files, for one that is cut off before its size, and for a side of 0. */
export function imageSize(file: Uint8Array): ImageSize | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, HEADER_MAX_BYTES));
  try {
    const size = rasterSize(bytes) ?? svgSize(bytes);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // a header that ends too early
    throw error;
  }
}

function rasterSize(bytes: Buffer): ImageSize | undefined {
  const begins = bytes.toString('latin1', 0, 12);
  if (begins.startsWith('\x89PNG\r\n\x1a\n')) return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (/^GIF8[79]a/.test(begins)) return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (begins.startsWith('\xff\xd8')) return jpegSize(bytes);
  if (/^RIFF.{4}WEBP/s.test(begins)) return webpSize(bytes);
  return /^.{4}ftyp(?:avi[fs]|mi[fa]1|hei[cx])/s.test(begins) ? avifSize(bytes) : undefined;
}

/** Frame headers: all SOF markers but those of Huffman tables, arithmetic coding and JPEG extensions (ITU-T T.81, table B.1). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);

function jpegSize(bytes: Buffer): ImageSize | undefined {
  let at = 2;
  for (let parts = 0; parts < PARTS_MAX; parts++) {
    while (bytes[at] === 0xff && bytes[at + 1] === 0xff) at++; // fill bytes
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (isFrame(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at += isAlone(marker) ? 2 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function webpSize(bytes: Buffer): ImageSize | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case 'VP8L': {
      const packed = bytes.readUInt32LE(21);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

/** Boxes with others inside, and how many octets stand before these (ISO/IEC 14496-12 §8.11). */
const CONTAINERS: Readonly<Record<string, number>> = { meta: 4, iprp: 0, ipco: 0 };

/** The largest of the spatial extents (`ispe`): a picture is as large as its tiles together, and larger than its thumbnail. */
function avifSize(bytes: Buffer): ImageSize | undefined {
  let largest: ImageSize | undefined;
  const ends: number[] = [bytes.length];
  let at = 0;
  for (let parts = 0; parts < PARTS_MAX && ends.length > 0; parts++) {
    while (ends.length > 0 && at + 8 > ends.at(-1)!) at = Math.max(at, ends.pop()!);
    if (ends.length === 0) break;
    const size = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (size < 8) break; // 0 and 1: to the end, and longer than any header
    const before = CONTAINERS[type];
    if (type === 'ispe') {
      const found = { width: bytes.readUInt32BE(at + 12), height: bytes.readUInt32BE(at + 16) };
      if (!largest || found.width * found.height > largest.width * largest.height) largest = found;
    }
    if (before === undefined) at += size;
    else {
      ends.push(Math.min(at + size, ends.at(-1)!));
      at += 8 + before;
    }
  }
  return largest;
}
