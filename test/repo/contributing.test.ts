import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ROOT, sampleFiles } from './pages.ts';

/** A copy of the repository as the sample's files see it: they are there, and what they import is ours. */
const house = mkdtempSync(join(tmpdir(), 'vedette-sample-'));
afterAll(() => rmSync(house, { recursive: true }));

const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(house, path)), { recursive: true });
  writeFileSync(join(house, path), text);
};

const outputOf = (...args: string[]): Promise<string> =>
  new Promise((resolve) => execFile(process.execPath, args, { cwd: house }, (_failed, stdout, stderr) => resolve(stdout + stderr)));

const files = sampleFiles();
for (const [path, code] of files) put(path, code);
const share = (path: string): void => symlinkSync(join(ROOT, path), join(house, path));
share('node_modules');
share('packages/gateway');
for (const name of readdirSync(join(ROOT, 'packages/operations/src'))) share(`packages/operations/src/${name}`);
for (const name of readdirSync(join(ROOT, 'test'))) if (name !== 'operations') share(`test/${name}`);
for (const name of readdirSync(join(ROOT, 'test/operations'))) share(`test/operations/${name}`);
put('package.json', JSON.stringify({ type: 'module' }));

it('shows an operation and its test', () => {
  expect([...files.keys()]).toEqual(['packages/operations/src/tlsa-status/index.ts', 'test/operations/tlsa-status/index.test.ts']);
});

it('the sample has the types that a line of the registry asks for', async () => {
  const [operation, test] = files.keys();
  put(
    'registry.ts',
    `import type { Operation } from '@vedette/operations/kit';\nimport * as sample from './${operation}';\nexport const operations: Operation[] = Object.values(sample);\n`,
  );
  put('tsconfig.json', JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), include: ['registry.ts', test] }));
  expect(await outputOf(join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', house)).toBe('');
});

it("the sample's own test passes", async () => {
  const report = join(house, 'report.json');
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const output = await outputOf(vitest, 'run', [...files.keys()].at(-1)!, '--root', house, '--reporter', 'json', '--outputFile', report);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: object[] };
  const passed = { status: 'passed', failureMessages: [] };
  expect(testResults, output).toMatchObject([{ message: '', assertionResults: [passed, passed] }]);
});
