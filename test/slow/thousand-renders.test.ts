import { existsSync, readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { membersOf } from '../../packages/renderer/src/browser/process-group.ts';
import { defineRender } from '../../packages/renderer/src/jobs/render.ts';
import { openTestPool, type TestPool } from '../renderer/pool.ts';

const page = { final_url: '', content_type: '', ip: '', status_code: 0, page_content_empty: false };
const job = { url: 'http://a.test/', user_agent: 'desktop', accept_language: 'en' } as const;
const MB = 1024 ** 2;

/** Opens the input as far as it lets itself be opened, and says its title. */
const requests = defineRender({
  kind: 'requests',
  nothing: (page) => ({ page, requests: [], truncated: false }),
  async run(_job, { page: tab, egress }) {
    await tab.goto(egress.inputUrl!, { waitUntil: 'domcontentloaded' });
    await tab.screenshot();
    return { result: { page, requests: [], truncated: false }, html: await tab.title() };
  },
});

const PLAIN = '<title>hello</title><p>hello';
/** Pages that spoil what they can, every so many jobs. */
const SPOILERS: [every: number, html: string][] = [
  [50, '<title>x</title><script>for (;;);</script>'],
  [40, '<script>for (;;) alert(1)</script>'],
  [
    30,
    '<script>const all = []; setInterval(() => all.push(new Uint8Array(5e7).fill(1)), 5); for (const end = Date.now() + 5e3; Date.now() < end;) all.push(new Uint8Array(5e7).fill(1));</script>',
  ],
  [20, '<script>for (let i = 0; i < 200; i++) document.write("<iframe src=about:blank></iframe>")</script>'],
  [15, '<script>for (let i = 0; i < 50; i++) open("about:blank")</script>'],
];

let pool: TestPool;
beforeAll(async () => {
  const limits = { jobs: 100, maxBytes: 1_200 * MB, idleBytes: 700 * MB };
  pool = await openTestPool({ renders: { requests }, slots: 2, limits });
});
afterAll(async () => {
  if (existsSync(pool.folder)) await pool.close();
});

it(
  'loses none of a thousand jobs among hostile ones and browsers that are killed, and leaves no process and no file',
  { timeout: 20 * 60_000 },
  async () => {
    const told = { hello: 0, other: 0, overtime: 0, tooLarge: 0, failed: 0 };
    const lost: unknown[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < 1_000) {
        const index = next++;
        if (index % 170 === 169) process.kill(pool.launched.at(-1)!.pid, 'SIGKILL');
        const spoiler = SPOILERS.find(([every]) => index % every === every - 1)?.[1];
        const input = Buffer.from(spoiler ?? PLAIN);
        const { signal } = new AbortController();
        try {
          const { html, result } = await pool.run('requests', job, { input, signal, budget_ms: spoiler === undefined ? 30_000 : 3_000 });
          told[result.page.failure?.reason === 'too_large' ? 'tooLarge' : html === 'hello' ? 'hello' : 'other']++;
        } catch (error) {
          if (spoiler === undefined) lost.push(error);
          told[error instanceof Error && error.name === 'TimeoutError' ? 'overtime' : 'failed']++;
        }
      }
    };
    await Promise.all([worker(), worker()]);
    const spoiled = Array.from({ length: 1_000 }, (_, index) => index).filter((index) =>
      SPOILERS.some(([every]) => index % every === every - 1),
    );
    expect(told.hello).toBe(1_000 - spoiled.length);
    expect(lost).toEqual([]);
    expect(told.overtime).toBeGreaterThan(0);
    expect(told.tooLarge).toBeGreaterThan(0);
    const gone = pool.launched.slice(0, -1);
    expect(gone.flatMap(({ pid }) => membersOf(pid))).toEqual([]);
    await expect.poll(() => readdirSync(pool.folder).filter((name) => name.startsWith('browser-')), { timeout: 10_000 }).toHaveLength(1);
    await pool.close();
    expect(pool.launched.flatMap(({ pid }) => membersOf(pid))).toEqual([]);
    expect(existsSync(pool.folder)).toBe(false);
  },
);
