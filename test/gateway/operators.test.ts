import type { AgentView } from '@vedette/bus';
import { operations } from '@vedette/operations';
import type { Ledger, NewKey } from '@vedette/ledger';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocationList } from '../../packages/gateway/src/api-description/openapi.ts';
import { EngineList, FeedList, FLEET } from '../../packages/gateway/src/operators/fleet-schema.ts';
import { KeyList, NewKey as NewKeySchema, Usage } from '../../packages/gateway/src/operators/key-schema.ts';
import { Permissions } from '../../packages/gateway/src/operators/permissions.ts';
import { readCatalogue } from '../../packages/gateway/src/locations/locations.ts';
import { createAccount, createDatabase, openLedger, OPERATOR, startServer, type TestServer } from '../ledger/servers.ts';
import { type AppServer, openApp, post } from './app-server.ts';

const BOOTSTRAP = 'a-key-of-the-settings';
const NOBODY = 'abcdefghijklmnop';

/** An agent as its beats show it: what it says of itself is within the schema, and no friendlier. */
const AGENT: AgentView = {
  location: 'eu-fra',
  agent: 'agent-secret-7',
  state: 'degraded',
  outdated: false,
  silent_ms: 1_234.5,
  clock_skew_ms: 90_000,
  ack_ms: 3.4,
  ejected: ['http'],
  process: { node: 'v26.0.0', started_ms: 1e300, resident_bytes: 1, cpu_ms: 1 },
  counts: undefined,
  names: undefined,
  beat: {
    agent: 'agent-secret-7',
    location: 'eu-fra',
    version: '1.0.0',
    protocol: { major: 1, minor_min: 0, minor_max: 3 },
    state: 'degraded',
    capabilities: {
      kinds: ['ping'],
      v4: true,
      v6: false,
      icmp: 'kernel',
      h2: true,
      h3: true,
      vpn: 2,
      vpn_working: 1,
      down: ['icmp4', '<b>'],
    },
    slots: { ping: { used: 3, max: 64 }, http: { used: 0, max: 16 } },
    jobs: 3,
    simulated: false,
    event_loop_delay_ms: 2.2,
    icmp_overhead_ms: 0.1,
    clock_ms: 0,
    selftest: { failing: 1, witnesses: 3 },
  },
};

let database: TestServer;
let ledger: Ledger;
let api: AppServer;
let accounts: { mine: string; other: string };
let keys: Record<'ordinary' | 'restricted' | 'operator' | 'others' | 'viewerOfUsage', NewKey>;

beforeAll(async () => {
  database = await startServer('embedded');
  ledger = await openLedger(await createDatabase(database), { bootstrap: { key: BOOTSTRAP, monthlyCredits: 1_000 } });
  const [mine, other] = await Promise.all([createAccount(ledger, 1_000), createAccount(ledger, 1_000)]);
  accounts = { mine: mine.id, other: other.id };
  const create = (account: string, allowed_operations?: string[]) =>
    ledger.admin.createKey(OPERATOR, { account, name: '<i>web</i>', ...(allowed_operations && { allowed_operations }) });
  keys = {
    ordinary: await create(mine.id),
    restricted: await create(mine.id, ['echo']),
    viewerOfUsage: await create(mine.id, ['usage']),
    operator: await create(mine.id, ['operator']),
    others: await create(other.id),
  };
  api = await openApp({
    ledger,
    catalogue: readCatalogue('{"eu-fra":{"continent":"EU","country":"DE","city":"Frankfurt"}}'),
    known: { ids: ['eu-fra'] },
    presence: { agents: () => [AGENT], isSimulated: () => false },
    feeds: { status: () => [] },
    blacklists: {
      status: () => [{ id: 'z', name: 'Z', subject: 'address', source: 'z.test', state: 'resting', problem: '', servers: [], terms: '' }],
    },
    engines: [{ id: 'z', zone: 'z.test', rate: { per_s: 5, burst: 100 } }] as never,
  });
});
afterAll(async () => {
  await api?.[Symbol.asyncDispose]();
  await ledger?.close();
  await database?.stop();
});

