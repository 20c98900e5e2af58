import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { seriousFaults } from '../console/browser.ts';
import { isWider, useConsole } from './console-world.ts';

const world = useConsole();

/** A page whose questions are answered with what `answer` makes of them. */
async function openAnswered(answer: (operation: string) => object) {
  const watched = await world.chromium.open(world.vedette.url, {
    key: world.vedette.key,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const asked: string[] = [];
  await watched.page.route('**/v2/*', (route) => {
    const operation = route.request().url().split('/').at(-1)!;
    if (route.request().method() !== 'POST') return route.continue();
    asked.push(`${operation} ${route.request().postData()}`);
    return route.fulfill({ json: answer(operation) });
  });
  return { ...watched, asked };
}

/** Asks about a text by the box on the first page. */
async function ask(page: Page, text: string, operation: string): Promise<void> {
  await page.click('nav >> text=Ask');
  await page.fill('#subject', text);
  await page.click(`.offers button:has-text("${operation}")`);
  await page.waitForSelector('.report-tools');
}

const copied = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()');

const REPORT = {
  host: 'a.test',
  spf_record: 'v=spf1 ip4:192.0.2.0 include:mail.example.org -all',
  new_field: [{ anything: 'https://evil.example/path', number: 1 }],
  issues_found: [{ code: 'X', type: 'error', message: 'The name mx.example.net is not there.' }],
};

it('leads from an indicator in a report to the operations on it, by the keyboard alone', async () => {
  const { page, asked, faults } = await openAnswered(() => REPORT);
  await ask(page, 'a.test', 'SPF');
  expect(await page.locator('.indicator').allTextContents()).toEqual([
    'mx.example.net',
    'a.test',
    '192.0.2.0',
    'mail.example.org',
    'https://evil.example/path',
  ]);
  await page.locator('.indicator', { hasText: 'evil.example' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForSelector('.menu:popover-open');
  expect(await seriousFaults(page)).toEqual([]);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Copy');
  await page.keyboard.press('Enter');
  expect(await copied(page)).toBe('https://evil.example/path');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await copied(page)).toBe('hxxps://evil[.]example/path');
  // Prices stand there, and only what fits is offered.
  const offers = await page.locator('.menu .offer').allTextContents();
  expect(offers.every((text) => /(?:credits?|free)$/.test(text))).toBe(true);
  expect(offers.join()).not.toContain('telephone');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.locator('.menu').count()).toBe(0);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('https://evil.example/path');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.menu:popover-open');
  await page.locator('.menu .offer', { hasText: 'risk of a URL' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => asked.at(-1)).toBe('url-reputation {"url":"https://evil.example/path"}');
  await page.waitForSelector('.report-tools');
  expect(await page.locator('.menu').count()).toBe(0);
  await page.locator('.indicator').first().click();
  await page.waitForSelector('.menu:popover-open');
  await page.goBack();
  await expect.poll(() => page.locator('.menu').count()).toBe(0);
  expect(await faults()).toMatchObject({ violations: [], errors: [] });
  await page.context().close();
});

it('text of strangers stays text, in the menu as well, and is no indicator where it only looks like one', async () => {
  const hostile = [
    'javascript:alert(1)//evil.example',
    'https://evil.example/\u202Egpj.exe"><img/src=x/onerror=alert(1)>',
    'a\u202Eb.example',
    `https://evil.example/${'a'.repeat(100_000)}`,
    `${'a.'.repeat(50_000)}example`,
  ];
  const { page, faults } = await openAnswered(() => ({ host: 'a.test', hostile }));
  await ask(page, 'a.test', 'SPF');
  const found = page.locator('.answer .indicator');
  const url = `https://evil.example/U+202Egpj.exe"><img/src=x/onerror=alert(1)>`;
  expect(await found.allTextContents()).toEqual(['a.test', url]);
  await found.nth(1).click();
  await page.waitForSelector('.menu:popover-open');
  expect(await page.textContent('.menu .subject')).toBe(url);
  expect(await page.locator('.menu :is(img, script)').count()).toBe(0);
  // Every link of the menu leads to a page of ours.
  const links = await page.evaluate<string[]>(`[...document.querySelectorAll('.menu a')].map((link) => link.getAttribute('href'))`);
  expect(links.length).toBeGreaterThan(5);
  expect(links.every((link) => link.startsWith('/ask/'))).toBe(true);
  expect(await faults()).toMatchObject({ violations: [], errors: [] });
  await page.context().close();
});

it('a report of 500 findings, each with indicators, opens a menu in the window and fits a phone', async () => {
  const issues = Array.from({ length: 500 }, (_, i) => ({
    code: `C${i}`,
    type: 'error',
    message: `The name mx${i}.example.net has 192.0.2.${i % 256}.`,
  }));
  const { page, faults } = await openAnswered(() => ({ host: 'a.test', issues_found: issues }));
  await page.setViewportSize({ width: 390, height: 844 });
  await ask(page, 'a.test', 'SPF');
  await page.click('text=Show all 500 findings');
  expect(await page.locator('.findings .indicator').count()).toBe(1000);
  await page.fill('.findings input[type=search]', 'mx49');
  expect(await page.locator('.findings li').count()).toBe(11);
  await page.click('.findings >> text=Copy defanged');
  const lines = (await copied(page)).split('\n');
  expect([lines.length, lines[0]]).toEqual([11, 'error\tC49\tThe name mx49[.]example[.]net has 192[.]0[.]2[.]49[.]']);
  await page.fill('.findings input[type=search]', '');
  await page.locator('.findings .indicator').last().click();
  await page.waitForSelector('.menu:popover-open');
  const { x, y, width, height } = (await page.locator('.menu').boundingBox())!;
  expect([x >= 0, y >= 0, x + width <= 390, y + height <= 844]).toEqual([true, true, true, true]);
  expect(await isWider(page)).toBe(false);
  expect(await seriousFaults(page)).toEqual([]);
  expect(await faults()).toMatchObject({ violations: [], errors: [] });
  await page.context().close();
});

const LOOKUP = { host: 'mail.example.org', records: { A: ['192.0.2.7'] } };

/** Names of what the tab's storage has beside the key. */
const storedNames = (page: Page): Promise<string[]> =>
  page.evaluate(`Object.keys(sessionStorage).filter((name) => name !== 'vedette-key')`);

it('what was asked in a sitting is a graph, tables and files; it survives a reload and asks nothing again', async () => {
  const { page, asked, faults } = await openAnswered((operation) => (operation === 'dns-lookup' ? LOOKUP : REPORT));
  await ask(page, 'a.test', 'SPF');
  await page.locator('.indicator', { hasText: 'mail.example.org' }).click();
  await page.locator('.menu .offer', { hasText: 'Look up the DNS records' }).click();
  await page.waitForSelector('.report-tools');
  await page.click('nav >> text=Investigate');
  await page.waitForSelector('.graph');
  // The page's head has two lines on a phone, and each word of it stays one.
  await page.setViewportSize({ width: 390, height: 844 });
  expect((await page.locator('header.top').boundingBox())!.height).toBeLessThan(120);
  expect(await isWider(page)).toBe(false);
  expect(await page.locator('.graph').isVisible()).toBe(false);
  expect(await seriousFaults(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 900 });
  expect(await page.locator('.graph .node').count()).toBe(6);
  expect(await page.locator('.graph .node.asked').count()).toBe(2);
  expect(await page.locator('main tbody tr').first().textContent()).toContain('dns-lookup');
  expect(await seriousFaults(page)).toEqual([]);
  const before = asked.length;
  await page.reload();
  await page.waitForSelector('.graph');
  expect(await page.locator('.graph .node').count()).toBe(6);
  // A press on a subject shows its last answer, one on another indicator the menu.
  await page.locator('.graph .node', { hasText: 'a.test' }).click();
  await page.waitForSelector('.report-tools');
  expect(await page.textContent('.answer')).toContain('v=spf1');
  await page.goBack();
  await page.locator('.graph .node', { hasText: '192.0.2.7' }).click();
  await page.waitForSelector('.menu:popover-open');
  await page.keyboard.press('Escape');
  for (const [name, file, text] of [
    ['Save STIX', 'vedette-sitting.stix.json', '"type": "bundle"'],
    ['Save MISP', 'vedette-sitting.misp.json', '"Attribute"'],
    ['Save CSV', 'vedette-sitting.csv', 'indicator,kind,verdict,named_by'],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`main .tools >> text=${name}`)]);
    expect(download.suggestedFilename()).toBe(file);
    expect(readFileSync(await download.path(), 'utf8')).toContain(text);
  }
  expect(asked).toHaveLength(before);
  await page.click('text=Clear');
  await page.waitForSelector('text=Nothing was asked yet');
  expect(await storedNames(page)).toEqual(['vedette-sitting']);
  expect(await faults()).toMatchObject({ violations: [], errors: [] });
  await page.context().close();
});

it('keeps a bounded sitting, no password and no file of it, and forgets it at sign-out', async () => {
  const { page } = await openAnswered(() => ({ host: 'a.test', text: 'x'.repeat(300_000) }));
  for (let i = 0; i < 12; i++) await ask(page, `h${i}.test`, 'SPF');
  const [count, characters] = await page.evaluate<[number, number]>(
    `[Object.keys(sessionStorage).length, Object.values(sessionStorage).join('').length]`,
  );
  expect(count).toBe(14);
  expect(characters).toBeLessThan(3_100_000);
  await page.evaluate(`history.pushState(null, '', '/ask/screenshot?url=https://a.test/'); dispatchEvent(new PopStateEvent('popstate'))`);
  await page.waitForSelector('#field-url');
  await page.click('summary:has-text("Options")');
  await page.fill('#field-url', 'https://user:secret-1@a.test/');
  await page.locator('input[type=password]').first().fill('secret-2');
  await page.click('button.primary');
  await page.waitForSelector('.answer');
  await expect.poll(async () => JSON.stringify(await page.evaluate('Object.values(sessionStorage)'))).toContain('screenshot');
  expect(JSON.stringify(await page.evaluate('Object.values(sessionStorage)'))).not.toMatch(/secret-\d/);
  await page.click('text=Sign out');
  await page.waitForSelector('#key');
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  await page.context().close();
});

/** Signs in with a key, which the routes of the test accept. */
async function signIn(page: Page, key: string): Promise<void> {
  await page.fill('#key', key);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.pages:not([hidden])');
}

it('shows nothing of the reader before once another key is used, and goes on with the same one', async () => {
  const made = await fetch(`${world.vedette.url}/v2/keys`, {
    method: 'POST',
    headers: { 'x-api-key': world.vedette.key, 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'bootstrap', name: 'another reader' }),
  });
  const { key: another } = (await made.json()) as { key: string };
  let isRefused = false;
  const { page, faults } = await openAnswered(() => REPORT);
  await page.route('**/v2/dkim-validator', (route) =>
    isRefused ? route.fulfill({ status: 401, json: { error: 'The API key was revoked', code: 'key_revoked' } }) : route.fallback(),
  );
  /** Asks with a key that is refused. */
  const lose = async (): Promise<void> => {
    isRefused = true;
    await page.click('nav >> text=Ask');
    await page.fill('#subject', 'typed.test');
    await page.click('.offers button:has-text("DKIM")');
    await page.waitForSelector('.problem:has-text("The API key was revoked"):visible');
    isRefused = false;
  };
  await ask(page, 'question.test', 'SPF');
  await lose();
  await signIn(page, world.vedette.key);
  expect(page.url()).toContain('typed.test');
  await page.click('nav >> text=Ask');
  await page.waitForSelector('.sitting li:has-text("question.test")');
  await lose();
  await signIn(page, another);
  await page.waitForSelector('.catalogue');
  expect(page.url()).toBe(`${world.vedette.url}/`);
  expect([await page.locator('.sitting').count(), await page.inputValue('#subject')]).toEqual([0, '']);
  await page.click('nav >> text=Investigate');
  await page.waitForSelector('text=Nothing was asked yet');
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/question|typed/);
  // The history of the tab has no question of the reader before either, however far back it goes.
  const left = (await page.evaluate<number>('history.length')) - 1;
  for (let i = 0; i < left && page.url() !== 'about:blank'; i++) {
    await page.goBack();
    expect(await page.textContent('body')).not.toMatch(/question|typed/);
    // The page is gone to before it is told of it.
    await expect.poll(async () => `${page.url()} ${await page.title()}`).not.toMatch(/question|typed/);
    expect(await page.textContent('body')).not.toMatch(/question|typed/);
  }
  expect(await faults()).toMatchObject({ violations: [] });
  await page.context().close();
});

