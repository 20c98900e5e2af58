import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NO_BROWSER, ONE_AGENT, type OneMachine, startOneMachine } from './one-machine.ts';
import { commandOf, descendants, isAlive, parentOf, told } from './processes.ts';

// As root everything used to run as root with every capability, and every child had every secret in its environment.
const isRoot = process.getuid?.() === 0;

let folder: string;
let dataDir: string;
let running: OneMachine | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-rights-'));
  dataDir = join(folder, 'data');
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  rmSync(folder, { recursive: true, force: true });
});
const start = async (env: Record<string, string>, through: readonly string[] = []): Promise<OneMachine> => {
  const started = await startOneMachine({ VEDETTE_DATA_DIR: dataDir, ...env }, through);
  running = started;
  return started;
};
const stop = async (): Promise<void> => {
  await running?.stop();
  running = undefined;
};

const SMALL = { ...NO_BROWSER, ...ONE_AGENT };

const CAPABILITIES = { net_raw: 1n << 13n, dac_read_search: 1n << 2n };
const rawIcmp = readFileSync('/proc/sys/net/ipv4/ping_group_range', 'utf8').startsWith('0\t2147483647') ? 0n : CAPABILITIES.net_raw;

/** Somebody who has no rights here. */
const NOBODY = 65_534;

/** What says which role a process is, beside the location of an agent. */
const ROLES: [role: string, pattern: RegExp][] = [
  ['nats-server', /nats-server/],
  ['postgres', /postgres/],
  ['browsers', /browser\/host\/host-main/],
  ['parsers', /parser\/host-main/],
  ['parser', /parser\/main/],
  ['browser', /chromium/],
  ['renderer', /packages\/renderer\//],
];

interface Seen {
  pid: number;
  role: string;
  uid: number;
  capabilities: bigint;
  noNewPrivileges: boolean;
  secrets: string[];
}

/**
 * Every process below `npm start`, with the secrets of `values` that its environment holds. One that ends meanwhile is none, nor is one that has yet to become
 * the program that it is started for: until then it is what its parent is, as only the browser's stay.
 */
const seen = (machine: OneMachine, values: Record<string, string> = {}): Seen[] =>
  descendants(machine.process.pid!).flatMap((pid) => {
    const [command, status, environment] = [commandOf(pid), told(pid, 'status'), told(pid, 'environ')];
    const isForked = command === commandOf(parentOf(pid)) && !command.includes('chromium');
    if (!isAlive(pid) || command === '' || status === '' || isForked) return [];
    const field = (name: string): string => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)![1]!;
    const location = /VEDETTE_LOCATION=([\w-]+)/.exec(environment)?.[1];
    const role = ROLES.find(([, pattern]) => pattern.test(command))?.[0] ?? location ?? 'gateway';
    const bounding = role === 'parser' ? '0' : field('CapBnd'); // a parser's is that of its own user namespace
    return {
      pid,
      role,
      uid: Number(field('Uid')),
      capabilities: BigInt(`0x${field('CapEff')}`) | BigInt(`0x${field('CapPrm')}`) | BigInt(`0x${bounding}`),
      noNewPrivileges: field('NoNewPrivs') === '1',
      secrets: Object.keys(values).filter((name) => environment.includes(values[name]!)),
    };
  });
const byRole = <T>(processes: Seen[], of: (process: Seen) => T): Record<string, T> =>
  Object.fromEntries(processes.map((process) => [process.role, of(process)]));

