import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * `node --import scripts/types.mjs`: has our files loaded without their types from where the set-up keeps them, by the hash of what they were made of. Node's own
 * stripper takes 15 MB in each process, its compile cache three bytes for each byte of code. A file that is not kept is left to Node. TypeBox, half of all modules of
 * a process, is loaded joined (scripts/joined.ts), which saves 6 MB more. What our files import of ours is found without Node's search.
 * `node scripts/types.mjs`: writes what is kept.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const KEPT = join(ROOT, 'node_modules', `.vedette-types-${process.version}`);

const JOINED = Object.fromEntries(
  Object.entries({ typebox: 'index', 'typebox/schema': 'schema', 'typebox/compile': 'compile' }).map(([specifier, name]) => [
    specifier,
    new URL(`typebox/${name}.mjs`, import.meta.url).href,
  ]),
);

const PACKAGES = new URL('../packages/', import.meta.url).href;

/** By the name of a package of ours, its door and those of its rooms. */
const doors = new Map();

/**
 * Where a file of ours finds what it imports of ours: the same that Node finds, which looks for links and package files on each way, a fifth of a start's CPU.
 * @param {string} specifier
 * @param {string} parent
 */
function own(specifier, parent) {
  if (specifier.startsWith('./') || specifier.startsWith('../'))
    return specifier.endsWith('.ts') ? new URL(specifier, parent).href : undefined;
  const [, name, room = ''] = /^@vedette\/([^/]+)(\/[^/]+)?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  if (!doors.has(name)) doors.set(name, doorsOf(name));
  const door = doors.get(name)[`.${room}`] ?? (room && doors.get(name)['./*']?.replace('*', room.slice(1)));
  return typeof door === 'string' && door !== '' ? new URL(`${name}/${door}`, PACKAGES).href : undefined;
}

/** @param {string} name */
function doorsOf(name) {
  try {
    return JSON.parse(readFileSync(new URL(`${name}/package.json`, PACKAGES), 'utf8')).exports ?? {};
  } catch {
    return {}; // not installed here: Node says so
  }
}

const nameOf = (text) => hash('sha256', text);

/** @param {string} url */
function kept(url) {
  try {
    return readFileSync(join(KEPT, nameOf(readFileSync(fileURLToPath(url), 'utf8'))), 'utf8');
  } catch {
    return undefined;
  }
}

function keepAll() {
  mkdirSync(KEPT, { recursive: true });
  const old = new Set(readdirSync(KEPT));
  const files = readdirSync(join(ROOT, 'packages'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^[^/]+\/src\/.*\.ts$/.test(path),
  );
  for (const path of files) {
    const text = readFileSync(join(ROOT, 'packages', path), 'utf8');
    const name = nameOf(text);
    if (old.delete(name)) continue;
    const file = join(KEPT, name);
    // Whole or not at all: another process may be reading.
    writeFileSync(`${file}.${process.pid}`, stripTypeScriptTypes(text));
    renameSync(`${file}.${process.pid}`, file);
  }
  for (const name of old) rmSync(join(KEPT, name), { force: true });
}

if (process.argv[1] === import.meta.filename) keepAll();
else
  registerHooks({
    resolve(specifier, context, next) {
      const joined = JOINED[specifier];
      if (joined !== undefined) return { url: joined, format: 'module', shortCircuit: true };
      // Without a format: a file that is not kept has types.
      const url = context.parentURL?.startsWith(PACKAGES) ? own(specifier, context.parentURL) : undefined;
      return url === undefined ? next(specifier, context) : { url, shortCircuit: true };
    },
    load(url, context, next) {
      const source = url.startsWith('file:') && url.endsWith('.ts') ? kept(url) : undefined;
      return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
    },
  });
