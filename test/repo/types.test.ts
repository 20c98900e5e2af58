import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TYPES = join(ROOT, 'scripts', 'types.mjs');

beforeAll(() => void execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', TYPES]));

/** What a process that imports a file with these flags exports as `answer`, and whether it has loaded Node's stripper of types. */
function importing(path: string, flags: string[] = []): { answer?: number; hasStripper: boolean } {
  const script = `const { answer } = await import(${JSON.stringify(path)});
    process.stdout.write(JSON.stringify({ answer, hasStripper: process.moduleLoadList.some((name) => name.includes('amaro')) }));`;
  const args = ['--disable-warning=ExperimentalWarning', ...flags, '--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, env: {}, encoding: 'utf8' }));
}

it('loads our code without the stripper of types, which a process without it needs', () => {
  const ours = join(ROOT, 'packages/contract/src/index.ts');
  expect(importing(ours)).toEqual({ hasStripper: true });
  expect(importing(ours, ['--import', TYPES])).toEqual({ hasStripper: false });
});

it('leaves to Node a file that is new or has changed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'new.ts');
  for (const answer of [41, 42]) {
    writeFileSync(path, `export const answer: number = ${answer};\n`);
    expect(importing(path, ['--import', TYPES])).toEqual({ answer, hasStripper: true });
  }
});

it('leaves to Node what a file of a package imports and is not kept', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
  const source = join(folder, 'packages/one/src');
  mkdirSync(source, { recursive: true });
  writeFileSync(join(folder, 'packages/one/package.json'), '{"type": "module", "exports": {".": "./src/index.ts"}}');
  writeFileSync(join(source, 'index.ts'), "export { answer } from './other.ts';\n");
  writeFileSync(join(source, 'other.ts'), 'export const answer: number = 43;\n');
  expect(importing(join(source, 'index.ts'), ['--import', join(folder, 'scripts/types.mjs')])).toEqual({ answer: 43, hasStripper: true });
});

it('finds for our code what Node finds', () => {
  const wanted = globSync('packages/*/src/**/*.ts', { cwd: ROOT }).flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/(?:from|import)\s*\(?'((?:\.|@vedette\/)[^']*)'/g)].map(([, specifier]) => [
      specifier!,
      pathToFileURL(join(ROOT, path)).href,
    ]),
  );
  expect(wanted.length).toBeGreaterThan(2_000);
  wanted.push(
    ['@vedette/contract/nowhere/at/all', wanted[0]![1]!],
    ['@vedette/none', wanted[0]![1]!],
    ['@vedette/contract/none', wanted[0]![1]!],
  );
  const script = `const { readFileSync } = await import('node:fs');
    const found = (specifier, parent) => { try { return import.meta.resolve(specifier, parent); } catch ({ code }) { return code; } };
    process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map((pair) => found(...pair))));`;
  const found = (...flags: string[]): string[] => {
    const args = [...flags, '--experimental-import-meta-resolve', '--input-type=module', '--eval', script];
    const options = { cwd: ROOT, env: {}, input: JSON.stringify(wanted), encoding: 'utf8', maxBuffer: 1 << 26 } as const;
    return JSON.parse(execFileSync(process.execPath, args, options));
  };
  const [ours, nodes] = [found('--import', TYPES), found()];
  expect(wanted.flatMap((pair, i) => (ours[i] === nodes[i] ? [] : [[...pair, ours[i], nodes[i]]]))).toEqual([]);
});

/** What TypeBox exports and says in a process with these flags. */
function typebox(flags: string[]): { exported: string[][]; errors: unknown; defaults: unknown } {
  const script = `const [all, schema, compile] = [await import('typebox'), await import('typebox/schema'), await import('typebox/compile')];
    const shape = all.Type.Object({ port: all.Type.Integer({ minimum: 1, default: 80 }), host: all.Type.String({ format: 'idn-hostname' }) });
    const value = { port: 0, host: 'bücher.example' };
    const said = { exported: [all, schema, compile].map(Object.keys), errors: schema.Compile(shape).Errors(value), defaults: compile.Compile(shape).Default({}) };
    process.stdout.write(JSON.stringify(said));`;
  return JSON.parse(execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', script], { cwd: ROOT, encoding: 'utf8' }));
}

it('loads TypeBox joined, which is the same but for its files', () => {
  const joined = typebox(['--import', TYPES]);
  expect(joined).toEqual(typebox([]));
  expect(joined.errors).toMatchObject([false, [{ instancePath: '/port' }]]);
  const loaded = `await import('typebox'); process.stdout.write(import.meta.resolve('typebox'));`;
  const args = ['--import', TYPES, '--input-type=module', '--eval', loaded];
  expect(execFileSync(process.execPath, args, { cwd: ROOT, env: {}, encoding: 'utf8' })).toMatch(/\/scripts\/typebox\/index\.mjs$/);
});
