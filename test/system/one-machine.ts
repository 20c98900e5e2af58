import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-ports.ts';
import { scratchFolder } from '../scratch.ts';
import { takeOver } from './prepared.ts';

/** Whose gateways fetch nothing from strangers. */
export const NO_FEEDS = fileURLToPath(new URL('../intel/feeds/none.json', import.meta.url));
/** For machines that draw no page: a browser takes a third of the time of a start. */
export const NO_BROWSER = { VEDETTE_RENDERER: 'off' };
/** For machines that measure nothing by a location: three agents take a quarter. */
export const NO_AGENTS = { VEDETTE_DEMO: 'off' };
/** For machines that measure, wherever that is. */
export const ONE_AGENT = { VEDETTE_LOCATION: 'eu-fra' };
/** Whose gateways ask no blacklist. */
export const NO_ENGINES = fileURLToPath(new URL('../intel/engines/none.json', import.meta.url));
const MAIN = fileURLToPath(new URL('../../packages/all/src/main.ts', import.meta.url));
const READY = /^vedette ready (\S+) key=(\S+)$/m;

/**
 * The command line of a process of ours that ends with the one that starts it: Vitest kills its workers, and what no test came to stop ran on, at the cost of all
 * others. The kernel forgets this where the user changes, so `through`, a program to start it by, comes first.
 */
export function withUs(main: string, args: readonly string[] = [], through: readonly string[] = []): [program: string, args: string[]] {
  const bond = ['setpriv', '--pdeathsig', 'KILL', '--'];
  const [program = '', ...rest] = [...through, ...bond, process.execPath, '--disable-warning=ExperimentalWarning', main, ...args];
  return [program, rest];
}

export interface OneMachine {
  url: string;
  key: string;
  opsPort: number;
  dataDir: string;
  process: ChildProcess;
  /** Everything on stdout so far. */
  stdout(): string;
  /** Every log line so far. */
  stderr(): string;
  /** POSTs JSON to an operation with the bootstrap key. */
  post(operation: string, body: object, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>;
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>;
}

/**
 * `npm start` without npm, in a data dir of its own, on free ports, with loopback as a target, no witnesses to ask, no feeds to fetch and no blacklists; by way of another program
 * where `through` names one.
 */
export async function startOneMachine(env: Record<string, string> = {}, through: readonly string[] = []): Promise<OneMachine> {
  const dataDir = env['VEDETTE_DATA_DIR'] ?? scratchFolder('system');
  if (env['VEDETTE_DATA_DIR'] === undefined) takeOver(dataDir, ['pg', 'networks']);
  const opsPort = await freePort();
  const child = spawn(...withUs(MAIN, [], through), {
    env: {
      ...process.env,
      VEDETTE_DATA_DIR: dataDir,
      VEDETTE_PORT: '0',
      VEDETTE_OPS_PORT: String(opsPort),
      VEDETTE_ALLOW_NETS: '127.0.0.0/8,::1/128',
      VEDETTE_WITNESSES: '',
      VEDETTE_FEEDS_FILE: NO_FEEDS,
      VEDETTE_ENGINES_FILE: NO_ENGINES,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = await Promise.race([
    new Promise<RegExpExecArray>((resolve) => {
      child.stdout.on('data', () => {
        const line = READY.exec(stdout);
        if (line) resolve(line);
      });
    }),
    gone.then((code) => {
      throw new Error(`ended with ${code} before it was ready: ${stderr}`);
    }),
  ]);
  const [, url = '', key = ''] = ready;
  return {
    url,
    key,
    opsPort,
    dataDir,
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    post: (operation, body, headers = {}, signal) =>
      fetch(`${url}/v2/${operation}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key, ...headers },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      }),
    async stop() {
      child.kill('SIGTERM');
      const code = await gone;
      if (env['VEDETTE_DATA_DIR'] === undefined) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}
