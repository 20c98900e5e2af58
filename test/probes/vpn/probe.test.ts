import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { createAddressPolicy, type ProbePorts, type VpnExit } from '@vedette/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDialler } from '../../../packages/probes/src/net/index.ts';
import { exitEndpoints, parseVpnExits, vpnProbe } from '../../../packages/probes/src/vpn/index.ts';
import { makePki } from '../http/certificates.ts';
import { hostsResolver, loopbackPorts } from '../http/loopback-ports.ts';
import { answering, listen, rawServer } from '../http/raw-server.ts';
import { type ExitServer, freePort, microsocks, tinyproxy } from './exit-server.ts';

const credentials = { user: 'user', password: 'p:s' };
const pki = makePki({ good: { names: 'DNS:localhost' } });
let socks: ExitServer, lockedSocks: ExitServer, proxy: ExitServer, lockedProxy: ExitServer;
beforeAll(async () => {
  socks = await microsocks();
  lockedSocks = await microsocks(credentials);
  proxy = await tinyproxy();
  lockedProxy = await tinyproxy({ user: 'user', password: 'pw' });
});
afterAll(async () => {
  for (const exit of [socks, lockedSocks, proxy, lockedProxy]) await exit[Symbol.asyncDispose]();
  pki[Symbol.dispose]();
});

/** A site that keeps the addresses its visitors came from. */
const site = () => {
  const visitors: (string | undefined)[] = [];
  const page: RequestListener = (request, response) => {
    visitors.push(request.socket.remoteAddress);
    response.setHeader('Set-Cookie', ['a=1', 'b=2']);
    response.setHeader('Date', 'Thu, 01 Jan 2026 00:00:00 GMT');
    response.setHeader('Content-Type', 'text/html');
    response.end('<title>Hello</title>');
  };
  return { visitors, page };
};

// The exits resolve names themselves: only one that their own resolver knows will do.
const hosts = { localhost: ['127.0.0.1'] };
const portsWith = (exits: readonly VpnExit[], overrides: Partial<ProbePorts> = {}): ProbePorts =>
  loopbackPorts({
    hosts,
    exits,
    ca: [pki.root],
    dialler: createDialler({
      policy: createAddressPolicy({ allowNets: ['127.0.0.0/8', '::1/128'] }),
      operator: { endpoints: exitEndpoints(exits), resolver: hostsResolver({ ...hosts, 'inside.test': ['10.0.0.1'] }) },
    }),
    ...overrides,
  });
const through = (url: string, exits: string, overrides?: Partial<ProbePorts>) =>
  vpnProbe.run({ url }, portsWith(parseVpnExits(exits), overrides));

const answer = (exit: string) => ({
  exit,
  status_code: 200,
  status_message: 'OK',
  response_headers: {
    'set-cookie': 'a=1, b=2',
    date: 'Thu, 01 Jan 2026 00:00:00 GMT',
    'content-type': 'text/html',
    connection: 'close',
    'content-length': '20',
  },
  html: '<title>Hello</title>',
  error_message: '',
  elapsed_ms: expect.any(Number),
});

