import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');
export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The names of our packages, without the scope. */
export const PACKAGES = readdirSync(join(ROOT, 'packages'));

interface Manifest {
  exports?: Record<string, string>;
  dependencies?: Record<string, string>;
}
export const manifest = (name: string): Manifest => JSON.parse(read(`packages/${name}/package.json`)) as Manifest;

/** Every page that people read, by its path from the root. */
export const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...PACKAGES.map((name) => `packages/${name}/README.md`),
  ...['docs', 'deploy', 'terraform'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  ),
];

/** The files that CONTRIBUTING's sample operation would add: each code block belongs to the path named last before it. */
export function sampleFiles(): Map<string, string> {
  const files = new Map<string, string>();
  let path: string | undefined;
  for (const [, named, indent, code] of read('CONTRIBUTING.md').matchAll(
    /`((?:packages|test)\/[\w./-]+\.ts)`|^( *)```ts\n(.*?)^ *```$/gms,
  )) {
    path = named ?? path;
    if (code !== undefined && path !== undefined) files.set(path, code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
  }
  return files;
}
