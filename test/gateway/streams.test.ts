import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AskOptions, LocationReply } from '@vedette/bus';
import { blank } from '../../packages/operations/src/kit/blank.ts';
import { createAddressPolicy } from '@vedette/probes/host';
import { failure } from '@vedette/contract';
import { operations } from '@vedette/operations';
import { ping } from '@vedette/probes/ping';
import { EventSource } from 'eventsource';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { EventStream } from '../../packages/gateway/src/http/event-stream.ts';
import { ChosenLocations } from '../../packages/gateway/src/locations/chosen.ts';
import { read } from '../repo/pages.ts';
import { type AppServer, openApp, stubLedger } from './app-server.ts';

const PLACES = ['eu-fra', 'us-ash'];
const HOST = { host: '192.0.2.1' };
const ACCEPT = { accept: 'text/event-stream' };
let server: AppServer;
let url: string;
/** Reports that were paid for, and requests that came. */
let paid = 0;
let broken = false;
/** When the last location answers. */
let last: Promise<void> | undefined;
/** When the first one does. */
let first: Promise<void> | undefined;

beforeAll(async () => {
  server = await openApp({
    operations,
    ledger: { ...stubLedger(), settle: async () => void paid++ },
    policy: createAddressPolicy({ allowNets: ['192.0.2.0/24'] }),
    presence: { agents: () => [], isSimulated: (id: string) => id === 'us-ash', route: () => ({ how: 'any' }) },
    known: { ids: PLACES },
    asker: { ask },
  });
  url = `http://127.0.0.1:${server.port}/v2/ping-test`;
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  paid = 0;
  broken = false;
  first = last = undefined;
});

/** Every location measures nothing wrong, one after the other. */
async function ask({ locations, onReply }: AskOptions): Promise<LocationReply[]> {
  const replies = locations.map(async (location, index) => {
    await (index > 0 ? last : first);
    const head = { location, agent: 'a', simulated: false, agent_state: 'ready' as const };
    const reply = broken ? { ...head, failure: failure('agent_lost') } : { ...head, result: blank(ping.result) };
    onReply?.(reply, index);
    return reply;
  });
  return Promise.all(replies);
}

const post = (headers: Record<string, string>, body: object = HOST) =>
  fetch(url, {
    method: 'POST',
    headers: { 'x-api-key': 'key-of-a', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** The fields of each block: comments and ids without an event too. */
const blocksOf = (text: string) =>
  text
    .trim()
    .split('\n\n')
    .map((block) => Object.fromEntries(block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)])));

/** The events of Python's httpx-sse: each empty line ends one, with or without data, as soon as any id was sent. */
function byHttpxSse(text: string): [event: string, data: string][] {
  const events: [string, string][] = [];
  let fields = new Map<string, string>();
  let id = '';
  for (const line of text.split('\n').slice(0, -1)) {
    const [name = '', value = ''] = line.split(': ', 2);
    if (name === 'id') id = value;
    if (name !== '' && name !== 'id') fields.set(name, value);
    if (line !== '' || (fields.size === 0 && id === '')) continue;
    events.push([fields.get('event') ?? 'message', fields.get('data') ?? '']);
    fields = new Map();
  }
  return events;
}

it('has an id and data on every event: an id alone at the start was handed on as one, and was no JSON', async () => {
  const response = await post(ACCEPT);
  const requestId = response.headers.get('x-request-id')!;
  const [comment, ...blocks] = blocksOf(await response.text());
  expect(comment).toEqual({ '': 'measuring' });
  expect(blocks.map(({ data }) => typeof JSON.parse(data))).toEqual(['object', 'object', 'object', 'object']);
  expect(blocks.map(({ id, event }) => [id, event])).toEqual([
    [`${requestId}-0`, 'locations'],
    [`${requestId}-1`, 'location'],
    [`${requestId}-2`, 'location'],
    [`${requestId}-3`, 'report'],
  ]);
});

it('names the chosen locations before any of them answers, by a selection in words too', async () => {
  const { promise, resolve: answers } = Promise.withResolvers<void>();
  onTestFinished(() => answers());
  first = last = promise;
  const response = await post(ACCEPT, { ...HOST, locations: ['continent:EU', 'us-ash'] });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('"us-ash"')) text += (await reader.read()).value;
  const [, { event, data } = {}] = blocksOf(text);
  expect(event).toBe('locations');
  const chosen = JSON.parse(data);
  expect([...Value.Errors(ChosenLocations, chosen)]).toEqual([]);
  expect(chosen.locations).toEqual([
    {
      location: 'eu-fra',
      continent_code: 'EU',
      continent_name: 'Europe',
      country_code: 'DE',
      country_name: 'Germany',
      city_name: 'Frankfurt',
    },
    expect.objectContaining({ location: 'us-ash', country_code: 'US', simulated: true }),
  ]);
  answers();
  while (!text.includes('event: report')) text += (await reader.read()).value;
  expect(blocksOf(text).map((block) => block['event'])).toEqual([undefined, 'locations', 'location', 'location', 'report']);
});

it('is JSON for a client that takes both: the reference page showed raw events', async () => {
  const response = await post({ accept: 'application/json, text/event-stream' });
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toMatchObject({ locations: [{ location: 'eu-fra' }, { location: 'us-ash' }] });
});

