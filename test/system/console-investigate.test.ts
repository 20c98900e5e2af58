import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildConsole, type Chromium, openChromium, seriousFaults } from '../console/browser.ts';
import { NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';

let vedette: OneMachine;
let chromium: Chromium;
beforeAll(async () => {
  buildConsole();
  [vedette, chromium] = await Promise.all([startOneMachine(NO_BROWSER), openChromium()]);
});
afterAll(async () => {
  await chromium?.[Symbol.asyncDispose]();
  await vedette?.stop();
});

/** A page whose questions are answered with what `answer` makes of them. */
async function openAnswered(answer: (operation: string) => object) {
  const watched = await chromium.open(vedette.url, { key: vedette.key, permissions: ['clipboard-read', 'clipboard-write'] });
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
  await page.locator('.findings .indicator').last().click();
  await page.waitForSelector('.menu:popover-open');
  const { x, y, width, height } = (await page.locator('.menu').boundingBox())!;
  expect([x >= 0, y >= 0, x + width <= 390, y + height <= 844]).toEqual([true, true, true, true]);
  expect(await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')).toBe(false);
  expect(await seriousFaults(page)).toEqual([]);
  expect(await faults()).toMatchObject({ violations: [], errors: [] });
  await page.context().close();
});
