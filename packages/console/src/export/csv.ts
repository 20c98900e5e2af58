import { csvOf } from '@vedette/client/csv';
import { plainText } from '../report/shape.ts';

/** Rows of a table as CSV, its heading first. */
export const csv = (columns: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string =>
  csvOf(
    columns,
    rows.map((row) =>
      columns.map((name) => {
        const value = row[name];
        return typeof value === 'number' ? value : plainText(value);
      }),
    ),
  );
