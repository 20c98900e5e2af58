import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SECONDS = Number(process.env['SECONDS'] ?? 3);
export const KEY = 'key-of-the-bench';
const SERVER = fileURLToPath(new URL('front-server.ts', import.meta.url));

interface Cpu {
  userUs: number;
  cpuUs: number;
}

interface Run {
  requests: number;
  perS: number;
  /** Of the server, µs a request. */
  cpuUs: number;
  /** Without the kernel's share, most of which is one write and waking the client. */
  userUs: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Server {
  port: number;
  cpu(): Promise<Cpu>;
}

/** Servers of the front bench, each a process of its own, and wrk to drive them; all of it ends when this is disposed of. */
export class FrontClient implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vedette-bench-'));
  readonly #running: ChildProcess[] = [];

  async server(mode: string): Promise<Server> {
    const child = fork(SERVER, [mode, join(this.#folder, mode), KEY], { execArgv: ['--disable-warning=ExperimentalWarning'] });
    this.#running.push(child);
    const [{ port }] = (await once(child, 'message')) as [{ port: number }];
    return {
      port,
      async cpu() {
        child.send('cpu');
        const [cpu] = (await once(child, 'message')) as [Cpu];
        return cpu;
      },
    };
  }

  /** Posts these bodies in turn, over so many connections, for SECONDS. */
  async drive(
    { port, cpu }: Server,
    connections: number,
    operation = 'echo',
    bodies: readonly object[] = [{ host: 'example.org' }],
  ): Promise<Run> {
    const script = join(this.#folder, 'post.lua');
    writeFileSync(
      script,
      `wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["X-API-Key"] = "${KEY}"
local bodies = { ${bodies.map((body) => `'${JSON.stringify(body)}'`).join(', ')} }
local requests = {}
init = function() for i, body in ipairs(bodies) do requests[i] = wrk.format(nil, nil, nil, body) end end
local at = 0
request = function() at = at % #requests + 1; return requests[at] end
`,
    );
    const before = await cpu();
    const text = execFileSync(
      'wrk',
      ['-t1', `-c${connections}`, `-d${SECONDS}s`, '--latency', '-s', script, `http://127.0.0.1:${port}/v2/${operation}`],
      { encoding: 'utf8' },
    );
    if (/Non-2xx/.test(text)) throw new Error(text);
    const requests = Number(/(\d+) requests in/.exec(text)![1]);
    const latency = (share: string): number => {
      const [, value, unit] = new RegExp(`${share}%\\s+([\\d.]+)(us|ms|s)`).exec(text)!;
      return Number(value) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us'];
    };
    const after = await cpu();
    const each = (name: keyof Cpu) => (after[name] - before[name]) / requests;
    return {
      requests,
      perS: requests / SECONDS,
      cpuUs: each('cpuUs'),
      userUs: each('userUs'),
      p50Ms: latency('50'),
      p99Ms: latency('99'),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#running) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export const print = (figure: object): void => void process.stdout.write(`${JSON.stringify(figure)}\n`);
