import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** Runs the checks and the test projects, and ends with one line: `N passed, N failed, N skipped`. */

/** Tests that may need a second try in one run: one more means that the tests, or the code, are unreliable. */
const MAX_TRIED_AGAIN = 3;
const LONGEST = 10;

interface VitestReport {
  testResults: {
    name: string;
    message?: string;
    status: string;
    startTime: number;
    endTime: number;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] }[];
  }[];
}

const count = { passed: 0, failed: 0, skipped: 0 };
const failed: string[] = [];
const skipped: string[] = [];
const took: { name: string; seconds: number }[] = [];
const folder = mkdtempSync(join(tmpdir(), 'vedette-test-'));

const triedAgain = join(folder, 'tried-again');
process.env['TRIED_AGAIN_LIST'] = triedAgain;

const print = (text: string): void => void process.stdout.write(`${text}\n`);

const list = (title: string, names: readonly string[]): void => {
  if (names.length > 0) print(`\n${names.length} ${title}:\n${names.map((name) => `  ${name}`).join('\n')}`);
};

const command = (title: string, file: string, args: string[]): void => {
  print(`\n== ${title}`);
  const { status } = spawnSync(file, args, { stdio: 'inherit' });
  count[status === 0 ? 'passed' : 'failed']++;
};

const project = async (name: string): Promise<void> => {
  print(`\n== vitest: ${name}`);
  const path = join(folder, `${name}.json`);
  const vitest = spawn('vitest', ['run', '--project', name, '--reporter=default', '--reporter=json', `--outputFile.json=${path}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // No terminal of its own: two that draw on one would draw over each other.
  vitest.stdout.pipe(process.stdout, { end: false });
  const started = performance.now();
  const [status] = await once(vitest, 'close');
  print(`== vitest: ${name} took ${Math.round((performance.now() - started) / 1000)} s`);
  // It did not even begin.
  if (!existsSync(path)) {
    count.failed++;
    return;
  }
  const failedBefore = count.failed;
  const report = JSON.parse(readFileSync(path, 'utf8')) as VitestReport;
  for (const file of report.testResults) {
    took.push({ name: relative('.', file.name), seconds: (file.endTime - file.startTime) / 1000 });
    // A file that does not load has no tests, and one whose hook fails has skipped or passed ones: each is a failure all the same.
    if (file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed')) {
      count.failed++;
      failed.push(`${relative('.', file.name)}: ${file.message || 'outside its tests, as is told above'}`);
    }
    for (const test of file.assertionResults) {
      if (test.status === 'passed') count.passed++;
      else if (test.status === 'failed') {
        count.failed++;
        failed.push(`${relative('.', file.name)}: ${test.fullName}\n${test.failureMessages?.join('\n') ?? ''}`);
      } else {
        count.skipped++;
        skipped.push(`${test.status}: ${test.fullName}`);
      }
    }
  }
  if (status !== 0 && count.failed === failedBefore) {
    count.failed++;
    failed.push(`${name}: ended with status ${status} although no test failed: an error outside the tests`);
  }
};

try {
  if (process.argv[2] === 'slow') {
    await project('slow');
    command('chaos:money: a thousand kills of the gateway', 'npm', ['run', 'chaos:money']);
  } else {
    command('check: types, lint, format, unused code, generated files', process.execPath, ['scripts/check.ts']);
    await project('unit');
    // They wait more than they compute, each in two lanes. Beside the unit tests, three tests of one run needed a second try.
    await Promise.all([project('lab'), project('system')]);
    print('\nnot run here: npm run test:slow (long chaos, soak, long fuzz, all hostile messages)');
  }
  const again = existsSync(triedAgain) ? readFileSync(triedAgain, 'utf8').trimEnd().split('\n') : [];
  took.sort((one, other) => other.seconds - one.seconds);
  list(
    'longest files',
    took.slice(0, LONGEST).map(({ name, seconds }) => `${Math.round(seconds)} s  ${name}`),
  );
  list('tried again', again);
  if (again.length > MAX_TRIED_AGAIN) {
    count.failed++;
    failed.push(`${again.length} tests needed a second try, and at most ${MAX_TRIED_AGAIN} may`);
  }
  list('skipped', skipped);
  list('failed', failed);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
print(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exit(count.failed === 0 ? 0 : 1);