describe('through a real exit', () => {
  it.each([
    ['SOCKS5', () => [socks, `socks5://127.0.0.1:${socks.port}`]],
    ['SOCKS5 with credentials', () => [lockedSocks, `socks5://user:p%3As@127.0.0.1:${lockedSocks.port}`]],
    ['HTTP CONNECT', () => [proxy, `http://127.0.0.1:${proxy.port}`]],
    ['HTTP CONNECT with credentials', () => [lockedProxy, `http://user:pw@127.0.0.1:${lockedProxy.port}`]],
  ] as [string, () => [ExitServer, string]][])('%s, to http and to https', async (_kind, of) => {
    const [exit, text] = of();
    const label = text.replace(/\/\/.*@/, '//');
    const { visitors, page } = site();
    await using plain = await listen(createServer(page));
    const key = readFileSync(join(pki.folder, 'good.key'));
    await using secure = await listen(createHttpsServer({ key, cert: readFileSync(join(pki.folder, 'good.pem')) }, page));
    expect(await through(`http://localhost:${plain.port}/`, text)).toEqual(answer(label));
    expect(await through(`https://localhost:${secure.port}/`, text)).toEqual(answer(label));
    expect(await through(`http://127.0.0.1:${plain.port}/`, text)).toEqual(answer(label));
    expect(visitors).toEqual(Array(3).fill(exit.leavesFrom));
  });

  it('bound to an interface', async () => {
    const { visitors, page } = site();
    await using server = await listen(createServer(page));
    expect(await through(`http://localhost:${server.port}/`, 'iface:lo')).toEqual(answer('iface:lo'));
    expect(visitors).toEqual(['127.0.0.1']);
  });
});

describe('a target that fails behind a working exit', () => {
  it.each([
    ['SOCKS5', () => `socks5://127.0.0.1:${socks.port}`, 'connect_refused'],
    ['HTTP CONNECT', () => `http://127.0.0.1:${proxy.port}`, 'connect_unreachable'],
  ] as const)('%s', async (_kind, exit, code) => {
    await expect(through(`http://localhost:${await freePort()}/`, exit())).rejects.toMatchObject({
      code,
      partial: { status_code: 0, html: '' },
    });
  });
});

