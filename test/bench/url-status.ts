/**
 * A chain of five redirects by url-status and by `curl -L`, on the same server of another process, over http and https, in alternating pairs. curl's
 * is its own figure (time_total, without the start of its process), and once with a fresh connection for each hop, as ours has. Then the same with a page of
 * 100 KB at the end, which url-status reads and curl does not. `PAIRS=60 node test/bench/url-status.ts`
 */
import { execFile, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createAddressPolicy } from '@vedette/probes/host';
import { createDialler, systemClock } from '@vedette/probes/net';
import { urlStatus } from '../../packages/operations/src/url-status/index.ts';
import { answer, type Opened } from '../operations/answer.ts';
import { SHUT } from '../operations/shut.ts';
import { makePki } from '../probes/http/certificates.ts';
import { median, quantile } from './figures.ts';

const PAIRS = Number(process.env['PAIRS'] ?? 60);
const HOPS = 5;
const PARAGRAPH = '<p>Words of a page, with <a href="/elsewhere">a link</a> in them.</p>';
const PAGES = { small: '<title>The end</title>', large: `<title>The end</title>${PARAGRAPH.repeat(1_500)}` };
const run = promisify(execFile);

/** `/<page>/<left>`: so many redirects before the page. */
function behave({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const [, page = '', left] = url.split('/');
  if (Number(left) > 0) response.writeHead(302, { location: `/${page}/${Number(left) - 1}` }).end();
  else response.writeHead(200, { 'content-type': 'text/html' }).end(PAGES[page as keyof typeof PAGES]);
}

async function serve(folder: string): Promise<void> {
  const listen = (server: Server) =>
    new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
  const credentials = { key: readFileSync(join(folder, 'site.key')), cert: readFileSync(join(folder, 'site.pem')) };
  process.send!({ http: await listen(createServer(behave)), https: await listen(createTlsServer(credentials, behave)) });
}

async function compare(): Promise<void> {
  using pki = makePki({ site: { names: 'IP:127.0.0.1' } });
  const child = fork(import.meta.filename, [pki.folder]);
  try {
    const ports = await new Promise<Record<string, number>>((resolve) =>
      child.once('message', (message) => resolve(message as Record<string, number>)),
    );
    const opened: Opened = {
      ...SHUT,
      dialler: createDialler({ policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'] }) }),
      clock: systemClock,
      ca: [pki.root],
      today: () => new Date(),
    };
    const ours = async (url: string): Promise<number> => {
      const started = performance.now();
      const { chain } = await answer(urlStatus, { url }, opened);
      if (chain.length !== HOPS + 1 || chain.at(-1)!.status_code !== 200) throw new Error(`a chain of ${chain.length}`);
      return performance.now() - started;
    };
    const curl = async (url: string, ...options: string[]): Promise<number> => {
      const { stdout } = await run('curl', [
        '-sL',
        '--cacert',
        join(pki.folder, 'ca-root.pem'),
        ...options,
        '-o',
        '/dev/null',
        '-w',
        '%{time_total} %{http_code}',
        url,
      ]);
      const [seconds, status] = stdout.split(' ');
      if (status !== '200') throw new Error(stdout);
      return Number(seconds) * 1_000;
    };
    const fresh = ['-H', 'Connection: close'];
    for (const scheme of ['http', 'https'])
      for (const page of Object.keys(PAGES)) {
        const url = `${scheme}://127.0.0.1:${ports[scheme]}/${page}/${HOPS}`;
        for (let i = 0; i < 20; i++) await ours(url); // warm
        const pairs: { ours: number; curl: number; fresh: number }[] = [];
        for (let i = 0; i < PAIRS; i++) pairs.push({ ours: await ours(url), curl: await curl(url), fresh: await curl(url, ...fresh) });
        const before = process.cpuUsage();
        for (let i = 0; i < PAIRS; i++) await ours(url);
        const { user, system } = process.cpuUsage(before);
        const of = (side: keyof (typeof pairs)[number]) => pairs.map((pair) => pair[side]);
        const beside = (side: 'curl' | 'fresh') => round(median(pairs.map((pair) => pair.ours / pair[side])));
        print({
          scheme,
          page,
          cpu_ms: round((user + system) / 1_000 / PAIRS),
          p50_ms: round(median(of('ours'))),
          p99_ms: round(quantile(of('ours'), 0.99)),
          curl_ms: round(median(of('curl'))),
          beside_curl: beside('curl'),
          curl_fresh_ms: round(median(of('fresh'))),
          beside_curl_fresh: beside('fresh'),
        });
      }
  } finally {
    child.kill();
  }
}

const round = (value: number): number => Number(value.toPrecision(3));
const print = (figures: object): void => void process.stdout.write(`${JSON.stringify({ bench: 'url-status', ...figures })}\n`);

if (process.send) await serve(process.argv[2]!);
else await compare();