/** What a program says, run by somebody else, without a capability. */
const asUser = (uid: number, command: string, ...args: string[]) =>
  spawnSync(
    'setpriv',
    [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--inh-caps=-all', '--bounding-set=-all', '--', command, ...args],
    {
      encoding: 'utf8',
    },
  );

/** What our own users need in a clone that only its owner may enter, as below /root. */
const reach = isRoot && asUser(NOBODY, 'cat', 'packages/all/src/main.ts').status !== 0 ? CAPABILITIES.dac_read_search : 0n;

it.skipIf(!isRoot)(
  'as root every child has a user of its own, no capability to spare, and its own secrets only',
  { timeout: 180_000 },
  async () => {
    const secrets = {
      admin: 'admin-token-of-the-operator-0123456789abcdef',
      bootstrap: 'bootstrap-key-0123456789',
      npm: 'npm-token-0123456789',
      vpn: 'vpn-password-0123456789',
    };
    // Readable by root alone, as keys are: what a setting names reaches the process that reads it.
    mkdirSync(join(folder, 'closed'), { mode: 0o700 });
    const ca = join(folder, 'closed/ca.pem');
    writeFileSync(ca, execFileSync('openssl', certificate(join(folder, 'closed/key.pem')), { stdio: ['ignore', 'pipe', 'ignore'] }), {
      mode: 0o600,
    });
    execFileSync('chmod', ['755', folder]);
    const machine = await start({
      VEDETTE_ADMIN_TOKEN: secrets.admin,
      VEDETTE_BOOTSTRAP_KEY: secrets.bootstrap,
      VEDETTE_VPN_EXITS: `socks5://user:${secrets.vpn}@127.0.0.1:1#us-ash`,
      VEDETTE_CA_FILE: ca,
      NODE_AUTH_TOKEN: secrets.npm,
    });
    expect((await machine.post('ping-test', { host: '127.0.0.1' })).status).toBe(200);
    const read = await machine.post('eml-insights', { eml_base64: Buffer.from('From: a@example.org\r\n\r\nWords').toString('base64') });
    expect([read.status, await read.json()]).toMatchObject([200, { body: { body_text: 'Words' } }]);
    const processes = seen(machine, secrets);

    const { gateway, postgres, browser, parser, ...agents } = byRole(processes, ({ uid }) => uid);
    expect(Object.keys(agents).toSorted()).toEqual(['browsers', 'eu-fra', 'nats-server', 'parsers', 'renderer', 'sg-sin', 'us-ash']);
    expect(browser).toBe(agents['browsers']); // and not whose key is all renders
    expect(parser).toBe(agents['parsers']); // and not whose database has the keys of all
    expect(postgres).toBe(gateway); // it holds the superuser's password
    expect(new Set([0, gateway, ...Object.values(agents)]).size).toBe(9);
    expect(processes.map(({ noNewPrivileges }) => noNewPrivileges)).not.toContain(false);
    expect(byRole(processes, ({ capabilities }) => capabilities)).toEqual({
      'nats-server': reach,
      gateway: reach,
      postgres: reach,
      'eu-fra': rawIcmp | reach,
      'us-ash': rawIcmp | reach,
      'sg-sin': rawIcmp | reach,
      renderer: reach,
      browsers: reach,
      browser: 0n,
      parsers: reach,
      parser: 0n,
    });
    expect(byRole(processes, (process) => process.secrets)).toEqual({
      'nats-server': [],
      renderer: [],
      browsers: [],
      browser: [],
      parsers: [],
      parser: [],
      gateway: ['admin', 'bootstrap'],
      postgres: [],
      'eu-fra': [],
      'us-ash': ['vpn'],
      'sg-sin': [],
    });
    expect(machine.stderr()).not.toContain('every process runs as root');

    const files = [
      'pg/password',
      'pg/cluster/PG_VERSION',
      'fleet/keys/gateway-1.nkey',
      'fleet/ca.key',
      'fleet/hub-1/key.pem',
      'bootstrap-key',
      'admin-token',
    ].map((file) => join(dataDir, file));
    for (const path of files.slice(5)) writeFileSync(path, secrets.admin, { flag: 'a', mode: 0o600 }); // were not made, as settings name them
    files.push(...['gateway', 'agent-eu-fra'].map((role) => join(dataDir, 'roles', role, 'VEDETTE_NATS_CREDS')));
    const renderersKey = join(dataDir, 'roles/renderer/VEDETTE_NATS_CREDS');
    expect(asUser(agents['renderer']!, 'cat', renderersKey).stdout).toMatch(/^SU/);
    expect(asUser(browser!, 'cat', renderersKey)).toMatchObject({ stdout: '', stderr: expect.stringContaining('Permission denied') });
    for (const thief of [agents['us-ash']!, parser!]) {
      const stolen = asUser(thief, 'cat', ...files);
      expect(stolen.stdout).toBe('');
      expect(stolen.stderr.match(/Permission denied/g)).toHaveLength(files.length);
    }
    const pidOf = (role: string): number => processes.find((process) => process.role === role)!.pid;
    expect(asUser(parser!, 'cat', `/proc/${pidOf('gateway')}/environ`)).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('denied'),
    });
    expect(asUser(parser!, 'kill', '-0', String(pidOf('gateway'))).stderr).toMatch(/not permitted/);
    // The gateway sees what a parser takes, and nobody else may have one.
    expect(asUser(gateway!, 'cat', `/proc/${pidOf('parser')}/stat`).stdout).toContain(`${pidOf('parser')} (`);
    expect(asUser(agents['us-ash']!, 'ls', join(dataDir, 'parsers')).stderr).toContain('Permission denied');
    const psql = ['psql', '-h', join(dataDir, 'pg/socket'), '-U', 'vedette', '-w', '-c', 'SELECT 1', 'postgres'] as const;
    expect(asUser(agents['us-ash']!, ...psql).stderr).toContain('Permission denied');
    // Nor is it the folder alone that keeps them out.
    expect(spawnSync(psql[0], psql.slice(1), { encoding: 'utf8' }).stderr).toContain('no password supplied');
    await stop();
  },
);