interface Said {
  status: number;
  body: any;
  text: string;
}
async function ask(path: string, key: string, body?: object | string): Promise<Said> {
  const response = await fetch(`http://127.0.0.1:${api.port}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...(key !== '' && { 'x-api-key': key }), ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}
const outcome = async (said: Promise<Said>): Promise<string> => {
  const { status, body } = await said;
  return status === 200 ? 'yes' : (body as { code: string }).code;
};

const key = (holder: string): string =>
  holder === 'none' ? '' : holder === 'settings' ? BOOTSTRAP : keys[holder as keyof typeof keys].key;

// Whether each may; the reason where not.
const HOLDERS = ['none', 'ordinary', 'restricted', 'viewerOfUsage', 'others', 'operator', 'settings'];
const TRUTH: [what: string, ...string[]][] = [
  ...['fleet', 'feeds', 'engines', 'create', 'rotate', 'revoke'].map((what): [string, ...string[]] => [
    what,
    'key_missing',
    'role_not_allowed',
    'role_not_allowed',
    'role_not_allowed',
    'role_not_allowed',
    'yes',
    'yes',
  ]),
  ['permissions', 'key_missing', 'yes', 'yes', 'yes', 'yes', 'yes', 'yes'],
  ['own keys', 'key_missing', 'yes', 'operation_not_allowed', 'operation_not_allowed', 'yes', 'yes', 'yes'],
  ['own usage', 'key_missing', 'yes', 'operation_not_allowed', 'yes', 'yes', 'yes', 'yes'],
  ['keys of mine', 'key_missing', 'yes', 'operation_not_allowed', 'operation_not_allowed', 'role_not_allowed', 'yes', 'yes'],
  ['usage of mine', 'key_missing', 'yes', 'operation_not_allowed', 'yes', 'role_not_allowed', 'yes', 'yes'],
  ['keys of the other', 'key_missing', 'role_not_allowed', 'operation_not_allowed', 'operation_not_allowed', 'yes', 'yes', 'yes'],
  ['usage of the other', 'key_missing', 'role_not_allowed', 'operation_not_allowed', 'role_not_allowed', 'yes', 'yes', 'yes'],
];

it.each(TRUTH)('%s: who may', async (what, ...expected) => {
  const said: string[] = [];
  for (const holder of HOLDERS) {
    const target = await ledger.admin.createKey(OPERATOR, { account: accounts.mine, name: 'target' });
    const of = what.endsWith('of mine') ? `?account=${accounts.mine}` : what.endsWith('of the other') ? `?account=${accounts.other}` : '';
    const path = what.includes('keys') ? `/v2/keys${of}` : what.includes('usage') ? `/v2/usage${of}` : `/v2/${what}`;
    const asked =
      what === 'create'
        ? ask('/v2/keys', key(holder), { account: accounts.mine, name: 'made' })
        : what === 'rotate' || what === 'revoke'
          ? ask(`/v2/keys/${what}`, key(holder), { id: target.id })
          : ask(path, key(holder));
    said.push(await outcome(asked));
    const [after] = await ledger.admin.listKeys({ id: target.id });
    // A refusal changes nothing.
    const isChanged = said.at(-1) === 'yes' && what === 'revoke' ? 'revoked' : 'active';
    expect(after!.state).toBe(isChanged);
  }
  expect(said).toEqual(expected);
});

describe('what an ordinary key sees', () => {
  it('has nothing of other accounts, of agents, or of secrets', async () => {
    const text = (await Promise.all(['/v2/keys', '/v2/usage?days=90', '/v2/locations'].map((path) => ask(path, keys.ordinary.key))))
      .map((said) => said.text)
      .join();
    expect(text).toContain(keys.restricted.id);
    for (const hidden of [accounts.other, keys.others.id, 'bootstrap', 'agent-secret', keys.restricted.key.slice(-38)])
      expect(text).not.toContain(hidden);
  });

  it('a key of another account has no usage here', async () => {
    await ledger.settle(
      await ledger.reserve({ account: { id: accounts.other, keyId: keys.others.id }, operation: 'echo', cost: 3, deadlineMs: 10_000 }),
    );
    const { body } = await ask(`/v2/usage?key=${keys.others.id}`, keys.ordinary.key);
    expect(body).toMatchObject({ credits: 0, keys: [], operations: [] });
    expect((await ask(`/v2/usage?key=${keys.others.id}`, keys.operator.key)).body).toMatchObject({
      credits: 3,
      keys: [{ id: keys.others.id, account: accounts.other, credits: 3, requests: 1 }],
    });
  });
});

it('each key is told which operations it may use, and why not the others', async () => {
  const told = await Promise.all(HOLDERS.slice(1).map(async (holder) => (await ask('/v2/permissions', key(holder))).body));
  for (const body of told) expect([...Compile(Permissions).Errors(body)]).toEqual([]);
  const closed = [{ operation: 'echo', by: 'key' }];
  expect(told).toEqual([
    { role: 'analyst', operations: ['echo'], closed: [] },
    { role: 'analyst', operations: ['echo'], closed: [] },
    { role: 'analyst', operations: [], closed },
    { role: 'analyst', operations: ['echo'], closed: [] },
    { role: 'operator', operations: [], closed },
    { role: 'operator', operations: ['echo'], closed: [] },
  ]);
});

describe('a key', () => {
  it('is shown once, and works until it is revoked; its successor has its rights', async () => {
    const { body: made } = await ask('/v2/keys', keys.operator.key, {
      account: accounts.mine,
      name: 'tab',
      allowed_operations: ['echo', 'usage'],
      allowed_cidrs: ['127.0.0.0/8', '::1/128'],
    });
    expect(Compile(NewKeySchema).Check(made)).toBe(true);
    const asks = async (secret: string) => (await api.raw(post('a.test', { key: secret, headers: 'Connection: close\r\n' }))).slice(9, 12);
    expect(await asks(made.key)).toBe('200');
    const { body: next } = await ask('/v2/keys/rotate', keys.operator.key, { id: made.id, overlap_hours: 1 });
    expect(next).toMatchObject({ rotated_from: made.id, allowed_operations: ['echo', 'usage'], account: accounts.mine });
    expect([await asks(made.key), await asks(next.key)]).toEqual(['200', '200']);
    const { text: list, body } = await ask('/v2/keys', keys.operator.key);
    expect(Compile(KeyList).Check(body)).toBe(true);
    expect(list).not.toContain(made.key);
    await ask('/v2/keys/revoke', keys.operator.key, { id: made.id });
    expect([await asks(made.key), await asks(next.key)]).toEqual(['401', '200']);
    await ask('/v2/keys/rotate', keys.operator.key, { id: next.id, overlap_hours: 0 });
    expect(await asks(next.key)).toBe('401');
    const acts = await ledger.admin.listActs({ subject: made.id });
    expect(acts.map(({ act, actor }) => [act, actor])).toEqual([
      ['key.revoke', `key ${keys.operator.id}`],
      ['key.rotate', `key ${keys.operator.id}`],
      ['key.create', `key ${keys.operator.id}`],
    ]);
    expect(JSON.stringify([acts, api.log])).not.toContain(made.key.slice(-38));
  });

  it('of an operator is neither made nor replaced here: a thief could stay for ever', async () => {
    const created = await ask('/v2/keys', keys.operator.key, { account: accounts.mine, name: 'more', allowed_operations: ['operator'] });
    const rotated = await ask('/v2/keys/rotate', keys.operator.key, { id: keys.operator.id });
    for (const { status, body } of [created, rotated])
      expect([status, body]).toEqual([400, { code: 'invalid_parameter', error: expect.stringContaining('the command vedette') }]);
  });

  it.each([
    ['no account', { name: 'x' }, 400, 'missing_parameter'],
    ['an unknown account', { account: 'nobody', name: 'x' }, 400, 'invalid_parameter'],
    ['an account that is SQL', { account: "x' OR 1=1 --", name: 'x' }, 400, 'invalid_parameter'],
    ['a name with control characters', { account: 'a', name: 'x\u001b[2J' }, 400, 'invalid_parameter'],
    ['a name that is too long', { account: 'a', name: 'x'.repeat(201) }, 400, 'invalid_parameter'],
    ['an unknown operation', { account: 'a', name: 'x', allowed_operations: ['no-such'] }, 400, 'invalid_parameter'],
    ['a network that is not one', { account: 'a', name: 'x', allowed_cidrs: ['300.0.0.0/8'] }, 400, 'invalid_parameter'],
    ['a parameter of nobody', { account: 'a', name: 'x', admin: true }, 400, 'unknown_parameter'],
    ['a secret of its own', { account: 'a', name: 'x', secret_sha256: 'x' }, 400, 'unknown_parameter'],
    ['a prototype', '{"account":"a","name":"x","__proto__":{"role":"operator"}}', 400, 'unknown_parameter'],
    ['an array', '[]', 400, 'malformed_json'],
    ['too much', JSON.stringify({ account: 'a', name: 'x'.repeat(70_000) }), 413, 'body_too_large'],
  ])('with %s is not made', async (_what, body, status, code) => {
    const said = await ask('/v2/keys', BOOTSTRAP, body);
    expect([said.status, said.body.code]).toEqual([status, code]);
  });

  it.each([
    ['/v2/keys/rotate', { id: NOBODY }],
    ['/v2/keys/revoke', { id: NOBODY }],
    ['/v2/keys/revoke', { id: 'bootstrap' }],
    ['/v2/keys/rotate', { id: NOBODY, overlap_hours: 1e9 }],
    ['/v2/keys/revoke', { id: ['a'] }],
  ])('at %s has to exist: %j', async (path, body) => {
    const said = await ask(path, BOOTSTRAP, body);
    expect([said.status, said.body.code]).toEqual([400, 'invalid_parameter']);
  });

  it('is not made of a form that another site sends', async () => {
    const body = JSON.stringify({ account: accounts.mine, name: 'forged' });
    const head = `POST /v2/keys HTTP/1.1\r\nHost: x\r\nX-API-Key: ${BOOTSTRAP}\r\nConnection: close\r\nContent-Type: text/plain\r\n`;
    expect(await api.raw(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)).toContain('unsupported_media_type');
  });
});

it.each([
  'days=0',
  'days=91',
  'days=1e1',
  'days=',
  'days=7&days=8',
  'sql=1',
  `key=${'x'.repeat(321)}`,
  '__proto__=1',
  `account=${'x'.repeat(64)}`,
])('usage with %s is a 400', async (query) => {
  expect((await ask(`/v2/usage?${query}`, BOOTSTRAP)).status).toBe(400);
});

it('answers are as they are described, and say where each agent is, what it runs and what its self-test found', async () => {
  const [fleet, feeds, engines, usage] = await Promise.all(
    ['fleet', 'feeds', 'engines', 'usage'].map(async (what) => (await ask(`/v2/${what}`, keys.operator.key)).body),
  );
  for (const [schema, body] of [
    [Type.Object({ ...LocationList.properties, ...FLEET }), fleet],
    [FeedList, feeds],
    [EngineList, engines],
    [Usage, usage],
  ] as const)
    expect([...Compile(schema).Errors(body)]).toEqual([]);
  expect(engines.engines).toEqual([expect.objectContaining({ id: 'z', state: 'resting', per_s: 5, burst: 100 })]);
  expect(fleet.agents).toEqual([
    expect.objectContaining({
      location: 'eu-fra',
      agent: 'agent-secret-7',
      state: 'degraded',
      version: '1.0.0',
      started_at: '', // no date has that time
      slots: [
        { kind: 'ping', used: 3, max: 64, left_out: false },
        { kind: 'http', used: 0, max: 16, left_out: true },
      ],
    }),
  ]);
  const results = Object.groupBy(fleet.agents[0].self_tests as { name: string; result: string }[], ({ result }) => result);
  expect(Object.fromEntries(Object.entries(results).map(([result, tests]) => [result, tests!.map(({ name }) => name)]))).toEqual({
    fails: ['icmp4', 'clock'],
    absent: ['icmp6', 'tcp6', 'udp6'],
    works: ['tcp4', 'udp4', 'quic', 'resolver'],
    untested: ['names'],
  });
  expect(JSON.stringify(fleet)).not.toContain('<b>');
});

it('a request whose key is rotated and revoked midway is answered and paid once, under its key', async () => {
  const { id: account } = await createAccount(ledger, 10);
  const { id, key: old } = await ledger.admin.createKey(OPERATOR, { account, name: 'midway' });
  const answer = api.raw(post('hold', { key: old, headers: 'Connection: close\r\n' }), 20_000);
  await expect.poll(() => api.held()).toBe(1);
  expect((await ask('/v2/keys/rotate', keys.operator.key, { id, overlap_hours: 0 })).status).toBe(200);
  expect((await ask('/v2/keys/revoke', keys.operator.key, { id })).status).toBe(200);
  api.letGo();
  expect((await answer).slice(9, 12)).toBe('200');
  const { body } = await ask(`/v2/usage?account=${account}&days=1`, keys.operator.key);
  expect(body).toMatchObject({ credits: 1, requests: 1, operations: [{ operation: 'echo', credits: 1 }], keys: [{ id, name: 'midway' }] });
  expect(await ledger.audit()).toEqual([]);
});

it('an account asks so often, and then is told when again; other accounts go on', async () => {
  const { key: mine } = await ledger.admin.createKey(OPERATOR, { account: (await createAccount(ledger, 1)).id, name: 'eager' });
  const all = await Promise.all(Array.from({ length: 40 }, () => ask('/v2/usage', mine)));
  const refused = all.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(10);
  expect((await ask('/v2/usage', keys.others.key)).status).toBe(200);
});

it('names no operation by a path of operators: clients would take it for one', () => {
  for (const { name } of operations) expect(['fleet', 'feeds', 'engines', 'permissions', 'keys', 'usage', 'operator']).not.toContain(name);
});
