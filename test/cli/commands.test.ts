import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createAdminClient } from '../../packages/cli/src/context/admin-client.ts';
import { openDesk } from '@vedette/cli/desk';
import { createProgram } from '@vedette/cli/program';
import { silent } from '../ledger/servers.ts';
import { startAdminServer, TOKEN } from './admin-server.ts';
import { OWN_ENV } from '../own-env.ts';

const MAIN = join(import.meta.dirname, '../../packages/cli/src/main.ts');

let server: Awaited<ReturnType<typeof startAdminServer>>;
beforeAll(async () => {
  server = await startAdminServer();
});
afterAll(async () => {
  await server?.stop();
});

/** What commands said on stderr. */
const told: string[] = [];
/** How often a command has failed although it worked. */
let failed = 0;

/** What a command prints. */
async function vedette(...words: string[]): Promise<string> {
  const printed: string[] = [];
  const operator = async () => ({
    admin: createAdminClient({ url: server.url, token: async () => TOKEN, operator: 'alice', fetch }),
    database: { url: undefined, dataDir: '', log: silent },
    doctor: { url: server.url, env: {}, hasGatewayData: () => false, fetch, now: () => new Date() },
    print: (text: string) => void printed.push(text),
    progress: (text: string) => void told.push(text),
    today: () => new Date(),
    now: () => 0,
    sleep: async () => undefined,
    become: (main: string, args: readonly string[]) => void printed.push([main, ...args].join(' ')),
    fail: () => void failed++,
  });
  const program = await createProgram(words, { operator, desk: openDesk() });
  const silence = (command: typeof program): void => {
    command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: (text) => void printed.push(text) });
    command.commands.forEach((child) => silence(child));
  };
  silence(program);
  await program.parseAsync(words, { from: 'user' });
  return printed.join('\n');
}
const json = async (...words: string[]): Promise<Record<string, unknown>> =>
  JSON.parse(await vedette('--json', ...words)) as Record<string, unknown>;

it('shows feeds, how old they are, whose they are and what went wrong, and has one fetched', async () => {
  const [head, row, none] = (await vedette('feeds', 'list')).split('\n');
  expect(none).toBeUndefined();
  expect((await vedette('feeds', 'list', '--all')).split('\n')[2]).toMatch(/^tranco .* Its terms\.$/);
  expect(head).toMatch(/^FEED +AGE +ROWS +LICENCE +SOURCE +LAST PROBLEM$/);
  expect(row?.split(/ {2,}/)).toEqual([
    'fakefilter',
    '100 d, as shipped',
    '4521',
    'BSD-3-Clause',
    'https://feeds.test/data.txt',
    'its server answered with status 500',
  ]);
  expect(await vedette('feeds', 'refresh', 'fakefilter')).toBe('fakefilter: on the way.');
  await expect(vedette('feeds', 'refresh', 'ours')).rejects.toThrow('the feed ours does not exist');
});

it('tries the sources of feeds, says what is wrong with each, and fails then', async () => {
  told.length = failed = 0;
  expect((await vedette('feeds', 'check', '--all')).split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['FEED', 'VERDICT', 'DETAIL'],
    ['fakefilter', 'terms', 'a page came'],
    ['tranco', 'ok', '4711 rows'],
  ]);
  expect([told, failed]).toEqual([['fakefilter: terms, a page came'], 1]);
  await vedette('feeds', 'check', 'tranco');
  expect(failed).toBe(1);
  await expect(vedette('feeds', 'check', 'ours')).rejects.toThrow('the feed ours does not exist');
});

it('shows the engines that are on, and all of them', async () => {
  const [head, row, none] = (await vedette('engines', 'list')).split('\n');
  expect(head).toMatch(/^ENGINE +ABOUT +SOURCE +STATE +ASKED AT +PROBLEM +TERMS$/);
  expect(row?.split(/ {2,}/)).toEqual(['spamcop', 'address', 'bl.spamcop.net', 'good', '192.0.2.53, our resolvers', '-', 'Free']);
  expect(none).toBeUndefined();
  expect((await vedette('engines', 'list', '--all')).split('\n')[2]).toMatch(/^barracuda .*disabled/);
});

