import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const installed = spawnSync('terraform', ['version']).status === 0;

// Not in Debian's archive, so the set-up cannot install it: where it is missing this shows up as skipped.
it.skipIf(!installed)('the agent module is formatted, valid, and passes its own tests (terraform)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-terraform-'));
  try {
    cpSync('terraform/agent', folder, { recursive: true });
    for (const args of [['fmt', '-check', '-recursive'], ['init', '-backend=false', '-input=false'], ['validate'], ['test']]) {
      const { status, stdout, stderr } = spawnSync('terraform', args, { cwd: folder, encoding: 'utf8' });
      expect({ args, status, said: status === 0 ? '' : stdout + stderr }).toEqual({ args, status: 0, said: '' });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
