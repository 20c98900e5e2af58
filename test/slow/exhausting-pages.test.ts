import { ApiError, ProbeFailure } from '@vedette/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEgress } from '../../packages/renderer/src/egress/index.ts';
import type { RenderPool } from '../../packages/renderer/src/pool/pool.ts';
import { PLAIN_PAGE, PLAIN_PICTURE } from '../plain-page.ts';
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

// Some begin once the page is there.
const job = (path: string) => ({ ...PLAIN_PICTURE, page: { ...PLAIN_PAGE, url: `http://shop.test${path}`, delay_ms: 500 } });

/** What came of a page: a picture, a reason, or how our browser ended the job. */
const render = async (path: string): Promise<string> => {
  const scope = { signal: new AbortController().signal, budget_ms: BUDGET_MS };
  try {
    const { result, file } = await pool.run('screenshot', job(path), scope);
    return (
      result.page.failure?.reason ??
      (file !== undefined && Buffer.from(file).toString('latin1', 0, 4) === '\x89PNG' ? 'picture' : 'nothing')
    );
  } catch (error) {
    if (error instanceof ApiError || error instanceof ProbeFailure) return error.code;
    return error instanceof Error && ['TimeoutError', 'BrowserFailure'].includes(error.name) ? error.name : String(error);
  }
};

/** A picture, what the page or its server did wrong, or, where the page took all that a browser has, our own clear failure. */
const ENDS = ['picture', 'http_protocol', 'http_timeout', 'too_large', 'no_page', 'TimeoutError', 'BrowserFailure'];
const PAGES = Object.keys(EXHAUSTING).filter((path) => !path.endsWith('.png'));

it.each(PAGES)('%s ends well, and the browser serves the next', { timeout: 4 * BUDGET_MS }, async (path) => {
  expect(ENDS).toContain(await render(path));
  expect(await render('/')).toBe('picture');
});