it('goes on for nobody: 204 to a request with Last-Event-ID, free; JSON is not asked about it', async () => {
  const again = await post({ ...ACCEPT, 'last-event-id': 'c0ffee-3' });
  expect([again.status, await again.text(), again.headers.get('x-service-quota')]).toEqual([
    204,
    '',
    'limit=10, remaining=10, reset=0, cost=0',
  ]);
  expect(paid).toBe(0);
  expect((await post({ 'last-event-id': 'c0ffee-3' })).status).toBe(200);
  const central = await fetch(url.replace('ping-test', 'spf-validator'), {
    method: 'POST',
    headers: { 'x-api-key': 'key-of-a', 'content-type': 'application/json', ...ACCEPT, 'last-event-id': 'c0ffee-3' },
    body: '{}',
  });
  expect(central.status).toBe(400);
});

it('an empty Last-Event-ID is none: an EventSource that has no id sends no such header (WHATWG HTML §9.2.3)', async () => {
  const first = await post({ ...ACCEPT, 'last-event-id': '' });
  expect([first.status, blocksOf(await first.text()).length, paid]).toEqual([200, 5, 1]);
});

it('an EventSource that nobody closes pays once: it paid again every three seconds', async () => {
  let asked = 0;
  const statuses: number[] = [];
  const source = new EventSource(url, {
    async fetch(_url, init) {
      asked++;
      const response = await post({ ...(init.headers as Record<string, string>), ...ACCEPT });
      statuses.push(response.status);
      return response;
    },
  });
  onTestFinished(() => source.close());
  const told: string[] = [];
  for (const event of ['locations', 'location', 'report', 'error']) source.addEventListener(event, ({ type }) => told.push(type));
  await vi.waitFor(() => expect(source.readyState).toBe(EventSource.CLOSED), { timeout: 15_000 });
  expect({ asked, statuses, paid }).toEqual({ asked: 2, statuses: [200, 204], paid: 1 });
  expect(told.slice(0, 4)).toEqual(['locations', 'location', 'location', 'report']);
});

it('ends with an error that is what a refusal would be', async () => {
  broken = true;
  const blocks = blocksOf(await (await post(ACCEPT)).text());
  const { event, data } = blocks.at(-1)!;
  expect([event, JSON.parse(data)]).toEqual([
    'error',
    { error: 'No agent could take the measurement: The agent stopped answering', code: 'no_agent' },
  ]);
  expect(paid).toBe(0);
});

it('whose client leaves is logged with what it had: its code, and the locations heard by then', async () => {
  const { promise, resolve: answers } = Promise.withResolvers<void>();
  onTestFinished(() => answers());
  last = promise;
  const left = new AbortController();
  const headers = { 'x-api-key': 'key-of-a', 'content-type': 'application/json', ...ACCEPT };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(HOST), signal: left.signal });
  await expect.poll(() => response.ok).toBe(true);
  left.abort();
  const lines = () => server.log.filter(({ msg, status }) => msg === 'request' && status === 499);
  await expect.poll(lines).toHaveLength(1);
  expect(lines()).toMatchObject([
    {
      code: 'client_gone',
      entries: { answered: 1, failed: 0 },
      account: 'a',
      key: 'key-of-a',
      method: 'POST',
      route: '/v2/ping-test',
      charged: 0, // the stub of the bus sends no job
    },
  ]);
});

it('the sample of the page works as it stands there', async () => {
  const [, sample] = /```ts\n([^]*?)```/.exec(read('docs/streams.md'))!;
  const folder = mkdtempSync(join(tmpdir(), 'vedette-sample-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'events.ts'), sample!);
  const { events }: { events(url: string, key: string, body: object): AsyncIterable<{ event: string; data: { location?: string } }> } =
    await import(join(folder, 'events.ts'));
  const told = await Array.fromAsync(events(url, 'key-of-a', HOST));
  expect(told.map(({ event }) => event)).toEqual(['locations', 'location', 'location', 'report']);
  expect(told[1]!.data.location).toBe('eu-fra');
  await expect(Array.fromAsync(events(url, 'key-of-a', { host: '10.0.0.1' }))).rejects.toThrow('400: {"error":"The target is not a public');
});

it('the sample in Python works as it stands there', async () => {
  const [, sample] = /```python\n([^]*?)```/.exec(read('docs/streams.md'))!;
  const program = `${sample}
import sys
for event, data in events(sys.argv[1], "key-of-a", {"host": "192.0.2.1"}):
    print(event, data.get("location", len(data.get("locations", []))), flush=True)
`;
  const { stdout } = await promisify(execFile)('python3', ['-c', program, url]);
  expect(stdout).toBe('locations 2\nlocation eu-fra\nlocation us-ash\nreport 2\n');
});

it('says something every 15 s while it waits, and no more once it is over', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const http = createServer();
  onTestFinished(() => void http.close());
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const opened = once(http, 'request');
  const response = fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const [, raw] = (await opened) as [unknown, ServerResponse];
  const stream = new EventStream({ raw, hijack() {}, getHeaders: () => ({}), request: { id: 'r' } } as unknown as ConstructorParameters<
    typeof EventStream
  >[0]);
  stream.open();
  stream.send('location', '{}');
  vi.advanceTimersByTime(45_000);
  stream.end('report', '{}');
  vi.advanceTimersByTime(45_000);
  const text = await (await response).text();
  expect(text.split('\n').filter((line) => line.startsWith(':'))).toEqual([': measuring', ...Array(3).fill(': still measuring')]);
  expect(byHttpxSse(text)).toEqual([
    ['location', '{}'],
    ['report', '{}'],
  ]);
});
