/** A decoded picture: red, green, blue and opacity of each pixel, line by line. */
export interface Pixels {
  data: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
}

const CHANNELS = 4;
const WHITE = 255;

/** A picture of grey values, each 0 (black) to 255. */
export function greyPixels(grey: Uint8Array, width: number, height: number): Pixels {
  const data = new Uint8ClampedArray(width * height * CHANNELS);
  for (let at = 0; at < grey.length; at++)
    data.fill(grey[at]!, at * CHANNELS, at * CHANNELS + CHANNELS - 1).fill(WHITE, at * CHANNELS + CHANNELS - 1, at * CHANNELS + CHANNELS);
  return { data, width, height };
}

/** Twice as wide and as high, with values between the pixels: codes of modules of one or two pixels are read from that. */
export function enlarged({ data, width, height }: Pixels): Pixels {
  const grey = new Float32Array(width * height);
  for (let at = 0; at < grey.length; at++) grey[at] = greyOf(data, at * CHANNELS);
  const wide = width * 2;
  const out = new Uint8Array(wide * height * 2);
  for (let y = 0; y < height * 2; y++) {
    const top = Math.max(0, (y - 1) >> 1);
    const bottom = Math.min(height - 1, (y + 1) >> 1);
    const below = top === bottom ? 0 : y % 2 === 0 ? 0.75 : 0.25;
    for (let x = 0; x < wide; x++) {
      const left = Math.max(0, (x - 1) >> 1);
      const right = Math.min(width - 1, (x + 1) >> 1);
      const beside = left === right ? 0 : x % 2 === 0 ? 0.75 : 0.25;
      const upper = grey[top * width + left]! * (1 - beside) + grey[top * width + right]! * beside;
      const lower = grey[bottom * width + left]! * (1 - beside) + grey[bottom * width + right]! * beside;
      out[y * wide + x] = upper * (1 - below) + lower * below;
    }
  }
  return greyPixels(out, wide, height * 2);
}

/** Luminance (ITU-R BT.601) on white, which is what lies beneath a picture with holes. */
function greyOf(data: Uint8ClampedArray, at: number): number {
  const opacity = data[at + 3]! / WHITE;
  const grey = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
  return grey * opacity + WHITE * (1 - opacity);
}
