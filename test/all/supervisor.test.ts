import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSupervisor } from '../../packages/all/src/supervisor.ts';
import { silent } from '../ledger/servers.ts';

it('says why a child cannot be started, every time, and later each time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-supervisor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'setpriv'), '', { mode: 0o600 }); // there, but not to be executed
  const told: { fields: object; message: string }[] = [];
  const supervisor = createSupervisor({ ...silent, error: (fields, message) => void told.push({ fields, message }) });
  const args: string[] = [];
  supervisor.start({ name: 'nats-server', command: 'nats-server', args, env: { PATH: folder } });
  args.push('\0'); // no argument can hold it: from now on spawn throws
  await expect.poll(() => told.length, { timeout: 5_000 }).toBe(2);
  await supervisor.stop();
  const message = 'nats-server cannot be started; trying again';
  expect(told).toEqual([
    { fields: { err: expect.objectContaining({ code: 'EACCES' }), delay_ms: 500 }, message },
    { fields: { err: expect.objectContaining({ code: 'ERR_INVALID_ARG_VALUE' }), delay_ms: 1000 }, message },
  ]);
});
