import { BREAKS } from '@vedette/web/page';
import { type HtmlListener, type StartTag, walkHtml } from '../html/index.ts';
import { greyOfColour } from './colours.ts';
import { type Cell, type Drawing, drawingsOf, INK, PAPER, SQUARE } from './drawing.ts';
import { type ArtCharacter, artDrawings, cellOf, mayDraw } from './text-art.ts';

/** Cells of the smallest code. */
const CELLS_MIN = 441;
const CELLS = /<t[dh]\b/gi;
const TABLES_MAX = 4;
const ROWS_MAX = 400;
const COLUMNS_MAX = 400;
const CHARACTERS_MAX = 400_000;
const CLASSES_MAX = 1_000;
/** Deeper elements have the colours of those above: each tag looks through what is open. */
const DEPTH_MAX = 100;
const CLASS = /\.([\w-]{1,100})\s*\{([^{}]{0,500})\}/g;
const BACKGROUND = /(?:^|;)\s*background(?:-color)?\s*:([^;]{1,100})/i;
const COLOUR = /(?:^|;)\s*color\s*:([^;]{1,100})/i;

/** Codes that HTML draws without a picture: tables of coloured cells, and lines of characters. In time linear in the text. */
export function htmlDrawings(html: string): Drawing[] {
  if (!mayDraw(html) && !hasCells(html)) return [];
  const reader = new ArtReader();
  walkHtml(html, reader);
  return reader.drawings();
}

function hasCells(html: string): boolean {
  CELLS.lastIndex = 0;
  for (let cells = 0; cells < CELLS_MIN; cells++) if (!CELLS.test(html)) return false;
  return true;
}

/** Elements that end others of their table, whose end tags may be left out (HTML §13.1.2.4). */
const IMPLIED: ReadonlyMap<string, readonly string[]> = new Map([
  ['td', ['td', 'th']],
  ['th', ['td', 'th']],
  ['tr', ['td', 'th', 'tr']],
]);

interface Colours {
  name: string;
  ink: number;
  paper: number;
}

interface Table {
  rows: Cell[][];
  /** Cells that rows above reach down with, by column: how many more rows, and what they look like. */
  reaching: Map<number, { rows: number; cell: Cell }>;
  open: { colours: Colours; text: string; columns: number; rows: number } | undefined;
}

class ArtReader implements HtmlListener {
  readonly #done: Table[] = [];
  readonly #tables: Table[] = [];
  readonly #open: Colours[] = [{ name: '', ink: INK, paper: PAPER }];
  readonly #lines: ArtCharacter[][] = [[]];
  readonly #classes = new Map<string, string>();
  #characters = 0;
  #raw = '';
  #pre = 0;

