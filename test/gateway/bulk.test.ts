import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ApiError } from '@vedette/contract';
import { central, Flag } from '@vedette/operations/kit';
import { operations } from '@vedette/operations';
import type { Ledger } from '@vedette/ledger';
import { Type } from 'typebox';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { read } from '../repo/pages.ts';
import { openApp, stubLedger } from './app-server.ts';

/** Says a word again, or does what the word says. */
let underWay = 0;
let mostUnderWay = 0;
let waiting: (() => void)[] = [];
let tried = new Set<string>();
const LONG = 'x'.repeat(100_000);

const say = central({
  name: 'say',
  subject: 'service',
  summary: 'Say a word again',
  cost: { base: 1, of: ({ loud }: { word: string; loud: boolean }) => (loud ? 2 : 1), note: '1 more with `loud`' },
  deadline_ms: 20_000,
  request: Type.Object(
    { word: Type.String({ maxLength: 10 }), loud: Flag(false, 'In capitals'), quiet: Flag(false, 'Not at all') },
    { additionalProperties: false },
  ),
  response: Type.Object({ word: Type.String() }),
  bulk: 'word',
  examples: [{ word: 'a' }],
  read({ word, loud, quiet }) {
    if (word === 'never') throw new ApiError('invalid_parameter', 'never', { param: 'word' });
    if (loud && quiet) throw new ApiError('parameter_conflict', 'both', { param: 'quiet' });
    return { word, loud };
  },
  async run({ word, loud }, { signal }) {
    mostUnderWay = Math.max(mostUnderWay, ++underWay);
    try {
      if (word.startsWith('wait'))
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve);
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        });
      if (word === 'blind') throw new ApiError('upstream_failed', 'the DNS', { retryAfterS: 5 });
      if (word.startsWith('paced') && !tried.has(word)) {
        tried.add(word);
        throw new ApiError(word === 'paced-0' ? 'overloaded' : 'target_limited', word, { retryAfterS: 0.2 });
      }
      if (word === 'closed') throw new ApiError('target_limited', word, { retryAfterS: 3_600 });
      if (word === 'broken') throw new TypeError('a defect');
      return { word: word === 'long' ? LONG : loud ? word.toUpperCase() : word };
    } finally {
      underWay--;
    }
  },
});

beforeEach(() => {
  underWay = mostUnderWay = 0;
  waiting = [];
  tried = new Set();
});

/** What happened to the money, in order. */
function countingLedger({ credits = Infinity, kept = new Map<string, string>() } = {}) {
  const seen = { held: new Map<string, number>(), charged: 0, released: 0, deadlines: new Set<number>() };
  let ids = 0;
  const ledger: Ledger = {
    ...stubLedger(),
    async reserve({ account, operation, cost, deadlineMs, idempotency }) {
      const answer = idempotency && kept.get(idempotency.key);
      const base = { id: `r${ids++}`, accountId: account.id, operation };
      if (answer !== undefined) return { ...base, cost: 0, answer };
      if ((credits -= cost) < 0) throw new ApiError('insufficient_credits');
      seen.held.set(base.id, cost);
      seen.deadlines.add(deadlineMs);
      return { ...base, cost, ...(idempotency && { claim: { key: idempotency.key, paidBy: base.id } }) };
    },
    async settle({ id, claim }, answer) {
      seen.charged += seen.held.get(id)!;
      if (claim && answer !== undefined) kept.set(claim.key, answer);
      seen.held.delete(id);
    },
    async release({ id }) {
      seen.released += seen.held.get(id)!;
      seen.held.delete(id);
    },
  };
  return { ledger, seen, kept };
}

