import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { failure } from '@vedette/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { membersOf } from '../../packages/renderer/src/browser/process-group.ts';
import { defineRender, type RenderTools } from '../../packages/renderer/src/jobs/render.ts';
import { openTestPool, type TestPool } from './pool.ts';

const page = { final_url: '', content_type: '', ip: '', status_code: 0, page_content_empty: false };
const job = { url: 'http://a.test/', user_agent: 'desktop', accept_language: 'en' } as const;
const MB = 1024 ** 2;

/** What a job of these tests does; what it returns is the HTML of its result. */
let behave: (tools: RenderTools) => Promise<string>;
const requests = defineRender({
  kind: 'requests',
  nothing: (page) => ({ page, requests: [], truncated: false }),
  async run(_job, tools) {
    return { result: { page, requests: [], truncated: false }, html: await behave(tools) };
  },
});
const title = async ({ page, egress }: RenderTools): Promise<string> => {
  await page.goto(egress.inputUrl!);
  return await page.title();
};

let pool: TestPool;
let missing = '';
const ended: string[] = [];
beforeAll(async () => {
  const limits = { jobs: 12, maxBytes: 700 * MB, idleBytes: 600 * MB };
  pool = await openTestPool({ renders: { requests }, slots: 2, limits, lacks: () => missing, events: { ended: (why) => ended.push(why) } });
});
beforeEach(() => {
  behave = title;
});
let closed: Promise<void> | undefined;
const close = (): Promise<void> => (closed ??= pool.close());
afterAll(close);

const PLAIN = '<title>hello</title>';
const run = async (html = PLAIN, options: { signal?: AbortSignal; budget_ms?: number } = {}): Promise<string> => {
  const input = Buffer.from(html);
  const { html: told } = await pool.run('requests', job, { input, signal: new AbortController().signal, budget_ms: 20_000, ...options });
  return told!;
};
const failureOf = async (html = PLAIN, budget_ms = 20_000) => {
  const { result } = await pool.run('requests', job, { input: Buffer.from(html), signal: new AbortController().signal, budget_ms });
  return result.page.failure;
};
const newest = () => pool.launched.at(-1)!;

it('renders in a context that nobody had before', async () => {
  const counting = '<script>localStorage.n = Number(localStorage.n ?? 0) + 1; document.title = localStorage.n</script>';
  expect([await run(counting), await run(counting)]).toEqual(['1', '1']);
});

it('ends the browser when no job comes, sooner where none came yet, and starts it for the next one', async () => {
  const idle = await openTestPool({ renders: { requests }, slots: 1, limits: { unusedMs: 1_000, idleMs: 4_000 } });
  try {
    const scope = { input: Buffer.from(PLAIN), signal: new AbortController().signal, budget_ms: 20_000 };
    const render = (isTest = false) => idle.run('requests', job, { ...scope, isTest });
    const version = idle.state().browser;
    await render(true);
    await expect.poll(() => idle.state(), { timeout: 20_000 }).toEqual({ browser: version, rests: true, bytes: 0 });
    await expect.poll(() => membersOf(idle.launched[0]!.pid), { timeout: 20_000 }).toEqual([]);
    expect((await render()).html).toBe('hello');
    expect(idle.state().rests).toBe(false);
    // Its own tests go on, and are no jobs.
    const tested = async () => idle.state().rests || (await render(true), idle.state().rests);
    await expect.poll(tested, { timeout: 30_000, interval: 500 }).toBe(true);
    expect(idle.launched).toHaveLength(2);
  } finally {
    await idle.close();
  }
});

it('runs as many at a time as it has slots, and the others in turn', async () => {
  let now = 0;
  let most = 0;
  const order: string[] = [];
  behave = async (tools) => {
    most = Math.max(most, ++now);
    const told = await title(tools);
    order.push(told);
    now--;
    return told;
  };
  const gone = new AbortController();
  const jobs = ['1', '2', '3', '4'].map((name) => run(`<title>${name}</title>`));
  const left = run(PLAIN, { signal: gone.signal });
  gone.abort(new Error('nobody waits any more'));
  await expect(left).rejects.toThrow('nobody waits any more');
  await Promise.all(jobs);
  expect(most).toBe(2);
  expect(new Set(order.slice(0, 2))).toEqual(new Set(['1', '2']));
});

