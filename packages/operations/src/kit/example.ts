import { existsSync, readFileSync } from 'node:fs';
import type { Report } from './operation.ts';

/** A request and the report that answered it. `npm run examples` writes those of all operations. */
export interface Example {
  request: Record<string, unknown>;
  report: Report;
}

/** The place of an operation's example: in its folder. */
export const exampleUrl = (name: string): URL => new URL(`../${name}/example.json`, import.meta.url);

/** Reads the example of an operation. Undefined for a new operation, whose example is not made yet. */
export function exampleOf(name: string): Example | undefined {
  const url = exampleUrl(name);
  return existsSync(url) ? (JSON.parse(readFileSync(url, 'utf8')) as Example) : undefined;
}
