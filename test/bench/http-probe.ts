/**
 * A fresh-TLS HTTP probe beside prometheus-blackbox-exporter on the same local nginx: CPU per probe, rate, latency, memory,
 * at 1 and 8 in flight, in alternating pairs; ratios are medians over the pairs. Both answer `GET /probe?target=`, driven by wrk.
 * Needs nginx, wrk and prometheus-blackbox-exporter. `PAIRS=5 SECONDS=3 node test/bench/http-probe.ts`
 */
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { httpProbe } from '@vedette/probes/http';
import { makePki } from '../probes/http/certificates.ts';
import { loopbackPorts } from '../probes/http/loopback-ports.ts';
import { listen } from '../probes/http/raw-server.ts';
import { createTargetLimits } from '@vedette/probes/target-limits';
import { systemClock } from '@vedette/probes/net';
import { freePort } from '../free-ports.ts';
import { median } from './figures.ts';

const PAIRS = Number(process.env['PAIRS'] ?? 5);
const SECONDS = Number(process.env['SECONDS'] ?? 3);
const CLOCK_TICK_MS = 10; // USER_HZ
const run = promisify(execFile);

/** The exporter's shape around our probe: one request, one fresh probe, its figures as text. */
async function serveProbes(caFile: string): Promise<void> {
  const limits = createTargetLimits({ clock: systemClock, enabled: false, spares: [] });
  const ports = loopbackPorts({ ca: [readFileSync(caFile, 'utf8')], limits });
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url!, 'http://bench').searchParams.get('target')!;
    httpProbe.run({ url, family: 4 }, ports).then(
      ({ status_code, timings, certificate }) =>
        outgoing.end(
          `probe_success ${status_code === 200 && certificate?.valid !== false ? 1 : 0}\n` +
            Object.entries(timings)
              .map(([phase, ms]) => `probe_http_duration_seconds{phase="${phase}"} ${ms / 1000}\n`)
              .join(''),
        ),
      (error: Error) => outgoing.writeHead(500).end(error.message),
    );
  });
  process.send!((await listen(server)).port);
}

interface Figures {
  cpuMs: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

async function compare(): Promise<void> {
  using pki = makePki({ site: { names: 'IP:127.0.0.1' } });
  const children: ChildProcess[] = [];
  try {
    const target = await startNginx(pki.folder, children);
    const exporter = await startExporter(pki.folder, children);
    const child = fork(import.meta.filename, [join(pki.folder, 'ca-root.pem')], { execArgv: ['--max-semi-space-size=2'] });
    children.push(child);
    const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(message as number)));
    const sides = {
      blackbox: { pid: exporter.pid, url: `http://127.0.0.1:${exporter.port}/probe?module=https&target=${encodeURIComponent(target)}` },
      ours: { pid: child.pid!, url: `http://127.0.0.1:${port}/probe?target=${encodeURIComponent(target)}` },
    };
    for (const { url } of Object.values(sides)) if (!/^probe_success 1$/m.test(await fetchText(url))) throw new Error(`no success: ${url}`);
    for (const inFlight of [1, 8]) {
      const pairs: Record<keyof typeof sides, Figures>[] = [];
      for (const { url } of Object.values(sides)) await run('wrk', ['-t1', `-c${inFlight}`, '-d2s', url]); // warm
      for (let i = 0; i < PAIRS; i++) {
        const order = i % 2 === 0 ? (['blackbox', 'ours'] as const) : (['ours', 'blackbox'] as const);
        const pair = {} as Record<keyof typeof sides, Figures>;
        for (const side of order) pair[side] = await drive(sides[side], inFlight);
        pairs.push(pair);
      }
      const middle = (of: (pair: (typeof pairs)[number]) => number) => median(pairs.map(of));
      const both = (field: keyof Figures) => ({
        ours: round(middle((pair) => pair.ours[field])),
        blackbox: round(middle((pair) => pair.blackbox[field])),
        ratio: round(middle((pair) => pair.ours[field] / pair.blackbox[field])),
      });
      const figures = { cpu_ms: both('cpuMs'), per_second: both('perSecond'), p50_ms: both('p50Ms'), p99_ms: both('p99Ms') };
      print({
        bench: 'http-probe',
        in_flight: inFlight,
        ...figures,
        rss_mb: { ours: rssMb(sides.ours.pid), blackbox: rssMb(sides.blackbox.pid) },
      });
    }
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
}

async function startNginx(folder: string, children: ChildProcess[]): Promise<string> {
  const port = await freePort();
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
  const site = `listen 127.0.0.1:${port} ssl backlog=4096; ssl_certificate ${folder}/site.pem; ssl_certificate_key ${folder}/site.key;`;
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/pid; error_log stderr; daemon off; events { worker_connections 4096; }
     http { access_log off; ${temp} ssl_session_tickets off; ssl_session_cache off; server { ${site} ssl_protocols TLSv1.2 TLSv1.3;
       location / { default_type text/html; return 200 "${'<p>hello</p>'.repeat(100)}"; } } }`,
  );
  // Without a master one SIGKILL ends it all.
  children.push(spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-g', 'master_process off;'], { stdio: 'inherit' }));
  return `https://127.0.0.1:${port}/`;
}

async function startExporter(folder: string, children: ChildProcess[]): Promise<{ pid: number; port: number }> {
  const port = await freePort();
  const file = join(folder, 'blackbox.yml');
  writeFileSync(
    file,
    `modules: { https: { prober: http, timeout: 5s, http: { preferred_ip_protocol: ip4, tls_config: { ca_file: ${folder}/ca-root.pem } } } }\n`,
  );
  const args = [`--config.file=${file}`, `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'];
  const child = spawn('prometheus-blackbox-exporter', args, { stdio: 'ignore' });
  children.push(child);
  for (let tries = 0; tries < 100; tries++) {
    if (await fetchText(`http://127.0.0.1:${port}/-/healthy`).catch(() => '')) return { pid: child.pid!, port };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('prometheus-blackbox-exporter did not start');
}

async function drive({ pid, url }: { pid: number; url: string }, inFlight: number): Promise<Figures> {
  const before = cpuMs(pid);
  const { stdout } = await run('wrk', ['-t1', `-c${inFlight}`, `-d${SECONDS}s`, '--latency', url]);
  const used = cpuMs(pid) - before;
  const probes = Number(/(\d+) requests in/.exec(stdout)![1]);
  if (/Non-2xx/.test(stdout)) throw new Error(stdout);
  const latency = (quantile: string) => {
    const [, value, unit] = new RegExp(`${quantile}%\\s+([\\d.]+)(us|ms|s)`).exec(stdout)!;
    return Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'];
  };
  return { cpuMs: used / probes, perSecond: probes / SECONDS, p50Ms: latency('50'), p99Ms: latency('99') };
}

/** User and system time of every thread so far, the ended ones included. */
function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return (fields[11]! + fields[12]!) * CLOCK_TICK_MS;
}

const rssMb = (pid: number): number => Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);

const fetchText = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request(url, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });

const round = (value: number): number => Number(value.toPrecision(3));
const print = (figures: object): void => void process.stdout.write(`${JSON.stringify(figures)}\n`);

if (process.send) await serveProbes(process.argv[2]!);
else await compare();