it('has pages in processes of their own, whose sandbox is on, by a user that is not root', async () => {
  await run();
  const tabs = membersOf(newest().pid).filter(({ tab }) => tab);
  expect(tabs.length).toBeGreaterThan(0);
  for (const { pid } of tabs) {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string) => new RegExp(`^${name}:\\s+(.*)$`, 'm').exec(status)![1]!;
    expect(field('Seccomp')).toBe('2'); // a filter of system calls
    expect(field('NSpid').split('\t').length).toBeGreaterThan(1); // a PID namespace of its own
    expect(field('Uid').split('\t')).not.toContain('0');
    expect(field('CapEff')).toBe('0000000000000000');
    expect(field('NoNewPrivs')).toBe('1');
  }
});

it('tries a job again whose browser was killed, in a fresh one', async () => {
  let attempts = 0;
  const before = pool.launched.length;
  behave = async (tools) => {
    if (++attempts === 1) process.kill(newest().pid, 'SIGKILL');
    return await title(tools);
  };
  expect(await run()).toBe('hello');
  expect(attempts).toBe(2);
  expect(pool.launched).toHaveLength(before + 1);
});

it('says that the browser failed when it does so twice', async () => {
  let attempts = 0;
  behave = async (tools) => {
    attempts++;
    newest().kill();
    return await title(tools);
  };
  await expect(run()).rejects.toMatchObject({ name: 'BrowserFailure', message: 'the browser is gone' });
  expect(attempts).toBe(2);
  behave = title;
  expect(await run()).toBe('hello');
});

it('tries a job again whose tab crashed, in the same browser', async () => {
  let attempts = 0;
  const before = pool.launched.length;
  behave = async (tools) => {
    if (++attempts > 1) return await title(tools);
    await title(tools);
    // Not the spares of others, which have nothing in them.
    await tools.page.evaluate('globalThis.kept = new Uint8Array(1e8).fill(1), 0');
    const [largest] = membersOf(newest().pid)
      .filter(({ tab }) => tab)
      .toSorted((one, other) => other.bytes - one.bytes);
    process.kill(largest!.pid, 'SIGKILL');
    return await tools.page.title();
  };
  expect(await run()).toBe('hello');
  expect(attempts).toBe(2);
  expect(pool.launched).toHaveLength(before);
});

it('says of a page whose tab crashes each time that it takes too much', async () => {
  let attempts = 0;
  const before = pool.launched.length;
  behave = async ({ page }) => {
    attempts++;
    return await page.goto('chrome://crash').then(() => page.title());
  };
  expect(await failureOf()).toEqual(failure('too_large', 'its tab crashed, and crashed again'));
  expect(attempts).toBe(2);
  expect(pool.launched).toHaveLength(before);
  behave = title;
  expect(await run()).toBe('hello');
});

it('says of a page that never stops that it came to no end, and goes on with others', async () => {
  const before = pool.launched.length;
  const endless = '<title>x</title><script>for (;;);</script>';
  expect(await failureOf(endless, 4_000)).toEqual(failure('http_timeout', 'the page came to no end'));
  expect(await run()).toBe('hello');
  expect(pool.launched).toHaveLength(before);
});

it('kills a browser that does not answer any more', async () => {
  const hung = newest().pid;
  behave = async (tools) => {
    process.kill(-hung, 'SIGSTOP');
    return await title(tools);
  };
  await expect(run(PLAIN, { budget_ms: 500 })).rejects.toThrow('the job did not end within its budget');
  await expect.poll(() => membersOf(hung), { timeout: 10_000 }).toEqual([]);
  behave = title;
  expect(await run()).toBe('hello');
  expect(newest().pid).not.toBe(hung);
});

