import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, TARGET, type World } from './hostile-world.ts';
import { NO_BROWSER } from './one-machine.ts';

// One account floods in every way that holds something for long, and what another account sees of it is counted: nothing.
let world: World;
let flooder: string[];
let victim: string;
beforeAll(async () => {
  // The limits per target spare the targets: what is tested is what one account can hold.
  world = await startWorld({ ...NO_BROWSER, VEDETTE_OWN_TARGETS: `${TARGET}/32,hostile-lab.com` });
  [flooder, [victim]] = (await Promise.all([world.account('flooder', 20), world.account('victim', 1)])) as [string[], [string]];
});
afterAll(async () => {
  await world.close();
});

const LOCATIONS = 3;
/** Slots of an agent for HTTP, of which one account alone has the use of three quarters. */
const HTTP_SLOTS = 32;
const ALONE = LOCATIONS * HTTP_SLOTS * 0.75;

let flood = new AbortController();
afterEach(async () => {
  flood.abort();
  flood = new AbortController();
  // At the gateway, and at the agents, which hear of it later: on a busy machine the next flood found their slots taken.
  await until(async () => (await held()) === 0 && world.site.hanging === 0, 'all that was held is free again');
});
/** How many permits are held, of a pool or of all. */
const held = (pool = '') => world.metric('vedette_gateway_permits', `${pool && `pool="${pool}",location="",`}state="held"`);
async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const late = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > late) throw new Error(`never happened: ${what}`);
    await sleep(20);
  }
}

/** Sends what the flooder leaves at the end of the test; resolves to after how many seconds it may be sent again. */
async function send(key: string, operation: string, body: object, headers: Record<string, string> = {}): Promise<number> {
  const { signal } = flood;
  try {
    const response = await world.post(operation, body, { 'x-api-key': key, ...headers }, signal);
    await response.text();
    return Number(response.headers.get('retry-after'));
  } catch (error) {
    if (!signal.aborted) throw error;
    return 0;
  }
}
/** Twelve requests of the victim, one after the other; the statuses, and what its entries failed by. */
async function twelve(operation: string, body: (n: number) => object) {
  const seen: number[] = [];
  const failures: string[] = [];
  for (let n = 0; n < 12; n++) {
    const response = await world.post(operation, body(n), { 'x-api-key': victim });
    seen.push(response.status);
    const { locations = [] } = (await response.json()) as { locations?: { reason?: string }[] };
    for (const { reason } of locations) if (reason !== undefined) failures.push(reason);
  }
  return { statuses: seen, failures };
}
const UNHARMED = { statuses: Array.from({ length: 12 }, () => 200), failures: [] };
/** Distinct URLs: identical jobs share a run. */
let page = 0;
const geoOf = (path: string) => () => ({ url: `${world.site.url}${path}?${page++}` });

describe('requests that hang', () => {
  const hang = async (keys: readonly string[], requests: number, headers: Record<string, string> = {}) => {
    const body = geoOf('/hangs');
    const { signal } = flood;
    // On a busy machine the first have their deadline before the victim has all its answers.
    const sendAgainAndAgain = async (key: string): Promise<void> => {
      while (!signal.aborted) {
        const seconds = await send(key, 'geo-request', body(), headers);
        await sleep(Math.max(1, seconds) * 1_000, undefined, { signal }).catch(() => undefined);
      }
    };
    for (let i = 0; i < requests; i++) void sendAgainAndAgain(keys[i % keys.length]!);
    await until(async () => (await held()) === ALONE, 'the flooder has all that it can get');
  };

  it.each([
    ['40 of one key', 1, {}], // before: the victim had 12 × 503
    ['80 of 20 keys of one account', 20, {}],
    ['40 event streams', 1, { accept: 'text/event-stream' }],
  ])('%s leave another account its part of every location', async (_what, keys, headers) => {
    await hang(flooder.slice(0, keys), keys === 1 ? 40 : 80, headers);
    const seen = await twelve('geo-request', geoOf('/'));
    expect(seen, JSON.stringify(seen)).toEqual(UNHARMED);
    await expect.poll(() => held()).toBe(ALONE); // of the victim's last answer something may still be held
  });

  it('leave another account room for a burst: what is not there at once is its next', async () => {
    await hang(flooder, 60);
    // The last quarter of a location is 8, of which 4 are there at once.
    const body = geoOf('/');
    const answers = await Promise.all(Array.from({ length: 24 }, () => world.post('geo-request', body(), { 'x-api-key': victim })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 200));
  });

  it('wait for a while and are told when to come back, at every location', async () => {
    await hang(flooder, 30);
    const late = await world.post('geo-request', geoOf('/hangs')(), { 'x-api-key': flooder[0]! }, AbortSignal.timeout(30_000));
    expect([late.status, late.headers.get('retry-after'), await late.json()]).toMatchObject([503, '1', { code: 'no_agent' }]);
  });
});

it('thousands of questions that nobody answers leave another account its own', async () => {
  // 800 requests of 7 questions each; without a limit all of them are under way at once.
  for (let i = 0; i < 800; i++) void send(flooder[i % 20]!, 'dns-lookup', { host: `n${page++}.silent.hostile-lab.com` });
  await until(async () => (await held('questions')) > 1_000, 'questions hang');
  expect(await twelve('dns-lookup', () => ({ host: 'good.hostile-lab.com' }))).toEqual(UNHARMED);
  expect(await twelve('geo-request', geoOf('/'))).toEqual(UNHARMED);
  expect(await held('questions')).toBeLessThanOrEqual(1_536);
});

it('bodies that do not come leave another account its own', async () => {
  const head = `POST /v2/ping-test HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 60000\r\nX-API-Key: ${flooder[0]}\r\n\r\n{`;
  const open = Array.from({ length: 200 }, () => world.raw([head], 4_000));
  await sleep(500);
  expect(await twelve('geo-request', geoOf('/'))).toEqual(UNHARMED);
  await Promise.all(open);
});
