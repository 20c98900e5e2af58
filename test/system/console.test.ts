import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { itemInWords } from '@vedette/console/text';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFaults, type Watched } from '../console/browser.ts';
import { ROOT } from '../repo/pages.ts';
import { FAULTLESS, isWider, useConsole } from './console-world.ts';

const world = useConsole({ VEDETTE_PORT_SCAN: 'on' });

/** Presses Tab until the focus is on an element with this text. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    if (
      await page.evaluate<boolean>(
        `document.activeElement?.tagName === 'BUTTON' && document.activeElement.textContent.includes(${JSON.stringify(text)})`,
      )
    )
      return;
  }
  throw new Error(`no Tab leads to ${text}`);
}

it('leads from a key to three locations that answer, by the keyboard alone', async () => {
  const { page, faults } = await world.chromium.open(world.vedette.url);
  await page.waitForSelector('#key:focus');
  await page.keyboard.type(world.vedette.key);
  expect(await seriousFaults(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.waitForSelector('#subject:focus');
  await page.keyboard.type('127.0.0.1');
  await page.waitForSelector('.offers button');
  expect(await seriousFaults(page)).toEqual([]);
  await tabTo(page, 'Ping a host from many places');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.report-tools');
  expect(await page.textContent('.summary')).toMatch(/^3 of 3 locations answered, [\d.]+(?: to [\d.]+)? ms\.$/);
  expect(await page.locator('.point.good').count()).toBe(3);
  expect(await page.locator('tbody .state.good').allTextContents()).toEqual(['answered', 'answered', 'answered']);
  await tabTo(page, 'Ashburn');
  await page.keyboard.press('Enter');
  await page.waitForSelector('tr.below:has-text("Packets sent")');
  expect(await seriousFaults(page)).toEqual([]);
  expect(await faults()).toEqual(FAULTLESS);
  // The address is for sharing: it has the question and no key, and asks nothing by itself.
  expect(page.url()).toBe(`${world.vedette.url}/ask/ping-test?host=127.0.0.1`);
  const posts: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  await page.reload();
  await page.waitForSelector('.report-tools');
  expect(await page.inputValue('#field-host')).toBe('127.0.0.1');
  const another = await world.chromium.open(page.url(), { key: world.vedette.key });
  another.page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  await another.page.reload();
  await another.page.waitForSelector('#field-host');
  expect(await another.page.inputValue('#field-host')).toBe('127.0.0.1');
  expect(await another.page.locator('.answer').count()).toBe(0);
  expect(posts).toEqual([]);
  await another.page.context().close();
  await page.context().close();
});

it('keeps the key in the tab alone, and forgets it', async () => {
  const { page } = await world.chromium.open(world.vedette.url, { key: world.vedette.key });
  await page.waitForSelector('#subject');
  expect(await page.evaluate('[localStorage.length, document.cookie, sessionStorage.length]')).toEqual([0, '', 2]);
  await page.click('text=Sign out');
  await page.waitForSelector('#key');
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  await page.context().close();
});

it('the head of a page has two lines on a phone, whoever has signed in', async () => {
  const { page } = await world.chromium.open(world.vedette.url, { viewport: { width: 390, height: 844 } });
  const person = { name: 'a.person.with.a.long.name@department.example.org', role: 'operator' };
  await page.route('**/auth/me', (route) =>
    route.fulfill({ json: { sign_in: 'ready', login: '/auth/login', provider: 'id.example.org', person } }),
  );
  await page.route('**/v2/**', (route) =>
    route.fulfill({ json: { locations: [] }, headers: { 'x-service-quota': 'limit=300000, remaining=299995, reset=1767225600, cost=0' } }),
  );
  await page.reload();
  await page.waitForSelector('.top:has(.person):has-text("299,995 credits left")');
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    expect((await page.locator('header.top').boundingBox())!.height).toBeLessThan(84);
    expect(await isWider(page)).toBe(false);
    const wordsInTwoLines = `[...document.querySelectorAll('header.top :is(a, button, .number)')].filter((one) => one.getClientRects()[0].height > 40).length`;
    expect(await page.evaluate(wordsInTwoLines)).toBe(0);
  }
  await page.context().close();
});