it('tries engines, those that are off too where it is told so', async () => {
  told.length = failed = 0;
  expect((await vedette('engines', 'check', '--all')).split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['ENGINE', 'VERDICT', 'DETAIL'],
    ['spamcop', 'lists too much', 'it lists all'],
    ['barracuda', 'ok', 'b.test'],
  ]);
  expect([told, failed]).toEqual([['spamcop: lists_too_much, it lists all'], 1]);
  expect((await vedette('engines', 'check')).split('\n').length).toBe(2);
  await expect(vedette('engines', 'check', 'ours')).rejects.toThrow('the engine ours does not exist');
});

it('has a file of the operator’s taken as a feed, or says why not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-import-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'feed.txt');
  const file = async (text: string): Promise<string> => {
    await writeFile(path, text);
    return path;
  };
  expect(await vedette('feeds', 'import', 'fakefilter', await file('4711'))).toBe('fakefilter: 4711 rows are used from now on.');
  await expect(vedette('feeds', 'import', 'fakefilter', await file('a page'))).rejects.toThrow('the file was rejected (format): no number');
  await expect(vedette('feeds', 'import', 'fakefilter', await file('1'.repeat(21)))).rejects.toThrow(/larger than/);
  await expect(vedette('feeds', 'import', 'ours', await file(''))).rejects.toThrow('the feed ours does not exist');
});

it('makes a plan, an account and a key that works, rotates and revokes it', async () => {
  expect(await vedette('plans', 'set', 'basic', '--credits', '100', '--overage-limit', '20')).toBe(
    'ID     CREDITS  OVERAGE  OVERAGE LIMIT  UNMETERED PROBE  PORT SCAN\nbasic  100      yes      20             no               no',
  );
  const account = await json(
    'accounts',
    'create',
    '--id',
    'acme',
    '--name',
    'Acme',
    '--plan',
    'basic',
    '--reset-day',
    '31',
    '--overage',
    'on',
  );
  expect(account).toMatchObject({
    id: 'acme',
    name: 'Acme',
    plan: 'basic',
    reset_day: 31,
    overage_enabled: true,
    monthly_credits: 100,
    spent: 0,
  });
  const key = await json(
    'keys',
    'create',
    '--account',
    'acme',
    '--name',
    'web',
    '--operations',
    'ping-test,dns-lookup',
    '--networks',
    '192.0.2.0/24',
  );
  expect(key).toMatchObject({
    account: 'acme',
    state: 'active',
    allowed_operations: ['ping-test', 'dns-lookup'],
    allowed_cidrs: ['192.0.2.0/24'],
  });
  expect(await server.ledger.authenticate(key['key'] as string)).toMatchObject({ id: 'acme' });

  const rotated = await vedette('keys', 'rotate', key['id'] as string, '--overlap-hours', '1');
  expect(rotated).toMatch(/^vdt_\S+$/); // K=$(vedette keys …)
  expect(told.at(-1)).toBe('This is the only time that the key is shown: keep it now.');
  expect(await vedette('keys', 'revoke', key['id'] as string)).toBe(`${key['id'] as string} (web) is revoked.`);
  await expect(server.ledger.authenticate(key['key'] as string)).rejects.toMatchObject({ code: 'key_revoked' });
  expect((await vedette('keys', 'list', '--account', 'acme')).split('\n')).toHaveLength(3);
  await expect(vedette('keys', 'list', '--account', 'amce')).rejects.toThrow('there is no account amce; see `vedette accounts list`');
  const listed = await vedette('keys', 'list');
  expect(listed.split('\n')).toHaveLength(3);
  expect(listed).not.toContain((key['key'] as string).slice(-38));
  expect(await json('accounts', 'set', 'acme', '--name', 'Acme Ltd', '--overage', 'off')).toMatchObject({
    name: 'Acme Ltd',
    plan: 'basic',
    reset_day: 31,
    overage_enabled: false,
  });
});

