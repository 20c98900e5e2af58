import { spawnSync } from 'node:child_process';

/** `npm run check`: every static check, all of them even when one fails. */

const CHECKS: [title: string, file: string, args: string[]][] = [
  ['types', 'tsc', ['-p', '.']],
  ['types of the console', 'tsc', ['-p', 'packages/console']],
  ['lint and import direction', 'oxlint', ['--type-aware']],
  ['format', 'oxfmt', ['--check', '.']],
  ['unused code', 'knip', ['--no-progress']],
  ['generated files', process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/generate.ts', '--check']],
];

const failed = CHECKS.filter(([title, file, args]) => {
  const { status, stdout, stderr } = spawnSync(file, args, { encoding: 'utf8' });
  process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'} ${title}\n${status === 0 ? '' : `${stdout}${stderr}\n`}`);
  return status !== 0;
});
process.exit(failed.length === 0 ? 0 : 1);
