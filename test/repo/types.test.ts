import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
