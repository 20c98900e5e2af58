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
  return JSON.parse(execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }));
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
