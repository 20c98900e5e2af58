// The console in Chromium with a CPU four times slower: its first load beside an empty page of the same size, until the ask box takes a key and offers operations; and a
// ping whose 100 locations stream in, beside a page that does nothing for the same time. One JSON line per figure. Run from the root: node test/bench/console.ts.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildConsole, type Chromium, openChromium } from '../console/browser.ts';
import { ROOT } from '../repo/pages.ts';
import { NO_BROWSER, startOneMachine } from '../system/one-machine.ts';
import { median, quantile } from './figures.ts';

const PAIRS = 7;
const SLOWER = 4;
const LOCATIONS = 100;
/** Between two entries. */
const PAUSE_MS = 10;

const print = (figure: Record<string, unknown>) => process.stdout.write(`${JSON.stringify({ bench: 'console', ...figure })}\n`);
const round = (value: number): number => Number(value.toPrecision(3));

async function slowed(chromium: Chromium, url: string, key: string): Promise<Page> {
  const { page } = await chromium.open('about:blank', { key });
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await page.goto(url, { waitUntil: 'commit' });
  return page;
}

/** ms of the page's own clock until a box takes a key and something stands below it, and the octets that came. */
const INTERACTIVE = `new Promise((done) => {
  const look = () => {
    const box = document.querySelector('#subject');
    if (box === null) return requestAnimationFrame(look);
    box.focus();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, '192.0.2.1');
    box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    const wait = () => document.querySelector('.offers button') === null ? requestAnimationFrame(wait) : done({
      ms: performance.now(),
      bytes: performance.getEntries().reduce((sum, { encodedBodySize = 0 }) => sum + encodedBodySize, 0),
    });
    wait();
  };
  look();
})`;
/** The floor does the same with no code of ours: a box, a listener, a line. */
const floorPage = (
  bytes: number,
): string => `<!doctype html><meta charset="utf-8"><title>Floor</title><input id="subject"><div class="offers"></div>
<script>document.querySelector('#subject').addEventListener('input', () => { document.querySelector('.offers').append(document.createElement('button')); });</script>
<!--${'x'.repeat(bytes)}-->`;

const FRAMES = `(() => {
  const times = []; const longs = [];
  new PerformanceObserver((list) => longs.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
  let last = performance.now(); let isOver = false;
  const frame = (now) => { times.push(now - last); last = now; if (!isOver) requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  window.stopFrames = () => { isOver = true; return { times: times.slice(1), longs }; };
})()`;
interface Frames {
  times: number[];
  longs: number[];
}

/** An API that tells one location after another. */
async function serveStream(): Promise<{ url: string; close: () => void; locations: object[] }> {
  const { report } = JSON.parse(readFileSync(join(ROOT, 'packages/operations/src/ping-test/example.json'), 'utf8')) as {
    report: { locations: Record<string, unknown>[] };
  };
  const locations = Array.from({ length: LOCATIONS }, (_, i) => ({
    id: `l-${i}`,
    city_name: `City ${String(i).padStart(3, '0')}`,
    country_name: 'Nowhere',
    latitude: -50 + (i % 10) * 12,
    longitude: -170 + Math.floor(i / 10) * 35,
    asked_by_default: true,
  }));
  const entries = locations.map(({ id, ...place }) => ({ ...report.locations[0], ...place, location: id }));
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
    });
    if (_request.method === 'OPTIONS') return response.end();
    const tell = (event: string, data: object) => response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    let at = 0;
    const timer = setInterval(() => {
      if (at < entries.length) return void tell('location', entries[at++]!);
      clearInterval(timer);
      tell('report', { ...report, locations: entries });
      response.end();
    }, PAUSE_MS);
    response.on('close', () => clearInterval(timer));
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close(), locations };
}

buildConsole();
const vedette = await startOneMachine(NO_BROWSER);
const chromium = await openChromium();
const stream = await serveStream();
let floorBytes = 0;
const floor = createServer((_request, response) => response.end(floorPage(floorBytes)));
await new Promise<void>((resolve) => floor.listen(0, '127.0.0.1', resolve));
const floorUrl = `http://127.0.0.1:${(floor.address() as AddressInfo).port}/`;
try {
  const loads: { ours: number; floor: number; bytes: number }[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const page = await slowed(chromium, vedette.url, vedette.key);
    const ours = await page.evaluate<{ ms: number; bytes: number }>(INTERACTIVE);
    await page.context().close();
    floorBytes = ours.bytes;
    const empty = await slowed(chromium, floorUrl, vedette.key);
    const least = await empty.evaluate<{ ms: number }>(INTERACTIVE);
    await empty.context().close();
    loads.push({ ours: ours.ms, floor: least.ms, bytes: ours.bytes });
  }
  const ms = round(median(loads.map(({ ours }) => ours)));
  const floorMs = round(median(loads.map((load) => load.floor)));
  print({ figure: 'first load, compressed', bytes: Math.max(...loads.map(({ bytes }) => bytes)), goal: 150_000 });
  print({
    figure: `interactive, CPU ${SLOWER} times slower`,
    ms,
    floor_ms: floorMs,
    ratio: round(median(loads.map((load) => load.ours / load.floor))),
    goal_ms: 1_000,
  });

  const runs: { ours: Frames; floor: Frames; shifts: string[] }[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const { page, faults } = await chromium.open(`${vedette.url}/ask/ping-test?host=192.0.2.1`, { key: vedette.key });
    await page.route('**/v2/locations', (route) => route.fulfill({ json: { locations: stream.locations } }));
    // The page may call its own origin alone: what it asks is answered by a redirect inside the browser.
    await page.route('**/v2/ping-test', (route) => route.continue({ url: stream.url }));
    await page.reload();
    await page.waitForSelector('button.primary');
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.evaluate(FRAMES);
    await page.click('button.primary');
    await page.waitForSelector('.report-tools', { timeout: 60_000 });
    const ours = await page.evaluate<Frames>('stopFrames()');
    const { shifts } = await faults();
    await page.context().close();
    const empty = await slowed(chromium, floorUrl, vedette.key);
    await empty.evaluate(FRAMES);
    await empty.waitForTimeout(LOCATIONS * PAUSE_MS);
    const least = await empty.evaluate<Frames>('stopFrames()');
    await empty.context().close();
    runs.push({ ours, floor: least, shifts });
  }
  const times = (who: 'ours' | 'floor') => runs.flatMap((run) => run[who].times);
  const longs = (who: 'ours' | 'floor') => median(runs.map((run) => run[who].longs.length));
  const p = (who: 'ours' | 'floor', q: number) => round(quantile(times(who), q));
  print({
    figure: `frames while ${LOCATIONS} locations come in, CPU ${SLOWER} times slower`,
    median_ms: p('ours', 0.5),
    p95_ms: p('ours', 0.95),
    floor_median_ms: p('floor', 0.5),
    floor_p95_ms: p('floor', 0.95),
    ratio_p95: round(p('ours', 0.95) / p('floor', 0.95)),
    long_tasks: longs('ours'),
    floor_long_tasks: longs('floor'),
    longest_task_ms: round(Math.max(0, ...runs.flatMap(({ ours }) => ours.longs))),
  });
  print({ figure: 'layout shifts', shifts: runs.flatMap(({ shifts }) => shifts).slice(0, 5), goal: 0 });
} finally {
  await chromium[Symbol.asyncDispose]();
  await vedette.stop();
  stream.close();
  floor.close();
}
