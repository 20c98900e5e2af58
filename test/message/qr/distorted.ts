import { modulesOf } from './codes.ts';

/** What was done to a code, as pictures in mail and from telephones have it. */
export const DISTORTIONS = ['none', 'turned', 'blurred', 'askew', 'inverted', 'tiny', 'noisy', 'lit from one side', 'damaged'] as const;
type Distortion = (typeof DISTORTIONS)[number];

export interface GreyPicture {
  grey: Uint8ClampedArray<ArrayBuffer>;
  side: number;
}

/** The same numbers for a seed: a linear congruential generator. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

const QUIET = 4;
const SAMPLES = 3;

/** A code as a camera or a mail program shows it. */
export async function distorted(text: string, distortion: Distortion, next: () => number): Promise<GreyPicture> {
  const rows = await modulesOf(text, 'LMQH'[Math.floor(next() * 4)]);
  const module = distortion === 'tiny' ? 1.3 + next() * 1.2 : 3 + next() * 4;
  const side = Math.ceil((rows.length + 2 * QUIET) * module * 1.5);
  const angle = distortion === 'turned' ? next() * 2 * Math.PI : (next() - 0.5) * 0.1;
  const tilt = distortion === 'askew' ? [(next() - 0.5) * 0.9, (next() - 0.5) * 0.9] : [0, 0];
  let grey = drawn(rows, { side, module, angle, tilt });
  if (distortion === 'damaged') damage(grey, side, rows.length * module, module, next);
  if (distortion === 'blurred') grey = blurred(grey, side, module * (0.3 + next() * 0.5));
  if (distortion === 'lit from one side') grey = grey.map((value, at) => (60 + value * 0.5) * (0.35 + (0.65 * (at % side)) / side));
  if (distortion === 'inverted') grey = grey.map((value) => 255 - value);
  const noise = distortion === 'noisy' ? 60 + next() * 60 : 4;
  return { grey: Uint8ClampedArray.from(grey, (value) => value + (next() + next() + next() - 1.5) * noise), side };
}

interface View {
  side: number;
  module: number;
  angle: number;
  tilt: readonly number[];
}

function drawn(rows: readonly (readonly boolean[])[], { side, module, angle, tilt: [tiltX = 0, tiltY = 0] }: View): Float64Array {
  const [cos, sin, half] = [Math.cos(angle), Math.sin(angle), rows.length / 2];
  const isDark = (u: number, v: number): boolean => rows[Math.floor(v)]?.[Math.floor(u)] === true;
  return Float64Array.from({ length: side * side }, (_, at) => {
    let light = 0;
    for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
      const x = ((at % side) + ((sample % SAMPLES) + 0.5) / SAMPLES) / side - 0.5;
      const y = (Math.floor(at / side) + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES) / side - 0.5;
      const depth = 1 + tiltX * x + tiltY * y;
      const [u, v] = [(x / depth) * side, (y / depth) * side];
      if (!isDark((u * cos - v * sin) / module + half, (u * sin + v * cos) / module + half)) light++;
    }
    return (255 * light) / SAMPLES ** 2;
  });
}

/** Three spots, within what error correction may hold or not. */
function damage(grey: Float64Array, side: number, width: number, module: number, next: () => number): void {
  for (let spot = 0; spot < 3; spot++) {
    const radius = module * (1 + next() * 2.2);
    const [x, y] = [side / 2 + (next() - 0.5) * width * 0.8, side / 2 + (next() - 0.5) * width * 0.8];
    const value = next() < 0.5 ? 0 : 255;
    for (let at = 0; at < grey.length; at++) if (Math.hypot((at % side) - x, Math.floor(at / side) - y) < radius) grey[at] = value;
  }
}

/** A Gaussian, along the lines and then across. */
function blurred(grey: Float64Array, side: number, sigma: number): Float64Array {
  const reach = Math.ceil(sigma * 3);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, at) => Math.exp(-((at - reach) ** 2) / 2 / sigma ** 2));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const inside = (at: number): number => Math.min(side - 1, Math.max(0, at));
  const pass = (from: Float64Array, step: (x: number, y: number, by: number) => number): Float64Array =>
    from.map(
      (_, at) => weights.reduce((all, weight, by) => all + weight * from[step(at % side, Math.floor(at / side), by - reach)]!, 0) / sum,
    );
  return pass(
    pass(grey, (x, y, by) => y * side + inside(x + by)),
    (x, y, by) => inside(y + by) * side + x,
  );
}
