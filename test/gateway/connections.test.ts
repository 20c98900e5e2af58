import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { connectionLimits } from '../../packages/gateway/src/door/connections.ts';
import { makePki } from '../probes/http/certificates.ts';
import { type AppServer, openApp, post, statuses, stubLedger } from './app-server.ts';

/** A client's connection, and what it has been told. */
async function open({ port }: AppServer, localAddress = '127.0.0.1'): Promise<{ socket: Socket; text(): string }> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, text: () => text };
}
const open10 = (server: AppServer, localAddress?: string) => Promise.all(Array.from({ length: 10 }, () => open(server, localAddress)));
const openOnes = (clients: readonly { socket: Socket }[]) => clients.filter(({ socket }) => !socket.destroyed).length;
const countOf = async ({ metrics }: AppServer, name: 'connectionsRefused' | 'connectionsCut', why: string) =>
  (await metrics[name].get()).values.find(({ labels }) => labels.why === why)?.value ?? 0;

describe('limits', () => {
  it.each([
    ['many', 1_048_576, { total: 10_000, perAddress: 2_500 }],
    ['20,000', 20_000, { total: 10_000, perAddress: 2_500 }],
    ['1,024', 1_024, { total: 755, perAddress: 189 }],
    ['64', 64, { total: 16, perAddress: 4 }],
  ])('with %s descriptors', (_what, descriptors, limits) => {
    const folder = mkdtempSync(join(tmpdir(), 'vedette-limits-'));
    const path = join(folder, 'limits');
    writeFileSync(
      path,
      `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${descriptors}                ${descriptors}       files\n`,
    );
    expect(connectionLimits(path)).toEqual(limits);
    expect(connectionLimits(join(folder, 'none'))).toEqual({ total: 10_000, perAddress: 2_500 });
    rmSync(folder, { recursive: true });
  });
});

