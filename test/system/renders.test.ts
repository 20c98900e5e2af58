import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorld, TARGET, type World } from './hostile-world.ts';
import { commandOf, descendants, parentOf } from './processes.ts';

const PRICE = 20;
const HTML = Buffer.from('<body style="background:#fff"><h1>Hello</h1>').toString('base64');
const SMALL = { html_base64: HTML, viewport_width: 200 };

let world: World;
let site: Server;
/** A page that waits to be answered, until `letGo`. */
const waiting: (() => void)[] = [];
let held = false;
let pageUrl = '';
beforeAll(async () => {
  world = await startWorld({ VEDETTE_LIMITS: 'off' });
  site = createServer((_request, response) => {
    const answer = () => response.setHeader('content-type', 'text/html').end('<title>A page</title><h1>Hello</h1>');
    if (held) waiting.push(answer);
    else answer();
  });
  await new Promise<void>((resolve) => site.listen(0, TARGET, resolve));
  pageUrl = `http://${TARGET}:${(site.address() as AddressInfo).port}/`;
}, 120_000);
afterAll(async () => {
  await world.close();
  site.closeAllConnections();
  site.close();
});

const letGo = (): void => {
  held = false;
  for (const answer of waiting.splice(0)) answer();
};
const screenshot = (key: string) =>
  world.post('screenshot', { url: pageUrl, viewport_width: 200, viewport_height: 100 }, { 'x-api-key': key });

async function remaining(key: string): Promise<number> {
  for (;;) {
    const response = await world.post('account-info', {}, { 'x-api-key': key });
    if (response.status === 200) return ((await response.json()) as { credits: { remained: number } }).credits.remained;
    await sleep(1_000);
  }
}

/** Processes by what their command line holds, of this system alone. */
const pids = (pattern: RegExp): number[] => descendants(world.vedette.process.pid!).filter((pid) => pattern.test(commandOf(pid)));

/** The renderer itself, and the browser that it started. */
const rendererPid = (): number => pids(/packages\/renderer\/src\/main\.ts/).at(-1)!;
const browserPids = (): number[] => pids(/chrom.*--remote-debugging/).filter((pid) => pid !== rendererPid());

