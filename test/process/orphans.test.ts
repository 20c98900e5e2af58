import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('what a child leaves running becomes a child, and no zombie where nobody else collects it; how children end is still known', () => {
  const main = fileURLToPath(new URL('orphaned.ts', import.meta.url));
  expect(execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', main], { encoding: 'utf8', timeout: 25_000 })).toBe(
    'adopted, 7\ncollected\n',
  );
});
