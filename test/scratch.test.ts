import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { scratchFolder } from './scratch.ts';

it('removes what a dead process has left, and nothing of those that live or of others', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'scratch-'));
  try {
    const dead = spawn('true');
    await once(dead, 'exit');
    const left = `vedette-data-${dead.pid}-aB3dEf`;
    const others = [`vedette-data-${process.ppid}-aB3dEf`, 'vedette-data-aB3dEf', 'embedded-aB3dEf', `other-data-${dead.pid}-aB3dEf`];
    for (const name of [left, ...others]) mkdirSync(join(parent, name, 'pg'), { recursive: true });
    const own = [scratchFolder('data', parent), scratchFolder('data', parent)].map((path) => basename(path));
    expect(new Set(readdirSync(parent))).toEqual(new Set([...own, ...others]));
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
});
