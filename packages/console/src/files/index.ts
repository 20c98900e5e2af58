import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the set-up puts what `scripts/build-console.ts` makes of the sources. */
const DIST = join(import.meta.dirname, '../../dist');

/** Paths of the console's pages: each is answered with the same document, whose script shows the page. */
export const CONSOLE_PAGES: readonly string[] = ['/', '/ask/*', '/fleet', '/keys', '/investigate'];

/** Content types by the end of a name. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** A built file, plain and compressed. */
export interface ConsoleFile {
  name: string;
  type: string;
  identity: Buffer;
  br: Buffer;
  gzip: Buffer;
}

/** The folder with the files of this version; undefined where no set-up has built any. */
const builtFolder = (): string | undefined =>
  existsSync(join(DIST, 'current')) ? join(DIST, readFileSync(join(DIST, 'current'), 'utf8')) : undefined;

export const isConsoleBuilt = (): boolean => builtFolder() !== undefined;

/** The files as the set-up has built them: `index.html`, and what it loads. */
export function consoleFiles(): ConsoleFile[] {
  const folder = builtFolder();
  if (folder === undefined) throw new Error('the console is not built: sh scripts/setup.sh builds it');
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  return readdirSync(folder)
    .filter((name) => TYPES[name.split('.').at(-1)!] !== undefined)
    .map((name) => ({
      name,
      type: TYPES[name.split('.').at(-1)!]!,
      identity: read(name),
      br: read(`${name}.br`),
      gzip: read(`${name}.gz`),
    }));
}
