import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../repo/pages.ts';
import { NO_ENGINES, NO_FEEDS } from './one-machine.ts';

/** Pages that one reader follows from top to bottom, in the order in which the first one names them. */
export const READ_IN_ORDER = ['docs/running.md', 'docs/accounts.md', 'docs/passive-dns.md', 'docs/backup.md'];

/** Who is not root has these rights in a user namespace of his own. */
const IS_ROOT = process.getuid?.() === 0;
/** Two namespaces with a wire between them; the second one is 8.8.8.8. Nothing else is anywhere, and that is known at once. */
const NETWORK = `
ip link set lo up
echo "$(id -g) $(id -g)" >/proc/sys/net/ipv4/ping_group_range
unshare -n sleep 600 & there=$!
until [ "$(readlink /proc/$there/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.02; done
ip link add v0 type veth peer name v1 netns $there
nsenter -t $there -n sh -ec 'ip link set lo up; ip addr add 198.18.0.2/30 dev v1; ip addr add 8.8.8.8/32 dev lo; ip link set v1 up'
ip addr add 198.18.0.1/30 dev v0
ip link set v0 up
ip route add 8.8.8.8 via 198.18.0.2
echo ready
exec sleep 600`;
const SHOWN_WITHIN_MS = 60_000;
/** What a process of ours tells others is true there a moment later: what reads it is asked again for so long. */
const TRUE_WITHIN_MS = 8_000;

/** What a page asks of its reader, in its order. */
export type Step =
  | { do: 'run'; line: number; command: string; stays: boolean; output: string[]; on?: string }
  /** End what stays and has this in its command. */
  | { do: 'end'; line: number; command: string };

export interface Section {
  title: string;
  steps: Step[];
}

/**
 * The sections of a page with the steps in them. Blocks of `console` are run: behind `$ ` stands what is typed, below it all that it prints. A name before
 * the `$` is that of a machine. One with `# stays` keeps its terminal. **Ctrl-C** with a command in backticks behind it ends those.
 */
export function sectionsOf(page: string): Section[] {
  const sections: Section[] = [];
  let block: string | undefined;
  let run: (Step & { do: 'run' }) | undefined;
  for (const [index, text] of page.split('\n').entries()) {
    const line = index + 1;
    const [, fence] = /^```(\w*)$/.exec(text) ?? [];
    if (fence !== undefined) {
      block = block === undefined ? fence : undefined;
      run = undefined;
      continue;
    }
    const [, title] = (block === undefined && /^## (.*)$/.exec(text)) || [];
    if (title !== undefined) sections.push({ title, steps: [] });
    const steps = sections.at(-1)?.steps;
    if (block === undefined)
      for (const [, command] of text.matchAll(/\*\*Ctrl-C\*\*.*?`(.*?)`/g)) steps?.push({ do: 'end', line, command: command! });
    if (block !== 'console') continue;
    const [, on, command] = /^(\w*)\$ (.*)$/.exec(text) ?? [];
    if (command !== undefined) {
      run = { do: 'run', line, command, stays: /\s# stays$/.test(text), output: [], ...(on && { on }) };
      steps?.push(run);
    } else run?.output.push(text);
  }
  return sections.filter(({ steps }) => steps.length > 0);
}

/** Examples on the page that stand for what is printed in their place, and from then on for that in every command: ids of accounts, of keys, secrets. */
const BOUND = /acct_[0-9a-z]{12}|(?<![a-z0-9])(?:[a-z2-7]{16}|[a-z2-7]{38})(?![a-z0-9])/;
/** Those that differ each time. */
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/;
const EXAMPLES = new RegExp(`${BOUND.source}|${TIME.source}`, 'g');

/** What the page's examples stand for. */
export class Examples {
  #meant = new Map<string, string>();

  /** A command with what was printed instead of the examples. */
  in(command: string): string {
    return command.replaceAll(new RegExp(BOUND, 'g'), (example) => this.#meant.get(example) ?? example);
  }

  /** Whether lines are as the page has them: `…` stands for anything in a line, and alone for any lines. Columns may be wider or narrower. */
  match(expected: readonly string[], printed: string): boolean {
    const asked: string[] = [];
    const source = expected.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${this.#lineOf(line, asked)}\\n`)).join('');
    const found = new RegExp(`^${source}$`).exec(`${printed.trimEnd()}\n`.replace(/^\n$/, ''));
    for (const [i, example] of asked.entries()) if (found) this.#meant.set(example, found[i + 1]!);
    return found !== null;
  }

  #lineOf(line: string, asked: string[]): string {
    const plain = (text: string): string =>
      text
        .split('…')
        .map((part) => part.split(/ {2,}/).map(RegExp.escape).join(' {2,}'))
        .join('.*?');
    let source = '';
    let at = 0;
    for (const { 0: example, index } of line.matchAll(EXAMPLES)) {
      source += plain(line.slice(at, index));
      at = index + example.length;
      const meant = this.#meant.get(example);
      const shape = TIME.test(example)
        ? TIME
        : example.startsWith('acct_')
          ? /acct_[0-9a-z]{12}/
          : new RegExp(`[a-z2-7]{${example.length}}`);
      if (meant !== undefined) source += RegExp.escape(meant);
      else if (shape === TIME) source += TIME.source;
      else if (asked.includes(example)) source += `\\${asked.indexOf(example) + 1}`;
      else source += `(${shape.source})`;
      if (meant === undefined && shape !== TIME && !asked.includes(example)) asked.push(example);
    }
    return source + plain(line.slice(at));
  }
}

