import { decoded, library } from './libraries.ts';
import type { Pixels } from './pixels.ts';

/** Codes that are read in one picture. */
export const CODES_MAX = 8;

export interface Point {
  x: number;
  y: number;
}

/** A code, and where it is: from its upper left corner, as its modules are, clockwise. */
export interface Code {
  format: 'qr' | 'micro-qr' | 'rectangular-micro-qr';
  text: string;
  corners: readonly Point[];
  ec_level: string;
  version: string;
  inverted: boolean;
  mirrored: boolean;
}

export interface Found {
  codes: Code[];
  /** Number of what looks like a code and could not be read. */
  failures: number;
  /** Whether the picture could be decoded. */
  isDecoded: boolean;
}

const UNDECODED = 'Failed to load image from memory';

const FORMATS = new Map<string, Code['format']>([
  ['MicroQRCode', 'micro-qr'],
  ['RMQRCode', 'rectangular-micro-qr'],
]);

interface Search {
  /** Every line is searched: for a code that is small in its picture. */
  tryHarder: boolean;
  /** Small relatives of the QR code too. */
  relatives?: boolean;
  max?: number;
}

/** Finds the codes in a PNG, JPEG, GIF or BMP, or in pixels: turned, mirrored and inverted ones too. A broken picture has none. */
export async function codesIn(picture: Uint8Array | Pixels, { tryHarder, relatives = false, max = CODES_MAX }: Search): Promise<Found> {
  const read = await library('codes');
  const input = picture instanceof Uint8Array ? picture : { ...picture, colorSpace: 'srgb' as const };
  const formats = relatives ? (['QRCode', 'MicroQRCode', 'RMQRCode'] as const) : (['QRCode'] as const);
  // Without the errors it goes on to hundreds of them.
  const options = { formats: [...formats], tryHarder, maxNumberOfSymbols: max, returnErrors: true };
  const results = await decoded(() => read(input, options));
  if (!results) return { codes: [], failures: 0, isDecoded: false };
  const codes = results.flatMap(({ isValid, text, format, position, ecLevel, version, isInverted, isMirrored }): Code[] => {
    if (!isValid || text === '') return [];
    const { topLeft, topRight, bottomRight, bottomLeft } = position;
    const corners = [topLeft, topRight, bottomRight, bottomLeft].map(({ x, y }) => ({ x, y }));
    return [{ format: FORMATS.get(format) ?? 'qr', text, corners, ec_level: ecLevel, version, inverted: isInverted, mirrored: isMirrored }];
  });
  const isDecoded = !results.some(({ error }) => error === UNDECODED);
  return { codes, failures: isDecoded ? results.length - codes.length : 0, isDecoded };
}
