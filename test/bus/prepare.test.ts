import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locationsOf, natsServerConfig, openBus, prepareBus, publicKeyOf } from '@vedette/bus';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePki } from '../probes/http/certificates.ts';
import { type NatsServer, startNatsServer } from './nats-server.ts';
import { clock } from './world.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepare-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const listener = { host: '127.0.0.1', port: 4222 };
const keyOf = (path: string): string => publicKeyOf(readFileSync(path, 'utf8'));

it('writes a key for every role that only we can read, and the configuration that names them', () => {
  const { config, credentials } = prepareBus({ folder, ...listener, gateways: 2, renderers: 1, locations: ['eu-fra', 'us-ash'] });
  expect(credentials).toEqual({
    gateways: [join(folder, 'gateway-1.nkey'), join(folder, 'gateway-2.nkey')],
    agents: new Map([
      ['eu-fra', join(folder, 'agent-eu-fra.nkey')],
      ['us-ash', join(folder, 'agent-us-ash.nkey')],
    ]),
    renderers: [join(folder, 'renderer-1.nkey')],
  });
  expect(readFileSync(config, 'utf8')).toBe(
    natsServerConfig({
      ...listener,
      gateways: credentials.gateways.map((path) => ({ publicKey: keyOf(path) })),
      agents: [...credentials.agents].map(([location, path]) => ({ location, publicKey: keyOf(path) })),
      renderers: credentials.renderers.map((path) => ({ publicKey: keyOf(path) })),
    }),
  );
  const files = [...credentials.gateways, ...credentials.agents.values(), ...credentials.renderers];
  expect(files.map((path) => statSync(path).mode & 0o777)).toEqual(files.map(() => 0o600));
});

it('adds a location, a gateway and a renderer to those that are there', () => {
  const before = prepareBus({ folder, ...listener, gateways: 1, locations: ['us-ash'] });
  const [gateway, agent] = [before.credentials.gateways[0]!, before.credentials.agents.get('us-ash')!].map(keyOf);
  const { config, credentials } = prepareBus({ folder, ...listener, gateways: 2, renderers: 1, locations: ['eu-fra'] });
  expect([...credentials.agents.keys()]).toEqual(['eu-fra', 'us-ash']);
  expect(keyOf(credentials.gateways[0]!)).toBe(gateway);
  expect(keyOf(credentials.agents.get('us-ash')!)).toBe(agent);
  prepareBus({ folder, ...listener, gateways: 1, locations: ['eu-fra'] });
  expect(readFileSync(config, 'utf8')).toContain(keyOf(credentials.gateways[1]!));
  expect(readFileSync(config, 'utf8')).toContain(keyOf(credentials.renderers[0]!));
});

it('refuses a location that could stand for others', () => {
  expect(() => prepareBus({ folder, ...listener, gateways: 1, locations: ['*'] })).toThrow(TypeError);
  expect(readdirSync(folder)).toEqual([]);
});

it('refuses to guess whether a bus had TLS whose keys are there without a configuration: it opened in plain text', () => {
  const { config } = prepareBus({ folder, gateways: 1, locations: ['eu-fra'] });
  rmSync(config);
  expect(() => prepareBus({ folder, gateways: 1, locations: ['us-ash'] })).toThrow('say --tls-cert and --tls-key, or --no-tls');
  expect(existsSync(config)).toBe(false);
  expect(prepareBus({ folder, gateways: 1, locations: [], tls: 'none' }).credentials.agents.has('eu-fra')).toBe(true);
});

