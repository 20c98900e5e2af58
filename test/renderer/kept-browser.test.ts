import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { keptFolder } from '../../packages/renderer/src/browser/installed.ts';

it('is unpacked beside the browser of another renderer, in a folder that holds nothing else', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vedette-kept-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  mkdirSync(join(dataDir, 'chromium-notes'));
  const umask = process.umask(0o077);
  onTestFinished(() => void process.umask(umask));
  const first = await keptFolder('/nowhere/.vedette-chromium-1.0.0', dataDir, undefined);
  mkdirSync(first!);
  const second = await keptFolder('/nowhere/.vedette-chromium-2.0.0', dataDir, undefined);
  expect([first, second]).toEqual([join(dataDir, 'browser/chromium-1.0.0'), join(dataDir, 'browser/chromium-2.0.0')]);
  expect(readdirSync(dataDir).toSorted()).toEqual(['browser', 'chromium-notes']);
  expect(readdirSync(join(dataDir, 'browser'))).toEqual(['chromium-1.0.0']);
  expect(statSync(join(dataDir, 'browser')).mode & 0o777).toBe(0o755); // the browser's user passes through it
});
