import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFaults, type Watched } from '../console/browser.ts';
import { FAULTLESS, isWider, useConsole } from './console-world.ts';

const world = useConsole();

const api = async (path: string, key: string, body?: object): Promise<any> => {
  const response = await fetch(`${world.vedette.url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, ...((await response.json()) as object) };
};

/** Presses Tab until the focus is on an element of ours with this text. */
async function tabTo(page: Page, selector: string, text = ''): Promise<void> {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab');
    const isThere = `document.activeElement?.matches(${JSON.stringify(selector)}) && document.activeElement.textContent.includes(${JSON.stringify(text)})`;
    if (await page.evaluate<boolean>(isThere)) return;
  }
  throw new Error(`no Tab leads to ${selector} ${text}`);
}

it('shows the fleet: three locations, their agents with slots and self-tests, feeds and engines', async () => {
  const { page, faults } = await world.chromium.open(`${world.vedette.url}/fleet`, { key: world.vedette.key });
  await page.waitForSelector('.agents');
  expect(await page.title()).toBe('Fleet · Vedette');
  expect(await page.textContent('.summary')).toMatch(/^3 of 3 locations ready, 3 agents, 0 of \d+ slots in use\.$/);
  await tabTo(page, '.opener');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.self-tests');
  expect(await page.textContent('tr.below')).toMatch(/icmp4 \w+.*Slots.*ping/s);
  expect(await seriousFaults(page)).toEqual([]);
  expect(await faults()).toEqual(FAULTLESS);
  await page.context().close();
});

describe('keys', () => {
  it('are made, rotated and revoked by the keyboard alone; a secret is shown once', async () => {
    const { page, faults } = await world.chromium.open(`${world.vedette.url}/keys`, { key: world.vedette.key });
    await page.waitForSelector('.usage');
    expect(await page.title()).toBe('Keys and usage · Vedette');
    expect(await seriousFaults(page)).toEqual([]);
    await tabTo(page, 'button', 'Create a key');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog[open]');
    expect(await seriousFaults(page)).toEqual([]);
    await page.fill('#key-name', 'a program');
    await page.keyboard.press('Enter');
    const secret = page.locator('.secret input');
    await secret.waitFor();
    const first = await secret.inputValue();
    expect(first).toMatch(/^vdt_[a-z2-7]{16}_[a-z2-7]{38}$/);
    expect((await api('/v2/locations', first)).status).toBe(200);
    // Escape would lose it.
    await page.keyboard.press('Escape');
    expect(await secret.inputValue()).toBe(first);
    expect(await seriousFaults(page)).toEqual([]);
    await page.click('dialog >> text=I have kept it');
    await page.waitForSelector('.key-table th:has-text("a program")');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Create a key');
    expect(await page.content()).not.toContain(first);
    expect(await page.evaluate<string>('JSON.stringify([location.href, history.state, sessionStorage, localStorage])')).not.toContain(
      first,
    );

    await tabTo(page, 'button', 'Rotate');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#key-hours');
    await page.fill('#key-hours', '1');
    await page.keyboard.press('Enter');
    await secret.waitFor();
    const second = await secret.inputValue();
    expect([(await api('/v2/locations', first)).status, (await api('/v2/locations', second)).status]).toEqual([200, 200]);
    await page.click('dialog >> text=I have kept it');

    await page
      .locator('.key-table tr', { hasText: second.split('_')[1]! })
      .locator('text=Revoke')
      .press('Enter');
    await page.waitForSelector('dialog:has-text("cannot be undone")');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Revoke/);
    expect((await api('/v2/locations', second)).status).toBe(200);
    await page
      .locator('.key-table tr', { hasText: second.split('_')[1]! })
      .locator('text=Revoke')
      .press('Enter');
    await page.click('dialog button.primary');
    await page.waitForSelector('dialog', { state: 'detached' });
    expect((await api('/v2/locations', second)).code).toBe('key_revoked');
    // Its row has gone, and its button with it.
    await page.waitForSelector('text=Show 1 ended');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Keys');
    await page.click('text=Show 1 ended');
    await page.waitForSelector('.key-table tr:has-text("revoked")');
    expect(await faults()).toMatchObject({ violations: [], errors: [] });
    await page.context().close();
  });

  it('are shown, however early the dialog is left; and a lost sign-in leaves no dialog, and nothing of the reader before', async () => {
    const { key } = await api('/v2/keys', world.vedette.key, { account: 'bootstrap', name: 'next reader' });
    const { page } = await world.chromium.open(`${world.vedette.url}/keys`, { key: world.vedette.key });
    const create = async (name: string): Promise<void> => {
      await page.click('text=Create a key');
      await page.fill('#key-name', name);
      await page.keyboard.press('Enter');
    };
    const held = Promise.withResolvers<void>();
    const sent = Promise.withResolvers<void>();
    await page.route('**/v2/keys', async (route) => {
      sent.resolve();
      await held.promise;
      await route.continue();
    });
    await create('slow');
    await sent.promise;
    await page.keyboard.press('Escape');
    await page.locator('dialog >> text=Cancel').dispatchEvent('click');
    held.resolve();
    await page.waitForSelector('.secret input');
    await page.click('dialog >> text=I have kept it');
    await page.unroute('**/v2/keys');

    await page.route('**/v2/keys', (route) =>
      route.fulfill({ status: 401, json: { error: 'The API key was revoked', code: 'key_revoked' } }),
    );
    await create('lost');
    await page.waitForSelector('.problem:has-text("The API key was revoked"):visible');
    await page.unroute('**/v2/keys');
    await page.click('#key');
    await page.keyboard.type(key);
    await page.keyboard.press('Enter');
    await page.click('nav >> text=Keys');
    await page.waitForSelector('.keys:has-text("Only operators create, rotate and revoke keys.")');
    expect(await page.locator('dialog, [role=alert], .keys button:has-text("Create a key")').count()).toBe(0);
    await page.context().close();
  });

  it('show what they cost, by day, operation and key; a refusal says what to change', async () => {
    const made = await api('/v2/keys', world.vedette.key, { account: 'bootstrap', name: 'payer' });
    const asked = await fetch(`${world.vedette.url}/v2/ping-test`, {
      method: 'POST',
      headers: { 'x-api-key': made.key, 'content-type': 'application/json' },
      body: JSON.stringify({ host: '127.0.0.1' }),
    });
    expect(asked.status).toBe(200);
    await asked.text();
    const { page, faults } = await world.chromium.open(`${world.vedette.url}/keys?days=7&key=${made.id}`, { key: world.vedette.key });
    await page.waitForSelector('.chart');
    expect(await page.locator('.chart rect').count()).toBe(7);
    expect(await page.textContent('.usage .summary')).toMatch(/^5 credits in 7 days, most on [\d-]+: 5\.$/);
    expect(await page.locator('.beside tbody tr').allTextContents()).toEqual(['ping-test 5100 %1', 'payer bootstrap5100 %1']);
    await page.click('text=90 days');
    await expect.poll(() => page.locator('.chart rect').count()).toBe(90);
    expect(page.url()).toBe(`${world.vedette.url}/keys?days=90&key=${made.id}`);
    await page.goBack();
    await expect.poll(() => page.locator('.chart rect').count()).toBe(7);
    await page.click('text=Create a key');
    await page.fill('#key-name', 'x');
    await page.fill('#key-networks', 'not-a-network');
    await page.click('dialog button.primary');
    await page.waitForSelector('dialog [role=alert]:has-text("not-a-network")');
    expect(await faults()).toMatchObject({ violations: [], errors: [] });
    await page.context().close();
  });

  it('of an account are shown to it, without a button; the fleet is not, and the page says whose it is', async () => {
    const { key } = await api('/v2/keys', world.vedette.key, { account: 'bootstrap', name: 'ordinary' });
    const { page } = await world.chromium.open(`${world.vedette.url}/keys`, { key });
    await page.waitForSelector('.key-table');
    expect(await page.locator('main button:text-matches("Create a key|Rotate|Revoke")').count()).toBe(0);
    expect(await page.textContent('.keys')).toContain('Only operators create, rotate and revoke keys.');
    await page.click('nav >> text=Fleet');
    await page.waitForSelector('[role=alert]:has-text("--operations operator,keys,usage")');
    expect(await seriousFaults(page)).toEqual([]);
    await page.context().close();
  });
});

describe('a key of few operations', () => {
  it('is offered those, everywhere, and told how many others there are', async () => {
    const { key } = await api('/v2/keys', world.vedette.key, {
      account: 'bootstrap',
      name: 'few',
      allowed_operations: ['dns-lookup', 'ping-test'],
    });
    const { page, faults } = await world.chromium.open(world.vedette.url, { key });
    await page.waitForSelector('.catalogue');
    expect(await page.locator('.catalogue a.offer').count()).toBe(2);
    expect(await page.textContent('.catalogue .not-offered')).toMatch(
      /^Not offered: \d+ \(this API key is restricted to others\), 1 \(this service does not offer it\)\.$/,
    );
    expect(await seriousFaults(page)).toEqual([]);
    const offered = ['Ping a host from many places 5 credits', 'Look up the DNS records of a host 1 credit'];
    await page.fill('#subject', '127.0.0.1');
    await page.waitForSelector('.offers:not(.catalogue)');
    expect(await page.locator('.offers button.offer').allTextContents()).toEqual(offered);
    expect(await page.textContent('main > .not-offered')).toContain('restricted to others');
    await page.click('.offers button:has-text("Ping")');
    await page.waitForSelector('.report-tools');
    await page.locator('.indicator', { hasText: '127.0.0.1' }).first().click();
    await page.waitForSelector('.menu:popover-open');
    expect(await page.locator('.menu button.offer').allTextContents()).toEqual(offered.toReversed());
    expect(await page.locator('.menu .not-offered').count()).toBe(1);
    await page.keyboard.press('Escape');
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    await page.goto(`${world.vedette.url}/ask/spf-validator?host=a.test`);
    await page.waitForSelector('.closed:has-text("this API key is restricted to others")');
    await page.locator('#field-host').press('Enter');
    await page.click('button:has-text("Ask ·")', { force: true });
    expect(await seriousFaults(page)).toEqual([]);
    expect(posts).toEqual([]);
    expect(await faults()).toMatchObject({ violations: [], errors: [] });
    await page.context().close();
  });

  it('that the gateway does not tell of is offered all', async () => {
    const { page } = await world.chromium.open(`${world.vedette.url}/healthz`, { key: world.vedette.key });
    await page.route('**/v2/permissions', (route) => route.fulfill({ status: 404, json: { error: 'unknown', code: 'unknown_operation' } }));
    await page.goto(world.vedette.url);
    await page.waitForSelector('.catalogue');
    expect(await page.locator('.not-offered').count()).toBe(0);
    expect(await page.locator('.catalogue a.offer').count()).toBeGreaterThan(30);
    await page.context().close();
  });
});

it('a person who comes back with another role is offered what that one may use', async () => {
  const { page } = await world.chromium.open(`${world.vedette.url}/healthz`);
  let role = 'viewer';
  await page.route('**/auth/me', (route) =>
    route.fulfill({
      json: { sign_in: 'ready', login: '/auth/login', provider: 'id.example.org', person: { id: 'person:a', name: 'a', role } },
    }),
  );
  await page.route('**/v2/locations', (route) => route.fulfill({ json: { locations: [] } }));
  await page.route('**/v2/permissions', (route) =>
    route.fulfill({
      json:
        role === 'viewer'
          ? { role, operations: [], closed: [{ operation: 'ping-test', by: 'role' }] }
          : { role, operations: ['ping-test'], closed: [] },
    }),
  );
  await page.goto(`${world.vedette.url}/ask/ping-test?host=127.0.0.1`);
  await page.waitForSelector('.closed:has-text("the role viewer")');
  role = 'analyst';
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.waitForSelector('.closed', { state: 'detached' });
  expect(await page.getAttribute('button.primary', 'aria-disabled')).toBe('false');
  await page.context().close();
});

describe('hostile answers', () => {
  const HOSTILE = `"><img src=x onerror="window.canary=1"><script>window.canary=2</script><a href="javascript:window.canary=3">\u202Ejavascript:window.canary=4\u200B'`;
  let watched: Watched;
  beforeAll(async () => {
    const [fleet, feeds, engines, keys, usage] = await Promise.all(
      ['fleet', 'feeds', 'engines', 'keys', 'usage'].map((what) => api(`/v2/${what}`, world.vedette.key)),
    );
    const feed = {
      name: 'f',
      enabled: true,
      rows: 1,
      origin: 'none',
      age_seconds: 1,
      every_hours: 1,
      problem: 'p',
      url: 'u',
      tells: 't',
      licence: 'l',
      note: 'n',
    };
    const engine = {
      id: 'e',
      name: 'e',
      subject: 'name',
      source: 's',
      state: 'off',
      problem: 'p',
      servers: ['s'],
      terms: 't',
      per_s: 1,
      burst: 1,
    };
    const renderer = {
      renderer: 'r',
      state: 'ready',
      outdated: false,
      version: 'v',
      browser: 'b',
      silent_ms: 1,
      slots_used: 1,
      slots_max: 2,
      problem: 'p',
    };
    const answers: Record<string, unknown> = {
      '/v2/fleet': { ...fleet, renderers: [renderer], impaired: [{ part: 'p', reason: 'r' }] },
      '/v2/feeds': { ...feeds, feeds: [feed] },
      '/v2/engines': { ...engines, engines: [engine] },
      '/v2/keys': keys,
      '/v2/usage': {
        ...usage,
        credits: 5,
        operations: [{ operation: 'o', credits: 5, requests: 1 }],
        keys: [{ id: 'k', name: 'n', account: 'a', credits: 5, requests: 1 }],
      },
    };
    watched = await world.chromium.open(`${world.vedette.url}/`, { key: world.vedette.key });
    await watched.page.route(/\/v2\/(?:fleet|feeds|engines|keys|usage)\b/, (route) =>
      route.fulfill({ json: withStrings(answers[new URL(route.request().url()).pathname], HOSTILE.repeat(20)) }),
    );
  });
  afterAll(() => watched?.page.context().close());

  /** The same shape with other strings. */
  const withStrings = (value: unknown, text: string): unknown => {
    if (typeof value === 'string') return text;
    if (Array.isArray(value)) return value.map((one) => withStrings(one, text));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withStrings(member, text)]));
  };

  it.each(['/fleet', '/keys'])('run nothing, lead nowhere and fit a phone at %s', async (path) => {
    const { page, faults } = watched;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(world.vedette.url + path);
    await page.waitForSelector('main .part');
    const more = page.locator(
      '.opener[aria-expanded=false], details:not([open]) > summary, main button:text-matches("^Show \\\\d|show all")',
    );
    while ((await more.count()) > 0) await more.first().click();
    expect(
      await page.evaluate(
        '[typeof canary, document.querySelectorAll("main :is(img, script, object, embed, a[href^=\'javascript\'])").length]',
      ),
    ).toEqual(['undefined', 0]);
    const text = (await page.textContent('main'))!;
    expect(text).toContain('<script>window.canary=2</script>');
    expect(/[\u202E\u200B]/.test(text)).toBe(false);
    expect(await isWider(page)).toBe(false);
    expect(await faults()).toMatchObject({ violations: [], errors: [] });
  });
});