it('an old page of the history shows no question after a sign-out, nor after a reload; those of this sitting do', async () => {
  const { page } = await openAnswered(() => REPORT);
  await ask(page, 'question.test', 'SPF');
  await page.click('nav >> text=Investigate');
  await page.click('text=Sign out');
  await page.waitForSelector('#key');
  await page.goBack();
  await page.waitForSelector('#key');
  await expect.poll(async () => [page.url(), await page.title()]).toEqual([`${world.vedette.url}/`, 'Vedette']);
  await page.goForward();
  await signIn(page, world.vedette.key);
  await ask(page, 'another.test', 'SPF');
  const own = page.url();
  await page.goto(`${world.vedette.url}/docs`);
  await page.goBack();
  await page.waitForSelector('#field-host');
  expect([page.url(), await page.inputValue('#field-host')]).toEqual([own, 'another.test']);
  // From another document straight to a page of the sitting before.
  await page.goto(`${world.vedette.url}/docs`);
  await page.evaluate('history.go(-4)');
  await page.waitForURL(`${world.vedette.url}/`);
  await page.waitForSelector('.catalogue');
  expect(await page.textContent('body')).not.toContain('question.test');
  await page.context().close();
});

it('shows nothing of the reader before on a part of a page, nor on one that the browser has kept whole', async () => {
  const { page } = await openAnswered(() => REPORT);
  await ask(page, 'question.test', 'SPF');
  await page.evaluate(`location.hash = 'part'`);
  await expect.poll(() => page.evaluate('history.state?.sitting')).toEqual(expect.any(String));
  await page.click('nav >> text=Investigate');
  await page.click('text=Sign out');
  await page.waitForSelector('#key');
  await page.goBack();
  await expect.poll(async () => [page.url(), await page.title()]).toEqual([`${world.vedette.url}/`, 'Vedette']);
  await signIn(page, world.vedette.key);
  await ask(page, 'another.test', 'SPF');
  // While the page was kept, another page of the tab had another reader; Chromium keeps none under a test.
  await page.evaluate(`sessionStorage.clear(); sessionStorage.setItem('vedette-sitting', 'of another reader')`);
  const loaded = page.waitForEvent('load');
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
  await loaded;
  await page.waitForSelector('.catalogue');
  expect([page.url(), await page.locator('.sitting').count()]).toEqual([`${world.vedette.url}/`, 0]);
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toMatch(/question|another\.test/);
  await page.context().close();
});

