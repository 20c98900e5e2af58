import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryHeldError, lockDirectory } from '@vedette/ledger';
import { StartError } from '@vedette/process/start-error';
import { expect, it, onTestFinished } from 'vitest';
import { runAll } from '../../packages/all/src/all.ts';

it('says which setting is not the host of its bus, before anything is made', async () => {
  const env = { VEDETTE_DATA_DIR: '/dev/null/none', VEDETTE_BUS_HOST: 'host.test:4222' };
  await expect(runAll(env)).rejects.toThrow(
    new StartError('VEDETTE_BUS_HOST: not a host name in lower case, nor an address: host.test:4222'),
  );
});

it('leaves the data directory as it is, secrets included, to a gateway that was started alone and has the database there', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vedette-all-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  mkdirSync(join(dataDir, 'pg/cluster'), { recursive: true });
  chmodSync(join(dataDir, 'pg'), 0o700);
  writeFileSync(join(dataDir, 'bootstrap-key'), 'kept', { mode: 0o600 });
  const lock = await lockDirectory(join(dataDir, 'pg'));
  onTestFinished(() => lock.release());
  const state = () =>
    ['', 'pg', 'bootstrap-key'].map((name) => {
      const { uid, gid, mode } = statSync(join(dataDir, name));
      return { name, uid, gid, mode };
    });
  const before = state();
  const env = {
    VEDETTE_DATA_DIR: dataDir,
    VEDETTE_PORT: '0',
    VEDETTE_OPS_PORT: '0',
    VEDETTE_LOG_LEVEL: 'silent',
    PATH: process.env['PATH'],
  };
  await expect(runAll(env)).rejects.toThrow(new DirectoryHeldError(`${dataDir}/pg is in use by process ${process.pid}`));
  expect(state()).toEqual(before);
  // Its own lock's, and neither keys of a bus nor copies for roles.
  expect(readdirSync(dataDir).toSorted()).toEqual(['bootstrap-key', 'holder.pid', 'pg']);
});