it('lists and clears blocked addresses', async () => {
  expect(await vedette('lockouts', 'list')).toBe('No address is blocked.');
  for (let i = 0; i < 10; i++) await server.ledger.recordInvalidKey('2001:db8::1', 'header');
  expect(await vedette('lockouts', 'list')).toMatch(/^ADDRESS +INVALID KEYS +BLOCKED UNTIL\n2001:db8::\/64 +10 +\d{4}-.*Z$/);
  expect(await vedette('lockouts', 'clear', '2001:db8::1')).toBe('2001:db8::1 may try again.');
  expect(await vedette('lockouts', 'clear', '2001:db8::/64')).toBe('2001:db8::/64 was not blocked.');
  for (let i = 0; i < 10; i++) await server.ledger.recordInvalidKey('2001:db8::1', 'header');
  expect(await vedette('lockouts', 'clear', '2001:DB8:0::/64')).toBe('2001:DB8:0::/64 may try again.');
});

it('keeps the deny-list', async () => {
  expect(await vedette('deny', 'list')).toBe('No target is denied.');
  await vedette('deny', 'add', '203.0.113.0/24', '--reason', 'our own');
  expect(server.ledger.isDenied('203.0.113.9')).toBe(true);
  expect(await vedette('deny', 'list')).toMatch(/^TARGET +REASON +SINCE\n203\.0\.113\.0\/24 +our own +\d{4}-/);
  expect(await vedette('deny', 'remove', '203.0.113.0/24')).toBe('203.0.113.0/24 is no longer denied.');
  expect(await json('deny', 'add', '2001:DB8:0::7/32', '--reason', 'our own')).toMatchObject({ target: '2001:db8::/32' });
  expect(await json('deny', 'add', '192.0.2.7', '--reason', 'our own')).toMatchObject({ target: '192.0.2.7/32' });
  expect(await json('deny', 'remove', '2001:db8::/32')).toEqual({ removed: true });
  expect(await json('deny', 'remove', '192.0.2.7')).toEqual({ removed: true });
});

it('keeps the locations, and the trail tells who removed one', async () => {
  expect(await vedette('locations', 'list')).toBe('No location is known.');
  await server.ledger.noteLocations(new Map([['eu-fra', true]]));
  expect(await vedette('locations', 'add', 'us-ash', 'rack-7')).toMatch(
    /^LOCATION  LAST SEEN  KNOWN SINCE\nus-ash    -          \S+Z\nrack-7/,
  );
  expect(await vedette('locations', 'list')).toMatch(
    /^LOCATION  LAST SEEN             KNOWN SINCE\neu-fra    \S+:00Z  \S+Z\nrack-7 .*\nus-ash/,
  );
  expect(server.ledger.knownLocations().toSorted()).toEqual(['eu-fra', 'rack-7', 'us-ash']);
  expect(await vedette('locations', 'remove', 'rack-7', 'nowhere')).toBe(
    'rack-7 is forgotten, until an agent there beats.\nnowhere was not known.',
  );
  expect(server.ledger.knownLocations().toSorted()).toEqual(['eu-fra', 'us-ash']);
  expect(await server.ledger.admin.listActs({ subject: 'rack-7' })).toMatchObject([
    { act: 'location.remove', actor: 'admin (alice)', detail: { removed: true } },
    { act: 'location.add', actor: 'admin (alice)' },
  ]);
  await expect(vedette('locations', 'add', 'eu.fra')).rejects.toThrow('id must match');
});

