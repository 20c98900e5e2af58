import {
  CODES_MAX,
  codesIn,
  type Drawing,
  type Frame,
  htmlDrawings,
  isHonest,
  isProgressive,
  type Raster,
  rasterFrames,
  rasterOf,
  textDrawings,
} from '../pictures/index.ts';

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
/** Drawings by characters and cells that are looked at, of all texts. */
const DRAWINGS_MAX = 40;

interface Picture {
  images(): AsyncIterable<Frame['image']> | Iterable<Frame['image']>;
  /** How many pixels of an ordinary picture take as long as it does. */
  pixels: number;
}

/** Reads the QR codes in the pictures of a message, the smallest first, and what its texts draw. */
export class QrCodes {
  /** There were more, or larger ones, than are looked at. */
  truncated = false;
  readonly #pictures: Picture[] = [];
  #drawings = 0;

  /** Takes a picture. Ignores files that are not pictures, or of an unsupported kind. */
  add(bytes: Uint8Array): void {
    const raster = rasterOf(bytes);
    if (!raster || Math.min(raster.width, raster.height) < SIDE_MIN) return;
    const pixels = raster.width * raster.height;
    if (pixels <= IMAGE_PIXELS_MAX && isHonest(bytes, raster))
      this.#take({ images: () => imagesOf(bytes, raster), pixels: costOf(bytes, raster, pixels) });
    else this.truncated = true;
  }

  /** Takes what plain text draws. */
  text(text: string): void {
    this.#draw(textDrawings(text));
  }

  /** Takes what HTML draws. */
  html(html: string): void {
    this.#draw(htmlDrawings(html));
  }

  #draw(drawings: readonly Drawing[]): void {
    for (const { width, height, pixels } of drawings) {
      if (this.#drawings++ >= DRAWINGS_MAX) this.truncated = true;
      else this.#take({ images: () => [pixels()], pixels: width * height });
    }
  }

  #take(picture: Picture): void {
    if (this.#pictures.length < IMAGES_MAX) this.#pictures.push(picture);
    else this.truncated = true;
  }

  /** The texts of the codes, in the order of the pictures' sizes. */
  async read(): Promise<string[]> {
    const said = new Set<string>();
    let total = 0;
    let hard = 0;
    for (const { images, pixels } of this.#pictures.sort((one, other) => one.pixels - other.pixels)) {
      total += pixels;
      if (total > PIXELS_MAX) {
        this.truncated = true;
        break;
      }
      for await (const image of images()) {
        let found = await codesIn(image, { tryHarder: false });
        const few = found.failures <= FAILURES_FEW || pixels <= SMALL_PIXELS;
        if (found.codes.length === 0 && few && (hard += pixels) <= SEARCHED_HARD_MAX) {
          total += found.failures * FAILURE_PIXELS;
          found = await codesIn(image, { tryHarder: true });
        }
        total += found.failures * FAILURE_PIXELS;
        // They may hide one that is.
        this.truncated ||= found.failures > 0 && found.failures + found.codes.length >= CODES_MAX;
        for (const { text } of found.codes) said.add(text);
      }
    }
    return [...said];
  }
}

const costOf = (bytes: Uint8Array, raster: Raster, pixels: number): number => (isProgressive(bytes, raster) ? 2 * pixels : pixels);

async function* imagesOf(bytes: Uint8Array, raster: Raster): AsyncGenerator<Frame['image']> {
  for await (const { image } of rasterFrames(bytes, raster)) yield image;
}
