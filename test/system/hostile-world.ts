import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type AddressInfo } from 'node:net';
import type { Answer } from 'dns-packet';
import { type HostileDns, startHostileDns, type Zone } from './hostile-dns.ts';
import { type OneMachine, startOneMachine } from './one-machine.ts';
import { processOf } from './processes.ts';

/** Where targets stand that may be contacted; the rest of loopback is as forbidden as in production. */
export const TARGET = '127.0.0.2';
export const KEY = 'a-key-of-ours';

const a = (name: string, data: string, ttl = 0): Answer => ({ type: 'A', name, data, ttl });
const aaaa = (name: string, data: string): Answer => ({ type: 'AAAA', name, data, ttl: 0 });
const cname = (name: string, data: string): Answer => ({ type: 'CNAME', name, data, ttl: 0 });

let turn = 0;
/** First label → its records, whatever the type asked. */
const NAMES: Record<string, (name: string) => Answer[]> = {
  good: (name) => [a(name, TARGET)],
  private: (name) => [a(name, '10.0.0.1')],
  metadata: (name) => [a(name, '169.254.169.254')],
  loopback: (name) => [a(name, '127.0.0.1')],
  mixed: (name) => [a(name, TARGET), a(name, '10.0.0.1')],
  rebind: (name) => [a(name, turn++ % 2 === 0 ? TARGET : '127.0.0.1')],
  dual: (name) => [a(name, TARGET), aaaa(name, 'fd00:ec2::254')],
  nat64: (name) => [aaaa(name, '64:ff9b::7f00:1')],
  tolocalhost: (name) => [cname(name, 'localhost'), a('localhost', '127.0.0.1')],
  tometadata: (name) => [cname(name, 'metadata.google.internal'), a('metadata.google.internal', '169.254.169.254')],
  tonothing: (name) => [cname(name, 'nosuch.corp.internal')],
  togov: (name) => [cname(name, 'www.example.gov'), a('www.example.gov', TARGET)],
  loop: (name) => [cname(name, `other.${name}`), cname(`other.${name}`, name)],
  crowd: (name) => Array.from({ length: 1500 }, (_, i) => a(name, `10.${1 + (i >> 8)}.${i & 255}.1`)),
  ns: (name) => [{ type: 'NS', name, data: 'loopback.hostile-lab.com', ttl: 0 }, a(name, TARGET)],
  txt: (name) => [{ type: 'TXT', name, data: [Buffer.from('</script>\u001b[31m\u0000 "\\'), Buffer.alloc(255, 'a')], ttl: 0 }],
};

const zone: Zone = (name, type) => {
  if (name.endsWith('.silent.hostile-lab.com')) return 'silence';
  const [first = '', ...rest] = name.split('.');
  if (rest.join('.') !== 'hostile-lab.com' || !Object.hasOwn(NAMES, first)) {
    if (first === 'silent' && rest.join('.') === 'hostile-lab.com') return 'silence';
    return 'NXDOMAIN';
  }
  return NAMES[first]!(name).filter((record) => record.type === type || record.type === 'CNAME' || record.name !== name);
};

