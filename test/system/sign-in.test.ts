import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNatsServer } from '../bus/nats-server.ts';
import { buildConsole, openChromium, seriousFaults } from '../console/browser.ts';
import { freePort } from '../free-ports.ts';
import { createDatabase, sql, startServer, type TestServer } from '../ledger/servers.ts';
import { type GatewayProcess, spawnGateway } from './money/gateway-process.ts';
import { Browser } from './oidc/browser.ts';
import { type FakeProvider, type Faults, startFakeProvider } from './oidc/fake-provider.ts';

// Two gateways at one database, whose people sign in at a provider of ours, and one whose people sign in at the real oidc-provider.
const KEY = 'a-key-of-ours';
const COOKIE = 'vedette-session';
const folder = mkdtempSync(join(tmpdir(), 'vedette-sign-in-'));
let database: TestServer;
let url: string;
let nats: Awaited<ReturnType<typeof startNatsServer>>;
let fake: FakeProvider;
let origin: string;
let base: Record<string, string>;
let first: GatewayProcess;
let second: GatewayProcess;

beforeAll(async () => {
  [database, nats, fake] = await Promise.all([startServer('embedded'), startNatsServer(), startFakeProvider()]);
  url = await createDatabase(database);
  const port = String(await freePort());
  origin = `http://127.0.0.1:${port}`;
  writeFileSync(join(folder, 'secret'), 'a-client-secret\n');
  base = {
    VEDETTE_DATA_DIR: folder,
    VEDETTE_DATABASE_URL: url,
    VEDETTE_NATS_URL: nats.url,
    VEDETTE_BOOTSTRAP_KEY: KEY,
    VEDETTE_OIDC_ISSUER: fake.issuer,
    VEDETTE_OIDC_CLIENT_ID: 'vedette',
    VEDETTE_OIDC_CLIENT_SECRET_FILE: join(folder, 'secret'),
    VEDETTE_OIDC_ROLES: 'ops=operator,soc=analyst,guests=viewer',
    VEDETTE_PUBLIC_URL: origin,
    VEDETTE_PORT: port,
  };
  [first, second] = await Promise.all([spawnGateway(base), spawnGateway({ ...base, VEDETTE_PORT: '0' })]);
});
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  await Promise.all([nats?.stop(), database?.stop(), fake?.[Symbol.asyncDispose]()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Goes to the provider and comes back with what it says. */
async function cameBack(browser: Browser, faults: Faults = {}, returnTo = '/'): Promise<Response> {
  const there = await browser.ask(`${origin}/auth/login?return_to=${encodeURIComponent(returnTo)}`);
  expect(there.status).toBe(303);
  fake.faults = faults;
  return browser.ask(fake.approve(there.headers.get('location')!));
}

/** A browser whose person has these groups. */
async function signedIn(groups: string[], sub = 'anna'): Promise<Browser> {
  const browser = new Browser();
  const back = await cameBack(browser, { claims: { groups, sub, preferred_username: sub } });
  expect(back.headers.get('location')).toBe(`${origin}/`);
  return browser;
}

const me = async (browser: Browser): Promise<any> => (await browser.ask(`${origin}/auth/me`)).json();
const post = (browser: Browser, path: string, body: object, headers: Record<string, string> = { origin }, at = origin): Promise<Response> =>
  browser.ask(`${at}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
const codeOf = async (response: Response): Promise<[number, string | undefined]> => [
  response.status,
  ((await response.json()) as { code?: string }).code,
];
/** A paid request that is refused for its target, once the door is passed: no packet leaves. */
const paid = (browser: Browser, headers?: Record<string, string>, at?: string) =>
  post(browser, '/v2/ping-test', { host: '127.0.0.1' }, headers, at);
const PASSED = [400, 'private_address'];

describe('a person', () => {
  it('is asked for at the provider with state, nonce and PKCE', async () => {
    const there = await new Browser().ask(`${origin}/auth/login`);
    const { searchParams, origin: provider } = new URL(there.headers.get('location')!);
    expect(provider).toBe(fake.issuer);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: 'vedette',
      redirect_uri: `${origin}/auth/callback`,
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(there.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^vedette-sign-in=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
  });

  it('is known by a cookie at every gateway, after a restart, and until the person signs out', async () => {
    const browser = await signedIn(['soc']);
    expect(await me(browser)).toEqual({
      sign_in: 'ready',
      login: `${origin}/auth/login`,
      provider: '127.0.0.1',
      person: { id: 'person:anna', name: 'anna', role: 'analyst', account: 'bootstrap' },
    });
    const cookie = browser.cookies(origin).get(COOKIE)!;
    browser.cookies(second.url).set(COOKIE, cookie);
    expect(await codeOf(await paid(browser, { origin }, second.url))).toEqual(PASSED);
    // Only a hash is kept.
    const rows = await sql<{ row: string }>(url, 'SELECT s::text AS row FROM sessions s');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ row }) => row.includes(cookie.slice(0, 43)))).toEqual([]);
    await first.stop();
    first = await spawnGateway(base);
    expect((await me(browser)).person).toMatchObject({ name: 'anna' });
    const left = await post(browser, '/auth/logout', {});
    expect([left.status, await left.json()]).toEqual([200, { continue_at: `${origin}/` }]);
    expect(browser.cookies(origin).has(COOKIE)).toBe(false);
    browser.cookies(origin).set(COOKIE, cookie);
    expect((await me(browser)).person).toBeNull();
    expect(await codeOf(await paid(browser))).toEqual([401, 'session_ended']);
  });

  it.each([
    ['guests', 'viewer', [403, 'role_not_allowed']],
    ['soc', 'analyst', PASSED],
    ['ops', 'operator', PASSED],
  ])('of the group %s is %s', async (group, role, expected) => {
    const browser = await signedIn(['others', group], `of-${group}`);
    expect((await me(browser)).person).toEqual({ id: `person:of-${group}`, name: `of-${group}`, role, account: 'bootstrap' });
    expect(await codeOf(await paid(browser))).toEqual(expected);
    expect((await browser.ask(`${origin}/v2/locations`)).status).toBe(200);
    const told = (await (await browser.ask(`${origin}/v2/permissions`)).json()) as { role: string; closed: { by: string }[] };
    expect([told.role, new Set(told.closed.map(({ by }) => by))]).toEqual([role, new Set(role === 'viewer' ? ['role'] : [])]);
  });

  it('has the highest of several roles, and one group may be a string', async () => {
    expect((await me(await signedIn(['guests', 'ops', 'soc']))).person.role).toBe('operator');
    const browser = new Browser();
    await cameBack(browser, { claims: { groups: 'guests' } });
    expect((await me(browser)).person.role).toBe('viewer');
  });

  it.each([[[]], [['others']], [undefined], [{ soc: true }], [7], [['__proto__']]])('with the groups %j has no role', async (groups) => {
    const browser = new Browser();
    const back = await cameBack(browser, { claims: { groups } });
    expect(back.headers.get('location')).toBe(`${origin}/?sign_in=no_role`);
    expect((await me(browser)).person).toBeNull();
  });

  it('gets a new session at each sign-in, and the one before ends', async () => {
    const browser = await signedIn(['soc']);
    const before = browser.cookies(origin).get(COOKIE)!;
    await cameBack(browser);
    const after = browser.cookies(origin).get(COOKIE)!;
    expect(after).not.toBe(before);
    browser.cookies(origin).set(COOKIE, before);
    expect((await me(browser)).person).toBeNull();
  });

  it('is not taken for one whose cookie was there before', async () => {
    const browser = new Browser();
    const planted = 'a'.repeat(43);
    browser.cookies(origin).set(COOKIE, planted);
    await cameBack(browser);
    expect(browser.cookies(origin).get(COOKIE)).not.toBe(planted);
  });

  it('who is idle, or was signed in for long, is so no more', async () => {
    for (const column of ['seen_at', 'created_at']) {
      const browser = await signedIn(['soc'], 'idle');
      await sql(url, `UPDATE sessions SET ${column} = now() - interval '13 hours' WHERE subject = 'idle'`);
      expect((await me(browser)).person).toBeNull();
    }
  });

  it('is told no secret of others: the answers of the door are the same without a session, and with a wrong one', async () => {
    const wrong = new Browser();
    wrong.cookies(origin).set(COOKIE, 'b'.repeat(43));
    expect(await codeOf(await paid(wrong))).toEqual([401, 'session_ended']);
    for (const odd of ['x', `${'b'.repeat(42)}%`, 'é'.repeat(43), "' OR 1=1 --"].map(encodeURIComponent)) {
      wrong.cookies(origin).set(COOKIE, odd);
      expect(await codeOf(await paid(wrong))).toEqual([401, 'session_ended']);
    }
  });
});

describe('strangers', () => {
  it('with made-up sessions make the database do nothing', async () => {
    const [person, stranger] = [await signedIn(['soc'], 'real'), new Browser()];
    const cookie = person.cookies(origin).get(COOKIE)!;
    await sql(url, 'ALTER TABLE sessions RENAME TO out_of_reach');
    try {
      for (const madeUp of ['b'.repeat(43), `${'b'.repeat(43)}.${cookie.slice(44)}`, `${cookie.slice(0, 43)}.${'b'.repeat(43)}`]) {
        stranger.cookies(origin).set(COOKIE, madeUp);
        expect(await codeOf(await paid(stranger))).toEqual([401, 'session_ended']);
        expect((await me(stranger)).person).toBeNull();
      }
      expect((await paid(person)).status).toBeGreaterThanOrEqual(500);
    } finally {
      await sql(url, 'ALTER TABLE out_of_reach RENAME TO sessions');
    }
    expect(await codeOf(await paid(person))).toEqual(PASSED);
  });

  it('who come back by the hundred make the provider answer 32 at once, and fill no log', { timeout: 30_000 }, async () => {
    const stranger = new Browser();
    const back = fake.approve((await stranger.ask(`${origin}/auth/login`)).headers.get('location')!);
    const pending = stranger.cookies(origin).get('vedette-sign-in')!;
    const come = () => fetch(back, { redirect: 'manual', headers: { cookie: `vedette-sign-in=${pending}` } });
    const held: (() => void)[] = [];
    fake.faults = { token: (response) => void held.push(() => response.writeHead(400).end('{"error":"invalid_grant"}')) };
    const refused: Response[] = [];
    const all = Array.from({ length: 100 }, async () => void refused.push(await come()));
    await expect.poll(() => refused.length + held.length, { timeout: 20_000 }).toBe(100);
    expect(refused.map(({ headers }) => headers.get('location'))).toEqual(Array(68).fill(`${origin}/?sign_in=unavailable`));
    fake.faults = {};
    for (const release of held) release();
    await Promise.all(all);
    expect(first.lines.filter((line) => line.includes('a person could not sign in')).length).toBeLessThan(20);
    expect((await me(await signedIn(['soc']))).person).toMatchObject({ name: 'anna' });
  });
});

describe('other sites', () => {
  it.each<[string, Record<string, string>]>([
    ['a wrong Origin', { origin: 'https://evil.test' }],
    ['a sibling host, which SameSite lets through', { origin: 'http://localhost' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['an opaque Origin', { origin: 'null' }],
    ['no Origin', {}],
    ['the right Origin, and a browser that says cross-site', { origin: 'ORIGIN', 'sec-fetch-site': 'cross-site' }],
    ['a browser that says same-site', { origin: 'ORIGIN', 'sec-fetch-site': 'same-site' }],
  ])('cannot spend with %s, nor sign out', async (_name, headers) => {
    const browser = await signedIn(['soc']);
    const sent = { ...headers, ...(headers['origin'] === 'ORIGIN' && { origin }) };
    expect(await codeOf(await paid(browser, sent))).toEqual([403, 'cross_site']);
    expect(await codeOf(await post(browser, '/auth/logout', {}, sent))).toEqual([403, 'cross_site']);
    expect((await me(browser)).person).toMatchObject({ name: 'anna' });
    expect(await codeOf(await paid(browser, { origin, 'sec-fetch-site': 'same-origin' }))).toEqual(PASSED);
  });

  it('cannot spend by a form, which has no JSON', async () => {
    const browser = await signedIn(['soc']);
    const headers = { 'content-type': 'text/plain', origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    expect((await browser.ask(`${origin}/v2/ping-test`, { method: 'POST', body: '{"host":"127.0.0.1"}', headers })).status).toBe(415);
    expect((await browser.ask(`${origin}/v2/account-info`, { method: 'POST', headers: { origin: 'https://evil.test' } })).status).toBe(403);
  });

  it('cannot read by a GET that a browser calls cross-site', async () => {
    const browser = await signedIn(['soc']);
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await codeOf(await browser.ask(`${origin}/v2/locations`, { headers }))).toEqual([403, 'cross_site']);
    expect(await codeOf(await browser.ask(`${origin}/auth/me`, { headers }))).toEqual([403, 'cross_site']);
  });
});

describe('keys', () => {
  it('work as before, from everywhere, and count before a cookie', async () => {
    const browser = await signedIn(['guests']);
    expect(await codeOf(await paid(browser, { 'x-api-key': KEY }))).toEqual(PASSED);
    expect(await codeOf(await paid(browser, { 'x-api-key': KEY, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }))).toEqual(
      PASSED,
    );
    expect(await codeOf(await paid(browser, { 'x-api-key': 'not a key', origin }))).toEqual([401, 'key_malformed']);
  });

  it('are wanted by /mcp and /probe, whatever cookie is there', async () => {
    const browser = await signedIn(['ops']);
    expect(await codeOf(await post(browser, '/mcp', {}))).toEqual([401, 'key_missing']);
    expect((await browser.ask(`${origin}/probe?target=127.0.0.1&module=icmp`)).status).toBe(401);
    browser.cookies(first.opsUrl).set(COOKIE, browser.cookies(origin).get(COOKIE)!);
    expect((await browser.ask(`${first.opsUrl}/admin/accounts`)).status).toBe(401);
  });
});

describe('nothing is signed in by', () => {
  const now = () => Math.floor(Date.now() / 1000);
  it.each<[string, Faults]>([
    ['a wrong nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['an expired token', { claims: { exp: now() - 3_600, iat: now() - 7_200 } }],
    ['a token for another client', { claims: { aud: 'another' } }],
    ['a token for several, of whom another is authorized', { claims: { aud: ['vedette', 'another'], azp: 'another' } }],
    ['a token of another issuer', { claims: { iss: 'https://evil.test' } }],
    ['a token without a subject', { claims: { sub: undefined } }],
    ['a subject with a line break', { claims: { sub: 'anna\r\nset-cookie: x=y' } }],
    ['a token with the algorithm none', { alg: 'none' }],
    ['a token signed by the client secret', { alg: 'HS256' }],
    ['a token signed by another key', { stranger: true }],
    ['an answer that is no JSON', { token: (response) => void response.writeHead(200).end('<html>') }],
    ['status 999', { token: (response) => void response.writeHead(999).end('{}') }],
    ['a redirect', { token: (response) => void response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end() }],
  ])('%s', async (_name, faults) => {
    const browser = new Browser();
    const back = await cameBack(browser, faults);
    expect([back.status, back.headers.get('location')]).toEqual([303, `${origin}/?sign_in=refused`]);
    expect(browser.cookies(origin).has(COOKIE)).toBe(false);
  });

  it.each<[string, Faults['token']]>([
    ['hangs', () => undefined],
    ['breaks off', (response) => void response.destroy()],
    ['answers 503', (response) => void response.writeHead(503).end('<h1>Service Unavailable')],
    ['answers 10 MB', (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(10_485_760))],
  ])('a provider that %s, which refuses no person', { timeout: 30_000 }, async (_name, token) => {
    const browser = new Browser();
    const back = await cameBack(browser, { token: token! });
    expect(back.headers.get('location')).toBe(`${origin}/?sign_in=unavailable`);
    expect(browser.cookies(origin).has(COOKIE)).toBe(false);
  });

  it('a state of another browser, or of none', async () => {
    fake.faults = {};
    const [victim, thief] = [new Browser(), new Browser()];
    const there = await thief.ask(`${origin}/auth/login`);
    const back = fake.approve(there.headers.get('location')!);
    expect((await victim.ask(back)).headers.get('location')).toBe(`${origin}/?sign_in=expired`);
    await victim.ask(`${origin}/auth/login`);
    expect((await victim.ask(back)).headers.get('location')).toBe(`${origin}/?sign_in=refused`);
    expect(victim.cookies(origin).has(COOKIE)).toBe(false);
  });

  it('a code that counted before', async () => {
    fake.faults = {};
    const browser = new Browser();
    const there = await browser.ask(`${origin}/auth/login`);
    const pending = browser.cookies(origin).get('vedette-sign-in')!;
    const back = fake.approve(there.headers.get('location')!);
    await browser.ask(back);
    expect(browser.cookies(origin).has('vedette-sign-in')).toBe(false);
    const thief = new Browser();
    thief.cookies(origin).set('vedette-sign-in', pending);
    expect((await thief.ask(back)).headers.get('location')).toBe(`${origin}/?sign_in=refused`);
  });

  it('what is kept in the browser, once it was changed', async () => {
    const browser = new Browser();
    const there = await browser.ask(`${origin}/auth/login`);
    const [body, tag] = browser.cookies(origin).get('vedette-sign-in')!.split('.') as [string, string];
    const forged = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(body, 'base64url').toString()), returnTo: '//evil.test' }));
    for (const odd of [`${forged.toString('base64url')}.${tag}`, body, `.${tag}`, `${body}.`, '.', 'x'.repeat(3_500)]) {
      browser.cookies(origin).set('vedette-sign-in', odd);
      expect((await browser.ask(fake.approve(there.headers.get('location')!))).headers.get('location')).toBe(`${origin}/?sign_in=expired`);
    }
  });
});

it.each([
  ['/ask/ping-test?host=example.org#x', '/ask/ping-test?host=example.org#x'],
  ['//evil.test/', '/'],
  ['/\\evil.test/', '/'],
  ['/../../evil', '/evil'],
  ['https://evil.test/', '/'],
  ['javascript:alert(1)', '/'],
  ['/x\r\nset-cookie: a=b', '/'],
  ['/é', '/'],
  ['', '/'],
  ['/./\\evil.test', '/'],
  ['/.//evil.test', '/'],
])('return_to %j leads to %s', async (returnTo, path) => {
  const back = await cameBack(new Browser(), {}, returnTo);
  expect(back.headers.get('location')).toBe(`${origin}${path}`);
});

it('a person has ten sessions, and all have a hundred thousand', async () => {
  const oldest = await signedIn(['soc'], 'many');
  for (let i = 0; i < 10; i++) await signedIn(['soc'], 'many');
  expect((await me(oldest)).person).toBeNull();
  const count = async () => (await sql<{ count: number }>(url, 'SELECT count(*)::int AS count FROM sessions'))[0]!.count;
  expect(await sql(url, "SELECT FROM sessions WHERE subject = 'many'")).toHaveLength(10);
  await sql(
    url,
    `INSERT INTO sessions (id_sha256, subject, name, role, seen_at)
      SELECT sha256(i::text::bytea), 's' || i, '', 'viewer', now() - interval '1 hour' FROM generate_series(1, 101000) i`,
  );
  const last = await signedIn(['soc'], 'last');
  expect((await me(last)).person).toMatchObject({ name: 'last' });
  await expect.poll(count, { timeout: 75_000, interval: 1_000 }).toBeLessThanOrEqual(100_000);
  expect((await me(last)).person).toMatchObject({ name: 'last' });
}, 90_000);

it('a gateway without its provider serves keys, says so, and finds the provider later', { timeout: 60_000 }, async () => {
  const port = await freePort();
  await using gateway = Object.assign(await spawnGateway({ ...base, VEDETTE_PORT: '0', VEDETTE_OIDC_ISSUER: `http://127.0.0.1:${port}` }), {
    [Symbol.asyncDispose]: async () => gateway.stop(),
  });
  const browser = new Browser();
  expect(await codeOf(await browser.ask(`${gateway.url}/auth/login`))).toEqual([503, 'sign_in_unavailable']);
  expect(await codeOf(await paid(browser, { 'x-api-key': KEY }, gateway.url))).toEqual(PASSED);
  expect(await (await browser.ask(`${gateway.url}/auth/me`)).json()).toMatchObject({ sign_in: 'unavailable', person: null });
  const impaired = async (): Promise<string[]> => {
    const { impaired: parts } = (await (await fetch(`${gateway.opsUrl}/readyz`)).json()) as { impaired: { part: string }[] };
    return parts.map(({ part }) => part);
  };
  expect(await impaired()).toContain('sign-in');
  await using late = await startFakeProvider(port);
  await expect.poll(async () => (await browser.ask(`${gateway.url}/auth/login`)).status, { timeout: 20_000, interval: 500 }).toBe(303);
  expect(late.asked).toContain('/.well-known/openid-configuration');
  expect(await impaired()).not.toContain('sign-in');
});

