import { greyPixels, type Pixels } from './pixels.ts';

/** A character cell, or a cell of a table. */
export interface Cell {
  /** Columns that it takes. */
  columns: 1 | 2;
  /** Grey values of its quarters: upper left, upper right, lower left, lower right. */
  quarters: readonly [number, number, number, number];
}

/** A drawing by cells, made when it is looked at. */
export interface Drawing {
  width: number;
  height: number;
  pixels(): Pixels;
}

export const PAPER = 255;
export const INK = 0;
/** A code has 21 modules, two of them in the height of one character. */
const ROWS_MIN = 11;
const COLUMNS_MIN = 21;
/** The largest code has 177 modules, each of two characters. */
const ROWS_MAX = 200;
const COLUMNS_MAX = 400;
const MARGIN = 4;

/** Width and height of a quarter in pixels: of a character as terminals have it, twice as high as wide; and of a square one. */
const SHAPES = [
  [2, 4],
  [3, 3],
] as const;

/** Draws rows of cells in every way in which they may be meant: square or not, on light or dark ground. None for what is too small or too large for a code. */
export function drawingsOf(rows: readonly (readonly Cell[])[], shapes: readonly (readonly [number, number])[] = SHAPES): Drawing[] {
  const columns = Math.max(0, ...rows.map(widthOf));
  if (rows.length < ROWS_MIN || columns < COLUMNS_MIN || rows.length > ROWS_MAX || columns > COLUMNS_MAX) return [];
  return shapes.flatMap(([wide, high]) => [PAPER, INK].map((ground) => drawn(rows, columns, wide, high, ground)));
}

/** The shape of a cell of a table: its quarters are all the same. */
export const SQUARE = [[2, 2]] as const;

const widthOf = (row: readonly Cell[]): number => row.reduce((sum, cell) => sum + cell.columns, 0);

function drawn(rows: readonly (readonly Cell[])[], columns: number, wide: number, high: number, ground: number): Drawing {
  const margin = MARGIN * 2 * Math.max(wide, high);
  const width = columns * 2 * wide + 2 * margin;
  const height = rows.length * 2 * high + 2 * margin;
  const pixels = (): Pixels => {
    const grey = new Uint8Array(width * height).fill(ground);
    for (let y = margin; y < height - margin; y++) grey.fill(PAPER, y * width + margin, (y + 1) * width - margin);
    rows.forEach((row, line) => {
      let x = margin;
      for (const { columns: taken, quarters } of row) {
        quarters.forEach((value, quarter) => {
          const left = x + (quarter % 2) * wide * taken;
          const top = margin + (line * 2 + (quarter >> 1)) * high;
          for (let y = top; y < top + high; y++) grey.fill(value, y * width + left, y * width + left + wide * taken);
        });
        x += 2 * wide * taken;
      }
    });
    return greyPixels(grey, width, height);
  };
  return { width, height, pixels };
}
