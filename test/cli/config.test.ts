import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '@vedette/process/start-error';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../packages/cli/src/config.ts';

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vedette-cli-'));
  writeFileSync(join(dataDir, 'admin-token'), 'kept\n');
});
afterAll(() => rmSync(dataDir, { recursive: true }));

it.each([
  ['the defaults of the gateway', {}, 'http://127.0.0.1:9464'],
  ['empty settings as if they were unset', { VEDETTE_OPS_HOST: '', VEDETTE_OPS_PORT: '' }, 'http://127.0.0.1:9464'],
  ['an IPv6 address in brackets', { VEDETTE_OPS_HOST: '::1', VEDETTE_OPS_PORT: '9000' }, 'http://[::1]:9000'],
])('takes %s', (_, env, url) => {
  expect(readConfig(env).url).toBe(url);
});

it('reads the admin token that the gateway keeps, unless one is given', async () => {
  expect(await readConfig({ VEDETTE_DATA_DIR: dataDir, VEDETTE_ADMIN_TOKEN: '' }).adminToken()).toBe('kept');
  expect(await readConfig({ VEDETTE_DATA_DIR: dataDir, VEDETTE_ADMIN_TOKEN: 'given' }).adminToken()).toBe('given');
});

it('says what to set where there is no token', async () => {
  await expect(readConfig({ VEDETTE_DATA_DIR: '/nowhere' }).adminToken()).rejects.toThrow(
    "no admin token: set VEDETTE_ADMIN_TOKEN, or VEDETTE_DATA_DIR to the gateway's data directory (/nowhere/admin-token cannot be read)",
  );
});

it('refuses a port that is none', () => {
  expect(() => readConfig({ VEDETTE_OPS_PORT: 'http' })).toThrow(new StartError('VEDETTE_OPS_PORT must be a port, 0 to 65535'));
});
