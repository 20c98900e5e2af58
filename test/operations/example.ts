import { readFileSync, writeFileSync } from 'node:fs';
import { exampleOf, exampleUrl } from '@vedette/operations/kit';
import { expect } from 'vitest';

/** Set by `npm run examples`, which keeps what is made. Otherwise that is held against what is kept. */
const WRITES = process.env['VEDETTE_EXAMPLES'] === 'write';

/** Keeps JSON, or holds it against what is kept: the same fields of the same types. */
export function expectKept(url: URL, made: object): void {
  const text = JSON.stringify(made, null, 2);
  if (WRITES) writeFileSync(url, `${text}\n`);
  expect(shapeOf(JSON.parse(text))).toEqual(shapeOf(JSON.parse(readFileSync(url, 'utf8'))));
}

/** The same for a request and its report. The gateway adds `elapsed_ms`, which is measured here instead. */
export async function expectExample<const Q extends object>(
  name: string,
  request: Q,
  answered: (request: Q) => Promise<object>,
): Promise<void> {
  const started = performance.now();
  const report = await answered(request);
  expectKept(exampleUrl(name), { request, report: { ...report, elapsed_ms: Math.round(performance.now() - started) } });
}

/** The file of an example, which a browser of a test brings. */
export const fileOfExample = (name: string): Buffer<ArrayBuffer> =>
  Buffer.from((exampleOf(name)!.report['rendered_file'] as { base64_file: string }).base64_file, 'base64');

/** The fields of a value and their types, with what they hold left out. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : shapeOf(value[0]);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]));
}