it('prepares a bus, and says what another run keeps and changes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vedette-bus-'));
  const prepare = (...flags: string[]) => vedette('bus', 'prepare', folder, ...flags);
  const [cert, key] = ['bus.pem', 'bus.key'].map((name) => join(folder, name)) as [string, string];
  await expect(prepare('--location', 'eu-fra', '--tls-cert', cert, '--tls-key', key)).rejects.toThrow('--tls-cert: ENOENT');
  await writeFile(cert, '');
  await expect(prepare('--location', 'eu-fra', '--tls-cert', cert, '--tls-key', key)).rejects.toThrow('--tls-key: ENOENT');
  await writeFile(key, '');
  expect(await prepare('--location', 'eu-fra', '--host', '127.0.0.1', '--tls-cert', cert, '--tls-key', key)).toBe(
    `FOR               FILE
nats-server       ${folder}/nats-server.conf
gateway 1         ${folder}/gateway-1.nkey
agents at eu-fra  ${folder}/agent-eu-fra.nkey
renderer 1        ${folder}/renderer-1.nkey

The bus listens on 127.0.0.1:4222, with TLS.
Give each process its own file as VEDETTE_NATS_CREDS.`,
  );
  expect(await prepare('--location', 'us-ash')).toContain(`
Changed in ${folder}/nats-server.conf:
  - max_connections: 524
  + max_connections: 528
  + agent-us-ash

The bus listens on 127.0.0.1:4222, with TLS. Reload a running nats-server: nats-server --signal reload=<its pid>.
Give each process its own file as VEDETTE_NATS_CREDS.
To list them before their agents connect: vedette locations add us-ash`);
  expect(await prepare()).toContain('The bus listens on 127.0.0.1:4222, with TLS. Nothing has changed.');
  expect(await prepare('--no-tls', '--port', '4333')).toContain(`  - port: 4222
  - tls: { cert_file: "${cert}", key_file: "${key}" }
  + port: 4333

The bus listens on 127.0.0.1:4333, in plain text: no TLS. Restart a running nats-server: a reload does not change host or port.`);
  await rm(folder, { recursive: true });
  await expect(prepare()).rejects.toThrow('name its first --location');
});

it.each([
  [['accounts', 'create', '--name', 'x', '--plan', 'nowhere'], /the plan "nowhere" does not exist/],
  [['accounts', 'set', 'nobody', '--name', 'x'], /the account "nobody" does not exist/],
  [['accounts', 'set', 'acme'], /the body must not have fewer than 1/],
  [['accounts', 'set', 'ac\u0000me', '--name', 'x'], /the path/],
  [['accounts', 'create', '--name', 'x\u0000', '--plan', 'basic'], /name must match/],
  [['plans', 'set', 'Big Plan', '--credits', '5'], /the path/],
  [['accounts', 'create', '--name', 'x', '--plan', 'basic', '--reset-day', '32'], /reset_day/],
  [['accounts', 'create', '--name', 'x', '--plan', 'basic', '--reset-day', 'x'], /not a whole number/],
  [['accounts', 'create', '--name', 'x', '--plan', 'basic', '--overage', 'yes'], /"on" or "off"/],
  [['keys', 'create', '--account', 'acme', '--name', 'x', '--networks', 'home'], /"home" is not a CIDR/],
  [
    ['keys', 'create', '--account', 'acme', '--name', 'x', '--operations', 'ping-test,pingtest,'],
    /there is no "pingtest", ""; there are ping-test, dns-lookup, locations$/,
  ],
  [['keys', 'revoke', 'none'], /the key "none" does not exist/],
  [['deny', 'add', 'not a target', '--reason', 'x'], /domain name or a CIDR/],
  [['bus', 'prepare', '/nonexistent', '--location', 'eu-fra', '--tls-cert', 'cert.pem'], /--tls-cert and --tls-key go together/],
  [['bus', 'prepare', '/nonexistent', '--tls-cert', 'a', '--tls-key', 'b', '--no-tls', '--location', 'x'], /do not go together/],
  [['bus', 'prepare', '/nonexistent', '--location', 'eu-fra', '--port', '65536'], /not a port/],
  [['bus', 'prepare', '/nonexistent', '--location', 'eu-fra', '--gateways', 'two'], /not a whole number/],
  [['keys', 'create'], /required option '--account <id>'/],
  [['keis'], /keys/],
])('refuses %j and says why', async (words, why) => {
  await expect(vedette(...words)).rejects.toThrow(why);
});

it('spares a plan the price of /probe for as long as it is told to', async () => {
  expect(await json('plans', 'set', 'spared', '--credits', '10', '--unmetered-probe', 'on')).toMatchObject({ unmetered_probe: true });
  await vedette('accounts', 'create', '--id', 'spared', '--name', 'Spared', '--plan', 'spared');
  const { key } = await json('keys', 'create', '--account', 'spared', '--name', 'prometheus');
  expect(await server.ledger.authenticate(key as string)).toMatchObject({ id: 'spared', unmeteredProbe: true });
  expect(await json('plans', 'set', 'spared', '--credits', '10')).toMatchObject({ unmetered_probe: false });
});

