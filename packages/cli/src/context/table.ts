import { printable } from '../show/printable.ts';

export type Cell = string | number | boolean | null | readonly string[];

/** Rows below a heading, in columns as wide as they need to be. Nothing is `-`. */
export function table(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [columns.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(text))];
  const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function text(cell: Cell): string {
  if (cell === null || cell === '') return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return printable(typeof cell === 'object' ? cell.join(',') : String(cell));
}
