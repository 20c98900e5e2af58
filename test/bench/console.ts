// The console in Chromium with a CPU four times slower: its first load beside an empty page of the same size, until the ask box takes a key and offers
// operations. One JSON line per figure. Run from the root: node test/bench/console.ts.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { buildConsole, type Chromium, openChromium } from '../console/browser.ts';
import { NO_BROWSER, startOneMachine } from '../system/one-machine.ts';
import { median } from './figures.ts';

const PAIRS = 7;
const SLOWER = 4;

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

buildConsole();
const vedette = await startOneMachine(NO_BROWSER);
const chromium = await openChromium();
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
} finally {
  await chromium[Symbol.asyncDispose]();
  await vedette.stop();
  floor.close();
}