it('ends a page that takes more memory than a page may, and does not try it again', async () => {
  let attempts = 0;
  const before = pool.launched.length;
  behave = async (tools) => {
    attempts++;
    await title(tools);
    const bomb = 'new Promise(() => { const all = []; setInterval(() => all.push(new Uint8Array(5e7).fill(1)), 20); })';
    return String(await tools.page.evaluate(bomb));
  };
  expect(await failureOf()).toEqual(failure('too_large', 'the page took more memory than a page may'));
  expect(attempts).toBe(1);
  expect(pool.launched).toHaveLength(before);
  behave = title;
  expect(await run()).toBe('hello');
});

it('replaces a browser after so many jobs without losing any, and leaves no process and no file of it', async () => {
  ended.length = 0;
  const titles = await Promise.all(Array.from({ length: 26 }, (_, index) => run(`<title>${index}</title>`)));
  expect(titles).toEqual(Array.from({ length: 26 }, (_, index) => String(index)));
  expect(ended).toContain('jobs');
  await expect.poll(() => pool.launched.slice(0, -1).flatMap(({ pid }) => membersOf(pid)), { timeout: 10_000 }).toEqual([]);
  await expect.poll(() => readdirSync(pool.folder).filter((name) => name.startsWith('browser-')), { timeout: 10_000 }).toHaveLength(1);
});

it('has a browser again before anybody asks', async () => {
  const before = pool.launched.length;
  newest().kill();
  await expect.poll(() => pool.launched.length, { timeout: 10_000 }).toBe(before + 1);
  await expect.poll(() => pool.state().browser, { timeout: 10_000 }).toMatch(/^(Headless)?Chrome\/\d+\./);
});

/** Ends the page's tab by a signal that the kernel sends it. */
const endTab = async (tools: RenderTools, signal: NodeJS.Signals): Promise<string> => {
  await title(tools);
  await tools.page.evaluate('globalThis.kept = new Uint8Array(5e7).fill(1), 0');
  const tabs = membersOf(newest().pid).filter(({ tab }) => tab);
  process.kill(tabs.toSorted((one, other) => other.bytes - one.bytes)[0]!.pid, signal);
  return await tools.page.title();
};

it('does not blame a page whose tab the kernel ends, for want of memory', async () => {
  behave = (tools) => endTab(tools, 'SIGKILL');
  await expect(run()).rejects.toMatchObject({ name: 'BrowserFailure', message: 'the tab was ended: the machine has no memory left' });
});

it('does not blame a page whose tab crashes, or that comes to no end, where the disk is full', async () => {
  missing = '3 MB are free in /tmp';
  behave = async ({ page }) => await page.goto('chrome://crash').then(() => page.title());
  await expect(run()).rejects.toMatchObject({ name: 'BrowserFailure', message: 'the tab was ended: 3 MB are free in /tmp' });
  behave = () => new Promise(() => {});
  await expect(run(PLAIN, { budget_ms: 500 })).rejects.toThrow('the job did not end within its budget');
  missing = '';
  behave = title;
  expect(await run()).toBe('hello');
});

it('starts no browser while the disk is full, and one as soon as there is room', async () => {
  missing = '3 MB are free in /tmp';
  const before = pool.launched.length;
  process.kill(-newest().pid, 'SIGKILL');
  await expect.poll(() => run().catch((error: Error) => (error.cause as Error | undefined)?.message)).toBe(missing);
  expect(pool.launched.length).toBe(before);
  missing = '';
  expect(await run()).toBe('hello');
  expect(pool.launched.length).toBe(before + 1);
});

it('starts on a full disk without a browser, and has one as soon as there is room', async () => {
  missing = '3 MB are free in /tmp';
  const other = await openTestPool({ renders: { requests }, slots: 1, lacks: () => missing });
  try {
    expect([other.launched.length, other.state()]).toEqual([0, { browser: '', rests: false, bytes: 0 }]);
    missing = '';
    const { html } = await other.run('requests', job, {
      input: Buffer.from(PLAIN),
      signal: new AbortController().signal,
      budget_ms: 20_000,
    });
    expect(html).toBe('hello');
  } finally {
    missing = '';
    await other.close();
  }
});

it('leaves nothing behind', async () => {
  await close();
  expect(pool.launched.flatMap(({ pid }) => membersOf(pid))).toEqual([]);
  expect(existsSync(pool.folder)).toBe(false);
});
