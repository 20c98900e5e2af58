import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { installedBrowser } from '../../packages/renderer/src/browser/installed.ts';
import { ROOT } from '../repo/pages.ts';

const SWITCHES = ['--no-sandbox', '--font-render-hinting=none', '--disable-dev-shm-usage'];

/** A page with what it did that it must not: violations of its policy, errors, and moves of its layout that no press caused. */
export interface Watched {
  page: Page;
  faults(): Promise<{ violations: string[]; errors: string[]; shifts: string[] }>;
}

export interface Chromium extends AsyncDisposable {
  browser: Browser;
  open(url: string, options?: BrowserContextOptions & { key?: string }): Promise<Watched>;
}

/** The files of the console, as they are now. */
export const buildConsole = (): void =>
  void execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/build-console.ts'], { cwd: ROOT });

/** The browser that the renderer uses. */
export async function openChromium(): Promise<Chromium> {
  const folder = mkdtempSync(join(tmpdir(), 'vedette-console-'));
  const { executable, libraries } = await installedBrowser({
    chosen: process.env['VEDETTE_CHROMIUM'] || undefined,
    kept: undefined,
    folder,
    user: undefined,
  });
  const browser = await chromium.launch({
    executablePath: executable,
    args: SWITCHES,
    env: { HOME: folder, PATH: process.env['PATH']!, ...(libraries !== undefined && { LD_LIBRARY_PATH: libraries }) },
  });
  return {
    browser,
    async open(url, { key, ...options } = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      await context.addInitScript({ content: watch(key) });
      context.setDefaultTimeout(30_000);
      const page = await context.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('dialog', (dialog) => {
        errors.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.goto(url);
      return {
        page,
        faults: async () => ({ ...(await page.evaluate<{ violations: string[]; shifts: string[] }>('({ violations, shifts })')), errors }),
      };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs in the page before its own scripts do. */
const watch = (key: string | undefined): string => `
window.violations = [];
window.shifts = [];
document.addEventListener('securitypolicyviolation', (event) => window.violations.push(event.violatedDirective + ' ' + event.blockedURI));
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts.push(entry.value + ': ' + entry.sources.map(({ node, previousRect: a, currentRect: b }) => [node?.nodeName, node?.className, node?.textContent?.slice(0, 40), b.x - a.x, b.y - a.y].join(' ')));
}).observe({ type: 'layout-shift', buffered: true });
${key === undefined ? '' : `try { sessionStorage.setItem("vedette-key", ${JSON.stringify(key)}); } catch {}`}`;

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RUN_AXE = `axe.run().then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .flatMap(({ id, nodes }) => nodes.map(({ target, html }) => id + ': ' + target + ' ' + html.slice(0, 200))))`;

/** The serious faults that axe finds, as `rule: where`. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(RUN_AXE);
}
