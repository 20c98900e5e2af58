// A warm screenshot beside a bare Playwright script on the same page (its goto and capture are the floor), and beside a cold `chromium --headless
// --screenshot`; and what an AVIF of 1920 x 1080 takes more than a PNG. Run from the root: node test/bench/screenshot.ts. One JSON line per figure.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import { installedBrowser } from '../../packages/renderer/src/browser/installed.ts';
import { makePicture } from '../../packages/renderer/src/image/picture.ts';
import { openStudio, type Studio } from '../renderer/pictures.ts';
import { median } from './figures.ts';

const ROUNDS = 12;
const WARM_UP = 2;
const SWITCHES = ['--headless', '--no-sandbox', '--hide-scrollbars', '--font-render-hinting=none', '--disable-dev-shm-usage'];

const box = '<div style="float:left;width:200px;height:100px;margin:5px;background:linear-gradient(45deg,#f66,#66f)">Some text</div>';
const page = `<!doctype html><title>Bench</title><body style="background:#eee"><h1>Bench</h1>${box.repeat(24)}
<svg width="200" height="200"><circle cx="100" cy="100" r="80" fill="green"/></svg><script>document.title = 'Bench ' + innerWidth</script>`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

/** What a script of somebody who knows the tools does, with its page made ahead: a PNG by Playwright, and the capture alone as fast as Chromium has it. */
async function bare(browser: Browser, url: string): Promise<{ floor: number; playwright: number }> {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const [first, second] = [await context.newPage(), await context.newPage()];
  const session = await context.newCDPSession(first);
  const floor = await timed(async () => {
    await first.goto(url, { waitUntil: 'load' });
    await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  });
  const playwright = await timed(async () => {
    await second.goto(url, { waitUntil: 'load' });
    await second.screenshot();
  });
  await context.close();
  return { floor, playwright };
}

async function main(studio: Studio, executable: string, folder: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: executable, args: SWITCHES, env: { HOME: folder } });
  const direct = `http://127.0.0.1:${studio.sites.httpPort}/`;
  studio.sites.add({ '127.0.0.1': { '/': page } });
  // The headless shell of npm's package takes no picture by itself: Debian's does.
  const cold = () =>
    promisify(execFile)(
      '/usr/bin/chromium',
      [
        ...SWITCHES,
        '--window-size=1920,1080',
        `--user-data-dir=${mkdtempSync(join(folder, 'p-'))}`,
        `--screenshot=${folder}/cold.png`,
        direct,
      ],
      { env: { HOME: folder } },
    );
  const [ours, floors, scripts, colds]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const warm = await timed(() => studio.render('http://bench.test/'));
    const { floor, playwright } = await bare(browser, direct);
    const start = round % 3 === 0 ? await timed(cold) : undefined;
    if (round < WARM_UP) continue;
    ours.push(warm);
    floors.push(floor);
    scripts.push(playwright);
    if (start !== undefined) colds.push(start);
  }
  await browser.close();
  const [warm, floor, playwright, launch] = [median(ours), median(floors), median(scripts), median(colds)];
  const shot = await studio.render('http://bench.test/');
  const job = { omit_background: false, grayscale: false };
  const encode = async (image_type: 'avif' | 'png' | 'webp' | 'jpeg') => {
    const times: number[] = [];
    for (let i = 0; i < 6; i++) times.push(await timed(() => makePicture([shot.file!], { ...job, image_type })));
    return Math.round(median(times));
  };
  const say = (figure: string, value: object) => process.stdout.write(`${JSON.stringify({ figure, ...value })}\n`);
  say('screenshot p50, ms', {
    ours: Math.round(warm),
    goto_and_capture: Math.round(floor),
    playwright: Math.round(playwright),
    cold: Math.round(launch),
  });
  say('screenshot / goto and capture', { ratio: Number((warm / floor).toFixed(2)), goal: 1.5 });
  say('screenshot / Playwright', { ratio: Number((warm / playwright).toFixed(2)) });
  say('screenshot / cold launch', { ratio: Number((warm / launch).toFixed(2)), goal: 0.22 });
  say('encoding 1920x1080, ms', {
    avif: await encode('avif'),
    png: await encode('png'),
    webp: await encode('webp'),
    jpeg: await encode('jpeg'),
    goal_avif: 300,
  });
}

const folder = mkdtempSync(join(tmpdir(), 'vedette-bench-'));
const studio = await openStudio({ 'bench.test': { '/': page } });
try {
  const { executable } = await installedBrowser({ chosen: process.env['VEDETTE_CHROMIUM'], kept: undefined, folder, user: undefined });
  await main(studio, executable, folder);
} finally {
  await studio.close();
  rmSync(folder, { recursive: true, force: true });
}