it('forgets at sign-out what is under way, too', async () => {
  const { page } = await world.chromium.open(world.vedette.url, { key: world.vedette.key });
  await page.route('**/v2/spf-validator', () => undefined);
  await page.fill('#subject', 'under-way.test');
  await page.click('.offers button:has-text("SPF")');
  await page.waitForSelector('.running button');
  await page.click('text=Sign out');
  await page.fill('#key', world.vedette.key);
  // The next reader does not begin at the question of the one before.
  expect(page.url()).toBe(`${world.vedette.url}/`);
  await page.keyboard.press('Enter');
  await page.waitForSelector('.catalogue');
  expect(await page.locator('.sitting').count()).toBe(0);
  expect(await page.evaluate('Object.keys(sessionStorage).sort()')).toEqual(['vedette-key', 'vedette-sitting']);
  await page.context().close();
});

it('a fact that was not checked is neither yes nor no, and of no sources no number stands there', async () => {
  const { page } = await openAnswered(() => ({
    verdict: 'unknown',
    coverage: { asked: 0, answered: 0, missing: [] },
    not_checked: ['is_ssl_revoked', 'hsts.preloaded', 'redirects', 'tests.x-frame-options'],
    unknown: ['net_org', 'is_vpn', 'https://evil.example/'],
    is_vpn: true, // found by a source that needs no list
    security_checks: { is_ssl_revoked: false, is_sinkholed: false, has_mx: true },
    hsts: { max_age: 1, preloaded: false },
    redirects: [],
    net_org: '',
    net_name: '',
  }));
  await ask(page, 'a.test', 'SPF');
  expect(await page.locator('.flags li').allTextContents()).toEqual([
    'VPN yes',
    'MX yes',
    'SSL revoked not checked',
    'Sinkholed no',
    'Preloaded not checked',
  ]);
  // Names stand in words, and what was not judged is not called empty.
  expect(await page.locator('.members dl > div', { hasText: /^(Not checked|Unknown|Redirects|Net org)/ }).allTextContents()).toEqual([
    'Not checkedSSL revokedHSTS: PreloadedRedirectsTests: x-frame-options',
    'UnknownNet orgVPNhttps://evil.example/',
    'Redirectsnot checked',
    'Net orgnot known',
  ]);
  expect(await page.textContent('.nothing')).toBe('Nothing in: Net name');
  expect([await page.locator('.verdict').count(), await page.locator('.seen').count()]).toEqual([1, 0]);
  await page.context().close();
});

