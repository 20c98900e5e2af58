import { type RenderJob, PAGE_MAX } from '@vedette/contract';
import sharp, { type Sharp } from 'sharp';
import type { Piece } from './capture.ts';

// One job of the renderer may not take every core, and no picture is worked on twice.
sharp.concurrency(1);
sharp.cache(false);

type PictureJob = Pick<RenderJob<'screenshot'>, 'image_type' | 'image_width' | 'image_height' | 'omit_background' | 'grayscale'>;

export interface Picture {
  file: Uint8Array;
  width: number;
  height: number;
}

const WHITE = { r: 255, g: 255, b: 255 };

/** Makes the job's picture of what was captured, pieces one below the other. Works beside the event loop. */
export async function makePicture(pieces: readonly Piece[], job: PictureJob): Promise<Picture> {
  const { image: whole, ...size } = await joined(pieces);
  const image = resized(whole, job, size);
  const shaded = job.grayscale ? image.grayscale() : image;
  const transparent = job.omit_background && job.image_type !== 'jpeg';
  const { data, info } = await encoded(transparent ? shaded : shaded.flatten({ background: WHITE }), job.image_type).toBuffer({
    resolveWithObject: true,
  });
  return { file: data, width: info.width, height: info.height };
}

/** All pieces in one image: a single one as it came. */
async function joined(pieces: readonly Piece[]): Promise<{ image: Sharp; width: number; height: number }> {
  const sizes = await Promise.all(pieces.map((piece) => sharp(piece, LIMITS).metadata()));
  const width = Math.max(...sizes.map((size) => size.width));
  const tops = sizes.map((_size, index) => sizes.slice(0, index).reduce((sum, { height }) => sum + height, 0));
  const height = tops.at(-1)! + sizes.at(-1)!.height;
  const [only] = pieces;
  if (pieces.length === 1) return { image: sharp(only, LIMITS), width, height };
  const raw = { width, height, channels: 4 } as const;
  const pixels = await sharp({ ...LIMITS, create: { ...raw, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .composite(pieces.map((input, index) => ({ input: Buffer.from(input), left: 0, top: tops[index]!, ...LIMITS })))
    .raw()
    .toBuffer();
  return { image: sharp(pixels, { ...LIMITS, raw }), width, height };
}

/** The pixels of the largest job, including an address bar. */
const LIMITS = { limitInputPixels: 100_000_000 };

/** One side alone keeps the proportions; of two, what is too much is left away at the bottom, or at both sides. */
function resized(image: Sharp, { image_width, image_height }: PictureJob, size: { width: number; height: number }): Sharp {
  if (image_width !== undefined && image_height !== undefined)
    return image.resize({ width: image_width, height: image_height, fit: 'cover', position: 'top' });
  if (image_width === undefined && image_height === undefined) return image;
  const wanted = image_width === undefined ? image_height! / size.height : image_width / size.width;
  const factor = Math.min(wanted, PAGE_MAX.fullHeight / size.height, PAGE_MAX.fullHeight / size.width);
  return image.resize({
    width: Math.max(1, Math.round(size.width * factor)),
    height: Math.max(1, Math.round(size.height * factor)),
    fit: 'fill',
  });
}

/** Settings that give a good picture soon: a tenth fewer bytes is not worth another second. */
function encoded(image: Sharp, type: PictureJob['image_type']): Sharp {
  switch (type) {
    case 'png':
      return image.png({ compressionLevel: 4, adaptiveFiltering: false });
    case 'jpeg':
      return image.jpeg({ quality: 85 });
    case 'webp':
      return image.webp({ quality: 82, effort: 1 });
    case 'avif':
      return image.avif({ quality: 55, effort: 0, chromaSubsampling: '4:2:0' });
  }
}
