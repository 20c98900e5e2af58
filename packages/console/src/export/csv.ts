import { plainText } from '../report/shape.ts';

/** A cell as RFC 4180 has it. Text that a spreadsheet would take for a formula gets an apostrophe in front. */
function cell(value: unknown): string {
  const text = plainText(value);
  const safe = typeof value !== 'number' && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows of a table as CSV, its heading first. */
export const csv = (columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string =>
  [columns.map(cell), ...rows.map((row) => columns.map((name) => cell(row[name])))].map((cells) => `${cells.join(',')}\r\n`).join('');
