/**
 * CPU and time of `fetchBytes`, which reads HTTP/1.1 by undici, beside the same fetch by the reader that measures, against a server in
 * another process; in alternating rounds, ratios are medians over the rounds. `ROUNDS=9 node test/bench/fetch.ts`
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { parseHttpUrl } from '@vedette/contract';
import { fetchBytes } from '@vedette/probes/fetch';
import { resolveTargets } from '@vedette/probes/http';
import { startTrace } from '../../packages/probes/src/http/trace.ts';
import { exchange } from '../../packages/probes/src/http/wire/exchange.ts';
import { Opener } from '../../packages/probes/src/http/wire/opener.ts';
import { redirectTarget } from '../../packages/probes/src/http/wire/message.ts';
import { makePki } from '../probes/http/certificates.ts';
import { loopbackPorts } from '../probes/http/loopback-ports.ts';
import { listen } from '../probes/http/raw-server.ts';
import { median } from './figures.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const IN_FLIGHT = 8;
const MAX_BYTES = 64 * 1024 * 1024;
const LARGE = Buffer.alloc(30_000_000, 'a line of a list\n');
const SMALL = Buffer.alloc(2_000, '{"objectClassName":"domain"}');

const CASES = [
  { what: '1,000 small files', path: '/small', count: 1_000 },
  { what: '300 small files behind a redirect', path: '/redirect', count: 300 },
  { what: '30 MB', path: '/large', count: 1 },
];
type Fetch = (url: string, ca: readonly string[]) => Promise<number>;

const { resolver, dialler, clock, signal } = loopbackPorts({ hosts: { 'a.test': ['127.0.0.1'] } });
const common = { resolver, dialler, clock, signal, userAgent: 'test' };

const byUndici: Fetch = async (url, ca) => {
  const { body } = await fetchBytes({
    ...common,
    url,
    ca,
    maxBytes: MAX_BYTES,
    timeout_ms: 60_000,
    schemes: ['http:', 'https:'],
    isDenied: () => false,
  });
  return body.length;
};

const byOurs: Fetch = async (start, ca) => {
  for (let url = start; ;) {
    const target = parseHttpUrl(url)!;
    const trace = startTrace(clock.now());
    const addresses = await resolveTargets(target, common, { families: [4], signal });
    const dial = (address: string, limited: AbortSignal) => dialler.tcp({ address, port: target.port, host: target.host, signal: limited });
    const opener = new Opener({ addresses, dial, until: Infinity }, { trace, clock, signal });
    const chunks: Uint8Array[] = [];
    await exchange({ ...common, target, trace, opener, ca, bodyMaxBytes: MAX_BYTES, onBody: (chunk) => void chunks.push(chunk) });
    url = redirectTarget(trace.head!, url);
    if (url === '') return Buffer.concat(chunks).length;
  }
};
const SIDES: Record<string, Fetch> = { ours: byOurs, undici: byUndici };

async function serve(folder: string): Promise<void> {
  const credentials = { key: readFileSync(join(folder, 'site.key')), cert: readFileSync(join(folder, 'site.pem')) };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/redirect') response.writeHead(302, { location: '/small' }).end();
    else response.end(request.url === '/large' ? LARGE : SMALL);
  };
  process.send!({
    http: (await listen(createServer(answer))).port,
    https: (await listen(createHttpsServer({ ...credentials, ALPNProtocols: ['http/1.1'] }, answer))).port,
  });
}

async function compare(): Promise<void> {
  using pki = makePki({ site: { names: 'DNS:a.test' } });
  const child = fork(import.meta.filename, [pki.folder]);
  try {
    const ports = await new Promise<Record<string, number>>((resolve) =>
      child.once('message', (message) => resolve(message as Record<string, number>)),
    );
    const ca = [pki.root];
    for (const [scheme, port] of Object.entries(ports))
      for (const { what, path, count } of CASES) {
        const measure = (fetch: Fetch) => costOf(fetch, `${scheme}://a.test:${port}${path}`, ca, count);
        for (const fetch of Object.values(SIDES)) await measure(fetch); // warm
        const rounds: Record<string, Cost>[] = [];
        for (let i = 0; i < ROUNDS; i++) {
          const round: Record<string, Cost> = {};
          for (const [side, fetch] of i % 2 === 0 ? Object.entries(SIDES) : Object.entries(SIDES).reverse())
            round[side] = await measure(fetch);
          rounds.push(round);
        }
        const beside = (of: keyof Cost) => round3(median(rounds.map(({ ours, undici }) => undici![of] / ours![of])));
        const ours = (of: keyof Cost) => round3(median(rounds.map((round) => round['ours']![of])));
        print({ scheme, what, cpu_ms: ours('cpu'), ms: ours('ms'), 'undici, cpu': beside('cpu'), 'undici, time': beside('ms') });
      }
  } finally {
    child.kill();
  }
}

interface Cost {
  cpu: number;
  ms: number;
}

async function costOf(fetch: Fetch, url: string, ca: readonly string[], count: number): Promise<Cost> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const bytes = await fetch(url, ca);
      if (bytes !== SMALL.length && bytes !== LARGE.length) throw new Error(`${bytes} octets of body`);
    }
  };
  const [before, began] = [process.cpuUsage(), performance.now()];
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1000, ms: performance.now() - began };
}

const round3 = (value: number): number => Number(value.toPrecision(3));
const print = (figures: object): void => void process.stdout.write(`${JSON.stringify({ bench: 'fetch', ...figures })}\n`);

if (process.send) await serve(process.argv[2]!);
else await compare();
