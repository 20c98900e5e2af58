import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where a world keeps its files: a tmpfs of its own, so two worlds never share one and nothing stays behind. */
export const WORLD_DIR = '/run/vedette-lab';

/** Compiled code of what runs in worlds, which takes a third of the CPU of a start. Node keeps a folder for each user there. */
const COMPILED = join(import.meta.dirname, '.cache/compiled');

// The world's first process. It ends with its standard input, which the kernel closes when whoever opened the world is gone,
// killed or not; with it the kernel ends every process inside, and with those the mounts and the networks.
const INIT = `
set -e
mount -t tmpfs lab /run
mount -t tmpfs lab /etc/netns
mkdir -p /run/netns /run/wireguard ${WORLD_DIR} "$(dirname "$(readlink -m /etc/resolv.conf)")"
chmod 755 ${WORLD_DIR}
touch -a /etc/resolv.conf
ip link set lo up
echo ready
while read -r _; do :; done
`;

export interface ExecResult {
  stdout: string;
  stderr: string;
  code: number;
}

export interface ExecOptions {
  input?: string;
  env?: NodeJS.ProcessEnv;
  /** After this the command is killed and `exec` rejects; ms. */
  timeout_ms?: number;
}

/** A process that keeps running inside the world. */
export interface WorldProcess {
  /** As seen from outside. */
  readonly pid: number;
  /** Everything it has printed so far, both streams, line by line. */
  readonly lines: readonly string[];
  /** Resolves once the lines so far satisfy the condition. Rejects when the process ends or the time is up before that. */
  until(condition: (lines: readonly string[]) => boolean, timeout_ms?: number): Promise<void>;
  /** Resolves with the first line, past or future, that matches; otherwise as `until`. */
  line(pattern: RegExp, timeout_ms?: number): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** SIGSTOP, and resolves once every thread stands still; SIGCONT wakes it. */
  freeze(): Promise<void>;
  /** Exit code, or the signal's name. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly running: boolean;
}

/** Private pid, mount, network, IPC and host-name namespaces, and the way in. */
export class World {
  readonly #unshare: ChildProcess;
  readonly #init: number;
  readonly #closed: Promise<void>;

  private constructor(unshare: ChildProcess, init: number) {
    this.#unshare = unshare;
    this.#init = init;
    this.#closed = once(unshare, 'exit').then(() => undefined);
  }

  static async open(): Promise<World> {
    mkdirSync('/etc/netns', { recursive: true }); // only a mount point
    mkdirSync(COMPILED, { recursive: true });
    chmodSync(COMPILED, 0o1777);
    const unshare = spawn(
      'unshare',
      // prettier-ignore
      ['--mount', '--net', '--pid', '--ipc', '--uts', '--fork', '--kill-child=KILL', '--mount-proc', '--propagation', 'private', 'bash', '-c', INIT],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    let errors = '';
    unshare.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const first = await Promise.race([once(unshare.stdout, 'data'), once(unshare, 'exit'), once(unshare, 'error')]);
    if (String(first[0]).trim() !== 'ready') throw new Error(`cannot open a world: ${errors || String(first[0])}`);
    // A test runner's worker can outlive the runner; its world must not.
    const onOrphaned = () => unshare.kill('SIGKILL');
    process.once('disconnect', onOrphaned);
    unshare.once('exit', () => process.off('disconnect', onOrphaned));
    return new World(unshare, childOf(unshare.pid!)!);
  }

  /** The world's first process, as seen from outside: what nsenter(1) wants to know. */
  get pid(): number {
    return this.#init;
  }

  /** A path inside the world, as seen from outside. */
  path(inside: string): string {
    return join(`/proc/${this.#init}/root`, inside);
  }

  write(inside: string, text: string | Buffer, mode = 0o644): void {
    const path = this.path(inside);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  }

  read(inside: string): string {
    return readFileSync(this.path(inside), 'utf8');
  }

  /** Runs a command to its end. `network` is a namespace's name, or `undefined` for the world's own. Any exit code is a result. */
  exec(network: string | undefined, argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
    return new Promise((resolve, reject) => {
      const [file, ...args] = this.#enter(network, argv);
      const child = execFile(
        file!,
        args,
        { maxBuffer: 64 << 20, timeout: options.timeout_ms ?? 60_000, killSignal: 'SIGKILL', env: { ...cleanEnv(), ...options.env } },
        (error, stdout, stderr) => {
          if (error && (error.killed === true || typeof error.code === 'string')) reject(new Error(`${argv.join(' ')}: ${error.message}`));
          else resolve({ stdout, stderr, code: error ? Number(error.code) : 0 });
        },
      );
      child.stdin!.on('error', () => undefined); // a command that does not read its input closes it
      child.stdin!.end(options.input ?? '');
    });
  }

  /** Like `exec`, but any failure is an error. Returns what the command printed. */
  async run(network: string | undefined, argv: readonly string[], options: ExecOptions = {}): Promise<string> {
    const { stdout, stderr, code } = await this.exec(network, argv, options);
    if (code !== 0) throw new Error(`${argv.join(' ')} ended with ${code}: ${stderr || stdout}`);
    return stdout;
  }

  /** Starts a command that keeps running; it ends with the world at the latest. */
  async spawn(network: string | undefined, argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<WorldProcess> {
    const [file, ...args] = this.#enter(network, argv);
    const outer = spawn(file!, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...cleanEnv(), ...env } });
    return adopt(outer, argv.join(' '));
  }

