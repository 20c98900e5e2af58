import { hash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/**
 * `node scripts/build-console.ts`: the files that browsers load, into packages/console/dist, unless they are there already. Names hold the hash of the content. Beside
 * each file are its forms for `Accept-Encoding`. A running gateway reads the folder that `dist/current` names.
 */

const FOLDER = join(import.meta.dirname, '../packages/console');
const SOURCES = join(FOLDER, 'src');
const CLIENT = join(FOLDER, '../client/src');
const DIST = join(FOLDER, 'dist');

const sources = globSync('**/*.{ts,tsx,css,json,html}', { cwd: SOURCES }).sort();
const client = globSync('**/*.ts', { cwd: CLIENT })
  .sort()
  .map((path) => join(CLIENT, path));
const checksum = (): string => {
  const parts = [import.meta.filename, join(FOLDER, 'package.json'), ...sources.map((path) => join(SOURCES, path)), ...client];
  return hash('sha256', parts.map((path) => `${path.slice(FOLDER.length)}\0${hash('sha256', readFileSync(path))}`).join('\n')).slice(0, 16);
};

const named = (name: string, text: string): string => name.replace('.', `-${hash('sha256', text, 'base64url').slice(0, 10)}.`);

/** The scripts by their names; the first one is the page's. */
async function scripts(): Promise<[main: string, files: Record<string, string>]> {
  const { rolldown } = await import('rolldown'); // a native library, which most starts do without
  const build = await rolldown({
    input: join(SOURCES, 'main.tsx'),
    platform: 'browser',
    tsconfig: false,
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' }, define: { 'process.env.NODE_ENV': '"production"' } },
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  const { output } = await build.generate({
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  return [chunks.find(({ isEntry }) => isEntry)!.fileName, Object.fromEntries(chunks.map(({ fileName, code }) => [fileName, code]))];
}

async function writeFiles(folder: string): Promise<void> {
  const [main, files] = await scripts();
  const style = sources
    .filter((path) => path.endsWith('.css'))
    .map((path) => readFileSync(join(SOURCES, path), 'utf8'))
    .join('\n');
  const styleName = named('style.css', style);
  files[styleName] = style;
  files['index.html'] = readFileSync(join(SOURCES, 'look/shell.html'), 'utf8').replace('STYLE', styleName).replace('MAIN', main);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const bytes = Buffer.from(text);
    writeFileSync(join(folder, name), bytes);
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

async function build(version: string): Promise<void> {
  mkdirSync(DIST, { recursive: true });
  const present = readdirSync(DIST);
  if (!present.includes(version)) {
    const unfinished = join(DIST, `.${process.pid}`);
    await writeFiles(unfinished);
    try {
      renameSync(unfinished, join(DIST, version));
    } catch {
      rmSync(unfinished, { recursive: true }); // another set-up was first
    }
  }
  // Whole or not at all: a gateway may be reading.
  writeFileSync(join(DIST, `.current.${process.pid}`), version);
  renameSync(join(DIST, `.current.${process.pid}`), join(DIST, 'current'));
  for (const name of present) {
    const [, builder] = /^\.(?:current\.)?(\d+)$/.exec(name) ?? [];
    if (name === 'current' || name === version || (builder !== undefined && isAlive(Number(builder)))) continue;
    rmSync(join(DIST, name), { recursive: true, force: true });
  }
}

const version = checksum();
const current = existsSync(join(DIST, 'current')) ? readFileSync(join(DIST, 'current'), 'utf8') : '';
if (current !== version || !existsSync(join(DIST, version)))
  await build(version).catch((error: Error) => {
    process.stderr.write(`vedette: the console cannot be built: ${error.message}\n`);
    process.exitCode = 1;
  });