describe('an exit that fails', () => {
  it.each<[string, () => Promise<string>, string]>([
    ['is down', async () => `socks5://127.0.0.1:${await freePort()}`, 'ECONNREFUSED'],
    ['has no such interface', async () => 'iface:wg-gone', 'the interface is down'],
    ['does not know the password', async () => `socks5://user:wrong@127.0.0.1:${lockedSocks.port}`, 'the credentials were refused'],
    ['wants credentials', async () => `socks5://127.0.0.1:${lockedSocks.port}`, 'it wants credentials'],
    ['does not know the password (CONNECT)', async () => `http://user:wrong@127.0.0.1:${lockedProxy.port}`, 'it answered 401'],
  ])('%s: nothing leaves directly, the next one is asked', async (_fault, exit, seen) => {
    const { visitors, page } = site();
    await using server = await listen(createServer(page));
    const text = await exit();
    await expect(through(`http://localhost:${server.port}/`, text)).rejects.toMatchObject({
      code: 'no_vpn_exit',
      seen: expect.stringContaining(seen),
    });
    expect(visitors).toEqual([]);
    expect(await through(`http://localhost:${server.port}/`, `${text},socks5://127.0.0.1:${socks.port}`)).toEqual(
      answer(`socks5://127.0.0.1:${socks.port}`),
    );
    expect(visitors).toEqual([socks.leavesFrom]);
  });

  it.each([
    ['speaks something else', 'SSH-2.0-OpenSSH_9.2\r\n', 'socks5', 'not a SOCKS5 server'],
    ['speaks something else', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 'http', 'not an HTTP proxy'],
    ['hangs up', '', 'socks5', 'the connection was closed'],
    ['sends headers without end', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(20_000)}`, 'http', 'no end within 65536 bytes'],
    ['refuses by its rules', '\x05\x00\x05\x02\x00\x01\0\0\0\0\0\0', 'socks5', 'it refused the connection (reply 2)'],
    ['forbids the tunnel', 'HTTP/1.1 403 Filtered\r\n\r\n', 'http', 'it answered 403'],
  ])('%s', async (_fault, text, kind, seen) => {
    await using exit = await rawServer(answering(text));
    await expect(through('http://localhost:8080/', `${kind}://127.0.0.1:${exit.port}`)).rejects.toMatchObject({
      code: 'no_vpn_exit',
      seen: expect.stringContaining(seen),
    });
  });

  it('has a name: what that resolves to is judged like any other address', async () => {
    await using exit = await rawServer(() => {});
    const exits = parseVpnExits(`socks5://inside.test:${exit.port}`);
    await expect(vpnProbe.run({ url: 'http://localhost:8080/' }, portsWith(exits))).rejects.toMatchObject({
      code: 'no_vpn_exit',
      seen: expect.stringMatching(/not a public one(?!.*10\.0\.0\.1)/),
    });
    const named = parseVpnExits(`socks5://localhost:${socks.port}`);
    const { page, visitors } = site();
    await using server = await listen(createServer(page));
    await vpnProbe.run({ url: `http://localhost:${server.port}/` }, portsWith(named));
    expect(visitors).toEqual([socks.leavesFrom]);
  });

  it('hangs: the next one is asked after a while, and the job ends with its budget', async () => {
    const { page } = site();
    await using server = await listen(createServer(page));
    await using hanging = await rawServer(() => {});
    const text = `socks5://127.0.0.1:${hanging.port},socks5://127.0.0.1:${socks.port}`;
    expect(await through(`http://localhost:${server.port}/`, text)).toMatchObject({
      exit: `socks5://127.0.0.1:${socks.port}`,
      status_code: 200,
    });
    await expect(through('http://localhost:8080/', `http://127.0.0.1:${hanging.port}`, { budget_ms: 600 })).rejects.toMatchObject({
      code: 'connect_timeout',
      partial: { status_code: 0 },
    });
  });

  it('closes with the job, though it was dialled under a shorter limit', async () => {
    const closed = Promise.withResolvers<void>();
    const control = new AbortController();
    await using exit = await rawServer((socket) => {
      socket.once('close', () => closed.resolve());
      socket.once('data', () => {
        socket.write(Buffer.of(5, 0)); // greeted; the answer to the request never comes
        socket.once('data', () => control.abort());
      });
    });
    await expect(through('http://localhost:8080/', `socks5://127.0.0.1:${exit.port}`, { signal: control.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    await closed.promise;
  });

  it('is asked last for a while after failing twice', async () => {
    const { page } = site();
    await using server = await listen(createServer(page));
    await using broken = await rawServer((socket) => socket.end());
    const exits = parseVpnExits(`socks5://127.0.0.1:${broken.port},socks5://127.0.0.1:${socks.port}`);
    const clock = { ...loopbackPorts().clock, now: () => at };
    let at = 0;
    const ask = () => vpnProbe.run({ url: `http://localhost:${server.port}/` }, portsWith(exits, { clock }));
    for (let i = 0; i < 4; i++) await ask();
    expect(broken.received).toHaveLength(2);
    at = 30_001;
    await ask();
    expect(broken.received).toHaveLength(3);
  });
});

describe('what must not be contacted never reaches an exit', () => {
  it.each([
    ['a government name', 'http://example.gov/', 'blocked_policy'],
    ['metadata', 'http://169.254.169.254/', 'blocked_private_address'],
    ['a name that points inside', 'http://inside.test/', 'blocked_private_address'],
    ['a name that points inside over IPv6 only', 'http://half.test/', 'blocked_private_address'],
    ['a name that is not there', 'http://none.test/', 'dns_nxdomain'],
    ['a mail port', 'http://localhost:25/', 'blocked_policy'],
  ])('%s', async (_what, url, code) => {
    await using exit = await rawServer(() => {});
    const exits = parseVpnExits(`socks5://127.0.0.1:${exit.port}`);
    const { resolver } = loopbackPorts({ hosts: { ...hosts, 'inside.test': ['10.0.0.1'], 'half.test': ['127.0.0.1', 'fd00::1'] } });
    await expect(vpnProbe.run({ url }, portsWith(exits, { resolver }))).rejects.toMatchObject({ code });
    expect(exit.received).toEqual([]);
  });

  it('without an exit', async () => {
    await expect(through('http://localhost:8080/', '')).rejects.toMatchObject({ code: 'no_vpn_exit' });
  });
});
