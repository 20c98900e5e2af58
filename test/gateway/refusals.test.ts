import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { type AppServer, openApp, post, statuses } from './app-server.ts';

const get = ({ port }: AppServer, path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers });
const v1 = (server: AppServer, key: string) => get(server, `/v1/echo/v1/pay-as-you-go/?key=${key}&host=a`);
const lines = ({ log }: AppServer) => log.filter(({ msg }) => msg === 'request' || msg === 'requests refused');

it('whoever has shown no key is let go of; whoever has is not', async () => {
  await using server = await openApp();
  const connection = async (path: string, key = '') => {
    const response = await get(server, path, { 'x-api-key': key });
    return [response.status, response.headers.get('connection')];
  };
  expect(await connection('/v2/nothing')).toEqual([404, 'close']);
  expect(await connection('/v2/locations')).toEqual([401, 'close']);
  expect(await connection('/v2/locations', 'bad')).toEqual([401, 'close']);
  expect(await connection('/v2/locations', 'key-of-a')).toEqual([200, 'keep-alive']);
  expect(await connection('/openapi.json')).toEqual([200, 'keep-alive']);
});

it('a body that is still coming does not cost its sender the answer', async () => {
  await using server = await openApp();
  const head = post('a', { key: '' }).replace(/Content-Length: \d+\r\n\r\n.*$/, 'Content-Length: 60000\r\n\r\n');
  const socket = connect(server.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.write(head);
  for (let i = 0; i < 6; i++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.write('x'.repeat(10_000));
  }
  await expect.poll(() => socket.destroyed).toBe(true);
  expect(statuses(text)).toEqual([401]);
});

it('every answer says nosniff, and what was paid for or is for one account alone is for no cache', async () => {
  await using server = await openApp();
  const said = async (path: string, headers = {}) => {
    const response = await get(server, path, headers);
    return [response.status, response.headers.get('x-content-type-options'), response.headers.get('cache-control')];
  };
  expect(await said('/v2/nothing')).toEqual([404, 'nosniff', null]);
  expect(await said('/v2/%')).toEqual([404, 'nosniff', null]);
  expect(await said('/v2/locations', { 'x-api-key': 'key-of-a' })).toEqual([200, 'nosniff', 'no-store']);
  expect(await said('/docs')).toEqual([200, 'nosniff', 'no-cache']);
  for (const [key, status] of [
    ['key-of-a', 200],
    ['bad', 401],
  ] as const)
    expect(await said(`/v1/echo/v1/pay-as-you-go/?key=${key}&host=a`)).toEqual([status, 'nosniff', 'no-store']);
  expect(await server.raw('BLAH\r\n\r\n')).toMatch(/\r\nx-content-type-options: nosniff\r\n/);
});

it('a thousand refusals are told in three lines, and each paid request in its own', async () => {
  const server = await openApp();
  for (let i = 0; i < 20; i++) {
    await Promise.all(Array.from({ length: 50 }, () => get(server, '/v2/nothing').then((response) => response.text())));
    await server.raw(post('a', { headers: 'Connection: close\r\n' }));
  }
  await server[Symbol.asyncDispose]();
  const refused = lines(server).filter(({ status }) => status === 404);
  // 12,800 lines a second it was.
  expect(refused.length).toBeLessThan(10);
  expect(refused[0]).toMatchObject({ msg: 'request', code: 'unknown_operation', request_id: expect.any(String) as string });
  const sums = refused.filter(({ msg }) => msg === 'requests refused');
  const firsts = refused.length - sums.length;
  expect(sums.reduce((sum, { count }) => sum + Number(count), firsts)).toBe(1000);
  expect(lines(server).filter(({ status, account }) => status === 200 && account === 'a')).toHaveLength(20);
});

it('the line of a request says who asked for what, what came of it and what it cost', async () => {
  const server = await openApp();
  await server.raw(post('a', { headers: 'Connection: close\r\n' }));
  await server.raw(post('a', { headers: 'Connection: close\r\nIdempotency-Key: a b\r\n' }));
  await get(server, '/v2/locations?a=b');
  await server[Symbol.asyncDispose]();
  const [paid, refused, stranger] = lines(server);
  const known = { account: 'a', key: 'key-of-a' };
  const echo = { method: 'POST', route: '/v2/echo', operation: 'echo' };
  expect(paid).toMatchObject({ ...echo, ...known, status: 200, charged: 1, elapsed_ms: expect.any(Number) });
  expect(refused).toMatchObject({ ...echo, ...known, status: 400, code: 'invalid_parameter' });
  expect(stranger).toMatchObject({ method: 'GET', route: '/v2/locations', status: 401, code: 'key_missing' });
  for (const line of [refused, stranger]) expect(line).not.toHaveProperty('charged');
});

it('whoever is refused all the time waits for it', async () => {
  const slept: number[] = [];
  const clock = { now: () => 0, sleep: async (ms: number) => void slept.push(ms) };
  await using server = await openApp({ clock });
  for (let i = 0; i < 11; i++) await Promise.all(Array.from({ length: 50 }, () => server.app.inject('/v2/nothing')));
  // 500 go out at once in a second, and here the clock stands still.
  expect(slept).toEqual(Array(50).fill(250));
  await using unlimited = await openApp({ clock, limits: false });
  for (let i = 0; i < 11; i++) await Promise.all(Array.from({ length: 50 }, () => unlimited.app.inject('/v2/nothing')));
  expect(slept).toHaveLength(50);
});

it('strangers who are refused all the time delay no account', async () => {
  const slept: number[] = [];
  await using server = await openApp({ clock: { now: () => 0, sleep: async (ms) => void slept.push(ms) } });
  for (let i = 0; i < 12; i++) await Promise.all(Array.from({ length: 50 }, () => server.app.inject('/v2/nothing')));
  expect(slept).toHaveLength(100);
  const bad = {
    method: 'POST',
    url: '/v2/echo',
    headers: { 'x-api-key': 'key-of-a', 'content-type': 'application/json' },
    body: '{}',
  } as const;
  expect((await server.app.inject(bad)).statusCode).toBe(400);
  expect(slept).toHaveLength(100);
});

it('pages that are served are told of in no line', async () => {
  const server = await openApp();
  for (let i = 0; i < 3; i++) await get(server, '/docs').then((response) => response.text());
  await server[Symbol.asyncDispose]();
  expect(lines(server)).toEqual([]);
});

it('a web page cannot lock its visitors out with keys in URLs, and guesses are blocked all the same', async () => {
  await using server = await openApp();
  const header = async () => (await get(server, '/v2/locations', { 'x-api-key': 'key-of-a' })).status;
  const inUrl = async (key: string) => (await v1(server, key)).status;
  expect(await inUrl('key-of-a')).toBe(200);
  // Ten of these locked an office out for an hour.
  for (let i = 0; i < 10; i++) expect(await inUrl('x')).toBe(401);
  expect([await inUrl('key-of-a'), await inUrl('key-of-b'), await header()]).toEqual([200, 200, 200]);
  // Well formed ones can be made up, too: then what was good stays good, and nothing else is tried.
  for (let i = 0; i < 10; i++) expect(await inUrl(`guess-${i}`)).toBe(401);
  expect([await inUrl('key-of-a'), await inUrl('key-of-b'), await header()]).toEqual([200, 200, 200]);
  expect([await inUrl('guess-10'), await inUrl('key-of-c')]).toEqual([403, 403]);
  // No page can send the header: bad keys there block everything.
  for (let i = 0; i < 10; i++) await get(server, '/v2/locations', { 'x-api-key': `guess-${i}` });
  expect([await inUrl('key-of-a'), await header()]).toEqual([403, 403]);
});