/** A program in a terminal of a reader's machine: what it prints comes from one pipe, as on a screen. */
interface Typed {
  child: ChildProcess;
  printed: () => string;
  ended: Promise<unknown>;
}

const TOKEN = /^vdtj_\S+$/m;

/** A reader at his machine: a clean copy of the repository, on a network of its own where 8.8.8.8 answers and nothing else is. */
export class Reader {
  #folder = mkdtempSync(join(tmpdir(), 'vedette-page-'));
  #network: string;
  #more: NodeJS.ProcessEnv;
  /** Namespaces of other machines, by their names on the page, as the network tells them. */
  #machines = new Map<string, string>();
  /** The token that was printed last, which a reader pastes elsewhere. */
  #token = '';
  /** Has the network. */
  #holder: ChildProcess | undefined;
  #staying = new Set<{ command: string; child: ChildProcess; ended: Promise<unknown> }>();
  #examples = new Examples();

  /** `network`: a script that makes it, and then prints `ready` and `machine=pid` for each of several; `more`: settings that the page need not name. */
  constructor(network = NETWORK, more: NodeJS.ProcessEnv = {}) {
    this.#network = network;
    this.#more = more;
  }

  async open(): Promise<void> {
    chmodSync(this.#folder, 0o755);
    process.once('exit', this.#kill);
    const [program, ...args] = IS_ROOT ? ['unshare', '-n'] : ['unshare', '-Ucn', '--keep-caps'];
    this.#holder = spawn(program, [...args, 'sh', '-ec', this.#network], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    const [ready] = (await once(this.#holder.stdout!, 'data')) as [Buffer];
    if (!ready.toString().startsWith('ready')) throw new Error('no network of its own');
    for (const [, name, pid] of ready.toString().matchAll(/(\w+)=(\d+)/g)) this.#machines.set(name!, pid!);
    for (const name of this.#machines.size > 0 ? this.#machines.keys() : ['']) copyTo(join(this.#folder, name));
  }

  /** Does it. Resolves to what is not as the page says. */
  async follow(step: Step): Promise<string> {
    if (step.do === 'end') {
      await this.#end(step.command);
      return '';
    }
    const command = this.#examples.in(step.command);
    const on = step.on ?? '';
    const pasted = /\sjoin -(\s|$)/.test(command) ? this.#token : '';
    const output = step.output.filter((line) => pasted === '' || !line.startsWith('vdtj_'));
    const printed = step.stays ? await this.#stay(command, output, on, pasted) : await this.#run(command, output, on);
    return printed === undefined ? '' : `line ${step.line}: $ ${step.command}\nprinted\n${printed}\ninstead of\n${step.output.join('\n')}`;
  }

  async close(): Promise<void> {
    await this.#end('');
    process.off('exit', this.#kill);
    this.#kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #kill = (): void => {
    for (const { child } of this.#staying) if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
    if (this.#holder?.exitCode === null) process.kill(-this.#holder.pid!, 'SIGKILL');
  };

  #type(command: string, on: string, pasted = ''): Typed {
    const pid = this.#machines.get(on) ?? String(this.#holder?.pid);
    const folder = join(this.#folder, on);
    // Another machine has files of its own where it is a mount namespace, too.
    const there = ['-t', pid, '-n', ...(on === '' ? [] : ['-m']), ...(IS_ROOT ? [] : ['-U', '--preserve-credentials'])];
    const child = spawn('nsenter', [...there, 'bash', '--norc', '-c', `exec 2>&1\ncd '${folder}'\n${command}`], {
      cwd: folder,
      // No witnesses: there are no root servers here. What npm set for us is not what a reader has.
      env: {
        PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
        HOME: folder,
        LANG: 'C.UTF-8',
        VEDETTE_WITNESSES: '',
        VEDETTE_FEEDS_FILE: NO_FEEDS,
        VEDETTE_ENGINES_FILE: NO_ENGINES,
        npm_config_update_notifier: 'false',
        ...this.#more,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true, // a group of its own, as Ctrl-C goes to
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      this.#token = TOKEN.exec(text)?.[0] ?? this.#token;
    });
    child.stdin.on('error', () => undefined); // it may have ended without reading
    child.stdin.end(pasted === '' ? '' : `${pasted}\n`);
    return { child, printed: () => text, ended: once(child, 'close') };
  }

  async #run(command: string, output: readonly string[], on: string): Promise<string | undefined> {
    const until = performance.now() + (/^curl |^\.\/vedette fleet agents/.test(command) ? TRUE_WITHIN_MS : 0);
    for (;;) {
      const { printed, ended } = this.#type(command, on);
      await ended;
      if (this.#examples.match(output, printed())) return undefined;
      if (performance.now() >= until) return printed();
      await sleep(200);
    }
  }

  async #stay(command: string, output: readonly string[], on: string, pasted: string): Promise<string | undefined> {
    const { child, printed, ended } = this.#type(command, on, pasted);
    this.#staying.add({ command, child, ended });
    const shown = () => this.#examples.match(['…', ...output.flatMap((line) => [line, '…'])], printed());
    const until = performance.now() + SHOWN_WITHIN_MS;
    while (!shown()) {
      if (performance.now() > until || child.exitCode !== null) return printed();
      await sleep(50);
    }
    return undefined;
  }

  async #end(command: string): Promise<void> {
    const ending = [...this.#staying].filter((staying) => staying.command.includes(command));
    for (const staying of ending) {
      this.#staying.delete(staying);
      if (staying.child.exitCode === null) process.kill(-staying.child.pid!, 'SIGINT');
    }
    await Promise.all(ending.map(({ ended }) => ended));
  }
}

/** What git knows of the repository, or would take in, with the packages that are installed. Those of ours are the copy's own. */
function copyTo(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, maxBuffer: 1 << 26 });
  const tar = execFileSync('tar', ['-c', '--ignore-failed-read', '--null', '-T', '-'], {
    cwd: ROOT,
    input: files,
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  execFileSync('tar', ['-x'], { cwd: folder, input: tar });
  const modules = join(ROOT, 'node_modules');
  const link = (name: string, target: string): void => {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
    symlinkSync(target, join(folder, 'node_modules', name));
  };
  for (const name of readdirSync(modules)) if (name !== '@vedette') link(name, join(modules, name));
  for (const name of readdirSync(join(folder, 'packages'))) link(`@vedette/${name}`, `../../packages/${name}`);
}
