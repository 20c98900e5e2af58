/**
 * How many pages a PDF has that Chromium wrote (PDF 1.4 with a plain cross-reference table, ISO 32000 §7.5), from its trailer over the catalogue to the
 * page tree; undefined for any other file.
 */
export function pdfPages(file: Uint8Array): number | undefined {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const end = bytes.subarray(Math.max(0, bytes.length - 1_024)).toString('latin1');
  const table = Number(/startxref\s+(\d{1,12})\s+%%EOF\s*$/.exec(end)?.[1] ?? Number.NaN);
  const root = /\/Root (\d{1,8}) 0 R/.exec(end)?.[1];
  if (!Number.isSafeInteger(table) || root === undefined) return undefined;
  const tree = /\/Pages (\d{1,8}) 0 R/.exec(objectAt(bytes, table, Number(root)))?.[1];
  if (tree === undefined) return undefined;
  const count = /\/Count (\d{1,8})/.exec(objectAt(bytes, table, Number(tree)))?.[1];
  return count === undefined ? undefined : Number(count);
}

/** Each line of the table is 20 octets, of which the first ten are the object's place. */
const LINE_BYTES = 20;
const OBJECT_MAX_BYTES = 256 * 1024;

/** The dictionary of an object; empty without one. */
function objectAt(bytes: Buffer, table: number, number: number): string {
  const head = /^xref\s+0 (\d{1,8})\s*?\n/.exec(bytes.subarray(table, table + 40).toString('latin1'));
  if (!head || number >= Number(head[1])) return '';
  const line = table + head[0].length + number * LINE_BYTES;
  const offset = Number(bytes.subarray(line, line + 10).toString('latin1'));
  if (!Number.isSafeInteger(offset)) return '';
  const object = bytes.subarray(offset, offset + OBJECT_MAX_BYTES).toString('latin1');
  return object.startsWith(`${number} 0 obj`) ? object.slice(0, Math.max(0, object.indexOf('endobj'))) : '';
}
