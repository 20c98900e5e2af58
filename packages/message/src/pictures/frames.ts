import { decoded, isSpoilt, library } from './libraries.ts';
import { enlarged, greyPixels, type Pixels } from './pixels.ts';
import type { Raster } from './raster.ts';

/** A picture that codes are looked for in. */
export interface Frame {
  /** The number of the page in a document, from 1. */
  page: number;
  /** Size in the picture's own units: pixels, or points of a page (1/72 inch). */
  width: number;
  height: number;
  /** A file that the reader of codes decodes itself, or pixels. */
  image: Uint8Array | Pixels;
  /** Pixels of `image` for one unit. */
  scale: number;
  /** The same in pixels, larger by `scale`; undefined where it cannot be decoded. */
  larger?(): Promise<{ image: Pixels; scale: number } | undefined>;
}

/** Pixels of a drawing, and of a page, on the longer side. */
const DRAWN_SIDE = 1_600;
const PAGES_MAX = 10;
/** Larger pictures are not drawn anew. */
const ENLARGED_MAX_PIXELS = 2_000_000;

/** The frames of a picture of pixels, which is honest about its size. None where it cannot be decoded. */
export async function* rasterFrames(bytes: Uint8Array, raster: Raster): AsyncGenerator<Frame> {
  const { kind, width, height } = raster;
  const webp = kind === 'webp' ? await webpPixels(bytes) : undefined;
  if (kind === 'webp' && !webp) return;
  const larger = async () => {
    const image = webp ?? (await drawnPixels(framed(bytes, raster), width));
    return image && { image: enlarged(image), scale: 2 };
  };
  const isDrawn = kind !== 'bmp' && width * height <= ENLARGED_MAX_PIXELS;
  yield { page: 1, width, height, image: webp ?? bytes, scale: 1, ...(isDrawn && { larger }) };
}

/** The frame of a drawing (SVG). Its references are not fetched, and its scripts do not run. */
export async function* drawingFrames(bytes: Uint8Array): AsyncGenerator<Frame> {
  const size = await drawingSize(bytes);
  if (!size) return;
  const scale = DRAWN_SIDE / Math.max(size.width, size.height);
  const image = await drawnPixels(bytes, Math.max(1, Math.round(size.width * scale)));
  if (image) yield { page: 1, ...size, image, scale };
}

/** The pages of a PDF, at most ten; undefined for a page that cannot be drawn, and for all that follow. None of one that is broken or has a password. */
export async function* pageFrames(bytes: Uint8Array): AsyncGenerator<Frame | undefined> {
  const pdfium = await library('documents');
  const document = await decoded(() => pdfium.loadDocument(bytes));
  if (!document) return;
  const count = document.getPageCount();
  const pages = Math.min(PAGES_MAX, count);
  for (let at = 0; at < pages && !isSpoilt(); at++) {
    yield await decoded(async () => {
      const page = document.getPage(at);
      const { originalWidth: width, originalHeight: height } = page.getOriginalSize();
      if (!(width > 0 && height > 0)) throw new Error('a page without a size');
      const scale = DRAWN_SIDE / Math.max(width, height);
      const drawn = await page.render({ scale, colorSpace: 'Gray', render: ({ data }) => Promise.resolve(data) });
      return {
        page: at + 1,
        width,
        height,
        image: greyPixels(drawn.data, drawn.width, drawn.height),
        scale: drawn.width / width,
      };
    });
  }
  if (count > pages) yield undefined;
  await decoded(() => Promise.resolve(document.destroy()));
}

async function webpPixels(bytes: Uint8Array): Promise<Pixels | undefined> {
  const decode = await library('webp');
  const copy = new Uint8Array(bytes).buffer;
  const image = await decoded(() => decode(copy));
  return image && { data: new Uint8ClampedArray(image.data), width: image.width, height: image.height };
}

async function drawingSize(svg: Uint8Array): Promise<{ width: number; height: number } | undefined> {
  const Drawing = await library('drawings');
  return await decoded(() => {
    const drawing = new Drawing(svg);
    const { width, height } = drawing;
    drawing.free();
    return Promise.resolve({ width, height });
  });
}

/** Draws an SVG so many pixels wide, on white. */
async function drawnPixels(svg: Uint8Array, width: number): Promise<Pixels | undefined> {
  const Drawing = await library('drawings');
  return await decoded(() => {
    const drawing = new Drawing(svg, { background: '#fff', fitTo: { mode: 'width', value: width } });
    const image = drawing.render();
    const pixels = { data: new Uint8ClampedArray(image.pixels), width: image.width, height: image.height };
    image.free();
    drawing.free();
    return Promise.resolve(pixels);
  });
}

/** A drawing of nothing but a picture. */
function framed(bytes: Uint8Array, { kind, width, height }: Raster): Uint8Array {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
  const size = `width="${width}" height="${height}"`;
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="data:image/${kind};base64,${data}"/></svg>`);
}