describe('renders', () => {
  it.each([
    ['screenshot', () => ({ url: pageUrl, viewport_width: 200, viewport_height: 100, image_type: 'jpeg' }), 'image/jpeg'],
    ['html-to-png', () => SMALL, 'image/png'],
    ['url-to-pdf', () => ({ url: pageUrl }), 'application/pdf'],
    ['html-to-pdf', () => ({ html_base64: HTML }), 'application/pdf'],
    ['http-tracker', () => ({ url: pageUrl }), undefined],
  ])('%s is a tool: a picture is shown, and every file can be read', async (name, given, mimeType) => {
    const [key] = await world.account(`tool-${name}`, 1);
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { 'x-api-key': key! } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', world.vedette.url), { requestInit }));
    const { content, isError } = await client.callTool({ name, arguments: given() });
    expect([isError ?? false, content[0]]).toEqual([false, expect.objectContaining({ type: 'text' })]);
    const pictures = content.flatMap((block) => (block.type === 'image' ? [block] : []));
    const files = content.flatMap((block) => (block.type === 'resource_link' && block.name !== 'report' ? [block] : []));
    expect(pictures.map((picture) => picture.mimeType)).toEqual(mimeType?.startsWith('image/') ? [mimeType] : []);
    expect(files.map((file) => file.mimeType)).toEqual(mimeType ? [mimeType] : []);
    for (const { uri } of files) {
      const { contents } = await client.readResource({ uri });
      const blob = (contents[0] as { blob: string }).blob;
      expect(Buffer.from(blob, 'base64').subarray(0, 4).toString('latin1')).toMatch(/^(\x89PNG|\xff\xd8\xff|%PDF)/);
      for (const { data } of pictures) expect(data).toBe(blob);
    }
    await client.close();
  });

  it('forty at once are answered, or told when to come back, and only the answered are paid for', async () => {
    const [key] = await world.account('forty', 1);
    const before = await remaining(key!);
    const answers = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const response = await world.post('html-to-png', SMALL, { 'x-api-key': key! });
        const body = (await response.json()) as { rendered_file?: { file_size_bytes: number; base64_file: string }; code?: string };
        return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
      }),
    );
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeGreaterThanOrEqual(20);
    for (const { body } of good) {
      const png = Buffer.from(body.rendered_file!.base64_file, 'base64');
      expect([png.length, png.subarray(1, 4).toString()]).toEqual([body.rendered_file!.file_size_bytes, 'PNG']);
    }
    for (const { status, retryAfter, body } of answers.filter(({ status: code }) => code !== 200)) {
      expect([status, body.code]).toEqual([503, 'overloaded']);
      expect(Number(retryAfter)).toBeGreaterThan(0);
    }
    expect(before - (await remaining(key!))).toBe(PRICE * good.length);
    expect(await world.metric('vedette_gateway_permits', 'pool="renders",location="",state="held"')).toBe(0);
    expect(await world.metric('vedette_gateway_permits', 'pool="result_bytes",location="",state="held"')).toBe(0);
  }, 120_000);

  it('an account with many does not keep another one waiting behind all of them', async () => {
    const [many] = await world.account('many', 1);
    const [one] = await world.account('one', 1);
    const order: string[] = [];
    const render = async (name: string, key: string) => {
      const { status } = await world.post('html-to-png', SMALL, { 'x-api-key': key });
      if (status === 200) order.push(name);
      return status;
    };
    const asked = Array.from({ length: 24 }, () => render('many', many!));
    await expect.poll(() => world.metric('vedette_gateway_permits', 'pool="renders",location="",state="held"')).toBeGreaterThan(0);
    expect(await render('one', one!)).toBe(200);
    const position = order.indexOf('one');
    await Promise.all(asked);
    expect(position).toBeLessThan(order.length / 2);
  }, 120_000);

  it('a browser that is killed in the middle: the page comes all the same, paid for once', async () => {
    const [key] = await world.account('browser', 1);
    const before = await remaining(key!);
    held = true;
    const asked = screenshot(key!);
    await expect.poll(() => waiting.length, { timeout: 20_000 }).toBe(1);
    const [browser] = browserPids();
    process.kill(browser!, 'SIGKILL');
    letGo();
    const response = await asked;
    expect([response.status, ((await response.json()) as { http_response: { status_code: number } }).http_response.status_code]).toEqual([
      200, 200,
    ]);
    expect(before - (await remaining(key!))).toBe(PRICE);
  }, 180_000);

  it('a renderer that is killed in the middle: its successor renders the page', async () => {
    const [key] = await world.account('renderer', 1);
    held = true;
    const asked = screenshot(key!);
    await expect.poll(() => waiting.length, { timeout: 20_000 }).toBe(1);
    process.kill(rendererPid(), 'SIGKILL');
    letGo();
    expect((await asked).status).toBe(200);
    expect(await world.metric('vedette_gateway_render_retries_total')).toBe(1);
  }, 180_000);

  it('no renderer at all: told so at once, and free', async () => {
    const [key] = await world.account('none', 1);
    const before = await remaining(key!);
    const renderer = rendererPid();
    const supervisor = parentOf(renderer);
    process.kill(supervisor, 'SIGSTOP'); // else a successor may be there before we have asked
    try {
      process.kill(renderer, 'SIGKILL');
      const response = await world.post('html-to-png', SMALL, { 'x-api-key': key! });
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([503, 'no_renderer']);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      process.kill(supervisor, 'SIGCONT');
    }
    expect(await remaining(key!)).toBe(before);
    await expect
      .poll(async () => (await world.post('html-to-png', SMALL, { 'x-api-key': key! })).status, { timeout: 60_000, interval: 1_000 })
      .toBe(200);
  }, 120_000);
});
