import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../free-ports.ts';
import { installClient } from './packed.ts';
import { OTHER_RUNTIMES, type Runtime } from './runtimes.ts';

/** What a runtime's own `fetch` may do otherwise: streams in pieces, broken connections, redirects, and calls that end early. */
const PROGRAM = `import { base64Of, blobOf, createClient, VedetteError } from '@vedette/client';
const [url, nobody] = [process.env.GATEWAY, process.env.NOBODY];
const client = createClient({ url, key: 'vdt_test' });
const say = (...words) => console.log(words.join(' '));
const errorOf = async (call) => call.then(() => 'none', (error) => error instanceof VedetteError ? error.code + ' ' + error.status : error.name ?? error);

say('report:', (await client.asnInfo({ asn: 'AS64496' })).asn);
say('after a break:', (await client.spfValidator({ host: 'a.test' })).tries);
say('after a pause:', (await client.dmarcValidator({ host: 'a.test' })).tries);
for await (const { event, data } of client.pingTest.events({ host: 'a.test' })) say('event:', event, data.city ?? data.host);
for await (const { event } of client.tcpTest.events({ host: 'a.test', port: 443 })) {
  say('event after a break:', event);
  await client.call('/v2/seen');
}
for await (const { index, status } of client.phoneValidator.bulk({ items: ['+1', '+2'] })) say('line:', index, status);
const { rendered_file } = await client.screenshot({ url: 'https://a.test/' });
const blob = blobOf(rendered_file);
say('blob:', blob.type, blob.size, (await base64Of(blob)) === rendered_file.base64_file);
say('refused:', await errorOf(client.bimiValidator({ host: 'a.test' })));
say('redirect:', await errorOf(client.dkimValidator({ host: 'a.test', selector: 'a' })));
say('no gateway:', await errorOf(createClient({ url: nobody, key: 'vdt_test', retries: 0 }).accountInfo()));
say('timeout:', await errorOf(client.urlStatus({ url: 'https://a.test/' }, { signal: AbortSignal.timeout(50) })));
say('aborted before:', await errorOf(client.accountInfo(undefined, { signal: AbortSignal.abort('enough') })));
const stop = new AbortController();
try {
  for await (const { event } of client.traceroute.events({ host: 'a.test' }, { signal: stop.signal })) {
    say('event before the abort:', event);
    stop.abort('enough');
  }
} catch (error) { say('aborted:', error); }
for await (const { event } of client.mtuTest.events({ host: 'a.test' })) { say('one event:', event); break; }
let left = [];
for (let i = 0; i < 200 && left.length < 3; i++) {
  ({ left } = await client.call('/v2/left'));
  await new Promise((resolve) => setTimeout(resolve, 50));
}
say('hung up:', left.join(', '));
`;

const SAID = `report: AS64496
after a break: 2
after a pause: 2
event: location Zürich 漢字
event: report a.test
event after a break: location
event after a break: location
event after a break: report
line: 0 200
line: 1 200
blob: image/png 3 true
refused: insufficient_credits 402
redirect: unreadable 302
no gateway: unreachable 0
timeout: TimeoutError
aborted before: enough
event before the abort: location
aborted: enough
one event: location
hung up: mtu-test, traceroute, url-status
`;

const event = (name: string, data: object): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const json = (response: ServerResponse, body: object, status = 200, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const begin = (response: ServerResponse, type = 'text/event-stream') => response.writeHead(200, { 'content-type': type }).flushHeaders();

/** Ends without its report once its first event has been seen: Bun gives nothing of what arrives just before a break. */
let toBreak: ServerResponse | undefined;

/** Answers of a gateway by path, with the number of the try. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse, tries: number) => void>> = {
  'asn-info': (response) => json(response, { asn: 'AS64496' }),
  'spf-validator': (response, tries) => void (tries === 1 ? response.destroy() : json(response, { tries })),
  'dmarc-validator': (response, tries) =>
    tries === 1 ? json(response, { error: 'x', code: 'overloaded' }, 503, { 'retry-after': '0' }) : json(response, { tries }),
  'ping-test'(response) {
    begin(response);
    // A byte at a time: letters of several bytes and the ends of lines are cut.
    const bytes = Buffer.from(
      `: hello\n\n${event('location', { city: 'Zürich 漢字' }).replaceAll('\n', '\r\n')}${event('report', { host: 'a.test' })}`,
    );
    let next = 0;
    const timer = setInterval(() => {
      if (next < bytes.length) response.write(bytes.subarray(next, ++next));
      else {
        clearInterval(timer);
        response.end();
      }
    });
  },
  'tcp-test'(response, tries) {
    begin(response);
    response.write(event('location', { city: 'Oslo' }));
    if (tries === 1) toBreak = response;
    else response.end(event('report', { host: 'a.test' }));
  },
  'phone-validator/bulk'(response) {
    begin(response, 'application/x-ndjson');
    response.end('{"index":0,"status":200}\n{"index":1,"status":200}\n');
  },
  screenshot: (response) => json(response, { rendered_file: { format: 'PNG', base64_file: 'AQID' } }),
  'bimi-validator': (response) => json(response, { error: 'x', code: 'insufficient_credits' }, 402),
  'dkim-validator': (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
  'url-status': () => undefined,
  traceroute(response) {
    begin(response);
    response.write(event('location', {}));
  },
  'mtu-test'(response) {
    begin(response);
    response.write(event('location', {}));
  },
};

let folder: string;
/** Each call: its path and its Idempotency-Key. */
let asked: [path: string, key: unknown][] = [];
/** Paths of streams and silence whose client hung up. */
const left = new Set<string>();
const ENDLESS = ['url-status', 'traceroute', 'mtu-test'];

const server = createServer((request, response) => {
  const path = request.url!.replace('/v2/', '');
  if (path === 'seen') toBreak?.destroy();
  if (path === 'seen') return json(response, {});
  if (path === 'left') return json(response, { left: [...left].toSorted() });
  asked.push([path, request.headers['idempotency-key']]);
  const tries = asked.filter(([one]) => one === path).length;
  if (ENDLESS.includes(path)) response.on('close', () => left.add(path));
  request.resume().on('end', () => (ANSWERS[path] ?? ((other) => json(other, {}, 404)))(response, tries));
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-runtimes-'));
  installClient(folder);
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const NODE: Runtime = { name: 'node', program: process.execPath, args: [], isThere: true };

describe.each([NODE, ...OTHER_RUNTIMES])('$name', ({ program, args, isThere }) => {
  it.skipIf(!isThere)(
    'runs the client: it reads streams, goes on after breaks, follows no redirect, and hangs up when it is told to',
    async () => {
      asked = [];
      left.clear();
      const { port } = server.address() as AddressInfo;
      const env = { ...process.env, GATEWAY: `http://127.0.0.1:${port}`, NOBODY: `http://127.0.0.1:${await freePort()}`, NO_COLOR: '1' };
      const { stdout } = await promisify(execFile)(program, [...args, 'program.mjs'], { cwd: folder, env });
      expect(stdout).toBe(SAID);
      const keys = asked.map(([, key]) => key);
      expect(keys).not.toContain(undefined);
      // Three calls are sent again, each with its own key.
      expect(keys.length - new Set(keys).size).toBe(3);
      expect(asked.map(([path]) => path)).not.toContain('/elsewhere');
    },
  );
});