it('suspends an account and resumes it', async () => {
  await vedette('plans', 'set', 'free', '--credits', '10');
  await vedette('accounts', 'create', '--id', 'rude', '--name', 'Rude', '--plan', 'free');
  const { key } = await json('keys', 'create', '--account', 'rude', '--name', 'web');
  expect(await json('accounts', 'suspend', 'rude', '--reason', 'a complaint')).toMatchObject({ suspended_reason: 'a complaint' });
  await expect(server.ledger.authenticate(key as string)).rejects.toMatchObject({ code: 'account_suspended' });
  expect(await vedette('accounts', 'list')).toMatch(/^rude .* \d{4}-\S+Z a complaint$/m);
  expect(await json('accounts', 'resume', 'rude')).toMatchObject({ suspended_at: null, suspended_reason: null });
  expect(await server.ledger.authenticate(key as string)).toMatchObject({ id: 'rude' });
});

describe('the brands of an account', () => {
  const write = async (text: string): Promise<string> => {
    const path = join(await mkdtemp(join(tmpdir(), 'vedette-brands-')), 'brands.txt');
    await writeFile(path, text);
    return path;
  };

  it('are shown, replaced and removed, at every gateway at once', async () => {
    await vedette('plans', 'set', 'free', '--credits', '10');
    for (const id of ['guarded', 'beside']) await vedette('accounts', 'create', '--id', id, '--name', id, '--plan', 'free');
    const { key } = await json('keys', 'create', '--account', 'guarded', '--name', 'web');
    const brands = '# ours\nZündkraft; zuendkraft-konto.de; Zuendkraft; giro\n';
    expect(await vedette('accounts', 'brands', 'guarded')).toBe('guarded has no brands of its own.');
    expect(await server.ledger.authenticate(key as string)).toMatchObject({ brands: '' });
    expect(await json('accounts', 'brands', 'guarded', await write(brands))).toEqual({ account: 'guarded', brands });
    expect(await server.ledger.authenticate(key as string)).toMatchObject({ brands });
    expect(await json('accounts', 'brands', 'beside')).toEqual({ account: 'beside', brands: '' });
    await vedette('accounts', 'brands', 'guarded', await write(''));
    expect(await server.ledger.authenticate(key as string)).toMatchObject({ brands: '' });
    expect(await vedette('audit', 'acts', '--subject', 'guarded')).toMatch(/account\.brands +guarded +\{"characters":0\}/);
  });

  it.each([
    ['a line that is not a brand', 'Zündkraft', 'line 1: it is not'],
    ['a name of all forgers', 'support; support-firm.com', 'in the names of too many others'],
    ['a public suffix', 'Zündkraft; co.uk', 'is not a registrable domain'],
    ['too many', Array.from({ length: 201 }, (_, at) => `firm${at}x; firm${at}x.com`).join('\n'), 'at most 200'],
    ['too much', '#'.repeat(20_001), 'larger than the limit'],
    ['what is not text', 'a\u0000b; zuendkraft-konto.de', 'brands'],
  ])('are not %s', async (_what, text, problem) => {
    await expect(vedette('accounts', 'brands', 'acme', await write(text))).rejects.toThrow(problem);
  });

  it('are those of an account that there is', async () => {
    await expect(vedette('accounts', 'brands', 'nobody-here')).rejects.toThrow('does not exist');
    await expect(vedette('accounts', 'brands', 'nobody-here', await write(''))).rejects.toThrow('does not exist');
  });
});

it('tells what operators did, and who says that he did it', async () => {
  await vedette('deny', 'add', 'audited.test', '--reason', 'asked by its owner');
  expect(await vedette('audit', 'acts', '--subject', 'audited.test')).toMatch(
    /^TIME +WHO +FROM +ACT +ON +DETAILS\n\S+Z +admin \(alice\) +127\.0\.0\.1 +target\.deny +audited\.test +\{"reason":"asked by its owner"\}$/,
  );
  expect(await vedette('audit', 'acts', '--until', '2020-01-01')).toBe('The log of operators has no such entries.');
});

