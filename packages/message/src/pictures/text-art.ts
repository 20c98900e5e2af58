import { type Cell, type Drawing, drawingsOf, INK, PAPER } from './drawing.ts';

/** Characters by the quarters that they fill: upper left 8, upper right 4, lower left 2, lower right 1. Digits and letters stand for modules in some art. */
const QUARTERS = new Map<string, number>([
  ...Array.from(' \u00a0\u2007\u3000░⬜◻◽□▫·._0⚪', (empty) => [empty, 0] as const),
  ...Array.from('█▓■⬛◼◾▪●⚫#@*XM1', (full) => [full, 15] as const),
  ['▀', 12], ['▄', 3], ['▌', 10], ['▐', 5], ['▘', 8], ['▝', 4], ['▖', 2], ['▗', 1],
  ['▚', 9], ['▞', 6], ['▛', 14], ['▜', 13], ['▙', 11], ['▟', 7],
]); // prettier-ignore
/** Take two columns in most fonts. */
const WIDE = new Set('⬛⬜⚫⚪\u3000◼◻◾◽');
/** Rows of art in a text that begin a drawing; text has lines of dashes and stars, but not so many one after the other. */
const ROWS_MIN = 11;
const ROWS_MAX = 200;
const COLUMNS_MAX = 400;
/** Drawings of one text that are looked at. */
const DRAWINGS_MAX = 4;
const DRAWN = /[█▓■⬛◼▀▄▌▐●⚫]|(?:##|@@|\*\*|XX|MM|11){2}/u;

/** A row of a text whose characters have colours of their own. */
export interface ArtCharacter {
  character: string;
  ink: number;
  paper: number;
}

/** Whether a text may have a drawing: a cheap question. */
export const mayDraw = (text: string): boolean => DRAWN.test(text);

/** Codes that are drawn with characters, as terminals show them: `██`, `▀▄`, `##`. In time linear in the text. */
export const textDrawings = (text: string): Drawing[] => (mayDraw(text) ? artDrawings(linesOf(text)) : []);

/** One line after the other: all at once would be an object for each character of the text. */
function* linesOf(text: string): Generator<ArtCharacter[]> {
  for (const line of text.split(/\r\n|[\r\n\u2028]/))
    yield Array.from(line.slice(0, COLUMNS_MAX * 2), (character) => ({ character, ink: INK, paper: PAPER }));
}

/** The same for lines of coloured characters. */
export function artDrawings(lines: Iterable<readonly ArtCharacter[]>): Drawing[] {
  const drawings: Drawing[] = [];
  let rows: Cell[][] = [];
  const end = (): void => {
    if (rows.length >= ROWS_MIN && drawings.length < DRAWINGS_MAX * 4) drawings.push(...drawingsOf(withoutIndent(rows)));
    rows = [];
  };
  for (const line of lines) {
    const row = rowOf(line);
    if (row && rows.length < ROWS_MAX) rows.push(row);
    else end();
  }
  end();
  return drawings;
}

/** The cells of a line of art; undefined for other lines. */
function rowOf(line: readonly ArtCharacter[]): Cell[] | undefined {
  if (line.length > COLUMNS_MAX) return undefined;
  const row = line.map(cellOf);
  return row.every((cell) => cell !== undefined) ? row : undefined;
}

/** How a character of art looks; undefined for other characters. */
export function cellOf({ character, ink, paper }: ArtCharacter): Cell | undefined {
  const filled = QUARTERS.get(character);
  if (filled === undefined) return undefined;
  const quarter = (bit: number): number => ((filled & bit) === 0 ? paper : ink);
  return { columns: WIDE.has(character) ? 2 : 1, quarters: [quarter(8), quarter(4), quarter(2), quarter(1)] };
}

const isBlank = ({ quarters }: Cell): boolean => quarters.every((value) => value === PAPER);

/** The rows without the blank lines around them. */
function withoutIndent(rows: readonly Cell[][]): Cell[][] {
  const first = rows.findIndex((row) => !row.every(isBlank));
  const last = rows.findLastIndex((row) => !row.every(isBlank));
  return first < 0 ? [] : rows.slice(first, last + 1);
}