  drawings(): Drawing[] {
    while (this.#tables.length > 0) this.#endTable();
    const tables = this.#done.slice(0, TABLES_MAX).flatMap(({ rows }) => drawingsOf(rows, SQUARE));
    return [...tables, ...artDrawings(this.#lines)];
  }

  wants(attribute: string): boolean {
    return ['style', 'class', 'bgcolor', 'color', 'colspan', 'rowspan'].includes(attribute);
  }

  open({ name, attributes }: StartTag): void {
    if (name === 'style' || name === 'script') this.#raw = name;
    if (name === 'pre') this.#pre++;
    if (BREAKS.has(name) && name !== 'td' && name !== 'th') this.#lines.push([]);
    if (name === 'table') this.#tables.push({ rows: [], reaching: new Map(), open: undefined });
    if (name === 'tr') this.#row();
    const implied = IMPLIED.get(name);
    if (implied) this.#closeWithin(implied);
    const colours = this.#colours(name, attributes);
    if (name === 'td' || name === 'th') this.#cell(colours, attributes);
    if (name !== 'br' && name !== 'img' && this.#open.length < DEPTH_MAX) this.#open.push(colours);
  }

  close(name: string): void {
    if (name === this.#raw) this.#raw = '';
    if (name === 'pre') this.#pre = Math.max(0, this.#pre - 1);
    if (name === 'td' || name === 'th') this.#endCell();
    if (name === 'table') this.#endTable();
    const at = this.#open.findLastIndex((open) => open.name === name);
    if (at > 0) this.#open.length = at;
  }

  /** Ends the elements of the innermost table whose end tags may be left out. */
  #closeWithin(names: readonly string[]): void {
    const table = this.#open.findLastIndex((open) => open.name === 'table');
    const at = this.#open.findIndex((open, index) => index > table && names.includes(open.name));
    if (at > 0) this.#open.length = at;
  }

  text(text: string): void {
    if (this.#raw === 'style') this.#readClasses(text);
    if (this.#raw !== '') return;
    const cell = this.#tables.at(-1)?.open;
    if (cell && cell.text.length < 8) cell.text += text.trim().slice(0, 8);
    const { ink, paper } = this.#open.at(-1)!;
    for (const character of this.#pre > 0 ? text : text.replace(/[ \t\r\n\f]+/g, ' ').trim()) {
      if (++this.#characters > CHARACTERS_MAX) return;
      if (character === '\n') this.#lines.push([]);
      else if (character !== '\r') this.#lines.at(-1)!.push({ character, ink, paper });
    }
  }

  comment(): void {}

  #colours(name: string, attributes: StartTag['attributes']): Colours {
    const around = this.#open.at(-1)!;
    const named = (attributes.get('class') ?? '').split(/\s+/, 8).map((one) => this.#classes.get(one) ?? '');
    const style = [...named, attributes.get('style') ?? ''].join(';').slice(0, 4_000);
    return {
      name,
      paper: greyOfColour(BACKGROUND.exec(style)?.[1] ?? attributes.get('bgcolor')) ?? around.paper,
      ink: greyOfColour(COLOUR.exec(style)?.[1] ?? attributes.get('color')) ?? around.ink,
    };
  }

  #readClasses(style: string): void {
    for (const [, name = '', rules = ''] of style.matchAll(CLASS)) if (this.#classes.size < CLASSES_MAX) this.#classes.set(name, rules);
  }

  #row(): void {
    this.#endCell();
    const table = this.#tables.at(-1);
    if (table && table.rows.length <= ROWS_MAX) table.rows.push([]);
  }

  #cell(colours: Colours, attributes: StartTag['attributes']): void {
    this.#endCell();
    const table = this.#tables.at(-1);
    const span = (name: string): number => Math.min(COLUMNS_MAX, Math.max(1, Math.trunc(Number(attributes.get(name))) || 1));
    if (table) table.open = { colours, text: '', columns: span('colspan'), rows: span('rowspan') };
  }

  #endCell(): void {
    const table = this.#tables.at(-1);
    const row = table?.rows.at(-1);
    if (!table?.open || !row) return;
    const { colours, text, columns, rows } = table.open;
    table.open = undefined;
    const cell = cellOf({ character: text, ...colours }) ?? flat(colours.paper);
    for (let column = 0; column < columns; column++) {
      this.#reach(table, row);
      if (row.length >= COLUMNS_MAX) return;
      if (rows > 1) table.reaching.set(row.length, { rows: rows - 1, cell });
      row.push({ ...cell, columns: 1 });
    }
  }

  /** Puts in what reaches down from the rows above. */
  #reach({ reaching }: Table, row: Cell[]): void {
    for (let above = reaching.get(row.length); above && row.length < COLUMNS_MAX; above = reaching.get(row.length)) {
      if (above.rows === 1) reaching.delete(row.length);
      else above.rows--;
      row.push({ ...above.cell, columns: 1 });
    }
  }

  #endTable(): void {
    this.#endCell();
    const table = this.#tables.pop();
    if (table && table.rows.length <= ROWS_MAX) this.#done.push(table);
  }
}

const flat = (value: number): Cell => ({ columns: 1, quarters: [value, value, value, value] });
