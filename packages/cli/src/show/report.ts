import { text } from './columns.ts';
import { cut, pad, printable, widthOf } from './printable.ts';

/** Longer lists are cut: `--json` has all. */
const MAX_ROWS = 100;
const MAX_TEXT = 500;

type Fields = Record<string, unknown>;
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const isFlat = (value: unknown): boolean => !isFields(value) && !(Array.isArray(value) && value.some((item) => typeof item === 'object'));

/** A value on one line. Files are told by their size: `--out` saves them. */
function inline(name: string, value: unknown): string {
  if (typeof value === 'string' && /base64(_file)?$/.test(name) && value.length > 64)
    return `(${Math.floor((value.length * 3) / 4)} bytes; --out <file> saves them)`;
  return cut(printable(text(value)), MAX_TEXT);
}

/** A report for people: what is plain first, then objects and tables below their names. */
export function reportLines(report: Fields, columns: number, indent = ''): string[] {
  const entries = Object.entries(report);
  const flat = entries.filter(([, value]) => isFlat(value));
  const names = Math.max(0, ...flat.map(([name]) => widthOf(printable(name))));
  const lines = flat.map(([name, value]) => `${indent}${pad(printable(name), names, false)}  ${inline(name, value)}`);
  for (const [name, value] of entries) {
    if (isFlat(value)) continue;
    lines.push(`${indent}${printable(name)}:`);
    if (isFields(value)) lines.push(...reportLines(value, columns, `${indent}  `));
    else lines.push(...listLines(value as unknown[], columns, `${indent}  `));
  }
  return lines.map((line) => cut(line, columns));
}

function listLines(list: readonly unknown[], columns: number, indent: string): string[] {
  const shown = list.slice(0, MAX_ROWS);
  const rest = list.length > shown.length ? [`${indent}… ${list.length - shown.length} more: --json has all`] : [];
  if (!shown.every((item) => isFields(item) && Object.values(item).every(isFlat)))
    return [
      ...shown.flatMap((item) =>
        isFields(item) ? [`${indent}-`, ...reportLines(item, columns, `${indent}  `)] : [`${indent}- ${inline('', item)}`],
      ),
      ...rest,
    ];
  const titles = [...new Set(shown.flatMap((item) => Object.keys(item as Fields)))];
  const rows = shown.map((item) => titles.map((title) => inline(title, (item as Fields)[title])));
  return [...tableLines(titles.map(printable), rows, [], columns - indent.length).map((line) => indent + line), ...rest];
}

/** Rows below their titles, each cut to the columns of the terminal. */
export function tableLines(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  isNumber: readonly boolean[],
  columns: number,
): string[] {
  const widths = titles.map((title, i) => Math.max(widthOf(title), ...rows.map((row) => widthOf(row[i]!))));
  const last = titles.length - 1;
  return [titles.map((title) => title.toUpperCase()), ...rows].map((row) => {
    const line = row.map((cell, i) => (i === last && !isNumber[i] ? cell : pad(cell, widths[i]!, isNumber[i] ?? false))).join('  ');
    return cut(line.trimEnd(), columns);
  });
}

/**
 * A table that fits: where the terminal is too narrow, columns between the first and the last are left out, the last ones first. A name and a state are of no use without
 * their ends.
 */
export function fittingLines(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  isNumber: readonly boolean[],
  columns: number,
): string[] {
  const last = titles.length - 1;
  for (let values = last - 1; ; values--) {
    const shown = <T>(all: readonly T[]): T[] => [...all.slice(0, values + 1), ...all.slice(last, last + 1)];
    const lines = tableLines(
      shown(titles),
      rows.map((row) => shown(row)),
      shown(isNumber),
      Infinity,
    );
    if (values <= 0 || Math.max(...lines.map(widthOf)) <= columns) return lines;
  }
}
