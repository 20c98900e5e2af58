import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEgress } from '../../packages/renderer/src/egress/index.ts';
import type { RenderPool } from '../../packages/renderer/src/pool.ts';
import { openTestPool } from '../renderer/pool.ts';
import { EXHAUSTING } from '../renderer/sites/exhausting.ts';
import { reaching, serveSites, type SiteServer } from '../renderer/sites/serve.ts';

const BUDGET_MS = 22_000;
let sites: SiteServer;
let pool: RenderPool;
beforeAll(async () => {
  sites = await serveSites({
    'shop.test': { ...EXHAUSTING, '/': '<!doctype html><title>fine</title><h1>Fine</h1>', '/tick': '' },
    'victim.test': { '*': '' },
  });
  pool = await openTestPool({ egress: await openEgress(reaching(sites)) });
}, 60_000);
afterAll(async () => {
  await pool.close();
  await sites.close();
});

const job = (path: string) =>
  ({
    page: {
      url: `http://shop.test${path}`,
      viewport_width: 800,
      viewport_height: 600,
      user_agent: 'desktop',
      accept_language: 'en',
      disable_js: false,
      disable_popups: false,
      disable_images: false,
      disable_ads: false,
      disable_fonts: false,
      dark_mode: false,
      emulate_media: 'screen',
      // For what begins once the page is there.
      delay_ms: 500,
    },
    image_type: 'png',
    full_page: false,
    auto_height: false,
    add_url_bar: false,
    omit_background: false,
    grayscale: false,
  }) as const;
const render = async (path: string) => {
  const began = performance.now();
  const outcome = await pool.run('screenshot', job(path), { signal: AbortSignal.timeout(BUDGET_MS + 5_000), budget_ms: BUDGET_MS }).then(
    ({ result, file }) => (result.page.failure ? result.page.failure.reason : file && file.length > 0 ? 'picture' : 'nothing'),
    (error: Error & { code?: string | number }) => (error.name === 'TimeoutError' ? 'deadline' : String(error.code ?? error.message)),
  );
  return { outcome, ms: performance.now() - began };
};

/** Ends well: with a picture, with what the page's server did wrong, or, where it took the browser with it, with a clear error that is free. */
const ENDS = ['picture', 'http_protocol', 'http_timeout', 'too_large', 'no_page', 'deadline', 'upstream_failed'];
const PAGES = Object.keys(EXHAUSTING).filter((path) => !path.endsWith('.png'));

it.each(PAGES)('%s ends in time, and the browser serves the next', { timeout: 120_000 }, async (path) => {
  const { outcome, ms } = await render(path);
  console.info(path, outcome, Math.round(ms)); // oxlint-disable-line no-console
  expect(ENDS).toContain(outcome);
  expect(ms).toBeLessThan(BUDGET_MS + 3_000);
  expect((await render('/')).outcome).toBe('picture');
});
