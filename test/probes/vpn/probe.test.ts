import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { createServer as createNetServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { createAddressPolicy } from '@vedette/probes/host';
import type { ProbePorts } from '@vedette/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseEndpoints } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { parseVpnExits, vpnProbe } from '@vedette/probes/vpn';
import { resolversThroughExits } from '../../../packages/probes/src/vpn/open-exits.ts';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { a, type Asked, fastClock, response } from '../dns/scripted-server.ts';
import { makePki } from '../http/certificates.ts';
import { hostsResolver, loopbackPorts } from '../http/loopback-ports.ts';
import { answering, listen, rawServer } from '../http/raw-server.ts';
import { freePort } from '../../free-ports.ts';
import { type ExitServer, microsocks, tinyproxy } from './exit-server.ts';
import { behindExits, type Hosts, publicResolver, relay } from './exit-world.ts';

const credentials = { user: 'user', password: 'p:s' };
const pki = makePki({ good: { names: 'DNS:site.test' } });
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

const HOSTS: Hosts = { 'site.test': ['127.0.0.1'], 'inside.test': ['10.0.0.1'] };
/** Runs the probe through exits that see these names. */
async function through(url: string, exits: string, { hosts = HOSTS, ...overrides }: Partial<ProbePorts> & { hosts?: Hosts } = {}) {
  await using resolver = await publicResolver(hosts);
  using world = behindExits({ exits: parseVpnExits(exits), resolver, clock: overrides.clock ?? systemClock });
  return await vpnProbe.run({ url }, loopbackPorts({ ca: [pki.root], ...world.ports, ...overrides }));
}

const answer = (exit: string) => ({
  exit,
  remote_addr: '127.0.0.1',
  attempts: expect.arrayContaining([expect.objectContaining({ ip_address: '127.0.0.1', outcome: 'connected' })]),
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
    expect(await through(`http://site.test:${plain.port}/`, text)).toEqual(answer(label));
    expect(await through(`https://site.test:${secure.port}/`, text)).toEqual(answer(label));
    expect(await through(`http://127.0.0.1:${plain.port}/`, text)).toEqual(answer(label));
    expect(visitors).toEqual(Array(3).fill(exit.leavesFrom));
  });

  it('to the next address where one refuses', async () => {
    const { visitors, page } = site();
    await using server = await listen(createServer(page));
    const url = `http://site.test:${server.port}/`;
    const hosts = { 'site.test': ['127.0.0.5', '127.0.0.1'] };
    expect(await through(url, `socks5://127.0.0.1:${socks.port}`, { hosts })).toMatchObject({ status_code: 200, remote_addr: '127.0.0.1' });
    expect(visitors).toEqual([socks.leavesFrom]);
  });

  it('signs in with what the URL names, where the site asks for that', async () => {
    const asks: RequestListener = (request, response) =>
      request.headers.authorization === `Basic ${btoa('user:secret')}`
        ? response.writeHead(200, { 'content-type': 'text/html' }).end('<title>In</title>')
        : response.writeHead(401, { 'www-authenticate': 'Basic realm="x"', 'content-type': 'text/html' }).end('<title>Out</title>');
    await using plain = await listen(createServer(asks));
    await using resolver = await publicResolver(HOSTS);
    using world = behindExits({ exits: parseVpnExits(`socks5://127.0.0.1:${socks.port}`), resolver });
    const job = { url: `http://site.test:${plain.port}/`, basic: btoa('user:secret') };
    expect(await vpnProbe.run(job, loopbackPorts(world.ports))).toMatchObject({ status_code: 200, html: '<title>In</title>' });
  });

  it('bound to an interface', async () => {
    const { visitors, page } = site();
    await using server = await listen(createServer(page));
    expect(await through(`http://site.test:${server.port}/`, 'iface:lo')).toEqual(answer('iface:lo'));
    expect(visitors).toEqual(['127.0.0.1']);
  });
});

describe('a target that fails behind a working exit', () => {
  it.each([
    ['SOCKS5', () => `socks5://127.0.0.1:${socks.port}`, 'connect_refused'],
    ['HTTP CONNECT', () => `http://127.0.0.1:${proxy.port}`, 'connect_unreachable'],
  ] as const)('%s', async (_kind, exit, code) => {
    await expect(through(`http://site.test:${await freePort()}/`, exit())).rejects.toMatchObject({
      code,
      partial: { status_code: 0, html: '' },
    });
  });
});

