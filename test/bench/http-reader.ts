/**
 * CPU of one GET on a fresh connection that we dialled, by our HTTP/1.1 reader, by undici and by node:http, against a server in another
 * process; in alternating rounds, ratios are medians over the rounds. Over TCP and over TLS. `ROUNDS=9 node test/bench/http-reader.ts`
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { parseHttpUrl } from '@vedette/contract';
import { askOverHttp1 } from '../../packages/probes/src/http/wire/http1.ts';
import type { AnswerSink } from '../../packages/probes/src/http/wire/message.ts';
import { startTls } from '../../packages/probes/src/net/tls.ts';
import { makePki } from '../probes/http/certificates.ts';
import { loopbackPorts } from '../probes/http/loopback-ports.ts';
import { type Get, getOverNodeHttp, getOverUndici } from '../probes/http/peers.ts';
import { answering, listen } from '../probes/http/raw-server.ts';
import { median } from './figures.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 9);
const GETS = { tcp: 1500, tls: 400 };
const IN_FLIGHT = 8;

const BODY = '<p>hello</p>'.repeat(100);
const FIELDS = [
  'Date: Sat, 21 Nov 2026 12:00:00 GMT\r\nServer: nginx\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\nVary: Accept-Encoding\r\n',
  'Cache-Control: max-age=0, private, must-revalidate\r\nETag: "5f3a-62a8c1e0"\r\nLast-Modified: Fri, 20 Nov 2026 12:00:00 GMT\r\n',
  'Set-Cookie: session=0123456789abcdef; Path=/; Secure; HttpOnly; SameSite=Lax\r\nSet-Cookie: theme=dark; Path=/\r\n',
  "Strict-Transport-Security: max-age=63072000; includeSubDomains\r\nContent-Security-Policy: default-src 'self'; frame-ancestors 'none'\r\n",
].join('');
const ANSWERS = {
  'Content-Length': `HTTP/1.1 200 OK\r\n${FIELDS}Content-Length: ${BODY.length}\r\n\r\n${BODY}`,
  chunked: `HTTP/1.1 200 OK\r\n${FIELDS}Transfer-Encoding: chunked\r\n\r\n${`258\r\n${'x'.repeat(600)}\r\n`.repeat(2)}0\r\n\r\n`,
};
const SIDES: Record<string, Get> = { ours: askOverHttp1, undici: getOverUndici, 'node:http': getOverNodeHttp };

/** One server for each answer, over TCP and over TLS. */
async function serve(folder: string): Promise<void> {
  const credentials = { key: readFileSync(join(folder, 'site.key')), cert: readFileSync(join(folder, 'site.pem')) };
  const ports: Ports = { tcp: [], tls: [] };
  for (const answer of Object.values(ANSWERS)) {
    const behave = (socket: Socket) => {
      socket.on('error', () => {}); // the client leaves first
      answering(answer)(socket);
    };
    ports.tcp.push((await listen(createServer({ noDelay: true }, behave))).port);
    ports.tls.push((await listen(createTlsServer({ ...credentials, noDelay: true }, behave))).port);
  }
  process.send!(ports);
}
type Transport = keyof typeof GETS;
type Ports = Record<Transport, number[]>;

async function compare(): Promise<void> {
  using pki = makePki({ site: { names: 'IP:127.0.0.1' } });
  const child = fork(import.meta.filename, [pki.folder]);
  try {
    const ports = await new Promise<Ports>((resolve) => child.once('message', (message) => resolve(message as Ports)));
    for (const transport of ['tcp', 'tls'] as const)
      for (const [index, answer] of Object.keys(ANSWERS).entries()) {
        const port = ports[transport][index]!;
        const measure = (get: Get) => cpuOf(get, transport, port, [pki.root]);
        for (const get of Object.values(SIDES)) await measure(get); // warm
        const rounds: Record<string, number>[] = [];
        for (let i = 0; i < ROUNDS; i++) {
          const round: Record<string, number> = {};
          for (const [side, get] of i % 2 === 0 ? Object.entries(SIDES) : Object.entries(SIDES).reverse()) round[side] = await measure(get);
          rounds.push(round);
        }
        const beside = (side: string) => round3(median(rounds.map((round) => round[side]! / round['ours']!)));
        print({
          transport,
          answer,
          us: round3(median(rounds.map((round) => round['ours']!))),
          undici: beside('undici'),
          'node:http': beside('node:http'),
        });
      }
  } finally {
    child.kill();
  }
}

/** CPU µs of a GET, its connection included. */
async function cpuOf(get: Get, transport: Transport, port: number, ca: readonly string[]): Promise<number> {
  const { dialler, clock, signal } = loopbackPorts();
  const target = parseHttpUrl(`https://127.0.0.1:${port}/page?x=1`)!;
  const count = GETS[transport];
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const tcp = await dialler.tcp({ address: '127.0.0.1', port, signal });
      const socket =
        transport === 'tcp' ? tcp : (await startTls({ socket: tcp, host: target, alpn: [], ca, profile: 'modern', clock, signal })).socket;
      let bytes = 0;
      const sink: AnswerSink = {
        firstByte() {},
        head() {},
        body(chunk) {
          bytes += chunk.length;
          return true;
        },
      };
      await get(socket, target.url, sink, 'test');
      if (bytes !== 1200) throw new Error(`${bytes} octets of body`);
    }
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const round3 = (value: number): number => Number(value.toPrecision(3));
const print = (figures: object): void => void process.stdout.write(`${JSON.stringify({ bench: 'http-reader', ...figures })}\n`);

if (process.send) await serve(process.argv[2]!);
else await compare();
