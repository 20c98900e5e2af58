import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { buildConsole, type Chromium, openChromium } from '../console/browser.ts';
import { NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';

/** What a page did that it must not, if it did nothing of it. */
export const FAULTLESS = { violations: [], errors: [], shifts: [] };

/** Whether a page scrolls sideways. */
export const isWider = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

export interface ConsoleWorld {
  readonly vedette: OneMachine;
  readonly chromium: Chromium;
}

/** One machine with the console as it is now, and a browser to look at it: for all tests of a file. */
export function useConsole(env: Record<string, string> = {}): ConsoleWorld {
  let vedette: OneMachine;
  let chromium: Chromium;
  beforeAll(async () => {
    buildConsole();
    [vedette, chromium] = await Promise.all([startOneMachine({ ...NO_BROWSER, ...env }), openChromium()]);
  });
  afterAll(async () => {
    await chromium?.[Symbol.asyncDispose]();
    await vedette?.stop();
  });
  return {
    get vedette() {
      return vedette;
    },
    get chromium() {
      return chromium;
    },
  };
}