describe('an exit that does its job says plainly that it could not reach this target', () => {
  const CONNECT_FAILS = 'connect_unreachable';
  it.each<['socks5' | 'http', string, string, string]>([
    ['socks5', '\x05\x01\x00\x01\0\0\0\0\0\0', CONNECT_FAILS, 'the exit answered "general failure" (reply 1)'],
    ['socks5', '\x05\x02\x00\x01\0\0\0\0\0\0', CONNECT_FAILS, 'the exit refuses it by its rules (reply 2)'],
    ['socks5', '', CONNECT_FAILS, 'the exit hung up'],
    ['http', '', CONNECT_FAILS, 'the exit hung up'],
    ['http', 'HTTP/1.1 403 Filtered\r\n\r\n', CONNECT_FAILS, 'the exit answered 403'],
    ['http', 'HTTP/1.1 502 Bad Gateway\r\n\r\n', CONNECT_FAILS, 'the exit answered 502'],
    ['http', 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 2\r\n\r\nno', CONNECT_FAILS, 'the exit answered 503'],
    ['http', 'HTTP/1.1 504 Gateway Timeout\r\n\r\n', 'connect_timeout', 'as seen from the exit'],
  ])('%s %j: %s, and the exit goes on working', async (kind, reply, code, seen) => {
    await using exit = await relay(kind, (told, socket) => told.endsWith(':8080') && (socket.end(reply, 'latin1'), true));
    await using resolver = await publicResolver(HOSTS);
    using world = behindExits({ exits: parseVpnExits(`${kind}://127.0.0.1:${exit.port}`), resolver });
    for (const url of ['http://site.test:8080/', 'http://127.0.0.1:8080/'])
      await expect(vpnProbe.run({ url }, loopbackPorts(world.ports))).rejects.toMatchObject({
        code,
        seen: expect.stringContaining(seen),
        partial: { remote_addr: '127.0.0.1' },
      });
    expect(world.opened.working()).toBe(1);
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
    await expect(through(`http://site.test:${server.port}/`, text)).rejects.toMatchObject({
      code: 'no_vpn_exit',
      seen: expect.stringContaining(seen),
    });
    expect(visitors).toEqual([]);
    expect(await through(`http://site.test:${server.port}/`, `${text},socks5://127.0.0.1:${socks.port}`)).toEqual(
      answer(`socks5://127.0.0.1:${socks.port}`),
    );
    expect(visitors).toEqual([socks.leavesFrom]);
  });

  it.each([
    ['speaks something else', 'SSH-2.0-OpenSSH_9.2\r\n', 'socks5', 'not a SOCKS5 server'],
    ['speaks something else', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 'http', 'not an HTTP proxy'],
    ['hangs up', '', 'socks5', 'the connection was closed'],
    ['sends headers without end', `HTTP/1.1 200 OK\r\n${'X: y\r\n'.repeat(20_000)}`, 'http', 'no end within 65536 bytes'],
    ['refuses by its rules', '\x05\x00\x05\x02\x00\x01\0\0\0\0\0\0', 'socks5', 'the exit refuses it by its rules (reply 2)'],
    ['forbids the tunnel', 'HTTP/1.1 403 Filtered\r\n\r\n', 'http', 'the exit answered 403'],
  ])('%s', async (_fault, text, kind, seen) => {
    await using exit = await rawServer(answering(text));
    await expect(through('http://site.test:8080/', `${kind}://127.0.0.1:${exit.port}`)).rejects.toMatchObject({
      code: 'no_vpn_exit',
      seen: expect.stringContaining(seen),
    });
  });

  it('has a name: what that resolves to is judged like any other address', async () => {
    await using exit = await rawServer(() => {});
    await expect(through('http://site.test:8080/', `socks5://inside.test:${exit.port}`)).rejects.toMatchObject({
      code: 'no_vpn_exit',
      seen: expect.stringMatching(/not a public one(?!.*10\.0\.0\.1)/),
    });
    expect(exit.received).toEqual([]);
    const { page, visitors } = site();
    await using server = await listen(createServer(page));
    await through(`http://site.test:${server.port}/`, `socks5://exit.test:${socks.port}`);
    expect(visitors).toEqual([socks.leavesFrom]);
  });

  it('hangs: the next one is asked after a while, and without one it is no_vpn_exit, however short the budget', async () => {
    const { page } = site();
    await using server = await listen(createServer(page));
    await using hanging = await rawServer(() => {});
    const text = `socks5://127.0.0.1:${hanging.port},socks5://127.0.0.1:${socks.port}`;
    const exit = `socks5://127.0.0.1:${socks.port}`;
    for (const host of ['site.test', '127.0.0.1'])
      expect(await through(`http://${host}:${server.port}/`, text, { clock: fastClock, budget_ms: 30_000 })).toMatchObject({
        exit,
        status_code: 200,
      });
    const alone = `http://127.0.0.1:${hanging.port},socks5://127.0.0.1:${hanging.port}`;
    for (const budget_ms of [1_000, 30_000])
      await expect(through('http://site.test:8080/', alone, { clock: fastClock, budget_ms })).rejects.toMatchObject({
        code: 'no_vpn_exit',
        partial: { status_code: 0, exit: '' },
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
    await expect(through('http://site.test:8080/', `socks5://127.0.0.1:${exit.port}`, { signal: control.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    await closed.promise;
  });
});

describe('an exit is told the address that was judged, never a name', () => {
  const cases = [
    ['socks5', 'ATYP 1 127.0.0.1', 'ATYP 4 [::1]'],
    ['http', '127.0.0.1', '[::1]'],
  ] as const;

  it.each(cases)('%s, of either family, and Host and SNI keep the name', async (kind, v4, v6) => {
    const hosts = { 'site.test': ['127.0.0.1'], 'six.test': ['::1'] };
    const named: (string | undefined)[] = [];
    const key = readFileSync(join(pki.folder, 'good.key'));
    const cert = readFileSync(join(pki.folder, 'good.pem'));
    const secure = createHttpsServer({ key, cert }, (request, response) => {
      named.push(request.headers.host, request.socket instanceof TLSSocket ? String(request.socket.servername) : '');
      response.end('hello');
    });
    await using server = await listen(secure);
    await using plain = await listen(
      createServer((request, response) => response.end(request.headers.host)),
      '::1',
    );
    await using exit = await relay(kind);
    const text = `${kind}://127.0.0.1:${exit.port}`;
    await through(`https://site.test:${server.port}/`, text, { hosts });
    expect(named).toEqual([`site.test:${server.port}`, 'site.test']);
    const six = await through(`http://six.test:${plain.port}/`, text, { hosts });
    expect(six).toMatchObject({ status_code: 200, remote_addr: '::1' });
    expect(vpnProbe.contacted?.(six)).toBe('::1');
    expect(exit.told).toContain(`${v4}:${server.port}`);
    expect(exit.told.at(-1)).toBe(`${v6}:${plain.port}`);
    expect(exit.told.join()).not.toContain('test');
  });

  it.each([...cases.map(([kind]) => kind), 'iface' as const])(
    '%s: a name that rebinds after it was judged leads nowhere else',
    async (kind) => {
      const [canary, { page, visitors }] = [site(), site()];
      await using server = await listen(createServer(page), '127.0.0.9');
      await using inner = await listen(createServer(canary.page));
      await using exit = await relay(kind === 'iface' ? 'http' : kind);
      const exits = parseVpnExits(kind === 'iface' ? 'iface:lo' : `${kind}://127.0.0.1:${exit.port}`);
      await using resolver = await publicResolver({ 'rebind.test': [['127.0.0.9'], ['127.0.0.1']] });
      // The loopback at large is inner here; the exit and the resolver are the operator's own word.
      using world = behindExits({ exits, resolver, allowNets: ['127.0.0.9/32'] });
      const ask = (port: number) => vpnProbe.run({ url: `http://rebind.test:${port}/` }, loopbackPorts(world.ports));
      expect(await ask(server.port)).toMatchObject({ status_code: 200, remote_addr: '127.0.0.9' });
      // The second answer is the inner one: it is judged like the first.
      for (let i = 0; i < 2; i++) await expect(ask(inner.port)).rejects.toMatchObject({ code: 'blocked_private_address' });
      expect(visitors).toHaveLength(1);
      expect(canary.visitors).toEqual([]);
      const { port } = resolver.endpoint;
      for (const told of exit.told) expect(told).toMatch(new RegExp(`127\\.0\\.0\\.(1:${port}|9:${server.port})$`));
    },
  );
});

describe('names are resolved through the exit', () => {
  it('whatever the resolver at this location says of them', async () => {
    const { page } = site();
    await using server = await listen(createServer(page));
    const resolver = hostsResolver({ 'site.test': ['127.0.0.77'] }); // lies
    expect(await through(`http://site.test:${server.port}/`, `socks5://127.0.0.1:${socks.port}`, { resolver })).toMatchObject({
      remote_addr: '127.0.0.1',
      status_code: 200,
    });
  });

  it('by TCP, both families at once', async () => {
    await using resolver = await publicResolver({ 'six.test': ['::1'], 'four.test': ['127.0.0.1'] });
    using world = behindExits({ exits: parseVpnExits(`socks5://127.0.0.1:${socks.port}`), resolver });
    for (const host of ['six.test', 'four.test'])
      await vpnProbe.run({ url: `http://${host}:${await freePort()}/` }, loopbackPorts(world.ports)).catch(() => undefined);
    const asked = resolver.asked.filter((question) => !question.startsWith('.'));
    expect(asked.toSorted()).toEqual(['four.test A', 'four.test AAAA', 'six.test A', 'six.test AAAA']);
  });

  it('within what this location may ask about a zone, and contact', async () => {
    const limits = createTargetLimits({ clock: { now: () => 0 }, enabled: true, spares: [] });
    limits.dns('site.test', 50);
    await using exit = await relay('socks5');
    const asking = through('http://site.test:8080/', `socks5://127.0.0.1:${exit.port}`, { limits });
    await expect(asking).rejects.toMatchObject({ code: 'target_limited' });
    expect(exit.told.filter((told) => told.endsWith(':8080'))).toEqual([]);
    for (let i = 0; i < 50; i++) limits.http('127.0.0.1', 'busy.test')();
    const hosts = { 'busy.test': ['127.0.0.1'] };
    const contacting = through('http://busy.test:8080/', `socks5://127.0.0.1:${exit.port}`, { limits, hosts });
    await expect(contacting).rejects.toMatchObject({ code: 'target_limited' });
    expect(exit.told.filter((told) => told.endsWith(':8080'))).toEqual([]);
  });

  it('a zone pays for the questions that are sent, and for none to an exit that is known to fail', async () => {
    const { page } = site();
    await using server = await listen(createServer(page));
    await using resolver = await publicResolver({ 'site.test': ['127.0.0.1'], 'six.test': ['::1'] });
    const dead = [await freePort(), await freePort()].map((port) => `socks5://127.0.0.1:${port}`);
    const exits = parseVpnExits([...dead, `socks5://127.0.0.1:${socks.port}`].join());
    using world = behindExits({ exits, resolver });
    for (const exit of world.opened.all) await exit.check(new AbortController().signal).catch(() => undefined);
    const charges: unknown[] = [];
    const limits = createTargetLimits({ clock: { now: () => 0 }, enabled: true, spares: [] });
    const counting = { ...limits, dns: (...charge: Parameters<typeof limits.dns>) => (charges.push(charge), limits.dns(...charge)) };
    const ports = loopbackPorts({ ...world.ports, limits: counting });
    expect(await vpnProbe.run({ url: `http://site.test:${server.port}/` }, ports)).toMatchObject({ exit: exits[2]!.label });
    expect(charges.splice(0)).toEqual([
      ['site.test', 1],
      ['site.test', 1],
    ]);
    await expect(vpnProbe.run({ url: 'http://six.test:9/' }, ports)).rejects.toBeDefined();
    expect(charges).toEqual([
      ['six.test', 1],
      ['six.test', 1],
    ]);
  });

  it('a name that does not answer is not blamed on the exit', async () => {
    await using resolver = await publicResolver({}, ({ question }) => question.name !== '.');
    const exits = parseVpnExits(`socks5://127.0.0.1:${socks.port}`);
    using world = behindExits({ exits, resolver, clock: fastClock });
    const ports = loopbackPorts({ ...world.ports, budget_ms: 30_000 });
    for (let i = 0; i < 3; i++)
      await expect(vpnProbe.run({ url: 'http://silent.test/' }, ports)).rejects.toMatchObject({ code: 'dns_timeout' });
    expect(world.opened.working()).toBe(1);
  });
});

describe('exits are checked', () => {
  it('at the start and before use; one that fails is left out until it works again', async () => {
    const { page } = site();
    await using server = await listen(createServer(page));
    let broken = true;
    await using first = await relay('http', (_told, socket) => broken && (socket.destroy(), true));
    await using resolver = await publicResolver(HOSTS);
    const exits = parseVpnExits(`http://127.0.0.1:${first.port},socks5://127.0.0.1:${socks.port}`);
    using world = behindExits({ exits, resolver, clock: fastClock });
    const changes: string[] = [];
    const healed = Promise.withResolvers<void>();
    const checked = Promise.withResolvers<void>();
    world.opened.start(({ label, works }) => {
      changes.push(`${label.split(':')[0]} ${works}`);
      if (changes.length === 2) checked.resolve();
      if (changes.at(-1) === 'http true') healed.resolve();
    });
    await checked.promise;
    expect(world.opened.working()).toBe(1);
    const used = first.told.length;
    const ask = () => vpnProbe.run({ url: `http://127.0.0.1:${server.port}/` }, loopbackPorts({ ...world.ports, budget_ms: 30_000 }));
    expect(await ask()).toMatchObject({ exit: exits[1]!.label });
    expect(first.told).toHaveLength(used);
    broken = false;
    await healed.promise;
    expect(world.opened.working()).toBe(2);
    expect(await ask()).toMatchObject({ exit: exits[0]!.label });
    expect(changes.toSorted()).toEqual(['http false', 'http true', 'socks5 true']);
  });

  it('one that dies between two checks is found out, not the target: the next one is asked within the deadline', async () => {
    const { page } = site();
    await using server = await listen(createServer(page));
    let dead = false;
    await using first = await relay('socks5', () => dead); // takes the request and is silent from then on
    await using resolver = await publicResolver(HOSTS);
    const exits = parseVpnExits(`socks5://127.0.0.1:${first.port},socks5://127.0.0.1:${socks.port}`);
    for (const host of ['127.0.0.1', 'site.test']) {
      using world = behindExits({ exits, resolver, clock: fastClock });
      dead = false;
      await world.opened.all[0]!.check(new AbortController().signal);
      dead = true;
      const asking = vpnProbe.run({ url: `http://${host}:${server.port}/` }, loopbackPorts({ ...world.ports, budget_ms: 30_000 }));
      expect(await asking).toMatchObject({ exit: exits[1]!.label, status_code: 200 });
    }
  });

  it.each([
    ['NXDOMAIN', 3],
    ['REFUSED', 5],
  ])('one behind which every name is %s does not work', async (rcode, code) => {
    await using resolver = await publicResolver({}, (asked) => (asked.reply(response(asked.query, { rcode: code })), true));
    using world = behindExits({ exits: parseVpnExits(`socks5://127.0.0.1:${socks.port}`), resolver });
    await expect(vpnProbe.run({ url: 'http://site.test/' }, loopbackPorts(world.ports))).rejects.toMatchObject({
      code: 'no_vpn_exit',
      seen: expect.stringContaining(`${rcode} for the root`),
    });
    expect(world.opened.working()).toBe(0);
  });
});

describe('an exit that dies while the answer comes', () => {
  /** A page whose end never comes, and what is to happen once its beginning was sent. */
  const endless = (begun: () => void) =>
    createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100' });
      response.write('<title>Half');
      begun();
    });
  const PLAIN = { budget_ms: 29_000, clock: fastClock };

  /** What a target does with its first connection until the exit dies. */
  const PHASES: Record<string, (socket: Socket, die: () => void) => void> = {
    'before it has connected': () => undefined,
    'in the TLS handshake': (socket, die) => socket.once('data', die),
    'before the head': (socket, die) => socket.once('data', die),
    'in the body': (socket, die) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 100\r\n\r\n<title>Half');
        setTimeout(die, 20);
      }),
  };
  const rows = (['socks5', 'http'] as const).flatMap((kind) =>
    (['frozen', 'killed'] as const).flatMap((how) => Object.keys(PHASES).map((phase) => [kind, how, phase] as const)),
  );

  it.each(rows)('%s, %s %s: it is no_vpn_exit, or the next one is asked', async (kind, how, phase) => {
    let dead = false;
    let visits = 0;
    const sockets = new Set<Socket>();
    const die = (): void => {
      dead = true;
      for (const socket of sockets) void (how === 'killed' ? socket.destroy() : socket.unpipe().pause());
    };
    const { page } = site();
    const isTls = phase === 'in the TLS handshake';
    const tls = { key: readFileSync(join(pki.folder, 'good.key')), cert: readFileSync(join(pki.folder, 'good.pem')) };
    const whole = isTls ? createHttpsServer(tls, page) : createServer(page);
    await using target = await listen(
      createNetServer((socket) => {
        socket.on('error', () => {}); // the exit has died
        if (visits++ === 0) PHASES[phase]!(socket, die);
        else whole.emit('connection', socket);
      }),
    );
    await using dying = await relay(kind, (told, socket) => {
      sockets.add(socket);
      if (phase === 'before it has connected' && told.endsWith(`:${target.port}`)) die();
      else if (dead && how === 'killed') socket.destroy();
      return dead;
    });
    await using resolver = await publicResolver(HOSTS);
    const url = `${isTls ? 'https' : 'http'}://site.test:${target.port}/`;
    const ask = async (exits: string) => {
      using world = behindExits({ exits: parseVpnExits(exits), resolver, clock: fastClock });
      return await vpnProbe.run({ url }, loopbackPorts({ ca: [pki.root], ...world.ports, ...PLAIN }));
    };
    const first = `${kind}://127.0.0.1:${dying.port}`;
    await expect(ask(first)).rejects.toMatchObject({ code: 'no_vpn_exit' });
    [dead, visits] = [false, 0];
    const second = `socks5://127.0.0.1:${socks.port}`;
    if (phase === 'before it has connected') visits = 1;
    expect(await ask(`${first},${second}`)).toMatchObject({ exit: second, status_code: 200, html: '<title>Hello</title>' });
  });

  it('is not what a slow target is: its exit passes every check', async () => {
    await using half = await listen(endless(() => undefined));
    const asking = through(`http://site.test:${half.port}/`, `socks5://127.0.0.1:${socks.port}`, PLAIN);
    await expect(asking).rejects.toMatchObject({ code: 'http_timeout', partial: { status_code: 200 } });
  });
});

describe('a hostile exit', () => {
  /** Does as it should for the resolver, and this for the target. */
  const withTarget = (reply: (socket: Socket) => void) =>
    relay('socks5', (told, socket) => told.endsWith(':8080') && (reply(socket), true));

  it.each<[string, (socket: Socket) => void, object]>([
    ['answers with garbage', (socket) => socket.write('\x00\xff not a reply at all'), { code: 'no_vpn_exit' }],
    ['closes midway through its reply', (socket) => socket.end(Buffer.of(5, 0, 0)), { code: 'no_vpn_exit' }],
    ['has a bound address of no known type', (socket) => socket.write(Buffer.of(5, 0, 0, 9, 1, 2, 3, 4, 5, 6)), { code: 'no_vpn_exit' }],
    ['closes after its reply', (socket) => socket.end(Buffer.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0)), { code: 'http_protocol' }],
    ['never answers', () => {}, { code: 'connect_timeout' }],
  ])('%s', async (_how, reply, expected) => {
    await using exit = await withTarget(reply);
    const asking = through('http://site.test:8080/', `socks5://127.0.0.1:${exit.port}`, { clock: fastClock, budget_ms: 30_000 });
    await expect(asking).rejects.toMatchObject(expected);
  });

  it.each([
    ['IPv4', Buffer.of(1, 10, 0, 0, 1, 0, 80)],
    ['a name', Buffer.concat([Buffer.of(3, 9), Buffer.from('localhost'), Buffer.of(0, 80)])],
    ['IPv6', Buffer.of(4, ...Array<number>(15).fill(0), 1, 0, 80)],
  ])('says that it bound to another address (%s): that is its own business', async (_kind, bound) => {
    await using exit = await withTarget((socket) => {
      const page = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi');
      socket.write(Buffer.concat([Buffer.of(5, 0, 0), bound]));
      socket.once('data', () => socket.write(page));
    });
    expect(await through('http://site.test:8080/', `socks5://127.0.0.1:${exit.port}`)).toMatchObject({
      status_code: 200,
      remote_addr: '127.0.0.1',
    });
  });

  it('answers slowly, octet by octet: it has its time, and no more', async () => {
    await using exit = await relay('socks5', (_told, socket) => {
      const reply = [5, 0, 0, 3, 250];
      const drip = setInterval(() => socket.write(Buffer.of(reply.shift() ?? 0x61)), 20);
      socket.once('close', () => clearInterval(drip));
      return true;
    });
    const asking = through('http://site.test:8080/', `socks5://127.0.0.1:${exit.port}`, { clock: fastClock, budget_ms: 30_000 });
    await expect(asking).rejects.toMatchObject({ code: 'no_vpn_exit' });
  });

  it.each([
    ['an inner address', (query: Buffer) => response(query, { answers: [a('site.test', '169.254.169.254')] }), 'blocked_private_address'],
    [
      'a public address and an inner one',
      (query: Buffer) => response(query, { answers: [a('site.test', '127.0.0.1'), a('site.test', '10.0.0.1')] }),
      'blocked_private_address',
    ],
    [
      'an alias of a government name',
      (query: Buffer) =>
        response(query, { answers: [{ type: 'CNAME', name: 'site.test', data: 'www.example.gov' }, a('www.example.gov', '127.0.0.1')] }),
      'blocked_policy',
    ],
    [
      'an alias of an inner name',
      (query: Buffer) =>
        response(query, { answers: [{ type: 'CNAME', name: 'site.test', data: 'db.internal' }, a('db.internal', '127.0.0.1')] }),
      'blocked_policy',
    ],
  ])('lies in the DNS, with %s: nobody is contacted', async (_lie, answerTo, code) => {
    await using exit = await relay('socks5');
    const lies = ({ question, query, reply }: Asked) => question.name !== '.' && (reply(answerTo(query)), true);
    await using resolver = await publicResolver({}, lies);
    using world = behindExits({ exits: parseVpnExits(`socks5://127.0.0.1:${exit.port}`), resolver });
    await expect(vpnProbe.run({ url: 'http://site.test:8080/' }, loopbackPorts(world.ports))).rejects.toMatchObject({ code });
    expect(new Set(exit.told)).toEqual(new Set([`ATYP 1 127.0.0.1:${resolver.endpoint.port}`]));
  });
});

describe('what must not be contacted is never told to an exit', () => {
  it.each([
    ['a government name', 'http://example.gov/', 'blocked_policy'],
    ['an inner name', 'http://db.internal/', 'blocked_policy'],
    ['metadata', 'http://169.254.169.254/', 'blocked_private_address'],
    ['a name that points inside', 'http://inside.test/', 'blocked_private_address'],
    ['a name that points inside over IPv6', 'http://inside6.test/', 'blocked_private_address'],
    ['a name that is not there', 'http://none.test/', 'dns_nxdomain'],
    ['a mail port', 'http://site.test:25/', 'blocked_policy'],
  ])('%s', async (_what, url, code) => {
    await using exit = await relay('socks5');
    await using resolver = await publicResolver({ ...HOSTS, 'inside6.test': ['fd00::1'] });
    using world = behindExits({ exits: parseVpnExits(`socks5://127.0.0.1:${exit.port}`), resolver });
    await expect(vpnProbe.run({ url }, loopbackPorts(world.ports))).rejects.toMatchObject({ code });
    for (const told of exit.told) expect(told).toBe(`ATYP 1 127.0.0.1:${resolver.endpoint.port}`);
    expect(resolver.asked.join()).not.toContain('internal');
  });

  it('without an exit', async () => {
    await expect(through('http://site.test:8080/', '')).rejects.toMatchObject({ code: 'no_vpn_exit' });
  });
});

describe('who is asked through exits', () => {
  const policy = createAddressPolicy();
  const named = (text: string) => resolversThroughExits(parseEndpoints(text), policy).map(({ address }) => address);

  it('the public ones of the resolvers that the operator named', () => {
    expect(named('10.0.0.2,198.41.0.4:5353,127.0.0.53,2001:db8::1')).toEqual(['198.41.0.4']);
  });

  it('well-known ones where there is none: behind an exit an inner address is another machine', () => {
    expect(named('127.0.0.53,10.0.0.2')).toEqual(['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111']);
    expect(resolversThroughExits(undefined, policy)).toEqual(resolversThroughExits([], policy));
    for (const { address, port } of resolversThroughExits(undefined, policy))
      expect([policy.judge(address).allowed, port]).toEqual([true, 53]);
  });
});
