import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { base64Of, blobOf, type ClientOptions, createClient, type Quota, VedetteError } from '@vedette/client';
import { catalogue } from '@vedette/client/catalogue';
import { operations } from '@vedette/operations';
import { expect, it, onTestFinished } from 'vitest';

interface Asked {
  method: string | undefined;
  url: string | undefined;
  key: string | undefined;
  idempotencyKey: string | undefined;
  accept: string | undefined;
  body: string;
}
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body));
/** An answer whose connection breaks off behind these pieces. */
const pieces =
  (type: string, ...sent: string[]): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': type }).flushHeaders();
    for (const piece of sent) response.write(piece);
    setImmediate(() => response.destroy());
  };
const stream =
  (...sent: string[]): Answer =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(sent.join(''));
const event = (name: string, data: object): string => `id: 1\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const refusal = (code: string) => ({ error: `The sentence of ${code}`, code });

/** A client of a gateway that gives these answers in turn, and what it was asked. */
async function open(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const asked: Asked[] = [];
  const left = [...answers];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method, url, headers } = request;
    const [key, idempotencyKey] = ['x-api-key', 'idempotency-key'].map((name) => headers[name] as string | undefined);
    asked.push({ method, url, key, idempotencyKey, accept: headers.accept, body: await text(request) });
    (left.shift() ?? json(500, refusal('internal')))(response, request);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: createClient({ url: `${url}/`, key: 'vdt_test', ...options }), asked, url };
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** The error of a promise that rejects. */
const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

it('asks by the method of an operation, with the key and an Idempotency-Key', async () => {
  const { client, asked } = await open([json(200, { host: '192.0.2.1' }), json(200, { locations: [] }), json(200, { credits: {} })]);
  expect(await client.pingTest({ host: '192.0.2.1' })).toEqual({ host: '192.0.2.1' });
  expect(await client.locations()).toEqual({ locations: [] });
  expect(await client.accountInfo()).toEqual({ credits: {} });
  expect(asked).toEqual([
    {
      method: 'POST',
      url: '/v2/ping-test',
      key: 'vdt_test',
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      accept: 'application/json',
      body: '{"host":"192.0.2.1"}',
    },
    { method: 'GET', url: '/v2/locations', key: 'vdt_test', idempotencyKey: undefined, accept: 'application/json', body: '' },
    expect.objectContaining({ method: 'POST', url: '/v2/account-info', body: '{}' }),
  ]);
});

it('calls what is no operation: a change is sent once, a look as often as it takes', async () => {
  const { client, asked } = await open([
    json(503, refusal('overloaded'), { 'retry-after': '0' }),
    json(200, { keys: [] }),
    json(503, refusal('overloaded'), { 'retry-after': '0' }),
  ]);
  expect(await client.call('/v2/keys?account=a')).toEqual({ keys: [] });
  expect(await errorOf(client.call('/v2/keys/revoke', { id: 'abcdefghijklmnop' }))).toMatchObject({ code: 'overloaded' });
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /v2/keys?account=a',
    'GET /v2/keys?account=a',
    'POST /v2/keys/revoke',
  ]);
});

it('has a method and a row of the catalogue for each operation', async () => {
  const { client } = await open([]);
  const names = operations.map(({ name }) => name).sort();
  expect(catalogue.map(({ name }) => name).sort()).toEqual(names);
  const methods = names.map((name) => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()));
  expect(methods.filter((name) => typeof client[name as 'pingTest'] !== 'function')).toEqual([]);
});

it('tells in the catalogue what a request takes, without references', () => {
  const ping = catalogue.find(({ name }) => name === 'ping-test')!;
  expect(ping).toMatchObject({ credits: 5, stream: 'locations', example: { host: 'example.org' } });
  expect(ping.request.properties['options']?.properties?.['count']).toMatchObject({ type: 'integer', minimum: 1, maximum: 16 });
  expect(catalogue.find(({ name }) => name === 'tor-test')).toMatchObject({ bulk: 'ip' });
  expect(JSON.stringify(catalogue)).not.toContain('$ref');
});

it('throws the refusal of the API, at once where waiting does not help', async () => {
  const { client, asked } = await open([
    json(400, { ...refusal('missing_parameter'), param: 'host' }, { 'x-request-id': 'r-1' }),
    json(503, refusal('no_vpn_exit')),
  ]);
  const error = await errorOf(client.pingTest({ host: '' }));
  expect(error).toBeInstanceOf(VedetteError);
  expect(error).toMatchObject({
    message: 'The sentence of missing_parameter',
    code: 'missing_parameter',
    status: 400,
    param: 'host',
    requestId: 'r-1',
  });
  expect(await errorOf(client.vpnTest({ url: 'https://example.org/' }))).toMatchObject({ code: 'no_vpn_exit', status: 503 });
  expect(asked).toHaveLength(2);
});

it('asks again when Retry-After says so, with the same Idempotency-Key', async () => {
  const { client, asked } = await open([
    json(429, refusal('rate_limited'), { 'retry-after': '0' }),
    json(503, refusal('overloaded'), { 'retry-after': '0' }),
    json(200, { ip: '192.0.2.1' }),
  ]);
  expect(await client.ipReputation({ ip: '192.0.2.1' })).toEqual({ ip: '192.0.2.1' });
  expect(asked).toHaveLength(3);
  expect(new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

it('gives up after three more requests, or at once before a long wait', async () => {
  const busy = json(429, refusal('rate_limited'), { 'retry-after': '0' });
  const { client, asked } = await open([busy, busy, busy, busy, json(429, refusal('rate_limited'), { 'retry-after': '3600' })]);
  expect(await errorOf(client.ipReputation({ ip: '192.0.2.1' }))).toMatchObject({ code: 'rate_limited', retryAfterMs: 0 });
  expect(asked).toHaveLength(4);
  expect(await errorOf(client.ipReputation({ ip: '192.0.2.1' }))).toMatchObject({ retryAfterMs: 3_600_000 });
  expect(asked).toHaveLength(5);
});

it('asks again after a broken connection, and while the broken request still runs', async () => {
  const { client, asked } = await open([
    (response) => void response.destroy(),
    json(409, refusal('idempotency_conflict')),
    json(200, { ip: '192.0.2.1' }),
  ]);
  expect(await client.ipReputation({ ip: '192.0.2.1' }, { idempotencyKey: 'mine' })).toEqual({ ip: '192.0.2.1' });
  expect(asked.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['mine', 'mine', 'mine']);
  const { client: other, asked: once } = await open([json(409, refusal('idempotency_conflict'))]);
  expect(await errorOf(other.ipReputation({ ip: '192.0.2.1' }))).toMatchObject({ code: 'idempotency_conflict' });
  expect(once).toHaveLength(1);
});

it('says so where there is no gateway, or something else', async () => {
  const { client: away } = await open([], { url: 'http://127.0.0.1:1', retries: 0 });
  expect(await errorOf(away.accountInfo())).toMatchObject({ code: 'unreachable', status: 0, message: 'No answer from http://127.0.0.1:1' });
  const html: Answer = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello');
  const { client, asked } = await open([html, (response) => void response.writeHead(502).end('<p>Bad Gateway')]);
  expect(await errorOf(client.accountInfo())).toMatchObject({ code: 'unreadable', status: 200 });
  expect(await errorOf(client.accountInfo())).toMatchObject({ code: 'unreadable', status: 502 });
  expect(asked).toHaveLength(2);
});

it('takes the key nowhere else', async () => {
  const { url, asked } = await open([json(200, {})]);
  const { client, asked: asks } = await open([(response) => void response.writeHead(307, { location: `${url}/v2/account-info` }).end()]);
  expect(await errorOf(client.accountInfo())).toMatchObject({
    code: 'unreadable',
    status: 307,
    message: `The gateway redirects to ${url}/v2/account-info`,
  });
  expect(asks).toHaveLength(1);
  expect(asked).toEqual([]);
});

it('yields the events of a stream, however they are cut into pieces', async () => {
  const sent = `: hello\n\n${event('location', { id: 'eu-fra' })}${event('location', { id: 'ø' })}${event('report', { locations: 2 })}`;
  const bytes = new TextEncoder().encode(sent);
  const { client, asked } = await open([
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of bytes) response.write(Uint8Array.of(byte));
      response.end();
    },
  ]);
  expect(await all(client.pingTest.events({ host: '192.0.2.1' }))).toEqual([
    { event: 'location', data: { id: 'eu-fra' } },
    { event: 'location', data: { id: 'ø' } },
    { event: 'report', data: { locations: 2 } },
  ]);
  expect(asked[0]).toMatchObject({ accept: 'text/event-stream' });
});

it('yields the chosen locations first, and no event that a newer gateway has', async () => {
  const chosen = { locations: [{ location: 'eu-fra' }] };
  const { client } = await open([stream(event('locations', chosen), event('weather', { in: 'eu-fra' }), event('report', {}))]);
  expect(await all(client.pingTest.events({ host: '192.0.2.1' }))).toEqual([
    { event: 'locations', data: chosen },
    { event: 'report', data: {} },
  ]);
});

it('reads a stream whose lines end with CRLF', async () => {
  const { client } = await open([stream(event('report', { locations: 0 }).replaceAll('\n', '\r\n'))]);
  expect(await all(client.pingTest.events({ host: '192.0.2.1' }))).toEqual([{ event: 'report', data: { locations: 0 } }]);
});

it('throws the error of a stream, and asks again for one that broke off', async () => {
  const { client, asked } = await open([
    stream(event('location', { id: 'eu-fra' }), event('error', refusal('no_agent'))),
    pieces('text/event-stream', event('location', { id: 'eu-fra' })),
    stream(event('report', {})),
  ]);
  expect(await errorOf(all(client.pingTest.events({ host: '192.0.2.1' })))).toMatchObject({ code: 'no_agent' });
  expect(asked).toHaveLength(1);
  expect(await all(client.pingTest.events({ host: '192.0.2.1' }))).toEqual([
    { event: 'location', data: { id: 'eu-fra' } },
    { event: 'report', data: {} },
  ]);
  expect(asked[2]!.idempotencyKey).toBe(asked[1]!.idempotencyKey);
});

it('takes the report of a gateway that has no stream of the operation: it was charged', async () => {
  const { client, asked } = await open([json(200, { valid_ssl: true })]);
  expect(await all(client.sslInfo.events({ host: 'example.org' }))).toEqual([{ event: 'report', data: { valid_ssl: true } }]);
  expect(asked.map(({ accept }) => accept)).toEqual(['text/event-stream']);
});

it('yields one line for each item of a bulk request, also over a break', async () => {
  const line = (index: number) => `${JSON.stringify({ index, status: 200, cost: 1 })}\n`;
  const { client, asked } = await open([
    pieces('application/x-ndjson', line(1), '{"index":0,'),
    (response) => void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(line(1) + line(0)),
  ]);
  const lines = await all(client.ipReputation.bulk({ items: ['192.0.2.1', '192.0.2.2'] }));
  expect(lines.map(({ index }) => index)).toEqual([1, 0]);
  expect(asked.map(({ url }) => url)).toEqual(['/v2/ip-reputation/bulk', '/v2/ip-reputation/bulk']);
});

it('yields the paid report of an item whose line was a free error before a break, and no report twice', async () => {
  const line = (index: number, status: number) => `${JSON.stringify({ index, status, cost: status === 200 ? 1 : 0 })}\n`;
  const { client } = await open([
    pieces('application/x-ndjson', line(0, 503), line(1, 200), line(2, 400)),
    (response) =>
      void response
        .writeHead(200, { 'content-type': 'application/x-ndjson' })
        .end([line(1, 200), line(2, 400), line(0, 200), line(3, 200)].join('')),
  ]);
  const lines = await all(client.ipReputation.bulk({ items: ['192.0.2.1', '192.0.2.2', 'x', '192.0.2.3'] }));
  expect(lines.map(({ index, status }) => [index, status])).toEqual([
    [0, 503],
    [1, 200],
    [2, 400],
    [0, 200],
    [3, 200],
  ]);
});

it('ends with its signal, while it waits too, and leaves when its reader does', async () => {
  const gone = Promise.withResolvers<void>();
  const { client, asked } = await open([
    json(429, refusal('rate_limited'), { 'retry-after': '50' }),
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event('location', { id: 'eu-fra' }));
      response.on('close', gone.resolve);
    },
  ]);
  const controller = new AbortController();
  const waiting = errorOf(client.pingTest({ host: '192.0.2.1' }, { signal: controller.signal }));
  await expect.poll(() => asked.length, { timeout: 30_000 }).toBe(1);
  controller.abort(new Error('enough'));
  expect(await waiting).toMatchObject({ message: 'enough' });
  for await (const { event } of client.pingTest.events({ host: '192.0.2.1' })) {
    expect(event).toBe('location');
    break;
  }
  await gone.promise;
  expect(asked).toHaveLength(2);
});

it('tells the credits of the account', async () => {
  const quotas: Quota[] = [];
  const header = { 'x-service-quota': 'limit=10000, remaining=9876, reset=1767225600, cost=5' };
  const { client } = await open([json(200, {}, header), json(200, {})], { onQuota: (quota) => void quotas.push(quota) });
  await client.accountInfo();
  await client.accountInfo();
  expect(quotas).toEqual([{ limit: 10_000, remaining: 9876, reset: 1_767_225_600, cost: 5 }]);
});

it('turns files into blobs and back', async () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, i) => i % 256);
  const base64_file = await base64Of(bytes);
  expect(base64_file).toBe(Buffer.from(bytes).toString('base64'));
  expect(await base64Of(new Blob([bytes]))).toBe(base64_file);
  const blob = blobOf({ base64_file, format: 'PNG' })!;
  expect(blob.type).toBe('image/png');
  expect(new Uint8Array(await blob.arrayBuffer())).toEqual(bytes);
  expect(blobOf({ base64_file: '', format: 'PNG' })).toBeUndefined();
});

it.each(['\n', '\r\n'])('reads a stream whose lines end with %j, wherever its pieces are cut', async (end) => {
  const text = [': hello', '', 'event: location', 'data: {"location":"ä"}', '', 'event: report', 'data: {}', '', ''].join(end);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const octet of new TextEncoder().encode(text)) controller.enqueue(Uint8Array.of(octet));
      controller.close();
    },
  });
  const answer = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const client = createClient({ url: 'http://gateway.test', key: 'a key', fetch: () => Promise.resolve(answer) });
  expect(await Array.fromAsync(client.pingTest.events({ host: 'example.org' }))).toEqual([
    { event: 'location', data: { location: 'ä' } },
    { event: 'report', data: {} },
  ]);
});
