// A ping whose 100 locations come in one by one, on the console's page, beside a page that reads the same stream and adds a line for each. It counts CPU time of the page's
// main thread, which a busy machine does not change as it changes the time between frames. One JSON line per figure. Run from the root: node test/bench/console-stream.ts.
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { consoleFiles } from '@vedette/console';
import { buildConsole, type Chromium, openChromium } from '../console/browser.ts';
import { ROOT } from '../repo/pages.ts';
import { median, quantile } from './figures.ts';

const PAIRS = 7;
const LOCATIONS = 100;
/** Between two entries. */
const PAUSE_MS = 10;
const FRAME_MS = 1000 / 60;
/** A phone's CPU is so much slower. */
const SLOWER = 4;

const print = (figure: Record<string, unknown>) => process.stdout.write(`${JSON.stringify({ bench: 'console-stream', ...figure })}\n`);
const round = (value: number): number => Number(value.toPrecision(3));

interface Example {
  locations: { ping_output: { icmp_requests: object[]; rtt: object } }[];
}
const report = (JSON.parse(readFileSync(join(ROOT, 'packages/operations/src/ping-test/example.json'), 'utf8')) as { report: Example })
  .report;
const locations = Array.from({ length: LOCATIONS }, (_, i) => ({
  id: `l-${i}`,
  city_name: `City ${String(i).padStart(3, '0')}`,
  country_name: 'Nowhere',
  latitude: -50 + (i % 10) * 12,
  longitude: -170 + Math.floor(i / 10) * 35,
  asked_by_default: true,
}));
/** In an order that is not the table's, with times of their own; every tenth has failed. */
const entries = locations
  .map((_, i) => ({ ...locations[(i * 37) % LOCATIONS]!, ms: 5 + ((i * 53) % 200) }))
  .map(({ id, ms, ...place }, i) => {
    const output = report.locations[0]!.ping_output;
    const measured = {
      ...output,
      icmp_requests: output.icmp_requests.map((request) => ({ ...request, time_ms: ms })),
      rtt: { ...output.rtt, min: ms, avg: ms, max: ms },
    };
    const failed = { ping_output: { ...output, icmp_requests: [] }, reason: 'dns_timeout', error: 'No name server answered in time' };
    return { ...report.locations[0], ...place, location: id, ...(i % 10 === 9 ? failed : { ping_output: measured }) };
  });

/** The least that a page can do with such a stream. */
const FLOOR = `<!doctype html><meta charset="utf-8"><title>Floor</title><button class="primary">Ask</button><main></main><script>
document.querySelector('button').addEventListener('click', async () => {
  const reader = (await fetch('/v2/ping-test', { method: 'POST' })).body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = '', part = await reader.read(); !part.done; part = await reader.read()) {
    const events = (text + part.value).split('\\n\\n');
    text = events.pop();
    for (const event of events) {
      if (event.startsWith('event: locations')) continue;
      const { city_name } = JSON.parse(event.split('\\ndata: ')[1]);
      document.querySelector('main').append(city_name, document.createElement('br'));
    }
  }
});
</script>`;

/** The console's files and the API that they need; a stream begins, and ends with its report, when it is told to. */
async function serve() {
  const files = new Map(consoleFiles().map((file) => [`/console/${file.name}`, file]));
  let stream: ServerResponse | undefined;
  const tell = (event: string, data: object) => stream!.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://127.0.0.1');
    const file = files.get(pathname) ?? (pathname.startsWith('/ask/') ? files.get('/console/index.html') : undefined);
    if (file) return response.writeHead(200, { 'content-type': file.type }).end(file.identity);
    if (pathname === '/floor') return response.writeHead(200, { 'content-type': 'text/html' }).end(FLOOR);
    if (pathname === '/v2/locations')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ locations }));
    if (pathname !== '/v2/ping-test') return response.writeHead(404).end();
    stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
    stream.flushHeaders();
    tell('locations', { locations: locations.map(({ id: location, city_name }) => ({ location, city_name })) });
    return stream;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async tellAll() {
      for (const entry of entries) {
        tell('location', entry);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    },
    end() {
      tell('report', { ...report, locations: entries });
      stream!.end();
    },
    close: () => server.close(),
  };
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  /** CPU time in µs. */
  tdur?: number;
}

interface Work {
  /** CPU of the main thread until all rows wait, for all locations, and in the longest task of either, in ms. */
  before: number;
  while: number;
  longest: number;
  /** CPU from the end of one frame to that of the next. */
  frames: number[];
}