describe('too many connections', () => {
  it('can come to one address alone', async () => {
    await using server = await openApp();
    expect(server.app.addresses()).toEqual([{ address: '127.0.0.1', family: 'IPv4', port: server.port }]);
  });

  it('of one address: its idle ones make room, the oldest first', async () => {
    await using server = await openApp({ connectionLimits: { total: 100, perAddress: 10 } });
    const first = await open10(server);
    const other = await open(server, '127.0.0.2');
    const second = await open10(server);
    await expect.poll(() => [openOnes(first), openOnes(second), openOnes([other])]).toEqual([0, 10, 1]);
    second[9]!.socket.write(post('a'));
    await expect.poll(() => statuses(second[9]!.text())).toEqual([200]);
    expect(await countOf(server, 'connectionsCut', 'address')).toBe(10);
  });

  it('of one address, all at work: further ones are closed, those of others are not', async () => {
    await using server = await openApp({ connectionLimits: { total: 100, perAddress: 10 } });
    const working = await open10(server);
    for (const { socket } of working) socket.write(post('hold'));
    await expect.poll(() => server.held()).toBe(10);
    const refused = await open10(server);
    await expect.poll(() => openOnes(refused)).toBe(0);
    const other = await open(server, '127.0.0.2');
    other.socket.write(post('a'));
    await expect.poll(() => statuses(other.text())).toEqual([200]);
    server.letGo();
    await expect.poll(() => working.flatMap(({ text }) => statuses(text()))).toEqual(Array(10).fill(200));
    expect(await countOf(server, 'connectionsRefused', 'address')).toBe(10);
  });

  it('in all: the oldest idle one makes room, whosever it is', async () => {
    await using server = await openApp({ connectionLimits: { total: 20, perAddress: 10 } });
    const [oldest, ...rest] = [...(await open10(server, '127.0.0.2')), ...(await open10(server, '127.0.0.3'))];
    const late = await open(server, '127.0.0.4');
    late.socket.write(post('a'));
    await expect.poll(() => [statuses(late.text()), openOnes([oldest!]), openOnes(rest)]).toEqual([[200], 0, 19]);
  });

  it('with TLS they are counted, and forgotten, as without', async () => {
    using pki = makePki({ site: { names: 'IP:127.0.0.1' } });
    const file = (name: string) => join(pki.folder, name);
    await using server = await openApp({
      connectionLimits: { total: 100, perAddress: 3 },
      tls: { certFile: file('site.pem'), keyFile: file('site.key') },
    });
    const shake = async () => {
      const socket = connectTls({ port: server.port, host: '127.0.0.1', ca: pki.root });
      socket.on('error', () => undefined);
      await once(socket, 'secureConnect');
      return socket;
    };
    for (let round = 0; round < 4; round++) {
      const sockets = [await shake(), await shake(), await shake()];
      sockets[2]!.write(post('a'));
      const [answer] = (await once(sockets[2]!, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [^]*strict-transport-security: max-age=31536000\r\n/);
      for (const socket of sockets) socket.destroy();
      await expect.poll(async () => (await server.metrics.connections.get()).values[0]!.value).toBe(0);
    }
    expect(await countOf(server, 'connectionsCut', 'address')).toBe(0);
  });
});

describe('clients that do not read', () => {
  it('are cut off, even while they go on asking; those that read slowly are not', async () => {
    let now = 0;
    await using server = await openApp({ clock: { now: () => now, sleep: async () => {} } });
    await fetch(`http://127.0.0.1:${server.port}/docs/js/scalar.js`).then((response) => response.text());
    const ask = 'GET /docs/js/scalar.js HTTP/1.1\r\nHost: x\r\n\r\n';
    const stubborn = await open(server);
    const slow = await open(server);
    for (const { socket } of [stubborn, slow]) socket.pause().write(ask.repeat(8));
    // The sweep looks once a second; here the clock goes on by 6 s each time.
    for (let i = 0; i < 3; i++) {
      slow.socket.resume();
      await sleep(200);
      slow.socket.pause();
      await sleep(1_000);
      now += 6_000;
      stubborn.socket.write(ask);
    }
    await sleep(1_100);
    expect(await countOf(server, 'connectionsCut', 'stalled')).toBe(1);
    stubborn.socket.resume();
    await expect.poll(() => stubborn.socket.destroyed).toBe(true);
    expect(slow.socket.destroyed).toBe(false);
    slow.socket.destroy();
  });
});

it('whoever reads a long report slowly is not cut off', async () => {
  let now = 0;
  await using server = await openApp({ clock: { now: () => now, sleep: async () => {} } });
  const { socket } = await open(server);
  socket.removeAllListeners('data').pause().write(post('large'));
  for (let i = 0; i < 4; i++) {
    await sleep(1_100);
    // Something of it goes, and far from all: it was one write, and nothing was seen to go.
    for (let got = 0; got < 6 * 1024 * 1024;) {
      got += (socket.read() as Buffer | null)?.length ?? 0;
      await sleep(1);
    }
    now += 6_000;
  }
  expect(await countOf(server, 'connectionsCut', 'stalled')).toBe(0);
  expect(socket.destroyed).toBe(false);
  socket.destroy();
});

describe('requests that do not wait for answers', () => {
  it('are answered in their order', async () => {
    await using server = await openApp();
    expect(statuses(await server.raw(post('a').repeat(31) + post('a', { headers: 'Connection: close\r\n' })))).toEqual(Array(32).fill(200));
  });
  it('are as many as one connection may have, which is closed then', async () => {
    await using server = await openApp();
    // All two thousand of a read were kept in memory.
    const { socket, text } = await open(server);
    socket.write('GET /v2/nothing HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000));
    await expect.poll(() => socket.destroyed).toBe(true);
    expect(statuses(text())).toEqual([]);
    expect(await countOf(server, 'connectionsCut', 'pipelined')).toBe(1);
    expect(server.log.length).toBeLessThan(5);
  });
});

it('a client that leaves while its key is looked up costs nobody anything', async () => {
  const ledger = stubLedger();
  const { promise: looked, resolve: found } = Promise.withResolvers<void>();
  let asked = false;
  const authenticate: typeof ledger.authenticate = async (text) => {
    asked = true;
    await looked;
    return ledger.authenticate(text);
  };
  await using server = await openApp({ ledger: { ...ledger, authenticate } });
  const { socket } = await open(server);
  socket.write(post('a'));
  await expect.poll(() => asked).toBe(true);
  socket.destroy();
  const gone = () => server.log.filter(({ status }) => status === 499);
  await expect.poll(gone).toHaveLength(1);
  expect(gone()).toMatchObject([{ code: 'client_gone' }]);
  found();
  await sleep(50);
  // It was an internal error.
  expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});

describe('bytes that are no request', () => {
  it('behind a whole one do not take its answer away', async () => {
    await using server = await openApp();
    const answer = server.raw([post('hold'), 'BLAH\r\n\r\n', 'more of it\r\n']);
    await expect.poll(() => server.held()).toBe(1);
    server.letGo();
    expect(await answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*"elapsed_ms":\d+\}$/);
  });
  it('behind several take none of theirs', async () => {
    await using server = await openApp();
    expect(statuses(await server.raw(`${post('a')}${post('b')}BLAH\r\n\r\n`))).toEqual([200, 200]);
  });
  it('within one are answered, once', async () => {
    await using server = await openApp();
    const chunked = post('a')
      .replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')
      .replace(/\r\n\r\n.*$/, '\r\n\r\nZZ\r\n');
    const text = await server.raw([chunked, 'BLAH']);
    expect(statuses(text)).toEqual([400]);
    expect(text).toMatch(/\r\nx-content-type-options: nosniff\r\n/);
  });
});

describe('100 Continue', () => {
  const waiting = (options: Parameters<typeof post>[1] = {}, length?: number) => {
    const [head = '', body = ''] = post('a', { headers: 'Expect: 100-continue\r\n', ...options }).split(/(?<=\r\n\r\n)/);
    return [length === undefined ? head : head.replace(/Content-Length: \d+/, `Content-Length: ${length}`), body] as const;
  };
  it('comes when the head was let in, and then the answer', async () => {
    await using server = await openApp();
    const [head, body] = waiting();
    const { socket, text } = await open(server);
    socket.write(head);
    await expect.poll(() => statuses(text())).toEqual([100]);
    socket.write(body);
    await expect.poll(() => statuses(text())).toEqual([100, 200]);
    socket.destroy();
  });
  it.each([
    ['without a key', 401, waiting({ key: '' })],
    ['with a bad key', 401, waiting({ key: 'no-such-key' })],
    ['with 65 KB to come', 413, waiting({}, 65 * 1024 + 1)],
    ['for nothing that there is', 404, waiting({ path: '/v2/nothing' })],
    ['for another method', 405, waiting({ path: '/v2/locations' })],
  ])('does not come %s', async (_what, status, [head]) => {
    await using server = await openApp();
    expect(statuses(await server.raw(head))).toEqual([status]);
  });
});