async function open(given: Parameters<typeof countingLedger>[0] = {}, more: Parameters<typeof openApp>[0] = {}) {
  const { ledger, seen, kept } = countingLedger(given);
  const server = await openApp({ operations: [say], ledger, ...more });
  const post = (body: object | string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${server.port}/v2/say/bulk`, {
      method: 'POST',
      headers: { 'x-api-key': 'key-of-a', 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return { server, post, seen, kept, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

interface Line {
  index: number;
  status: number;
  cost: number;
  replayed?: boolean;
  report?: { word: string };
  code?: string;
  param?: string;
}
const linesOf = async (response: Response): Promise<Line[]> =>
  (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .toSorted((a, b) => a.index - b.index);

it('answers each item with a line: reports are paid for, and nothing else', async () => {
  await using app = await open();
  const response = await app.post({ items: ['a', 5, 'never', 'blind', 'a', 'broken', 'b'.repeat(11)], loud: true });
  expect([response.status, response.headers.get('content-type'), response.headers.get('x-service-quota')]).toEqual([
    200,
    'application/x-ndjson; charset=utf-8',
    'limit=10, remaining=10, reset=0, cost=8',
  ]);
  const invalid = (index: number) => ({
    index, status: 400, cost: 0, error: expect.stringContaining('word'), code: 'invalid_parameter', param: `items[${index}]`,
  }); // prettier-ignore
  expect(await linesOf(response)).toEqual([
    { index: 0, status: 200, cost: 2, report: { word: 'A', elapsed_ms: expect.any(Number) } },
    invalid(1),
    { ...invalid(2), error: 'A parameter has the wrong type or is out of range: never' },
    { index: 3, status: 502, cost: 0, error: expect.stringContaining('the DNS'), code: 'upstream_failed', retry_after_s: 5 },
    { index: 4, status: 200, cost: 2, report: { word: 'A', elapsed_ms: expect.any(Number) } },
    { index: 5, status: 500, cost: 0, error: expect.any(String), code: 'internal' },
    invalid(6),
  ]);
  expect(app.seen).toMatchObject({ charged: 4, released: 4, held: new Map() });
  expect(app.server.log.filter(({ msg }) => msg === 'request')).toEqual([
    expect.objectContaining({ operation: 'say/bulk', status: 200, charged: 4, entries: { answered: 2, failed: 5 } }),
  ]);
  const items = (await app.server.metrics.bulkItems.get()).values.map(({ labels, value }) => [labels.code, value]);
  expect(Object.fromEntries(items)).toEqual({ ok: 2, invalid_parameter: 3, upstream_failed: 1, internal: 1 });
});

describe('a request that is wrong as a whole is refused, and nothing is held', () => {
  it.each([
    [{}, 'missing_parameter', 'items'],
    [{ items: [] }, 'invalid_parameter', 'items'],
    [{ items: 'a' }, 'invalid_parameter', 'items'],
    [{ items: Array.from({ length: 501 }, () => 'a') }, 'invalid_parameter', 'items'],
    [{ items: ['a'], word: 'a' }, 'unknown_parameter', 'word'],
    [{ items: ['a'], loud: 1 }, 'invalid_parameter', 'loud'],
    [{ items: ['a'], loud: true, quiet: true }, 'parameter_conflict', 'quiet'],
  ])('%j', async (body, code, param) => {
    await using app = await open();
    const response = await app.post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code, param });
    expect(app.seen.deadlines.size).toBe(0);
  });

  it('by its method and its length', async () => {
    await using app = await open();
    const get = await fetch(`http://127.0.0.1:${app.server.port}/v2/say/bulk`, { headers: { 'x-api-key': 'key-of-a' } });
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await app.post({ items: ['x'.repeat(256 * 1024)] })).status).toBe(413);
    expect((await app.post({ items: Array.from({ length: 500 }, () => 'x'.repeat(200)) })).status).toBe(200);
  });

  it('by its price: all items are paid for or none', async () => {
    await using app = await open({ credits: 3 });
    const response = await app.post({ items: ['a', 'b', 'c', 'd'] });
    expect([response.status, ((await response.json()) as Line).code]).toEqual([402, 'insufficient_credits']);
    expect(app.seen).toMatchObject({ charged: 0, released: 3, held: new Map() });
  });
});

it('an item that our own pace keeps back is tried again with the credits that it holds, unless that would take too long', async () => {
  await using app = await open({ credits: 4 });
  const lines = await linesOf(await app.post({ items: ['paced-0', 'paced-1', 'closed', 'a'] }));
  expect(lines.map(({ status, code, cost }) => [status, code, cost])).toEqual([
    [200, undefined, 1],
    [200, undefined, 1],
    [429, 'target_limited', 0],
    [200, undefined, 1],
  ]);
  expect(tried).toEqual(new Set(['paced-0', 'paced-1']));
  expect(app.seen).toMatchObject({ charged: 3, released: 1, held: new Map() });
});

