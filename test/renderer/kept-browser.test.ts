import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { keepBrowser, keptFolder } from '../../packages/renderer/src/browser/kept.ts';

const KEPT = fileURLToPath(new URL('../../packages/renderer/src/browser/kept.ts', import.meta.url));
const anyone = () => Promise.resolve(true);

function dataFolder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'vedette-kept-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  return dataDir;
}

/** Unpacks a browser, as far as its folder goes. */
async function unpack(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  mkdirSync(folder);
  writeFileSync(join(folder, 'chromium'), 'a browser');
}

/** A process that keeps a browser that is there, until it is killed. */
async function renderer(folder: string): Promise<{ kill(): Promise<void> }> {
  const script = `const { keepBrowser } = await import(${JSON.stringify(KEPT)});
    await keepBrowser(${JSON.stringify(folder)}, async () => {});
    process.stdout.write('kept');
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return {
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

it('is unpacked beside the browser of another renderer, in a folder that holds nothing else', async () => {
  const dataDir = dataFolder();
  mkdirSync(join(dataDir, 'chromium-notes'));
  const umask = process.umask(0o077);
  onTestFinished(() => void process.umask(umask));
  const first = await keptFolder('/nowhere/.vedette-chromium-1.0.0', dataDir, anyone);
  mkdirSync(first!);
  const second = await keptFolder('/nowhere/.vedette-chromium-2.0.0', dataDir, anyone);
  expect([first, second]).toEqual([join(dataDir, 'browser/chromium-1.0.0'), join(dataDir, 'browser/chromium-2.0.0')]);
  expect(readdirSync(dataDir).toSorted()).toEqual(['browser', 'chromium-notes']);
  expect(readdirSync(join(dataDir, 'browser'))).toEqual(['chromium-1.0.0']);
  expect(statSync(join(dataDir, 'browser')).mode & 0o777).toBe(0o755); // the browser's user passes through it
});

it('stays while a renderer keeps it, and is removed by the next start of another version', async () => {
  const folder = dataFolder();
  const version = (name: string) => join(folder, `chromium-${name}`);
  // What is unfinished, and what is not ours.
  const others = ['chromium-1.0.0.4711', 'chromium-notes', 'feeds'];
  for (const name of others) mkdirSync(join(folder, name));
  await unpack(version('1.0.0'));
  await unpack(version('2.0.0'));
  await unpack(`${version('0.9.0')}.removed`); // by a renderer that was killed
  const old = await renderer(version('1.0.0'));
  expect(readdirSync(folder).toSorted()).toEqual(['chromium-1.0.0', ...others].toSorted());

  const first = await keepBrowser(version('3.0.0'), unpack);
  expect(readdirSync(folder).toSorted()).toEqual(['chromium-1.0.0', 'chromium-3.0.0', ...others].toSorted());
  await old.kill();
  const second = await keepBrowser(version('3.0.0'), unpack);
  expect(readdirSync(folder).toSorted()).toEqual(['chromium-3.0.0', ...others].toSorted());
  second?.release();

  // Two of one version, of which one has ended.
  const next = await keepBrowser(version('4.0.0'), unpack);
  expect(existsSync(version('3.0.0'))).toBe(true);
  first?.release();
  next?.release();
  (await keepBrowser(version('4.0.0'), unpack))?.release();
  expect(readdirSync(folder).toSorted()).toEqual(['chromium-4.0.0', ...others].toSorted());
});