it('says why it does not take a key, and does not ask the gateway about what cannot be one', async () => {
  const { page } = await world.chromium.open(world.vedette.url);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.fill('#key', 'short');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.problem:has-text("8 to 128 characters")');
  expect(asked).toEqual([]);
  await page.fill('#key', 'not-a-key-of-ours');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.problem:has-text("The API key")');
  await page.context().close();
});

it('the reference page is shown whole, and cannot reach what the console keeps', async () => {
  const { page, faults } = await world.chromium.open(`${world.vedette.url}/docs`, { key: world.vedette.key });
  await page.waitForSelector('text=ping-test');
  expect(await page.evaluate('origin')).toBe('null');
  // What it has in place of the browser's storage knows nothing of the console's.
  await page.evaluate(`sessionStorage.setItem('vedette-key', 'of the reference page')`);
  await page.goto(world.vedette.url);
  expect(await page.evaluate(`sessionStorage.getItem('vedette-key')`)).toBe(world.vedette.key);
  await page.goto(`${world.vedette.url}/docs`);
  expect(await page.evaluate(`sessionStorage.getItem('vedette-key')`)).toBe(null);
  expect(await page.evaluate(`fetch('/v2/locations', { headers: { 'x-api-key': 'k' } }).then(() => 'answered', () => 'refused')`)).toBe(
    'refused',
  );
  expect((await faults()).errors).toEqual([]);
  await page.context().close();
});

interface Example {
  name: string;
  request: Record<string, unknown>;
  report: Record<string, unknown>;
}
const EXAMPLES = globSync('packages/operations/src/*/example.json', { cwd: ROOT }).map((path): Example => {
  const { request, report } = JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Omit<Example, 'name'>;
  return { name: basename(dirname(path)), request, report };
});

/** The list that has a leaf. Sources of a verdict that did not answer are named as fields that were not checked are. */
const listOf = (path: string, value: string | number): string =>
  /\/coverage\/missing\/\d+\/name$/.test(path) && String(value).includes('_') ? 'not_checked' : path.split('/').at(-2)!;

/** Every plain value that is in a report; what is empty has nothing to show. */
function leavesOf(value: unknown, path = ''): { path: string; text: string }[] {
  if (value === null || value === '') return [];
  if (typeof value === 'string' || typeof value === 'number')
    return path.endsWith('base64_file') ? [] : [{ path, text: String(itemInWords(listOf(path, value), value)) }];
  if (typeof value === 'boolean') return [{ path, text: value ? 'yes' : 'no' }];
  return Object.entries(value as object).flatMap(([name, member]) => leavesOf(member, `${path}/${name}`));
}

/** The same shape with other strings; words that choose a picture's type stay. */
const withStrings = (value: unknown, text: string): unknown => {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((one) => withStrings(one, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withStrings(member, text)]));
};

const ENTRIES = ['locations', 'propagation'];