it.each(['/fleet', '/keys'])('%s is read in the dark, on a phone, and at 200 %%', async (path) => {
  const { page } = await world.chromium.open(world.vedette.url + path, {
    key: world.vedette.key,
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  });
  await page.waitForSelector('main .part');
  expect(await seriousFaults(page)).toEqual([]);
  expect(await isWider(page)).toBe(false);
  await page.setViewportSize({ width: 640, height: 450 }); // 1280 × 900 at 200 %
  expect(await isWider(page)).toBe(false);
  expect(await seriousFaults(page)).toEqual([]);
  await page.context().close();
});

it.each(['/fleet', '/keys'])('%s says that it has no answer, and asks again on request', async (path) => {
  const { page } = await world.chromium.open(`${world.vedette.url}/`, { key: world.vedette.key });
  let isAway = true;
  await page.route(/\/v2\/(?:fleet|keys)\b/, (route) =>
    isAway
      ? route.fulfill({ status: 503, json: { error: 'Credits cannot be checked at the moment', code: 'ledger_unavailable' } })
      : route.continue(),
  );
  await page.goto(world.vedette.url + path);
  await page.waitForSelector('[role=alert]:has-text("vedette doctor")');
  isAway = false;
  await page.click('text=Try again');
  await page.waitForSelector('main .part');
  expect(await page.locator('[role=alert]').count()).toBe(0);
  await page.context().close();
});