export interface World {
  vedette: OneMachine;
  dns: HostileDns;
  /** An honest web site, and how many requests it has had; `/hangs` does as long as `hangs` is set, for so many connections now. */
  site: { url: string; port: number; requests: number; aborted: number; hangs: boolean; hanging: number };
  /** A listener on 127.0.0.1 that nothing may reach, and how often it was. */
  canary: { port: number; reached: number };
  /** Log lines on stderr so far. */
  log(): string;
  /** A header that makes every call another client's. */
  somebody(): Record<string, string>;
  post(operation: string, body: unknown, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>;
  /** Writes octets to the API's socket; resolves to all that comes back until it closes, or for `waitMs`. */
  raw(chunks: readonly (string | Buffer)[], waitMs?: number): Promise<string>;
  /** Sum of the samples of one metric of the gateway, those whose labels contain a text. */
  metric(name: string, labels?: string): Promise<number>;
  /** Makes an account with so many keys, and credits enough. */
  account(name: string, keys: number): Promise<string[]>;
  gatewayPid(): number;
  close(): Promise<void>;
}

/** The whole system, a resolver that lies, a site that may be measured, and a canary that must hear nothing. */
export async function startWorld(env: Record<string, string> = {}): Promise<World> {
  const dns = await startHostileDns(zone);
  const site = { url: '', port: 0, requests: 0, aborted: 0, hangs: true, hanging: 0 };
  const siteServer = createHttpServer((request, response) => {
    site.requests++;
    request.socket.once('close', () => {
      if (!response.writableEnded) site.aborted++;
    });
    if (site.hangs && request.url?.startsWith('/hangs')) {
      site.hanging++;
      request.socket.once('close', () => site.hanging--);
      return;
    }
    if (request.url === '/redirects') response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/` });
    response.end('<title>A site</title>');
  });
  const canary = { port: 0, reached: 0 };
  const canaryServer = createServer((socket) => {
    canary.reached++;
    socket.destroy();
  });
  site.port = await listen(siteServer, TARGET);
  site.url = `http://${TARGET}:${site.port}`;
  canary.port = await listen(canaryServer, '127.0.0.1');
  const vedette = await startOneMachine({
    VEDETTE_BOOTSTRAP_KEY: KEY,
    VEDETTE_TRUSTED_PROXIES: '127.0.0.1/32',
    VEDETTE_V1: 'on',
    VEDETTE_PORT_SCAN: 'on',
    VEDETTE_ALLOW_NETS: `${TARGET}/32`,
    VEDETTE_RESOLVERS: `127.0.0.1:${dns.port}`,
    ...env,
  });
  const { hostname, port } = new URL(vedette.url);
  let visitor = 0;
  const somebody = () => ({ 'x-forwarded-for': `203.0.113.${1 + (visitor >> 8)}, 198.51.100.${1 + (visitor++ % 250)}` });

  return {
    vedette,
    dns,
    site,
    canary,
    log: vedette.stderr,
    somebody,
    post: (operation, body, headers = {}, signal?) =>
      fetch(`${vedette.url}/v2/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': KEY, ...somebody(), ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal && { signal }),
      }),
    raw: (chunks, waitMs = 3_000) =>
      new Promise((resolve) => {
        let text = '';
        const socket = connect(Number(port), hostname, () => {
          for (const chunk of chunks) socket.write(chunk);
        });
        const done = () => {
          clearTimeout(timer);
          socket.destroy();
          resolve(text);
        };
        const timer = setTimeout(done, waitMs);
        socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
        socket.on('close', done);
        socket.on('error', done);
      }),
    async metric(name, labels = '') {
      const text = await (await fetch(`http://127.0.0.1:${vedette.opsPort}/metrics`)).text();
      return text
        .split('\n')
        .filter((line) => line.startsWith(`${name} `) || (line.startsWith(`${name}{`) && line.includes(labels)))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    async account(name, keys) {
      const token = readFileSync(`${vedette.dataDir}/admin-token`, 'utf8').trim();
      const admin = async (method: string, path: string, body: object) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const response = await fetch(`http://127.0.0.1:${vedette.opsPort}/admin/${path}`, { method, headers, body: JSON.stringify(body) });
        return (await response.json()) as { id: string; key: string };
      };
      await admin('PUT', 'plans/plenty', { monthly_credits: 1_000_000 });
      const { id: account } = await admin('POST', 'accounts', { name, plan: 'plenty' });
      return Promise.all(Array.from({ length: keys }, async (_, i) => (await admin('POST', 'keys', { account, name: `key ${i}` })).key));
    },
    gatewayPid: () => processOf(vedette.process.pid!, 'packages/gateway/src/main.ts'),
    async close() {
      await vedette.stop();
      dns.close();
      for (const server of [siteServer, canaryServer]) server.close();
      siteServer.closeAllConnections();
    },
  };
}

const listen = (server: Server, host: string): Promise<number> =>
  new Promise((resolve) => server.listen(0, host, () => resolve((server.address() as AddressInfo).port)));
