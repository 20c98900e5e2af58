import { readFileSync } from 'node:fs';
import type { Report } from './operation.ts';

/** A request and the report that answered it. `npm run examples` writes those of all operations. */
export interface Example {
  request: Record<string, unknown>;
  report: Report;
}

/** The place of an operation's example: in its folder. */
export const exampleUrl = (name: string): URL => new URL(`../${name}/example.json`, import.meta.url);

/** Reads the example of an operation. Throws without one. */
export const exampleOf = (name: string): Example => JSON.parse(readFileSync(exampleUrl(name), 'utf8')) as Example;
