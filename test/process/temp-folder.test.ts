import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { enterableTemp, sharedTemp } from '@vedette/process/temp-folder';
import { expect, it, onTestFinished, vi } from 'vitest';

it('a TMPDIR that is one user’s alone is not that of another', () => {
  const folder = mkdtempSync('/tmp/vedette-temp-');
  const below = join(folder, 'tmp');
  mkdirSync(below);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  vi.stubEnv('TMPDIR', below);
  const found = (outer: number, inner: number) => {
    chmodSync(below, inner);
    chmodSync(folder, outer);
    return [sharedTemp(), enterableTemp()];
  };
  expect(found(0o711, 0o1777)).toEqual([below, below]);
  expect(found(0o711, 0o711)).toEqual(['/tmp', below]);
  expect(found(0o700, 0o1777)).toEqual(['/tmp', '/tmp']);
  vi.stubEnv('TMPDIR', join(folder, 'none'));
  expect([sharedTemp(), enterableTemp()]).toEqual(['/tmp', '/tmp']);
});
