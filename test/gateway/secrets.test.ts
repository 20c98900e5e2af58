import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { GatewaySettings } from '../../packages/gateway/src/config/config.ts';
import { adminToken, keptSecret } from '../../packages/gateway/src/config/secrets.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'secrets-'));
});
afterEach(() => {
  rmSync(dataDir, { recursive: true });
});

it('makes a secret once, for our user alone', () => {
  const folder = join(dataDir, 'new');
  expect(keptSecret(folder, 'token', () => 'first')).toBe('first');
  expect(keptSecret(folder, 'token', () => 'second')).toBe('first');
  expect(statSync(join(folder, 'token')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['token']);
});

it('takes no token of operators that can be guessed, as a backup may bring one', () => {
  const settings = { VEDETTE_DATA_DIR: dataDir } as GatewaySettings;
  const made = adminToken(settings);
  expect([made.length, adminToken(settings)]).toEqual([43, made]);
  writeFileSync(join(dataDir, 'admin-token'), 'a\n');
  expect(() => adminToken(settings)).toThrow(new RegExp(`^the token in ${dataDir}/admin-token: it can be guessed`));
});

it('takes an empty file, as a full disk leaves it, for none', () => {
  writeFileSync(join(dataDir, 'token'), '');
  expect(keptSecret(dataDir, 'token', () => 'made')).toBe('made');
  expect(readFileSync(join(dataDir, 'token'), 'utf8')).toBe('made\n');
});

it('is one secret for two gateways that start in the same folder at once', () => {
  const other = () => keptSecret(dataDir, 'token', () => 'of the other');
  const mine = keptSecret(dataDir, 'token', () => (other(), 'mine'));
  expect(mine).toBe('of the other');
  expect(other()).toBe('of the other');
  expect(readdirSync(dataDir)).toEqual(['token']);
});