const CATEGORIES = ['-*', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing'];

function workOf(trace: TraceEvent[]): Work {
  const mark = (name: string) => trace.find((event) => event.name === name && event.ph !== 'M')!;
  const [asked, began, ended] = [mark('bench-asked'), mark('bench-began'), mark('bench-ended')];
  const ours = trace.filter(({ pid, tid }) => pid === began.pid && tid === began.tid);
  const tasks = ours.filter(({ name, ph }) => name === 'RunTask' && ph === 'X');
  const within = (from: number, to: number) => tasks.filter(({ ts }) => ts >= from && ts < to).map(({ tdur = 0 }) => tdur / 1000);
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
  const commits = ours
    .filter(({ name, ts }) => name === 'Commit' && ts >= began.ts && ts < ended.ts)
    .map(({ ts }) => ts)
    .sort((a, b) => a - b);
  return {
    before: sum(within(asked.ts, began.ts)),
    while: sum(within(began.ts, ended.ts)),
    longest: Math.max(...within(asked.ts, ended.ts)),
    frames: commits.slice(1).map((to, i) => sum(within(commits[i]!, to))),
  };
}

/** Asks on a page, and watches its main thread until the last location is shown. */
async function watch(chromium: Chromium, api: Awaited<ReturnType<typeof serve>>, path: string, isWaiting: string, isShown: string) {
  const { page, faults } = await chromium.open(api.url + path, { key: 'a-key-of-the-bench' });
  await page.waitForSelector('button.primary');
  await chromium.browser.startTracing(page, { categories: CATEGORIES });
  const seldom = { polling: 200, timeout: 60_000 };
  await page.evaluate('performance.mark("bench-asked")');
  await Promise.all([page.waitForResponse('**/v2/ping-test'), page.click('button.primary')]);
  await page.waitForFunction(isWaiting, undefined, seldom);
  await page.evaluate('performance.mark("bench-began")');
  await api.tellAll();
  await page.waitForFunction(isShown, undefined, seldom);
  await page.evaluate('performance.mark("bench-ended")');
  const { traceEvents } = JSON.parse((await chromium.browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  api.end();
  await page.waitForTimeout(300);
  const { shifts } = await faults();
  await page.context().close();
  return { ...workOf(traceEvents), shifts };
}

buildConsole();
const api = await serve();
const chromium = await openChromium();
try {
  const pairs: { ours: Awaited<ReturnType<typeof watch>>; floor: Work }[] = [];
  const waiting = `document.querySelectorAll('.locations .waiting').length`;
  for (let pair = 0; pair < PAIRS; pair++)
    pairs.push({
      ours: await watch(chromium, api, '/ask/ping-test?host=192.0.2.1', `${waiting} === ${LOCATIONS}`, `${waiting} === 0`),
      floor: await watch(chromium, api, '/floor', 'true', `document.querySelectorAll('br').length === ${LOCATIONS}`),
    });
  const each = (of: (pair: (typeof pairs)[number]) => number) => round(median(pairs.map(of)));
  const frames = pairs.flatMap(({ ours }) => ours.frames);
  const late = (slower: number) => round((100 * frames.filter((ms) => ms * slower > FRAME_MS).length) / frames.length);
  print({
    figure: 'CPU of the main thread for one location that comes in',
    ms: each(({ ours }) => ours.while / LOCATIONS),
    floor_ms: each(({ floor }) => floor.while / LOCATIONS),
    ratio: each(({ ours, floor }) => ours.while / floor.while),
  });
  print({
    figure: 'CPU of the main thread for one frame',
    frames: frames.length,
    median_ms: round(median(frames)),
    p95_ms: round(quantile(frames, 0.95)),
    max_ms: round(Math.max(...frames)),
    floor_median_ms: round(median(pairs.flatMap(({ floor }) => floor.frames))),
    late_percent: late(1),
    [`late_percent_cpu_${SLOWER}_times_slower`]: late(SLOWER),
  });
  print({
    figure: `the table of ${LOCATIONS} waiting rows, and the longest task of all`,
    first_ms: each(({ ours }) => ours.before),
    longest_ms: each(({ ours }) => ours.longest),
    floor_longest_ms: each(({ floor }) => floor.longest),
  });
  print({ figure: 'layout shifts', shifts: pairs.flatMap(({ ours }) => ours.shifts).slice(0, 5), goal: 0 });
} finally {
  await chromium[Symbol.asyncDispose]();
  api.close();
}
