import { COPY_LINE, END_OF_ROWS } from './format.ts';

/** A line longer than this is of no file of ours: rows are far shorter. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;

/** The sections of a backup: a line beside the rows, the beginning of a table's rows, some whole rows of it, and their end. */
export type Section =
  | { kind: 'line'; text: string }
  | { kind: 'table'; table: string; columns: string }
  | { kind: 'rows'; bytes: Buffer }
  | { kind: 'end' };

/** Takes a backup's text apart, chunk by chunk. Throws on a line that has no end. */
export async function* sectionsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Section> {
  let rest: Buffer = Buffer.alloc(0);
  let inRows = false;
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    let rowsFrom = 0;
    for (let newline = bytes.indexOf(NEWLINE); newline >= 0; newline = bytes.indexOf(NEWLINE, from)) {
      if (!inRows) {
        const text = bytes.toString('utf8', from, newline);
        const [, table, columns] = COPY_LINE.exec(text) ?? [];
        inRows = table !== undefined;
        if (table !== undefined && columns !== undefined) yield { kind: 'table', table, columns };
        else yield { kind: 'line', text };
        rowsFrom = newline + 1;
      } else if (newline - from === END_OF_ROWS.length && bytes.toString('latin1', from, newline) === END_OF_ROWS) {
        if (from > rowsFrom) yield { kind: 'rows', bytes: bytes.subarray(rowsFrom, from) };
        yield { kind: 'end' };
        inRows = false;
      }
      from = newline + 1;
    }
    if (inRows && from > rowsFrom) yield { kind: 'rows', bytes: bytes.subarray(rowsFrom, from) };
    rest = bytes.subarray(from);
    if (rest.length > MAX_LINE_BYTES) throw new Error('this backup has a line without an end');
  }
  if (inRows || rest.length > 0) throw new Error('this backup is not whole: it ends within a table');
}
