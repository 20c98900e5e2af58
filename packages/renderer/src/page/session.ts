import type { CDPSession, Page } from 'puppeteer-core';

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Our one session of a page. It is never detached: Chromium would take back what other sessions have made of the page. */
export function sessionOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page) ?? page.createCDPSession();
  sessions.set(page, known);
  return known;
}
