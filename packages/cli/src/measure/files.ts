import { readFile, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { base64Of } from '@vedette/client';

/** A file for the body of a request, in base64; `-` is standard input. */
export const readBase64 = async (path: string): Promise<string> =>
  base64Of(path === '-' ? await buffer(process.stdin) : await readFile(path));

interface Found {
  name: string;
  base64: string;
}

/** The files in a report: strings in base64, with the names of the fields that hold them. */
function filesIn(value: unknown, name = ''): Found[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && /base64(_file)?$/.test(key) && inner !== ''
      ? [{ name, base64: inner }]
      : filesIn(inner, /^\d+$/.test(key) ? name : key),
  );
}

/** Writes the files of a report to this path, the second and further ones beside it, as `page-2.png`. Returns a line for each file. */
export async function saveFiles(report: object, path: string): Promise<string[]> {
  const found = filesIn(report);
  if (found.length === 0) throw new Error('--out: the report holds no file');
  const dot = path.lastIndexOf('.') > path.lastIndexOf('/') + 1 ? path.lastIndexOf('.') : path.length;
  return Promise.all(
    found.map(async ({ name, base64 }, i) => {
      const to = i === 0 ? path : `${path.slice(0, dot)}-${i + 1}${path.slice(dot)}`;
      const bytes = Buffer.from(base64, 'base64');
      await writeFile(to, bytes);
      return `${to}: ${name}, ${bytes.length} bytes`;
    }),
  );
}