it('a link to an answer shows it in another tab, asks nothing and costs nothing; one that is no longer kept says so before it costs', async () => {
  const first = await world.chromium.open(world.vedette.url, {
    key: world.vedette.key,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await ask(first.page, '127.0.0.1', 'Ping a host from many places');
  await first.page.click('text=Copy link to this answer');
  const link = await copied(first.page);
  const shown = await first.page.textContent('.summary');
  const left = await first.page.textContent('.credits');
  const second = await world.chromium.open(`${world.vedette.url}/`, { key: world.vedette.key });
  const posts: string[] = [];
  second.page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
  await second.page.goto(link);
  await second.page.waitForSelector('.report-tools');
  expect(await second.page.textContent('.summary')).toBe(shown);
  expect(await second.page.textContent('.credits')).toBe(left);
  await second.page.goto(link.replace(/run=.*/, 'run=of-another-account'));
  await second.page.waitForSelector('.running:has-text("no answer to this run any more")');
  expect(await second.page.textContent('.running')).toContain('for 5 credits');
  expect(await second.page.inputValue('#field-host')).toBe('127.0.0.1');
  expect(posts).toEqual([]);
  expect(await second.faults()).toMatchObject({ violations: [], errors: [] });
  await first.page.context().close();
  await second.page.context().close();
});

it('locations are filtered and copied as the table has them', async () => {
  const { page } = await world.chromium.open(world.vedette.url, {
    key: world.vedette.key,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await ask(page, '127.0.0.1', 'Ping a host from many places');
  await page.click('.everywhere .tools >> text="Copy defanged"');
  const lines = (await copied(page)).split('\n').map((line) => line.split('\t'));
  expect(lines[0]!.slice(0, 1).concat(lines[0]!.slice(-1))).toEqual(['Location', 'State']);
  expect(lines.slice(1).map((cells) => cells.at(-1))).toEqual(['answered', 'answered', 'answered']);
  expect(lines[1]!.join()).toContain('127[.]0[.]0[.]1');
  await page.context().close();
});