/** Answers in place of the API. */
async function answerWith(route: Route, report: Record<string, unknown>): Promise<void> {
  if (!route.request().headers()['accept']?.startsWith('text/event-stream')) return route.fulfill({ json: report });
  const list = ENTRIES.flatMap((name) => (Array.isArray(report[name]) ? (report[name] as unknown[]) : []));
  const events = [...list.map((entry) => ['location', entry] as const), ['report', report] as const];
  const body = events.map(([event, data], i) => `id: ${i}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join('');
  return route.fulfill({ contentType: 'text/event-stream', body: `: hello\n\n${body}` });
}

/** A stream that goes on as it is told to; the browser sends what the page asks there. */
async function serveStream() {
  const asked = Promise.withResolvers<ServerResponse>();
  const server = createServer((request, response) => {
    const headers = { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    response.writeHead(200, headers);
    if (request.method === 'OPTIONS') return void response.end();
    response.flushHeaders();
    asked.resolve(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    tell: async (event: string, data: object) => void (await asked.promise).write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end: async () => void (await asked.promise).end(),
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

it.each([1280, 800, 390])('nothing moves on a page %i px wide, whatever comes in and however late', async (width) => {
  await using stream = await serveStream();
  const { page, faults } = await world.chromium.open(world.vedette.url, { key: world.vedette.key, viewport: { width, height: 800 } });
  const { report } = JSON.parse(readFileSync(join(ROOT, 'packages/operations/src/ping-test/example.json'), 'utf8')) as {
    report: { locations: Record<string, unknown>[] };
  };
  const places = Array.from({ length: 12 }, (_, i) => ({ id: `l-${i}`, city_name: `City ${i}`, simulated: true, asked_by_default: true }));
  const list = Promise.withResolvers<void>();
  await page.route('**/v2/locations', async (route) => {
    await list.promise;
    await route.fulfill({ json: { locations: places.map((place, i) => ({ ...place, latitude: 10, longitude: 10 * i + 1 })) } });
  });
  await page.route('**/v2/ping-test', (route) => route.continue({ url: stream.url }));
  // Again, so that the list of locations comes last.
  await page.reload();
  await page.fill('#subject', '192.0.2.1');
  await page.click('.offers button:has-text("Ping a host from many places")');
  // Moves within half a second of a press do not count: the page waits longer than that.
  await page.waitForTimeout(600);
  list.resolve();
  await stream.tell('locations', { locations: places.map(({ id, ...place }) => ({ ...place, location: id })) });
  await expect.poll(() => page.locator('.locations .waiting').count()).toBe(12);
  const ends = ['dns_timeout', 'agent_busy', 'connect_timeout'];
  const entries = places.map(({ id, ...place }, i) => ({
    ...report.locations[0],
    ...place,
    location: id,
    ...(i % 2 === 0 && { reason: ends[(i / 2) % 3], error: `It failed for a reason that takes ${'many words '.repeat(10)}to tell` }),
  }));
  for (const entry of entries.toReversed()) {
    await stream.tell('location', entry);
    await page.waitForTimeout(40);
  }
  await expect.poll(() => page.locator('.locations .waiting').count()).toBe(0);
  expect(await page.locator('.failures .places').allTextContents()).toEqual(['City 10, City 4', 'City 8, City 2', 'City 6, City 0']);
  await stream.tell('report', { ...report, locations: entries });
  await stream.end();
  await page.waitForSelector('.report-tools');
  await page.waitForTimeout(100);
  expect(await faults()).toEqual(FAULTLESS);
  expect(await seriousFaults(page)).toEqual([]);
  await page.context().close();
});

/** Layout shifts within this of a press count for the press. */
const AFTER_A_PRESS_MS = 600;
const CHOSEN = [
  ['jp-tyo', 'Tokyo'],
  ['in-bom', 'Mumbai'],
  ['sg-sin', 'Singapore'],
].map(([location, city_name]) => ({ location, city_name, continent_code: 'AS' }));

it('has a row for each location of a selection in words before it answers, moves none, and names those that never answered', async () => {
  const { page, faults } = await world.chromium.open(`${world.vedette.url}/ask/ping-test?host=192.0.2.1&locations=continent:AS`, {
    key: world.vedette.key,
  });
  await using stream = await serveStream();
  await page.route('**/v2/ping-test', (route) => route.continue({ url: stream.url }));
  await page.click('button.primary');
  await stream.tell('locations', { locations: CHOSEN });
  await page.waitForSelector('.locations tr.waiting');
  const places = () => page.locator('.locations tbody th').allTextContents();
  const states = () => page.locator('.locations tbody .state').allTextContents();
  const rows = await places();
  expect(rows.map((row) => row.split(' ')[0])).toEqual(['Mumbai', 'Singapore', 'Tokyo']);
  expect(await states()).toEqual(['waiting', 'waiting', 'waiting']);
  expect(await page.textContent('.summary')).toBe('0 of 3 locations answered; 3 still measuring');
  expect(await seriousFaults(page)).toEqual([]);
  await page.waitForTimeout(AFTER_A_PRESS_MS);
  const { report } = EXAMPLES.find(({ name }) => name === 'ping-test')!;
  const [answered] = report['locations'] as object[];
  // Events of a newer gateway say nothing here, whatever they hold.
  await stream.tell('progress', { ...answered, ...CHOSEN[0] });
  await stream.tell('planned', { locations: [] });
  await stream.tell('location', { ...answered, ...CHOSEN[2], error: 'No echo came back', reason: 'icmp_timeout' });
  await page.waitForSelector('.failures li');
  expect(await states()).toEqual(['waiting', 'failed', 'waiting']);
  await stream.tell('location', { ...answered, ...CHOSEN[0] });
  await page.waitForSelector('.locations .state.good');
  expect(await states()).toEqual(['waiting', 'failed', 'answered']);
  await stream.tell('error', { error: 'The bus is away', code: 'bus_unavailable' });
  await page.waitForSelector('.failures:has-text("1 × not answered")');
  expect(await page.textContent('.failures li:last-child')).toBe('1 × not answeredMumbaiCause: the request ended with bus_unavailable.');
  expect(await states()).toEqual(['not answered', 'failed', 'answered']);
  expect(await places()).toEqual(rows);
  expect(await page.textContent('.summary')).toMatch(/^1 of 3 locations answered.*; 1 could not measure; 1 had not when it ended\.$/);
  expect(await faults()).toEqual(FAULTLESS);
  await page.context().close();
});

it('groups the certificates of ssl-info as locations answer, and moves nothing', async () => {
  const { page, faults } = await world.chromium.open(`${world.vedette.url}/ask/ssl-info?host=a.example&locations=continent:AS`, {
    key: world.vedette.key,
  });
  await using stream = await serveStream();
  await page.route('**/v2/ssl-info', (route) => route.continue({ url: stream.url }));
  await page.click('button.primary');
  await stream.tell('locations', { locations: CHOSEN });
  await page.waitForSelector('.locations tr.waiting');
  await page.waitForTimeout(AFTER_A_PRESS_MS);
  const shown = {
    certificate_found: true,
    valid_ssl: true,
    revoked: false,
    certificate_error: '',
    error: '',
    valid_to: '2049-12-31 00:00:00',
  };
  const entry = (i: number, more: object) => ({
    ...shown,
    ...CHOSEN[i],
    ip: `192.0.2.${i}`,
    days_left: 9,
    issuer: `CN=${'x'.repeat(300)}`,
    ...more,
  });
  const heading = () => page.textContent('.certificates h3');
  await stream.tell('location', entry(0, { chain_sent: ['aa'], fingerprint_sha256: 'aa'.repeat(32) }));
  await expect.poll(heading).toBe('One certificate was shown');
  await stream.tell(
    'location',
    entry(1, { chain_sent: ['bb'], fingerprint_sha256: 'bb'.repeat(32), valid_ssl: false, certificate_error: 'It has expired' }),
  );
  await expect.poll(heading).toBe('2 different chains or verdicts');
  await stream.tell('location', entry(2, { chain_sent: ['aa'], fingerprint_sha256: 'aa'.repeat(32) }));
  await expect.poll(() => page.locator('.locations tr.waiting').count()).toBe(0);
  expect(await page.locator('.locations tbody .state').allTextContents()).toEqual(['invalid', 'answered', 'answered']);
  expect(await page.locator('.certificates li').allTextContents()).toEqual([
    expect.stringMatching(/valid 2 × Singapore, Tokyo at 192\.0\.2\.[02], 192\.0\.2\.[02]Until 2049/),
    expect.stringContaining('not valid 1 × Mumbai at 192.0.2.1It has expired'),
  ]);
  expect(await seriousFaults(page)).toEqual([]);
  const { report } = EXAMPLES.find(({ name }) => name === 'ssl-info')!;
  await stream.tell('report', { ...report, locations: [] });
  await page.waitForSelector('.report-tools');
  expect(await faults()).toEqual(FAULTLESS);
  await page.context().close();
});

it('shows ssl-info without locations as a report alone', async () => {
  const { page, faults } = await world.chromium.open(`${world.vedette.url}/ask/ssl-info?host=a.example`, { key: world.vedette.key });
  await using stream = await serveStream();
  await page.route('**/v2/ssl-info', (route) => route.continue({ url: stream.url }));
  await page.click('button.primary');
  await stream.tell('locations', { locations: [] });
  const { locations: _, differences: __, ...report } = EXAMPLES.find(({ name }) => name === 'ssl-info')!.report;
  await stream.tell('report', report);
  await page.waitForSelector('.report-tools');
  expect(await page.locator('.everywhere').count()).toBe(0);
  expect(await faults()).toEqual(FAULTLESS);
  await page.context().close();
});

it('runs four requests at a time, and warns before they are left', async () => {
  const { page } = await world.chromium.open(world.vedette.url, { key: world.vedette.key });
  const held: Route[] = [];
  await page.route('**/v2/spf-validator', (route) => void held.push(route));
  const wouldAsk = () =>
    page.evaluate(`(() => { const leaving = new Event('beforeunload', { cancelable: true }); return !dispatchEvent(leaving); })()`);
  expect(await wouldAsk()).toBe(false);
  for (const host of ['a.example', 'b.example', 'c.example', 'd.example', 'e.example']) {
    await page.click('text=Ask');
    await page.fill('#subject', host);
    await page.click('.offers button:has-text("SPF")');
    await page.waitForSelector(`.running:has-text("${host === 'e.example' ? 'Waiting' : 'Asking'}")`);
  }
  expect(held.map((route) => (route.request().postDataJSON() as { host: string }).host)).toEqual([
    'a.example',
    'b.example',
    'c.example',
    'd.example',
  ]);
  expect(await wouldAsk()).toBe(true);
  await held[1]!.fulfill({ status: 503, json: { error: 'busy', code: 'busy' } });
  await page.waitForSelector('.running:has-text("Asking")');
  await expect.poll(() => held.length).toBe(5);
  for (const route of held.toSpliced(1, 1)) await route.fulfill({ json: {} });
  await page.waitForSelector('.report-tools');
  await expect.poll(wouldAsk).toBe(false);
  await page.context().close();
});

describe('reports', () => {
  let watched: Watched;
  let answer: Record<string, unknown> = {};
  beforeAll(async () => {
    watched = await world.chromium.open(`${world.vedette.url}/`, { key: world.vedette.key });
    await watched.page.route('**/v2/*', (route) => (route.request().method() === 'POST' ? answerWith(route, answer) : route.continue()));
  });
  afterAll(() => watched?.page.context().close());

  /** Presses the page's own buttons until nothing is closed: in one call, since a report may have dozens of them. */
  const OPEN_ALL = `(async () => {
    const press = (text) => [...document.querySelectorAll('.answer button')].filter((one) => one.textContent.toLowerCase().includes(text)).map((one) => one.click()).length;
    press('open all');
    do await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))); while (press('show all') > 0);
  })()`;

  let shown = 0;
  /** Goes to a page of the console without loading it again. */
  const goTo = (page: Page, address: string): Promise<unknown> =>
    page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`);

  /** Asks by the page's form, and opens all that is closed. */
  async function show({ name, request }: Example, report: Record<string, unknown>): Promise<Page> {
    const { page } = watched;
    answer = report;
    shown += 1;
    const search = new URLSearchParams(
      Object.entries(request).flatMap(([field, value]) =>
        typeof value === 'string' || typeof value === 'number' ? [[field, String(value)]] : [],
      ),
    );
    // An address of its own: an earlier answer to the same question is not this one.
    search.set('shown', String(shown));
    await goTo(page, '/');
    await goTo(page, `/ask/${name}?${search.toString()}`);
    await page.waitForSelector('.operation');
    const file = page.locator('.first input[type=file]');
    if ((await file.count()) > 0)
      await file.setInputFiles({ name: 'a.eml', mimeType: 'message/rfc822', buffer: Buffer.from('Subject: x\r\n\r\nx') });
    await page.click('button.primary');
    await page.waitForSelector('.report-tools');
    await page.evaluate(OPEN_ALL);
    return page;
  }

  it('there is one of each operation', () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(39);
  });

  it.each(EXAMPLES)('of $name shows every value', async (example) => {
    const page = await show(example, example.report);
    const text = (await page.textContent('.answer'))!.replaceAll(/\s+/g, ' ');
    const missing = leavesOf(example.report).filter((leaf) => !text.includes(leaf.text.replaceAll(/\s+/g, ' ')));
    expect(missing).toEqual([]);
    expect(await watched.faults()).toMatchObject({ violations: [], errors: [] });
  });

  it.each(['spf-validator', 'site-trust', 'ping-test', 'eml-insights'])('of %s are read in the dark and on a phone', async (name) => {
    const example = EXAMPLES.find((one) => one.name === name)!;
    const page = await show(example, example.report);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    try {
      expect(await seriousFaults(page)).toEqual([]);
    } finally {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize({ width: 1280, height: 900 });
    }
  });

  it('fit the smallest phone and a zoom of 200 %, whatever they hold', async () => {
    const wider: string[] = [];
    for (const example of EXAMPLES) {
      await watched.page.setViewportSize({ width: 320, height: 844 });
      const page = await show(example, withStrings(example.report, 'long-'.repeat(300)) as Record<string, unknown>);
      for (const width of [320, 640]) {
        await page.setViewportSize({ width, height: 844 });
        if (await isWider(page)) wider.push(`${example.name} at ${width}`);
      }
    }
    await watched.page.setViewportSize({ width: 1280, height: 900 });
    expect(wider).toEqual([]);
  });

  const exampleOf = (name: string): Example => EXAMPLES.find((example) => example.name === name)!;

  it('are printed whole: no row, failure or line waits for a scroll bar', async () => {
    const example = exampleOf('ping-test');
    const [entry] = example.report['locations'] as object[];
    const locations = Array.from({ length: 60 }, (_, i) => ({
      ...entry,
      location: `l-${i}`,
      city_name: `City ${i}`,
      reason: `reason_${i % 20}`,
      error: `It failed for the reason ${i % 20}`,
    }));
    const page = await show(example, { ...example.report, locations });
    await page.emulateMedia({ media: 'print' });
    try {
      const cut = `[...document.querySelectorAll('.answer *:not(svg, svg *, .off-screen)')]
        .filter((one) => one.checkVisibility())
        .filter((one) => !one.checkVisibility({ contentVisibilityAuto: true }) ||
          getComputedStyle(one).overflowX !== 'visible' && (one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth))
        .map((one) => one.tagName + ' ' + one.className)`;
      expect(await page.evaluate(cut)).toEqual([]);
    } finally {
      await page.emulateMedia({ media: 'screen' });
    }
  });

  it('begin with the verdict, its factors, and sources without an answer', async () => {
    const example = exampleOf('ip-reputation');
    const page = await show(example, example.report);
    const verdict = (await page.textContent('.verdict'))!;
    for (const part of ['dangerous', '53', '+45', 'UCEPROTECT Level 1', 'young_as', '9 of 11 sources answered', 'PSBL', 'it was late'])
      expect(verdict).toContain(part);
    expect(
      await page.evaluate(`(() => {
      const [verdict, members] = ['.verdict', '.answer .members'].map((one) => document.querySelector(one));
      return Boolean(verdict.compareDocumentPosition(members) & Node.DOCUMENT_POSITION_FOLLOWING);
    })()`),
    ).toBe(true);
  });

  it('draw requests over time, the way of a message and its files', async () => {
    const tracked = exampleOf('http-tracker');
    const page = await show(tracked, tracked.report);
    expect(await page.locator('.requests .lanes > li').count()).toBe((tracked.report['http_requests'] as unknown[]).length);
    expect(await seriousFaults(page)).toEqual([]);
    const message = exampleOf('eml-insights');
    await show(message, message.report);
    expect(await page.locator('.timeline > li').count()).toBe((message.report['hops'] as unknown[]).length);
    expect(await page.locator('.tree li').allTextContents()).toEqual([
      expect.stringContaining('logo.png'),
      expect.stringContaining('can run'),
    ]);
  });

  it('of 500 findings show the worst hundred first, and the rest by a press', async () => {
    const example = exampleOf('tls-check');
    const issues_found = Array.from({ length: 500 }, (_, i) => ({
      code: `CODE_${i}`,
      type: i % 100 === 99 ? 'error' : 'information',
      message: `Finding ${i}`,
    }));
    const page = await show(example, { ...example.report, issues_found });
    // Opening everything has pressed the button already.
    expect(await page.locator('.findings > ul > li').count()).toBe(500);
    expect(await page.locator('.findings > ul > li .state').nth(4).textContent()).toBe('error');
    expect(await page.locator('.findings > ul > li .state').nth(5).textContent()).toBe('information');
  });

  const HOSTILE = `"><img src=x onerror="window.canary=1"><script>window.canary=2</script><a href="javascript:window.canary=3">\u202Ejavascript:window.canary=4\u200B'`;

  it.each(EXAMPLES)('of $name runs nothing that is written in it, and leads nowhere', async (example) => {
    const page = await show(example, withStrings(example.report, HOSTILE) as Record<string, unknown>);
    expect(await page.evaluate('[typeof canary, document.querySelectorAll(".answer :is(img, script, a, object, embed)").length]')).toEqual([
      'undefined',
      0,
    ]);
    const text = (await page.textContent('.answer'))!;
    expect(
      leavesOf(example.report).every(({ text: leaf }) => /^[\d.]+$|^(?:yes|no)$/.test(leaf)) ||
        text.includes('<script>window.canary=2</script>'),
    ).toBe(true);
    expect(/[\u202E\u200B]/.test(text)).toBe(false);
    expect(await watched.faults()).toMatchObject({ violations: [], errors: [] });
  });
});
