import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { decodeJoinToken } from '@vedette/bus';
import { expect, it } from 'vitest';

const MAIN = join(import.meta.dirname, '../../packages/cli/src/main.ts');

it('fleet add-location leaves a location that is there in its region', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-'));
  try {
    const fleet = async (...words: string[]) =>
      (await promisify(execFile)(process.execPath, [MAIN, '--json', 'fleet', ...words], { env: { PATH: process.env['PATH'] } })).stdout;
    await fleet('init', folder, '--hub', 'hub.test');
    await fleet('add-location', folder, 'eu-fra', '--region', 'eu', '--leaf', 'leaf.test');
    const { token } = JSON.parse(await fleet('add-location', folder, 'eu-fra')) as { token: string };
    expect(decodeJoinToken(token).urls).toEqual(['tls://leaf.test:4222']);
    // A script takes what is on stdout, and what the operator reads names no secret for a command line.
    const words = ['fleet', 'add-location', folder, 'eu-fra'];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, ...words], { env: { PATH: process.env['PATH'] } });
    expect(stdout).toBe(`${token}\n`);
    expect(stderr).toContain('vedette agent join -\n');
    expect(stderr).not.toContain('vdtj_');
    expect(JSON.parse(await readFile(join(folder, 'fleet.json'), 'utf8'))).toMatchObject({ locations: { 'eu-fra': { region: 'eu' } } });
  } finally {
    await rm(folder, { recursive: true });
  }
});