  /** Waits until a TCP server listens there. */
  async untilListening(network: string, address: string, port: number): Promise<void> {
    const script = `for i in $(seq 400); do [ -n "$(ss -Hltn src ${address}:${port})" ] && exit; sleep .025; done; exit 1`;
    const { code } = await this.exec(network, ['bash', '-c', script]);
    if (code !== 0) throw new Error(`nothing listens on ${address}:${port} in ${network}`);
  }

  #enter(network: string | undefined, argv: readonly string[]): string[] {
    const inside = ['nsenter', `--target=${this.#init}`, '--mount', '--net', '--pid', '--ipc', '--uts', `--wdns=${WORLD_DIR}`, '--'];
    return network === undefined ? [...inside, ...argv] : [...inside, 'ip', 'netns', 'exec', network, ...argv];
  }

  /** Ends every process inside and waits until they are gone. */
  async close(): Promise<void> {
    this.#unshare.kill('SIGKILL');
    this.#unshare.stdin!.destroy();
    await this.#closed;
  }
}

/**
 * What a child inherits: nothing that would change how the product behaves. Its home has no .bashrc: bash reads it where its input is a socket, as Node's is, and
 * what it starts there may wait for a minute.
 */
const cleanEnv = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_OPTIONS: process.env['NODE_OPTIONS'],
  NODE_COMPILE_CACHE: COMPILED,
  HOME: WORLD_DIR,
  LANG: 'C.UTF-8',
});

/** `nsenter --pid` has to fork; the process we want to signal is its child. */
const childOf = (pid: number): number | undefined => {
  const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return first === undefined || first === '' ? undefined : Number(first);
};

/** On a busy machine the threads of a stopped process still run for a while. */
const allStopped = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) => /\) [Tt] /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')));

async function adopt(outer: ChildProcess, name: string): Promise<WorldProcess> {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = () => waiting.forEach((look) => look());
  for (const stream of [outer.stdout!, outer.stderr!]) {
    let rest = '';
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop()!;
      lines.push(...parts);
      wake();
    });
  }
  const running = () => outer.exitCode === null && outer.signalCode === null;
  const ended = once(outer, 'exit').then(([code, signal]: unknown[]) => {
    wake();
    return (signal ?? code) as number | NodeJS.Signals;
  });
  let pid: number | undefined;
  for (let tries = 0; running() && pid === undefined && tries < 400; tries++) {
    pid = childOf(outer.pid!);
    if (pid === undefined) await sleep(5);
  }
  if (pid === undefined) throw new Error(`${name} did not start: ${lines.join('\n')}`);
  const inner = pid;

  const until = (condition: (lines: readonly string[]) => boolean, timeout_ms = 20_000): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => settle(new Error(`${name} was silent:\n${lines.slice(-20).join('\n')}`)), timeout_ms);
      const settle = (error?: Error) => {
        clearTimeout(timer);
        waiting.delete(look);
        if (error) reject(error);
        else resolve();
      };
      const look = () => {
        if (condition(lines)) settle();
        else if (!running()) settle(new Error(`${name} has ended:\n${lines.slice(-20).join('\n')}`));
      };
      waiting.add(look);
      look();
    });

  return {
    pid: inner,
    lines,
    ended,
    get running() {
      return running();
    },
    kill(signal) {
      if (!running()) return;
      process.kill(inner, signal);
      // nsenter stops itself when its child stops, and must be woken to go on, or to see it die.
      if (signal === 'SIGCONT' || signal === 'SIGKILL') outer.kill('SIGCONT');
    },
    async freeze() {
      process.kill(inner, 'SIGSTOP');
      while (outer.exitCode === null && !allStopped(inner)) await sleep(2);
    },
    until,
    async line(pattern, timeout_ms) {
      const find = () => lines.find((line) => pattern.test(line));
      await until(() => find() !== undefined, timeout_ms);
      return find()!;
    },
  };
}
