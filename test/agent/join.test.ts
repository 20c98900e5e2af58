import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNkey, encodeJoinToken, natsServerConfig } from '@vedette/bus';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { joinByArguments, type JoinPorts, undoJoinByArguments } from '../../packages/agent/src/join.ts';
import { startNatsServer, type NatsServer } from '../bus/nats-server.ts';
import { makePki } from '../probes/http/certificates.ts';

const pki = makePki({ bus: { names: 'DNS:localhost' } });
const folder = mkdtempSync(join(tmpdir(), 'join-'));
const agent = createNkey();
const UNIT = 'deploy/systemd/vedette-agent.service';
let server: NatsServer;
beforeAll(async () => {
  const tls = { certFile: join(pki.folder, 'bus.pem'), keyFile: join(pki.folder, 'bus.key') };
  const agents = [{ publicKey: agent.publicKey, location: 'eu-fra' }];
  server = await startNatsServer((port) => natsServerConfig({ host: '127.0.0.1', port, tls, gateways: [], agents }));
});
afterAll(async () => {
  await server.stop();
  pki[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const tokenOf = (more: object = {}) =>
  encodeJoinToken({ urls: [`tls://localhost:${server.port}`], location: 'eu-fra', seed: agent.seed, ca: [pki.root], ...more });
function machine(name: string, managesUnits = true) {
  const [ran, said, warned]: [string[], string[], string[]] = [[], [], []];
  const ports: JoinPorts = {
    print: (line) => void said.push(line),
    warn: (line) => void warned.push(line),
    managesUnits,
    folder: join(folder, name),
    units: folder,
    unit: UNIT,
    home: '/',
    node: '/bin/sh',
    run: (command, args) => void ran.push([command, ...args].join(' ')),
    command: '/opt/agent/vedette agent',
  };
  return { ran, said, warned, ports };
}

it('writes settings and a key that only we can read, starts the unit, and does nothing twice', async () => {
  const { ran, ports } = machine('one');
  expect(await joinByArguments([tokenOf()], {}, ports)).toBe(false);
  expect(ran).toEqual(['systemctl daemon-reload', 'systemctl enable vedette-agent.service', 'systemctl restart vedette-agent.service']);
  expect(readFileSync(join(ports.folder, 'agent.nkey'), 'utf8')).toBe(`${agent.seed}\n`);
  expect(statSync(join(ports.folder, 'agent.nkey')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder, 'vedette-agent.service'), 'utf8')).toBe(readFileSync(UNIT, 'utf8'));
  expect(readFileSync(join(folder, 'vedette-agent.service.d/join.conf'), 'utf8')).toContain(
    '\nExecStart=\nExecStart=/opt/agent/vedette agent\nEnvironment=PATH=/bin:',
  );
  ran.length = 0;
  await joinByArguments([tokenOf()], {}, ports);
  expect(ran).toEqual(['systemctl enable vedette-agent.service', 'systemctl start vedette-agent.service']);
  chmodSync(join(ports.folder, 'agent.nkey'), 0o644);
  await joinByArguments([tokenOf()], {}, ports);
  expect(statSync(join(ports.folder, 'agent.nkey')).mode & 0o777).toBe(0o600);
});

it('says what to run without systemd, and in the foreground goes on with the settings', async () => {
  const { ran, said, ports } = machine('two', false);
  const env: NodeJS.ProcessEnv = {};
  expect(await joinByArguments([tokenOf()], {}, ports)).toBe(false);
  expect([ran, said.at(-1)]).toEqual([[], expect.stringContaining('/opt/agent/vedette agent')]);
  expect(await joinByArguments([tokenOf(), '--foreground'], env, ports)).toBe(true);
  expect(env).toMatchObject({ VEDETTE_LOCATION: 'eu-fra', VEDETTE_NATS_CREDS: join(ports.folder, 'agent.nkey') });
});

it('takes the token from a file, and says what is wrong with one among the arguments', async () => {
  const { warned, ports } = machine('three', false);
  const file = join(folder, 'token');
  writeFileSync(file, `${tokenOf()}\n`, { mode: 0o600 });
  expect(await joinByArguments(['--token-file', file], {}, ports)).toBe(false);
  expect(warned).toEqual([]);
  await joinByArguments([tokenOf()], {}, ports);
  expect(warned).toEqual([expect.stringContaining('in the list of processes: use - or --token-file')]);
  await expect(joinByArguments(['--token-file', join(folder, 'none')], {}, ports)).rejects.toThrow('the token cannot be read: ENOENT');
  for (const wrong of [[], [tokenOf(), '--token-file', file]])
    await expect(joinByArguments(wrong, {}, ports)).rejects.toThrow('vedette agent join - |');
});

it.each([
  ['a token that is none', () => 'vdtj_x', 'not whole'],
  ['a key that the bus does not know', () => tokenOf({ seed: createNkey().seed }), 'does not know the key'],
  ['a key of another location', () => tokenOf({ location: 'us-ash' }), 'not one of us-ash'],
  ['a bus that is not there', () => tokenOf({ urls: ['tls://localhost:1'] }), 'no bus at'],
  [
    'a bus whose certificate is of somebody else',
    () => tokenOf({ ca: [readFileSync(join(pki.folder, 'ca-stranger.pem'), 'utf8')] }),
    'no bus at',
  ],
])('writes nothing for %s', async (_what, token, why) => {
  const { ports } = machine('never');
  await expect(joinByArguments([token()], {}, ports)).rejects.toThrow(why);
  expect(existsSync(ports.folder)).toBe(false);
});

it('writes nothing where the user of the unit could not get to the agent, or where we may not write', async () => {
  const { ports } = machine('never');
  for (const [home, closed] of [
    ['/var/tmp', '/var/tmp'],
    [folder, folder],
  ] as const)
    await expect(joinByArguments([tokenOf()], {}, { ...ports, home })).rejects.toThrow(`cannot enter ${closed}: move this agent`);
  await expect(joinByArguments([tokenOf()], {}, { ...ports, node: join(folder, 'node') })).rejects.toThrow('move this Node');
  expect(existsSync(ports.folder)).toBe(false);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  await expect(joinByArguments([tokenOf()], {}, { ...ports, folder: join(file, 'vedette') })).rejects.toThrow(
    `settings and key belong into ${join(file, 'vedette')}, where we may not write`,
  );
});

describe('leaving', () => {
  let root: string;
  let said: string[];
  let ran: string[];
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'leave-'));
    [said, ran] = [[], []];
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const ports = (more: Partial<JoinPorts> = {}): JoinPorts => ({
    print: (line) => void said.push(line),
    warn: () => {},
    managesUnits: false,
    folder: join(root, 'vedette'),
    units: join(root, 'units'),
    unit: '',
    home: '/',
    node: '/bin/sh',
    run: (command, args) => void ran.push([command, ...args].join(' ')),
    command: 'vedette agent',
    ...more,
  });
  const LOCATION = 'VEDETTE_LOCATION=us-ash\nVEDETTE_NATS_URL=tls://192.0.2.10:4222\nVEDETTE_NATS_CA_FILE=/x/bus-ca.pem\n';

  function joined(settings: string, folder = join(root, 'vedette')): void {
    mkdirSync(folder);
    for (const name of ['agent.nkey', 'bus-ca.pem']) writeFileSync(join(folder, name), '');
    writeFileSync(join(folder, 'agent.env'), settings);
  }

  it('deletes settings and key, and says how the key is shut out', () => {
    joined(LOCATION);
    undoJoinByArguments([], ports());
    expect(existsSync(join(root, 'vedette'))).toBe(false);
    expect(said).toEqual([
      'This machine has left us-ash: settings and key are deleted. An agent that runs without a unit has to be ended.',
      'Where the fleet is managed, this shuts the key out: vedette fleet remove us-ash',
    ]);
    expect(ran).toEqual([]);
    expect(() => undoJoinByArguments([], ports())).toThrow(`no agent has joined here: there is no ${join(root, 'vedette/agent.nkey')}`);
  });

  it('keeps the settings of an operator, and his lines for the unit', () => {
    joined(`${LOCATION}VEDETTE_CONTACT=ops@example.org\n`);
    mkdirSync(join(root, 'units/vedette-agent.service.d'), { recursive: true });
    for (const name of ['vedette-agent.service', 'vedette-agent.service.d/join.conf', 'vedette-agent.service.d/override.conf'])
      writeFileSync(join(root, 'units', name), '');
    undoJoinByArguments([], ports({ managesUnits: true }));
    expect(ran).toEqual(['systemctl disable --now vedette-agent.service', 'systemctl daemon-reload']);
    expect(readdirSync(join(root, 'units'), { recursive: true }).map(String).toSorted()).toEqual([
      'vedette-agent.service.d',
      'vedette-agent.service.d/override.conf',
    ]);
    expect(readdirSync(join(root, 'vedette'))).toEqual(['agent.env']);
    expect(readFileSync(join(root, 'vedette/agent.env'), 'utf8')).toBe('VEDETTE_CONTACT=ops@example.org\n');
  });

  it('can be tried again where something could not be deleted', () => {
    joined(LOCATION);
    const roots = join(root, 'vedette/bus-ca.pem');
    rmSync(roots);
    mkdirSync(roots);
    expect(() => undoJoinByArguments([], ports())).toThrow(`${join(root, 'vedette')} cannot be changed: `);
    rmSync(roots, { recursive: true });
    undoJoinByArguments([], ports());
    expect(said[0]).toContain('This machine has left us-ash');
    expect(existsSync(join(root, 'vedette'))).toBe(false);
  });

  it('leaves the unit alone for a folder that is named, and says what it takes', () => {
    joined(LOCATION, join(root, 'second'));
    undoJoinByArguments(['--folder', join(root, 'second')], ports({ managesUnits: true }));
    expect([ran, existsSync(join(root, 'second'))]).toEqual([[], false]);
    expect(() => undoJoinByArguments(['--all'], ports())).toThrow('vedette agent leave [--folder <folder>]');
  });
});