describe('at the real oidc-provider', () => {
  let provider: ChildProcess;
  let gateway: GatewayProcess;
  let own: string;
  let issuer: string;
  beforeAll(async () => {
    const [providerPort, port] = await Promise.all([freePort(), freePort()]);
    [own, issuer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${providerPort}`];
    const program = fileURLToPath(new URL('oidc/provider-program.ts', import.meta.url));
    provider = spawn(process.execPath, [program, String(providerPort), `${own}/auth/callback`, `${own}/`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(provider.stdout!, 'data');
    buildConsole();
    gateway = await spawnGateway({ ...base, VEDETTE_PORT: String(port), VEDETTE_PUBLIC_URL: own, VEDETTE_OIDC_ISSUER: issuer });
  }, 60_000);
  afterAll(async () => {
    await gateway?.stop();
    provider?.kill();
  });

  it('a person signs in, and out', { timeout: 60_000 }, async () => {
    const browser = new Browser();
    expect(await browser.signIn(`${own}/auth/login?return_to=/ask/ping-test`, 'anna-soc', `${own}/ask`)).toBe(`${own}/ask/ping-test`);
    const known = async () => (await browser.ask(`${own}/auth/me`)).json();
    expect(await known()).toMatchObject({ person: { name: 'anna-soc', role: 'analyst' } });
    expect(await codeOf(await paid(browser, { origin: own }, own))).toEqual(PASSED);
    const { continue_at: end } = (await (await post(browser, '/auth/logout', {}, { origin: own }, own)).json()) as { continue_at: string };
    expect(end).toMatch(`${issuer}/session/end?`);
    expect(await known()).toMatchObject({ person: null });
    expect((await browser.go(end)).text).toContain('Do you want to sign-out');
  });

  it('the console keeps what was typed when the session ends, and no other page spends or signs out', { timeout: 120_000 }, async () => {
    await using chromium = await openChromium();
    const { page, faults } = await chromium.open(own);
    await page.waitForSelector('#key:focus');
    expect(await seriousFaults(page)).toEqual([]);
    await page.click('button:has-text("Sign in with 127.0.0.1")');
    await page.fill('input[name=login]', 'anna-soc');
    await page.fill('input[name=password]', 'any');
    await page.click('button[type=submit]');
    await page.click('button[type=submit]');
    await page.waitForSelector('#subject');
    expect(await page.textContent('.person')).toBe('anna-soc · analyst');
    expect(await seriousFaults(page)).toEqual([]);
    expect(await faults()).toEqual({ violations: [], errors: [], shifts: [] });

    // A page of another port is of the same site: its requests carry the cookie.
    await using sibling = await startPage(`<form method="post" action="${own}/auth/logout"></form>
      <script>for (const path of ['/v2/account-info', '/auth/logout']) fetch('${own}' + path, { method: 'POST', mode: 'no-cors', credentials: 'include' })</script>`);
    const tab = await page.context().newPage();
    const answers: string[] = [];
    tab.on('response', (response) => {
      if (response.url().startsWith(own)) answers.push(`${new URL(response.url()).pathname} ${response.status()}`);
    });
    await tab.goto(sibling.url);
    // Without the cookie the first would be a 401.
    await expect.poll(() => answers.toSorted(), { timeout: 10_000 }).toEqual(['/auth/logout 403', '/v2/account-info 403']);
    await tab.evaluate("document.querySelector('form').submit()");
    await expect.poll(() => answers, { timeout: 10_000 }).toHaveLength(3);
    expect(answers[2]).toBe('/auth/logout 403');
    await tab.close();

    await page.goto(`${own}/ask/ping-test`);
    await page.fill('#field-host', '127.0.0.1');
    await sql(url, "DELETE FROM sessions WHERE subject = 'anna-soc'");
    await page.click('button:has-text("Ask ·")');
    await page.waitForSelector('.problem:has-text("You are not signed in any more")');
    const [again] = await Promise.all([page.context().waitForEvent('page'), page.click('a:has-text("Sign in with")')]);
    await again.waitForSelector('.person');
    await again.close();
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.waitForSelector('#field-host');
    expect(await page.inputValue('#field-host')).toBe('127.0.0.1');
    await page.click('button:has-text("Ask ·")');
    await page.waitForSelector('.refused:has-text("private_address")');

    // The sitting outlives a reload, and holds nothing that signs in.
    await page.reload();
    await page.waitForSelector('.refused:has-text("private_address")');
    await page.click('nav >> text=Ask');
    await page.waitForSelector('.sitting li:has-text("127.0.0.1")');
    await page.click('nav >> text=Investigate');
    await page.waitForSelector('main tbody tr:has-text("ping-test")');
    const cookies = (await page.context().cookies()).map(({ value }) => value);
    const stored = await page.evaluate<string>('JSON.stringify(sessionStorage)');
    expect(cookies.filter((value) => stored.includes(value))).toEqual([]);
    const names = await page.evaluate<string[]>('Object.keys(sessionStorage)');
    expect(new Set(names.map((name) => name.replace(/^(vedette-run-).*/, '$1')))).toEqual(
      new Set(['vedette-run-', 'vedette-sitting', 'vedette-sitting-of']),
    );
    // Another person of the same name sees nothing of it, nor of what was typed; and without a person it is not kept.
    await page.goto(`${own}/ask/ping-test?host=127.0.0.2`);
    await page.fill('#field-host', 'typed.test');
    await sql(url, "UPDATE sessions SET subject = 'bob', name = 'anna-soc' WHERE subject = 'anna-soc'");
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.waitForSelector('.catalogue');
    expect(page.url()).toBe(`${own}/`);
    expect([await page.locator('.sitting').count(), await page.inputValue('#subject')]).toEqual([0, '']);
    expect(await page.evaluate('Object.keys(sessionStorage).sort()')).toEqual(['vedette-sitting', 'vedette-sitting-of']);
    await page.goto(`${own}/ask/ping-test?host=127.0.0.1`);
    await page.click('button:has-text("Ask ·")');
    await page.waitForSelector('.refused');
    await page.route('**/auth/me', (route) =>
      route.fulfill({ json: { sign_in: 'ready', login: `${own}/auth/login`, provider: '127.0.0.1', person: null } }),
    );
    await page.reload();
    await page.waitForSelector('#key:focus');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.unroute('**/auth/me');
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.waitForSelector('.person');

    // Where the gateway cannot be reached, this tab forgets all the same.
    await page.route('**/auth/logout', (route) => route.abort());
    await page.click('button:has-text("Sign out")');
    await page.waitForSelector('.problem:has-text("you may still be signed in")');
    expect(await page.locator('.pages').count()).toBe(0);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.unroute('**/auth/logout');
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.waitForSelector('.person');
    const beside = await page.context().newPage();
    await beside.goto(`${own}/ask/ping-test`);
    await beside.fill('#field-host', 'a.test');

    await page.click('button:has-text("Sign out")');
    await beside.waitForSelector('#key');
    expect(await beside.locator('.pages').count()).toBe(0);
    await beside.close();
    await page.click('button[value=yes]');
    await page.waitForSelector('#key:focus');
    expect(page.url()).toBe(`${own}/`);
    await page.goto(`${own}/?sign_in=no_role`);
    await page.waitForSelector('.problem:has-text("none of your groups has a role here")');
    expect(page.url()).toBe(`${own}/`);
  });
});

/** A page of another origin. */
async function startPage(html: string): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
