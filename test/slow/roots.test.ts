import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, createReadStream, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../free-ports.ts';
import { listening } from '../listening.ts';
import { NO_ENGINES, NO_FEEDS } from '../system/one-machine.ts';

/** `npm start` in bare roots of Debian: as root and as a plain user, with the distribution's Node or none, with and without user namespaces. */

const ENTER = join(import.meta.dirname, 'roots/enter.sh');
const canRun = process.getuid?.() === 0 && existsSync('/usr/sbin/debootstrap');
const MINUTE_MS = 60_000;
const NPM_CACHE = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
const REGISTRY = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim().replace(/\/$/, '');

/** Roots of the registry's certificate that a machine has been given. */
const CERTIFICATES = { NODE_EXTRA_CA_CERTS: process.env['NODE_EXTRA_CA_CERTS'] };

interface Readiness {
  status: string;
  impaired: { part: string; reason: string }[];
}

describe.skipIf(!canRun)('a bare root', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-roots-'));
  let registry: Awaited<ReturnType<typeof listening>>;
  let registryUrl: string;

  /** A registry that has what npm cannot fetch by itself, and sends those who want more to npm's own. */
  beforeAll(async () => {
    const pins = readFileSync('scripts/binaries.sha256', 'utf8');
    const wanted = ['npm', `node-linux-${process.arch}`].map(
      (name) => `${name}@${new RegExp(`^\\S{64} ${name} (\\S+) `, 'm').exec(pins)![1]}`,
    );
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, ...wanted]);
    const archives = new Map(globSync('*.tgz', { cwd: folder }).map((name) => [name, join(folder, name)]));
    const server = createServer(({ url = '' }, response) => {
      const archive = archives.get(basename(url));
      if (archive === undefined) response.writeHead(302, { location: `${REGISTRY}${url}` }).end();
      else createReadStream(archive).pipe(response);
    });
    registry = await listening([server], '127.0.0.1', [0]);
    registryUrl = `http://127.0.0.1:${registry.ports[0]}`;
  }, 5 * MINUTE_MS);
  afterAll(async () => {
    await registry.close();
    // A mount below would lose what it leads to.
    if (!readFileSync('/proc/self/mounts', 'utf8').includes(folder)) rmSync(folder, { recursive: true, force: true });
  }, 5 * MINUTE_MS);

  /** A root of its own for each user, since the first set-up installs what the second is to miss. */
  function makeRoot(suite: string, user: string): string {
    const root = join(folder, suite);
    const copy = join(folder, `${suite}-${user}`);
    if (!existsSync(root)) bootstrap(suite, root);
    execFileSync('cp', ['-a', root, copy]);
    return copy;
  }

  function bootstrap(suite: string, root: string): void {
    execFileSync('debootstrap', ['--variant=minbase', '--include=curl', suite, root], { stdio: 'ignore' });
    execFileSync('chroot', [root, 'useradd', '--create-home', 'op']);
    for (const home of ['root', 'home/op']) {
      mkdirSync(join(root, home, 'vedette'));
      execFileSync('sh', ['-c', `git archive HEAD | tar -x -C "$0"`, join(root, home, 'vedette')]);
    }
    execFileSync('chroot', [root, 'chown', '-R', 'op:op', '/home/op']);
  }

  /** Runs a command in a root; it and all below it end with `end`. */
  function enter(
    root: string,
    { how, user }: { how: 'pivot' | 'chroot'; user: string },
    command: string,
    env: Record<string, string> = {},
  ) {
    const namespaces = ['--mount', '--pid', '--fork', '--kill-child=KILL'];
    const child: ChildProcess = spawn('unshare', [...namespaces, 'sh', ENTER, root, how, user, 'sh', '-c', command], {
      env: { PATH: process.env['PATH'], NPM_CACHE, ...CERTIFICATES, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout!.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    return {
      ended,
      stdout: () => stdout,
      stderr: () => stderr,
      async end() {
        // The first process of the namespace, and the rest with it. `--kill-child` does not outlive a change of user (prctl(2), PR_SET_PDEATHSIG).
        const first = child.exitCode === null ? readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim() : '';
        if (first !== '') process.kill(Number(first), 'SIGKILL');
        await ended;
      },
    };
  }

  /** Starts the system, and gives what it says beside its ready line and to operators. */
  async function start(root: string, as: { how: 'pivot' | 'chroot'; user: string }, command: string, env: Record<string, string>) {
    const opsPort = String(await freePort());
    const settings = { VEDETTE_PORT: '0', VEDETTE_OPS_PORT: opsPort, VEDETTE_WITNESSES: '', ...noStrangers(root), ...env };
    const vedette = enter(root, as, `cd vedette && exec ${command}`, settings);
    try {
      const ready = async () => {
        while (!/^vedette ready /m.test(vedette.stdout())) await new Promise((resolve) => setTimeout(resolve, 200));
      };
      const code = await Promise.race([ready(), vedette.ended]);
      if (code !== undefined) throw new Error(`ended with ${code}: ${vedette.stderr().slice(-3_000)}`);
      const readiness = (await (await fetch(`http://127.0.0.1:${opsPort}/readyz`)).json()) as Readiness;
      const off = vedette
        .stdout()
        .split('\n')
        .filter((line) => / (off|impaired): /.test(line));
      process.stdout.write(`${root} ${as.user} ${as.how}:\n  ${[...off, readiness.status].join('\n  ')}\n`);
      return { off, readiness, stderr: vedette.stderr() };
    } finally {
      await vedette.end();
    }
  }

  const nameOf = (path: string): string => `${basename(dirname(path))}.json`;
  const noStrangers = (root: string): Record<string, string> => {
    const files = { VEDETTE_FEEDS_FILE: NO_FEEDS, VEDETTE_ENGINES_FILE: NO_ENGINES };
    for (const path of Object.values(files)) {
      const copy = join(root, 'etc', nameOf(path));
      copyFileSync(path, copy);
      chmodSync(copy, 0o644);
    }
    return Object.fromEntries(Object.entries(files).map(([name, path]) => [name, `/etc/${nameOf(path)}`]));
  };

  describe.each(['bookworm', 'trixie'])('of Debian %s', (suite) => {
    it(
      'a plain user without Node, ICMP and user namespaces: is told what is missing, then it is ready and says what is off',
      async () => {
        const root = makeRoot(suite, 'op');
        const as = { how: 'chroot', user: 'op' } as const;
        const command = './vedette start';
        const env = { npm_config_registry: registryUrl };
        const refused = enter(root, as, `cd vedette && exec ${command}`, env);
        expect(await refused.ended).toBe(1);
        const [, packages] = /we are not root\. On Debian, as root, then try again: {2}apt-get update && (apt-get install .*)\n/.exec(
          refused.stderr(),
        )!;
        const installing = enter(root, { how: 'chroot', user: 'root' }, `apt-get update && ${packages}`);
        expect(await installing.ended, installing.stderr()).toBe(0);

        const { off, readiness } = await start(root, as, command, env);
        expect(off).toEqual([
          expect.stringMatching(/^the parsers of messages are impaired: .*Allow user namespaces/),
          expect.stringMatching(/^screenshots, PDFs and http-tracker are off: the browser cannot start its sandbox/),
          expect.stringMatching(/^ping-test is off: no agent has the right to send ICMP\. Allow ICMP sockets: sysctl/),
        ]);
        expect(readiness.status).toBe('degraded');
        expect(readiness.impaired.map(({ part }) => part)).toEqual(['parsers', 'renderers', 'icmp']);
      },
      20 * MINUTE_MS,
    );

    it(
      "root with the distribution's Node, user namespaces and a TMPDIR of its own: installs what is missing, and is ready with everything",
      async () => {
        const root = makeRoot(suite, 'root');
        mkdirSync(join(root, 'root/tmp'), { mode: 0o700 });
        const as = { how: 'pivot', user: 'root' } as const;
        const installing = enter(root, as, 'apt-get update && apt-get install -y --no-install-recommends npm');
        expect(await installing.ended, installing.stderr()).toBe(0);
        const { off, readiness, stderr } = await start(root, as, 'npm start', { TMPDIR: '/root/tmp' });
        expect(stderr).toMatch(/vedette setup: \d+ packages of the distribution, \d+ MB to fetch/);
        expect(off).toEqual([]);
        expect(readiness).toMatchObject({ status: 'ready', impaired: [] });
      },
      20 * MINUTE_MS,
    );
  });
});
