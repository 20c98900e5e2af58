import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** `npm run build:client [-- --out <folder>]`: @vedette/client as it is published, JavaScript with its types beside it. */

const HOME = 'packages/client';
const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist/client' } } });
const { out } = values;

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const doors = ['index', 'catalogue', 'csv', 'entries', 'report-fields'];
const flags = '--ignoreConfig --strict --exactOptionalPropertyTypes --declaration --rewriteRelativeImportExtensions --verbatimModuleSyntax';
const target = `--target es2022 --lib es2024,dom,dom.iterable --module nodenext --rootDir ${HOME}/src --outDir`;
execFileSync('node_modules/.bin/tsc', [...doors.map((door) => `${HOME}/src/${door}.ts`), ...flags.split(' '), ...target.split(' '), out]);
for (const name of ['api.d.ts', 'calls.d.ts', 'operation-info.d.ts']) cpSync(join(HOME, 'src', name), join(out, name));
// Types name each other as they are published.
for (const name of readdirSync(out).filter((file) => file.endsWith('.d.ts'))) {
  const text = readFileSync(join(out, name), 'utf8');
  writeFileSync(join(out, name), text.replaceAll(/(from '\.\/[\w-]+)(?:\.d)?\.ts'/g, "$1.js'"));
}
for (const name of ['README.md', '../../LICENSE']) cpSync(join(HOME, name), join(out, name.split('/').at(-1)!));

const { version, description, license } = JSON.parse(readFileSync(`${HOME}/package.json`, 'utf8')) as Record<string, string>;
const published = {
  name: '@vedette/client',
  version,
  description,
  license,
  type: 'module',
  sideEffects: false,
  exports: Object.fromEntries(
    doors.map((door) => [door === 'index' ? '.' : `./${door}`, { types: `./${door}.d.ts`, default: `./${door}.js` }]),
  ),
};
writeFileSync(join(out, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
