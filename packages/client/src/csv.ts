/** A cell as RFC 4180 has it. Text that a spreadsheet would take for a formula gets an apostrophe in front. */
function cellOf(value: string | number): string {
  const safe = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV, the titles of their columns first. */
export const csvOf = (titles: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [titles, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