it('tells for whom a target was measured', async () => {
  await server.ledger.addMeasurements([
    {
      request_id: crypto.randomUUID(),
      account: 'acme',
      key: 'k1',
      client: '198.51.100.9',
      operation: 'ping-test',
      target: 'www.example.org',
      address: '192.0.2.7',
      locations: ['eu-fra'],
      status: 200,
      age_ms: 0,
    },
  ]);
  const row = /^TIME .*\n\S+Z +acme +k1 +198\.51\.100\.9 +ping-test +www\.example\.org +192\.0\.2\.7 +eu-fra +200$/;
  expect(await vedette('audit', '--target', '192.0.2.7')).toMatch(row);
  expect(await vedette('audit', 'measurements', '--target', 'example.org', '--subdomains', '--account', 'acme', '--limit', '5')).toMatch(
    row,
  );
  expect(await vedette('audit', '--target', 'example.org')).toBe('The measurement log has no such entries.');
  await expect(vedette('audit', '--since', 'yesterday')).rejects.toThrow('since');
  await expect(vedette('audit', '--limit', '1001')).rejects.toThrow('limit');
});

it.each([
  [[]],
  [['audit']],
  [['audit', 'acts']],
  [['plans', 'set']],
  [['accounts', 'create']],
  [['keys', 'create']],
  [['keys', 'rotate']],
  [['deny', 'add']],
  [['bus', 'prepare']],
  [['doctor']],
])('teaches %j by example', async (words) => {
  const help = await vedette(...words, '--help').catch((err: unknown) => (err as { code: string }).code);
  expect(help).toBe('commander.helpDisplayed');
});

it('runs as a program: token from the data directory, one line when something is wrong, and exit 2 for a wrong command line', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'cli-'));
  try {
    await writeFile(join(dataDir, 'admin-token'), `${TOKEN}\n`);
    const env = { ...OWN_ENV, VEDETTE_OPS_PORT: String(server.port), VEDETTE_DATA_DIR: dataDir };
    const run = (words: string[], more: Record<string, string> = {}) =>
      promisify(execFile)(process.execPath, [MAIN, ...words], { env: { ...env, ...more } });
    expect(JSON.parse((await run(['plans', 'list', '--json'])).stdout)).toContainEqual(expect.objectContaining({ id: 'basic' }));
    expect((await run(['keys', 'list', '--help'])).stdout).toContain('--json');
    await expect(run(['keys', 'revoke'])).rejects.toMatchObject({
      code: 2,
      stderr: "error: missing required argument 'id'\n(add --help for the options and examples)\n",
    });
    await expect(run(['plans', 'list'], { VEDETTE_ADMIN_TOKEN: 'wrong' })).rejects.toMatchObject({
      code: 1,
      stderr: `vedette: the gateway at ${server.url} does not accept this admin token\n`,
    });
    await expect(run(['plans', 'list'], { VEDETTE_DATA_DIR: '/nonexistent' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^vedette: no admin token: .*\n$/),
    });
    await expect(run(['plans', 'list'], { VEDETTE_OPS_PORT: '9' })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^vedette: the gateway does not answer at http:\/\/127\.0\.0\.1:9: .*\n$/),
    });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

it('tells its version', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, '--version'], { env: OWN_ENV });
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../packages/cli/package.json'), 'utf8')) as {
    version: string;
  };
  expect(stdout).toBe(`${version}\n`);
});

it.each([
  ['alice', 'alice'],
  ['Jörg Müller', null],
  ['a'.repeat(65), null],
])('tells that %s runs it where a header and the gateway take that name', async (operator, told) => {
  let heard: string | null | undefined;
  const client = createAdminClient({
    url: 'http://127.0.0.1:1',
    token: async () => TOKEN,
    operator,
    async fetch(_url, init) {
      heard = new Headers(init?.headers).get('x-operator');
      return Response.json({});
    },
  });
  await client.call('GET', ['accounts']);
  expect(heard).toBe(told);
});
