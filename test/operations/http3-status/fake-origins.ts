import { spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../free-ports.ts';
import { makePki } from '../../probes/http/certificates.ts';

/** Origins by what they do; each has a port of its own. */
const ORIGINS = [
  'good',
  'expired',
  'elsewhere',
  'inner',
  'clear',
  'several',
  'silent',
  'unverified',
  'garbage',
  'closed',
  'redirect',
  'locked',
  'hanging',
  'longHead',
  'endless',
  'early',
  'literal',
  'noName',
  'weakKey',
  'weakDigest',
  'otherVersion',
  'certificate',
  'wantsCertificate',
] as const;
type Origin = (typeof ORIGINS)[number];

export interface FakeOrigins extends AsyncDisposable {
  ports: Record<Origin, number>;
  /** Root of their certificates, PEM. */
  root: string;
  /** Datagrams that came to a place where nobody may send any. */
  canary: { address: string; port: number; datagrams: number };
  /** Paths that the program behind two of them was asked for. */
  behind: string[];
}

/** Debian's caddy as the origins, over TCP and QUIC, and sockets that are no QUIC servers. All of them are on 127.0.0.1, `good` is on ::1 too. */
export async function startFakeOrigins(): Promise<FakeOrigins> {
  const free = await freePorts(ORIGINS.length);
  const ports = Object.fromEntries(ORIGINS.map((name, i) => [name, free[i]!])) as Record<Origin, number>;
  await using stack = new AsyncDisposableStack();
  const pki = stack.use(
    makePki(
      {
        good: { names: 'DNS:h3.test,DNS:*.h3.test,IP:127.0.0.1' },
        expired: { names: 'DNS:h3.test', from: '20200101000000Z', until: '20210101000000Z' },
        other: { names: 'DNS:other.test' },
        'h3.test': { names: '' },
        weakKey: { names: 'DNS:h3.test', key: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'] },
        weakDigest: { names: 'DNS:h3.test', digest: 'sha1' },
      },
      'http3 origins',
    ),
  );
  const behind: string[] = [];
  const backend = stack.adopt(await backendOf(behind), (server) => {
    server.closeAllConnections();
    server.close();
  });
  const canarySocket = stack.adopt(await bound('127.0.0.9', 0), (socket) => void socket.close());
  const canary = { address: '127.0.0.9', port: canarySocket.address().port, datagrams: 0 };
  canarySocket.on('message', () => canary.datagrams++);
  stack.adopt(await bound('127.0.0.1', ports.silent), (socket) => void socket.close());
  const garbage = stack.adopt(await bound('127.0.0.1', ports.garbage), (socket) => void socket.close());
  garbage.on('message', (datagram, { port, address }) => {
    for (let i = 0; i < 40; i++)
      garbage.send(
        datagram.subarray(0, 1_200).map((octet, at) => (octet * 31 + at * i) & 0xff),
        port,
        address,
      );
  });
  const otherVersion = stack.adopt(await bound('127.0.0.1', ports.otherVersion), (socket) => void socket.close());
  otherVersion.on('message', (datagram, { port, address }) => {
    const destination = datagram.subarray(6, 6 + datagram[5]!);
    const at = 6 + destination.length;
    const source = datagram.subarray(at + 1, at + 1 + datagram[at]!);
    // RFC 9000 §17.2.1, with draft 29 alone.
    const head = [Buffer.of(0x80, 0, 0, 0, 0), Buffer.of(source.length), source, Buffer.of(destination.length), destination];
    otherVersion.send(Buffer.concat([...head, Buffer.of(0xff, 0, 0, 0x1d)]), port, address);
  });
  const folder = mkdtempSync(join(tmpdir(), 'vedette-caddy-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'Caddyfile'), caddyfile(ports, { folder, pki: pki.folder, canary: canary.port, backend: portOf(backend) }));
  const caddy = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  stack.defer(async () => {
    if (caddy.exitCode === null && caddy.kill('SIGKILL')) await once(caddy, 'exit');
  });
  let said = '';
  for await (const chunk of caddy.stderr.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    if (said.includes('serving initial configuration')) break;
  }
  caddy.stderr.resume();
  if (!said.includes('serving initial configuration')) throw new Error(`caddy did not start: ${said}`);
  const opened = stack.move();
  return { ports, root: pki.root, canary, behind, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** UDP sockets that answer nothing, at each address; `heard` lists the addresses that datagrams came to, each once. */
export async function silentAt(addresses: readonly string[], port: number): Promise<AsyncDisposable & { heard: string[] }> {
  await using stack = new AsyncDisposableStack();
  const heard: string[] = [];
  for (const address of addresses) {
    const socket = stack.adopt(await bound(address, port), (opened) => void opened.close());
    socket.once('message', () => heard.push(address));
  }
  const opened = stack.move();
  return { heard, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Without h3 caddy speaks it nowhere on that port, and says nothing of it. */
const WITHOUT_H3: readonly Origin[] = [
  'elsewhere',
  'inner',
  'clear',
  'several',
  'silent',
  'garbage',
  'closed',
  'unverified',
  'otherVersion',
  'certificate',
];

function caddyfile(
  ports: Record<Origin, number>,
  { folder, pki, canary, backend }: { folder: string; pki: string; canary: number; backend: number },
): string {
  const site = (name: Origin, directives: string, { host = 'h3.test', certificate = 'good', bind = '127.0.0.1', tls = '' } = {}) => `
https://${host}:${ports[name]} {
  bind ${bind}
  tls ${pki}/${certificate}.pem ${pki}/${certificate}.key ${tls}
  ${directives}
}`;
  const altSvc = (value: string) => `header Alt-Svc ${JSON.stringify(value)}\n  respond "hello" 200`;
  return `{
  admin off
  auto_https off
  skip_install_trust
  storage file_system ${folder}
  ${WITHOUT_H3.map((name) => `servers 127.0.0.1:${ports[name]} {\n    protocols h1 h2\n  }`).join('\n  ')}
}
${site('good', 'respond "hello" 200\n  header X-Twice one\n  header +X-Twice two', { bind: '127.0.0.1 ::1' })}
${site('literal', 'respond "hello" 200', { host: '127.0.0.1' })}
${site('expired', 'respond "hello" 200', { certificate: 'expired' })}
${site('noName', 'respond "hello" 200', { certificate: 'h3.test' })}
${site('weakKey', 'respond "hello" 200', { certificate: 'weakKey' })}
${site('weakDigest', 'respond "hello" 200', { certificate: 'weakDigest' })}
${site('otherVersion', altSvc(`h3=":${ports.otherVersion}"`))}
${site('certificate', altSvc(`h3=":${ports.wantsCertificate}"`))}
${site('wantsCertificate', 'respond "hello" 200', { tls: '{\n    client_auth {\n      mode require\n    }\n  }' })}
${site('elsewhere', altSvc(`h3="alt.h3.test:${ports.good}"; ma=60; persist=1`))}
${site('inner', altSvc(`h3="inner.test:${canary}", h3="127.0.0.9:${canary}"`))}
${site('clear', altSvc('clear'))}
${site('several', altSvc(`h3-29=":1", h3=":${ports.silent}"; ma=60, h3=":${ports.good}", h3=":${ports.closed}"; ma=0`))}
${site('silent', altSvc(`h3=":${ports.silent}"`))}
${site('garbage', altSvc(`h3=":${ports.garbage}"`))}
${site('closed', altSvc(`h3=":${ports.closed}"`))}
${site('unverified', altSvc(`h3=":${ports.expired}"`))}
${site('redirect', 'redir * /other 301')}
${site('locked', '@stranger not header Authorization "Basic dXNlcjpzZWNyZXQ="\n  header @stranger WWW-Authenticate "Basic realm=x"\n  respond @stranger "who?" 401\n  respond "hello" 200')}
${site('hanging', `reverse_proxy 127.0.0.1:${backend}`)}
${site('longHead', `reverse_proxy 127.0.0.1:${backend}`)}
${site('endless', `reverse_proxy 127.0.0.1:${backend}`)}
${site('early', `reverse_proxy 127.0.0.1:${backend}`)}
`;
}

/** What stands behind some of the origins: the path says what it does. */
async function backendOf(asked: string[]): Promise<Server> {
  const server = createServer({ keepAlive: false }, (request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.startsWith('/hang')) return;
    if (request.url === '/slow') return void sleep(1_200).then(() => response.end('at last'));
    if (request.url === '/long-head') {
      for (let i = 0; i < 60; i++) response.appendHeader(`x-long-${i}`, 'x'.repeat(14_000));
      response.end('late');
    } else if (request.url === '/endless') {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      const pour = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 1)));
      };
      response.on('drain', pour);
      pour();
    } else {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      void sleep(50).then(() => response.writeHead(204).end());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function bound(address: string, port: number): Promise<Socket> {
  const socket = createSocket('udp4').bind(port, address);
  await once(socket, 'listening');
  return socket;
}
