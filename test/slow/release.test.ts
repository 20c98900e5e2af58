import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNkey, encodeJoinToken, natsServerConfig } from '@vedette/bus';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NatsServer, startNatsServer } from '../bus/nats-server.ts';
import { createDatabase, startServer } from '../ledger/servers.ts';
import { freePort } from '../free-ports.ts';
import { NO_ENGINES, NO_FEEDS } from '../system/one-machine.ts';
import { eventually, startGateway, type TestGateway } from '../bus/world.ts';

/** `npm run release`, twice, of what is committed; and the agent of it on machines that have nothing. */

const canRun = process.getuid?.() === 0 && existsSync('/usr/sbin/debootstrap') && existsSync('/usr/bin/patchelf');
const MB = 1_000_000;
const STEP_MS = 60 * 60_000; // of five minutes on two quiet cores
const ANYONE = 1000;

describe.skipIf(!canRun)('a release', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-release-test-'));
  const one = join(folder, 'one/dist/release');
  const file = (pattern: string): string => globSync(pattern, { cwd: one })[0]!;
  const sizeOf = (pattern: string): number => statSync(join(one, file(pattern))).size;

  beforeAll(() => {
    chmodSync(folder, 0o755);
    for (const [from, to] of [
      ['.', 'one'],
      [join(folder, 'one'), 'two'],
    ] as const) {
      const at = join(folder, to);
      execFileSync('git', ['clone', '-q', from, at]);
      execFileSync('cp', ['-al', 'node_modules', at]);
      execFileSync('sh', ['scripts/node.sh', 'scripts/release.ts'], { cwd: at, stdio: ['ignore', 'ignore', 'inherit'], timeout: STEP_MS });
    }
  }, 2 * STEP_MS);
  afterAll(() => rmSync(folder, { recursive: true, force: true }), STEP_MS);

  it('is the same bytes in two clones', () => {
    const sums = ['one', 'two'].map((clone) => readFileSync(join(folder, clone, 'dist/release/SHA256SUMS'), 'utf8'));
    expect(sums[1]).toBe(sums[0]);
    // Every file but the sums themselves.
    expect(
      sums[0]!
        .trim()
        .split('\n')
        .map((line) => line.split('  ')[1]),
    ).toEqual(
      readdirSync(one)
        .filter((name) => name !== 'SHA256SUMS')
        .toSorted(),
    );
  });

  it('has an agent that fits: 30 MB as .tar.xz, 50 MB as an image', () => {
    expect(sizeOf('vedette-agent-*.tar.xz')).toBeLessThanOrEqual(30 * MB);
    expect(sizeOf('vedette-agent-*.oci.tar')).toBeLessThanOrEqual(50 * MB);
  });

  it('has a gateway and a renderer that run from their tarballs', async () => {
    const [database, bus, port] = await Promise.all([startServer('embedded'), startNatsServer(), freePort()]);
    const children: ChildProcess[] = [];
    const unpacked = (role: string): string => {
      execFileSync('tar', ['-xzf', join(one, file(`vedette-${role}-*.tar.gz`)), '-C', folder]);
      return join(folder, file(`vedette-${role}-*.tar.gz`).replace('.tar.gz', ''));
    };
    const env = { PATH: '/usr/bin:/bin', VEDETTE_NATS_URL: bus.url, VEDETTE_WITNESSES: '', VEDETTE_DATA_DIR: join(folder, 'data') };
    const start = async (role: string, line: string, more: Record<string, string>): Promise<string> => {
      const launcher = join(unpacked(role), 'vedette');
      const child = spawn(launcher, [role], { env: { ...env, ...more }, stdio: ['ignore', 'ignore', 'pipe'] });
      children.push(child);
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
      await eventually(() => said.includes(line), role, 60_000).catch((cause: unknown) => {
        throw new Error(said, { cause });
      });
      return launcher;
    };
    try {
      const settings = {
        VEDETTE_DATABASE_URL: await createDatabase(database),
        VEDETTE_PORT: String(port),
        VEDETTE_OPS_PORT: String(await freePort()),
        VEDETTE_BOOTSTRAP_KEY: 'a-key-of-this-test',
        VEDETTE_ADMIN_TOKEN: 'an-admin-token-of-this-test',
        VEDETTE_FEEDS_FILE: NO_FEEDS,
        VEDETTE_ENGINES_FILE: NO_ENGINES,
      };
      const vedette = await start('gateway', '"listening"', settings);
      await start('renderer', '"ready"', {});
      const accounts = execFileSync(vedette, ['accounts', 'list'], { env: { ...env, ...settings }, encoding: 'utf8' });
      expect(accounts).toContain('bootstrap');
      const answer = await fetch(`http://127.0.0.1:${port}/v2/html-to-png`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'a-key-of-this-test' },
        body: JSON.stringify({ html_base64: btoa('<h1>Hello</h1>') }),
      });
      expect(await answer.json()).toMatchObject({ rendered_file: { base64_file: expect.stringMatching(/^iVBOR/) } });
      for (const child of children) {
        child.kill('SIGTERM');
        expect((await once(child, 'close'))[0]).toBe(0);
      }
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all([bus.stop(), database.stop()]);
    }
  });

  describe('its agent, installed by a user who is not root', () => {
    const key = createNkey();
    const gatewayKey = createNkey();
    let server: NatsServer;
    let gateway: TestGateway;
    const target = createServer((_request, response) => response.end('hello'));
    const agents = new Set<ChildProcess>();
    beforeAll(async () => {
      server = await startNatsServer((port) =>
        natsServerConfig({
          host: '127.0.0.1',
          port,
          gateways: [{ publicKey: gatewayKey.publicKey }],
          agents: [{ publicKey: key.publicKey, location: 'eu-fra' }],
        }),
      );
      gateway = await startGateway(server.url, { credentials: gatewayKey.seed });
      await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    });
    afterAll(async () => {
      for (const agent of agents) agent.kill('SIGKILL');
      await gateway?.close();
      await server?.stop();
      target.close();
    });

    it.each([
      ['Debian 12', (root: string) => debootstrap('bookworm', root)],
      ['busybox alone, as Alpine has it: no glibc', busybox],
    ] as const)('on %s, joins by a token and measures', { timeout: STEP_MS }, async (_, make) => {
      const root = mkdtempSync(join(folder, 'root-'));
      chmodSync(root, 0o755);
      make(root);
      mkdirSync(join(root, 'release'));
      for (const name of globSync(['install.sh', 'vedette-agent-*.tar.[gx]z'], { cwd: one }))
        execFileSync('cp', [join(one, name), join(root, 'release')]);
      writeFileSync(join(root, 'token'), encodeJoinToken({ urls: [server.url], location: 'eu-fra', seed: key.seed }));
      // The agent reads of /proc what it takes.
      const script = `mount --make-rprivate /; mount -t proc proc "$0/proc"; exec /usr/sbin/chroot --userspec=${ANYONE}:${ANYONE} "$0" /bin/sh "$@"`;
      const inside = ['--mount', '/bin/sh', '-ec', script, root];
      const env = { PATH: '/usr/bin:/bin', HOME: '/tmp', VEDETTE_WITNESSES: '', VEDETTE_ALLOW_NETS: '127.0.0.0/8' };
      execFileSync('/usr/bin/unshare', [...inside, '/release/install.sh', '--from', '/release', '--prefix', '/tmp/vedette'], {
        env,
        stdio: 'pipe',
      });
      const joining = ['agent', 'join', '--token-file', '/token', '--foreground'];
      const agent = spawn('/usr/bin/unshare', [...inside, '/tmp/vedette/vedette-agent/vedette', ...joining], {
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      agents.add(agent);
      let said = '';
      agent.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
      try {
        await eventually(() => gateway.presence.beating().includes('eu-fra'), 'an agent', 60_000).catch((cause: unknown) => {
          throw new Error(said, { cause });
        });
        const spec = { url: `http://127.0.0.1:${(target.address() as AddressInfo).port}/`, family: 4 };
        const [reply] = await gateway.ask(['eu-fra'], { kind: 'http', spec, check: () => true });
        expect(reply).toMatchObject({ result: { status_code: 200 } });
        agent.kill('SIGTERM');
        expect((await once(agent, 'close'))[0], said).toBe(0);
      } finally {
        agent.kill('SIGKILL');
      }
    });
  });
});

const debootstrap = (suite: string, root: string): void =>
  void execFileSync('debootstrap', ['--variant=minbase', suite, root, 'http://deb.debian.org/debian'], {
    stdio: 'ignore',
    timeout: STEP_MS,
  });

/** A root with nothing but the one static program. */
function busybox(root: string): void {
  for (const name of ['bin', 'dev', 'proc', 'tmp']) mkdirSync(join(root, name));
  const program = join(root, 'bin/busybox');
  execFileSync('sh', [
    '-ec',
    'cd "$0" && apt-get download busybox-static >/dev/null && dpkg-deb --fsys-tarfile *.deb | tar -xO ./bin/busybox >bin/busybox',
    root,
  ]);
  chmodSync(program, 0o755);
  chmodSync(join(root, 'tmp'), 0o1777);
  execFileSync('chroot', [root, '/bin/busybox', '--install', '-s', '/bin']);
  for (const [name, minor] of [
    ['null', 3],
    ['urandom', 9],
  ] as const)
    execFileSync('mknod', ['-m', '666', join(root, 'dev', name), 'c', '1', String(minor)]);
}