it('a client that leaves while items wait to be tried again pays nothing for them', async () => {
  await using app = await open();
  const leave = new AbortController();
  const body = JSON.stringify({ items: ['paced-1', 'paced-2', 'a'] });
  const headers = { 'x-api-key': 'key-of-a', 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${app.server.port}/v2/say/bulk`, { method: 'POST', headers, body, signal: leave.signal });
  await response.body!.getReader().read();
  leave.abort();
  await vi.waitFor(() => expect(app.server.log).toContainEqual(expect.objectContaining({ status: 499, charged: 1 })));
  expect(app.seen).toMatchObject({ charged: 1, released: 2, held: new Map() });
});

it('works on 32 items at a time, all of them paid for, and takes four requests of an account', async () => {
  await using app = await open();
  const items = Array.from({ length: 40 }, () => 'wait');
  const first = app.post({ items });
  await vi.waitFor(() => expect(waiting).toHaveLength(32));
  expect(app.seen.held.size).toBe(40);
  const more = [1, 2, 3].map(() => app.post({ items: ['a'] }));
  await Promise.all(more.map(async (each) => (await each).text()));
  const held = [1, 2, 3].map(() => app.post({ items: ['wait'] }));
  await vi.waitFor(() => expect(waiting).toHaveLength(35));
  const fifth = await app.post({ items: ['a'] });
  expect([fifth.status, ((await fifth.json()) as Line).code]).toEqual([429, 'rate_limited']);
  expect(await linesOf(await app.post({ items: ['a'] }, { 'x-api-key': 'key-of-b' }))).toHaveLength(1);
  while (app.seen.held.size > 0) {
    for (const go of waiting.splice(0)) go();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await linesOf(await first)).toHaveLength(40);
  await Promise.all(held.map(async (each) => (await each).text()));
  expect(app.seen.charged).toBe(47);
});

it('the items of another account have their turn although one has three requests of waiting items', async () => {
  await using app = await open();
  const items = Array.from({ length: 100 }, () => 'wait');
  const flood = [1, 2, 3, 4].map(() => app.post({ items }));
  await vi.waitFor(() => expect(waiting).toHaveLength(96)); // three quarters of 128
  expect(await linesOf(await app.post({ items: Array.from({ length: 200 }, () => 'a') }, { 'x-api-key': 'key-of-b' }))).toHaveLength(200);
  expect(waiting).toHaveLength(96);
  app.server.app.server.closeAllConnections();
  await Promise.allSettled(flood.map(async (each) => (await each).text()));
  await vi.waitFor(() => expect(app.seen.held.size).toBe(0));
});

it('a client that leaves pays for what was done; the rest is given back', async () => {
  await using app = await open();
  const leave = new AbortController();
  const body = JSON.stringify({ items: ['a', 'b', ...Array.from({ length: 50 }, () => 'wait')] });
  const response = await fetch(`http://127.0.0.1:${app.server.port}/v2/say/bulk`, {
    method: 'POST',
    headers: { 'x-api-key': 'key-of-a', 'content-type': 'application/json' },
    body,
    signal: leave.signal,
  });
  const reader = response.body!.getReader();
  let text = '';
  while (text.split('\n').length < 3) text += Buffer.from((await reader.read()).value ?? []).toString();
  await vi.waitFor(() => expect(waiting.length).toBeGreaterThanOrEqual(32));
  leave.abort();
  await vi.waitFor(() => expect(app.seen).toMatchObject({ charged: 2, released: 50, held: new Map() }));
  await vi.waitFor(() =>
    expect(app.server.log).toContainEqual(expect.objectContaining({ status: 499, charged: 2, operation: 'say/bulk' })),
  );
});