it.skipIf(!isRoot)(
  'as root in a folder that only root may enter the children keep the right to read, and nothing else',
  { timeout: 180_000 },
  async () => {
    const first = await start(SMALL); // mkdtemp made the folder above the data for root alone
    const processes = seen(first);
    expect(processes.map(({ uid }) => uid)).not.toContain(0);
    expect(byRole(processes, ({ capabilities }) => capabilities)).toMatchObject({
      gateway: CAPABILITIES.dac_read_search,
      'eu-fra': CAPABILITIES.dac_read_search | rawIcmp,
    });
    expect(first.stderr()).toContain('a folder above the installation or its data is closed to others');
    await stop();

    // The gateway finds its secrets there, and nobody else may have them by starting it.
    execFileSync('chmod', ['755', folder]);
    const second = await start(SMALL);
    expect(second.key).toBe(first.key);
    await stop();
    if (reach !== 0n) return; // nobody cannot start this clone
    const nobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'];
    await expect(start(SMALL, nobody)).rejects.toThrow(`chown -R ${NOBODY} ${dataDir}`);
    execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, dataDir]);
    const machine = await start(SMALL, nobody);
    expect(machine.key).toBe(first.key);
    expect(new Set(seen(machine).map(({ uid, noNewPrivileges }) => `${uid} ${noNewPrivileges}`))).toEqual(new Set([`${NOBODY} true`]));
  },
);

/** A root that has these capabilities alone. */
const rootWith = (names: string): string[] => {
  const bounding = names.split(' ').map((name) => `+${name}`);
  return ['setpriv', `--bounding-set=-all,${bounding.join(',')}`, '--'];
};

// What Docker leaves to a container's root: it may change users, and may not let them read a closed folder.
const CONTAINER =
  'chown dac_override fsetid fowner mknod net_raw setgid setuid setfcap setpcap net_bind_service sys_chroot kill audit_write';

it.skipIf(!isRoot)('as root that can do neither it runs as before, and says so', async () => {
  const machine = await start(SMALL, rootWith(CONTAINER));
  expect(machine.stderr()).toContain('every process runs as root');
  expect(byRole(seen(machine), ({ uid }) => uid === 0)).toMatchObject({ gateway: true, 'eu-fra': true, postgres: false });
  await stop();
  rmSync(join('/var/lib/vedette', hash('sha256', dataDir).slice(0, 16)), { recursive: true }); // where its database had to go
});

// Without the right to lower the bounding set, and without the raw sockets of agents, no role of its own used to start.
it.skipIf(!isRoot)('as root that has the least that it takes every child still has a user of its own', async () => {
  execFileSync('chmod', ['755', folder]);
  const machine = await start({}, rootWith('chown dac_override fowner kill setuid setgid'));
  expect(byRole(seen(machine), ({ uid }) => uid === 0)).toMatchObject({ gateway: reach !== 0n, postgres: false });
  // Where the folder of this clone is closed, only the right to read would open it, which is not there either.
  expect(machine.stderr().includes('every process runs as root')).toBe(reach !== 0n);
  const pids = descendants(machine.process.pid!);
  await stop();
  expect(pids.filter(isAlive)).toEqual([]);
});

// A signal to another user's process takes CAP_KILL, the kernel's own at our death too: gateway, agents and PostgreSQL stayed for good.
it.skipIf(!isRoot)('as root that could stop nobody it does not start', async () => {
  await expect(start({}, rootWith('chown dac_override fowner setuid setgid'))).rejects.toThrow('a root without CAP_KILL could not stop it');
});

const certificate = (key: string): string[] =>
  `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=ca.test -keyout ${key}`.split(' ');