describe('prepared again', () => {
  const tls = { certFile: '/etc/tls/bus.pem', keyFile: '/etc/tls/bus.key' };
  const TLS_LINE = 'tls: { cert_file: "/etc/tls/bus.pem", key_file: "/etc/tls/bus.key" }';
  const lines = (config: string) => readFileSync(config, 'utf8').split('\n');
  const again = (more: object = {}) => prepareBus({ folder, gateways: 1, locations: [], ...more });
  beforeEach(() => prepareBus({ folder, host: '127.0.0.1', port: 4333, tls, gateways: 1, locations: ['eu-fra'] }));

  it('keeps host, port and TLS, and says what changes', () => {
    const { config, listening, changes, wantsRestart } = again({ locations: ['us-ash'] });
    expect(lines(config)).toEqual(expect.arrayContaining(['host: "127.0.0.1"', 'port: 4333', TLS_LINE]));
    expect(listening).toEqual({ host: '127.0.0.1', port: 4333, tls });
    expect(changes).toEqual(['- max_connections: 520', '+ max_connections: 524', '+ agent-us-ash']);
    expect(wantsRestart).toBe(false);
    expect(again().changes).toEqual([]);
  });

  it('takes TLS away only where that is said', () => {
    expect(again().listening.tls).toEqual(tls);
    const { config, changes } = again({ tls: 'none' });
    expect(changes).toEqual([`- ${TLS_LINE}`]);
    expect(readFileSync(config, 'utf8')).not.toContain('tls');
  });

  it('another host or port wants a restart', () => {
    expect(again({ host: '0.0.0.0' })).toMatchObject({ wantsRestart: true, changes: ['- host: "127.0.0.1"', '+ host: "0.0.0.0"'] });
    expect(again({ port: 4222 })).toMatchObject({ wantsRestart: true, listening: { host: '0.0.0.0', port: 4222, tls } });
  });

  it('a key whose files are gone is told as revoked', () => {
    const key = readFileSync(join(folder, 'agent-eu-fra.nkey.pub'), 'utf8').trim();
    for (const file of ['agent-eu-fra.nkey', 'agent-eu-fra.nkey.pub']) rmSync(join(folder, file));
    expect(again({ locations: ['us-ash'] }).changes).toEqual([`- ${key}, whose files are gone`, '+ agent-us-ash']);
  });

  it('lines that were changed by hand are told as they go, and those in own.conf stay', () => {
    const config = join(folder, 'nats-server.conf');
    writeFileSync(config, `${readFileSync(config, 'utf8')}max_payload: 1MB\n`);
    expect(again().changes).toEqual(['- max_payload: 1MB']);
    writeFileSync(join(folder, 'own.conf'), 'max_payload: 1MB\n');
    expect(again().changes).toEqual(['+ include "own.conf"']);
    expect(again().changes).toEqual([]);
  });

  it.each([
    ['host', /^host.*$/m, '# host', '--host'],
    ['port', /^port.*$/m, 'listen: 4333', '--port'],
    ['TLS', /^tls.*$/m, 'tls {\n  cert_file: "a.pem"\n  verify: true\n}', '--tls-cert and --tls-key, or --no-tls'],
  ])('guesses at no %s that was changed by hand', (_what, line, by, flag) => {
    const config = join(folder, 'nats-server.conf');
    const changed = readFileSync(config, 'utf8').replace(line, by);
    writeFileSync(config, changed);
    expect(() => again({ locations: ['us-ash'] })).toThrow(`changed by hand, so that it is not known what to keep: say ${flag}`);
    expect(readFileSync(config, 'utf8')).toBe(changed);
    expect(existsSync(join(folder, 'agent-us-ash.nkey'))).toBe(false);
  });

  it.each([
    ['key file of a gateway', 'gateway-1.nkey', () => ['', '.pub'].forEach((end) => rmSync(join(folder, `agent-eu-fra.nkey${end}`)))],
    ['configuration', 'nats-server.conf', () => writeFileSync(join(folder, 'own.conf'), 'max_payload: 1MB\n')],
  ])('a %s is what it was where nothing more can be written', (_what, file, change) => {
    change();
    const files = readdirSync(folder);
    const before = readFileSync(join(folder, file), 'utf8');
    const script = `import { prepareBus } from '@vedette/bus'; prepareBus({ folder: ${JSON.stringify(folder)}, gateways: 1, locations: [] });`;
    // A disk is full for a process that may write files of no length.
    const args = ['-c', 'ulimit -f 0; trap "" XFSZ; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script];
    const { status, stderr } = spawnSync('/bin/sh', args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
    expect([status, stderr]).toEqual([1, expect.stringContaining('EFBIG')]);
    expect(readFileSync(join(folder, file), 'utf8')).toBe(before);
    expect(readdirSync(folder)).toEqual(files);
    expect(again().changes).not.toEqual([]); // done by the next one
  });

  it('who may read a file that is there may read what comes in its place, and what a kill left beside it does no harm', () => {
    const files = ['gateway-1.nkey', 'nats-server.conf'].map((file) => join(folder, file));
    for (const path of files) {
      chmodSync(path, 0o640);
      if (process.getuid?.() === 0) chownSync(path, 2_100_000_001, 2_100_000_002);
      writeFileSync(`${path}.new`, 'half of');
    }
    const owners = () => files.map((path) => statSync(path)).map(({ uid, gid, mode }) => [uid, gid, mode & 0o777]);
    const [before, inodes] = [owners(), files.map((path) => statSync(path).ino)];
    again({ locations: ['us-ash'] });
    expect(owners()).toEqual(before);
    expect(files.map((path, i) => statSync(path).ino === inodes[i])).toEqual([false, false]);
    expect(files.map((path) => existsSync(`${path}.new`))).toEqual([false, false]);
  });

  it('the key files of gateways name the locations that have a key, and nothing else changes in them', () => {
    const key = keyOf(join(folder, 'gateway-1.nkey'));
    const { credentials } = again({ locations: ['us-ash'] });
    const text = readFileSync(credentials.gateways[0]!, 'utf8');
    expect(locationsOf(text)).toEqual(['eu-fra', 'us-ash']);
    expect(publicKeyOf(text)).toBe(key);
    expect(statSync(credentials.gateways[0]!).mode & 0o777).toBe(0o600);
    expect(locationsOf(readFileSync(credentials.agents.get('us-ash')!, 'utf8'))).toEqual([]);
  });
});

describe('a nats-server that runs', () => {
  let server: NatsServer;
  afterEach(() => server.stop());
  const greeting = async (): Promise<{ tls_required?: boolean; max_payload: number }> => {
    const socket = connect(server.port, '127.0.0.1');
    const [data] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return JSON.parse(data.toString().replace(/^INFO /, '')) as { max_payload: number };
  };

  it('still wants TLS when a location was added and it was told to reload, and knows the new key', async () => {
    using pki = makePki({ bus: { names: 'DNS:localhost' } });
    const tls = { certFile: `${pki.folder}/bus.pem`, keyFile: `${pki.folder}/bus.key` };
    const prepare = (port: number) => prepareBus({ folder, host: '127.0.0.1', port, tls, gateways: 1, locations: ['eu-fra'] });
    server = await startNatsServer((port) => readFileSync(prepare(port).config, 'utf8'));
    expect((await greeting()).tls_required).toBe(true);
    const added = prepareBus({ folder, gateways: 1, locations: ['us-ash'] });
    await server.reload(readFileSync(added.config, 'utf8'));
    expect((await greeting()).tls_required).toBe(true);
    const credentials = readFileSync(added.credentials.agents.get('us-ash')!, 'utf8');
    const open = (scheme: string, given: string) =>
      openBus({ url: `${scheme}://localhost:${server.port}`, name: 'test', clock, credentials: given, waitOnFirstConnect: false });
    await expect(open('tls', credentials)).rejects.toThrow('unable to verify'); // it is TLS, of a CA that nobody here knows
    await server.reload(readFileSync(prepareBus({ folder, tls: 'none', gateways: 1, locations: [] }).config, 'utf8'));
    for (const file of [credentials, readFileSync(added.credentials.gateways[0]!, 'utf8')]) await (await open('nats', file)).close();
  });

  it('takes the lines of own.conf over ours', async () => {
    server = await startNatsServer((port) =>
      readFileSync(prepareBus({ folder, host: '127.0.0.1', port, gateways: 1, locations: [] }).config, 'utf8'),
    );
    expect((await greeting()).max_payload).toBe(524_288);
    for (const at of [folder, server.folder]) writeFileSync(join(at, 'own.conf'), 'max_payload: 4096\n');
    await server.reload(readFileSync(prepareBus({ folder, gateways: 1, locations: [] }).config, 'utf8'));
    expect((await greeting()).max_payload).toBe(4_096);
  });
});