it('a client that reads nothing stops the work, and one that goes on reading has all lines', async () => {
  await using app = await open();
  const body = JSON.stringify({ items: Array.from({ length: 500 }, () => 'long') });
  const socket = connect(app.server.port, '127.0.0.1').pause();
  socket.write(
    `POST /v2/say/bulk HTTP/1.1\r\nHost: x\r\nX-API-Key: key-of-a\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  let before = -1;
  await vi.waitFor(
    () => {
      const { charged } = app.seen;
      const still = charged > 0 && charged === before;
      before = charged;
      expect(still).toBe(true);
    },
    { interval: 200, timeout: 8_000 },
  );
  expect(app.seen.charged).toBeLessThan(400);
  let text = '';
  for await (const chunk of socket) text += (chunk as Buffer).toString('latin1');
  expect(text.match(/"index":/g)).toHaveLength(500);
  expect(app.seen.charged).toBe(500);
});

it('with an Idempotency-Key, a repetition has the reports that were paid for, and pays for the others', async () => {
  await using app = await open({ kept: new Map([['mine 1', '{"word":"kept","elapsed_ms":1}']]) });
  const key = { 'idempotency-key': 'mine' };
  const body = { items: ['a', 'b', 'c'] };
  expect((await linesOf(await app.post(body, key))).map(({ report, cost, replayed }) => [report!.word, cost, replayed])).toEqual([
    ['a', 1, undefined],
    ['kept', 0, true],
    ['c', 1, undefined],
  ]);
  const again = await app.post(body, key);
  expect(again.headers.get('x-service-quota')).toContain('cost=0');
  expect((await linesOf(again)).map(({ report, cost, replayed }) => [report!.word, cost, replayed])).toEqual([
    ['a', 0, true],
    ['kept', 0, true],
    ['c', 0, true],
  ]);
  expect(app.seen.charged).toBe(2);
});

it('a gateway that stops gives back what it has not begun', async () => {
  let draining = false;
  await using app = await open({}, { draining: () => draining });
  const items = Array.from({ length: 40 }, () => 'wait');
  const asked = app.post({ items });
  await vi.waitFor(() => expect(waiting).toHaveLength(32));
  draining = true;
  for (const go of waiting) go();
  const lines = await linesOf(await asked);
  expect([lines.filter(({ status }) => status === 200).length, lines.filter(({ code }) => code === 'draining').length]).toEqual([32, 8]);
  expect(app.seen).toMatchObject({ charged: 32, released: 8 });
});

it('the samples of the page work as they stand there', async () => {
  await using app = await open();
  const url = `http://127.0.0.1:${app.server.port}/v2/say/bulk`;
  const page = read('docs/bulk.md');
  const folder = mkdtempSync(join(tmpdir(), 'vedette-sample-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'lines.ts'), /```ts\n([^]*?)```/.exec(page)![1]!);
  const { lines }: { lines(url: string, key: string, body: object): AsyncIterable<Line> } = await import(join(folder, 'lines.ts'));
  const inTypeScript = await Array.fromAsync(lines(url, 'key-of-a', { items: ['a', 5] }));
  expect(inTypeScript.toSorted((a, b) => a.index - b.index).map(({ index, status }) => [index, status])).toEqual([
    [0, 200],
    [1, 400],
  ]);
  await expect(Array.fromAsync(lines(url, 'key-of-a', { items: [] }))).rejects.toThrow('400: {"error":"A parameter');

  const program = `${/```python\n([^]*?)```/.exec(page)![1]}
import sys
print(sorted((line["index"], line["status"]) for line in lines(sys.argv[1], "key-of-a", {"items": ["a", 5]})))
`;
  const { stdout } = await promisify(execFile)('python3', ['-c', program, url]);
  expect(stdout).toBe('[(0, 200), (1, 400)]\n');
});

it('the operations with bulk requests are those that the issue names, and items stand for a required text', () => {
  const bulk = operations.filter((operation) => operation.bulk !== undefined);
  expect(bulk.map(({ name }) => name).toSorted()).toEqual([
    'domain-age', 'domain-info', 'domain-reputation', 'email-verify', 'ip-reputation', 'parked-domain', 'phone-validator', 'security-headers', 'site-trust', 'tor-test', 'url-reputation',
  ]); // prettier-ignore
  for (const operation of bulk) {
    // tor-test has another form, with a text of its own.
    expect(operation.name === 'tor-test' ? ['ip'] : operation.request.required).toContain(operation.bulk);
    expect(operation.request.properties[operation.bulk!]).toMatchObject({ type: 'string' });
  }
});
