import { afterAll, beforeAll, expect, it } from 'vitest';
import { defineRender } from '../../packages/renderer/src/render.ts';
import type { RenderPool } from '../../packages/renderer/src/pool.ts';
import { openTestPool } from './pool.ts';

const page = { final_url: '', content_type: '', ip: '', status_code: 0, page_content_empty: false };
const job = { url: 'http://a.test/', user_agent: 'desktop', accept_language: 'en' } as const;

/** What a page says of itself, as the HTML of a result. */
const titles = defineRender({
  kind: 'requests',
  async run(_job, tools) {
    await tools.page.goto(tools.egress.inputUrl!);
    return { result: { page, requests: [], truncated: false }, html: await tools.page.title() };
  },
});

let pool: RenderPool;
beforeAll(async () => (pool = await openTestPool({ renders: { requests: titles } })));
afterAll(() => pool.close());
const run = (html: string) =>
  pool.run('requests', job, { input: Buffer.from(html), signal: AbortSignal.timeout(20_000), budget_ms: 20_000 });

it('renders in a context that nobody had before', async () => {
  const counting = '<script>localStorage.n = Number(localStorage.n ?? 0) + 1; document.title = localStorage.n</script>';
  expect((await run(counting)).html).toBe('1');
  expect((await run(counting)).html).toBe('1');
});
