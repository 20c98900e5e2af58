import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DiskReserve, RESERVE_BYTES } from '../../packages/ledger/src/embedded/disk-reserve.ts';

const MB = 1_048_576;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reserve-'));
});
afterEach(() => rm(folder, { recursive: true }));

function reserve(freeMb: () => number) {
  const told: string[] = [];
  const tell = (level: string) => () => void told.push(level);
  const log = { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') };
  return { told, disk: new DiskReserve(folder, { log, freeBytes: async () => freeMb() * MB }) };
}
const reserved = async () => (await stat(join(folder, 'reserve')).catch(() => undefined))?.blocks ?? 0;

it('holds room while there is enough, gives it up when the disk is full, and takes it again when there is room', async () => {
  let freeMb = 1_000;
  const { disk, told } = reserve(() => freeMb);
  await disk.check();
  expect((await reserved()) * 512).toBeGreaterThanOrEqual(RESERVE_BYTES);
  expect(disk.isShort()).toBe(false);

  freeMb = 10;
  await disk.check();
  await disk.check();
  expect([disk.isShort(), await reserved(), told]).toEqual([true, 0, ['error']]);

  freeMb = 74; // what was given up is not room
  await disk.check();
  expect([disk.isShort(), await reserved()]).toEqual([true, 0]);

  freeMb = 500;
  await disk.check();
  expect([disk.isShort(), told]).toEqual([false, ['error', 'info']]);
  expect(await reserved()).toBeGreaterThan(0);
});

it('is short from the start on a disk without room, and says so once', async () => {
  const { disk, told } = reserve(() => 20);
  await disk.check();
  await disk.check();
  expect([disk.isShort(), await reserved(), told]).toEqual([true, 0, ['error']]);
});
