import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEgress } from '../../packages/renderer/src/egress/index.ts';
import type { RenderPool } from '../../packages/renderer/src/pool/pool.ts';
import { requests } from '../../packages/renderer/src/jobs/requests.ts';
import { openTestPool } from './pool.ts';
import { reaching, serveSites, type SiteServer } from './sites/serve.ts';
import { TRACKER_SITES } from './sites/tracker.ts';

let server: SiteServer;
let pool: RenderPool;
beforeAll(async () => {
  server = await serveSites(TRACKER_SITES);
  pool = await openTestPool({
    renders: { requests },
    egress: await openEgress(reaching(server)),
    switches: [`--ignore-certificate-errors-spki-list=${server.spki}`],
  });
});
afterAll(async () => {
  await pool.close();
  await server.close();
});

const visit = async (url: string, user_agent: 'desktop' | 'mobile' = 'desktop', budget_ms = 60_000) => {
  server.requests.length = 0;
  const job = { url, user_agent, accept_language: 'de-DE,de;q=0.8' };
  const { result } = await pool.run('requests', job, { signal: AbortSignal.timeout(60_000), budget_ms });
  return result;
};
/** As the server heard of them. */
const heard = () =>
  server.requests.map(({ scheme, host, method, path }) => `${method} ${scheme}://${host}${path.split('?')[0]}`).toSorted();

describe('a page with requests of every kind', () => {
  it('is told with all of them, each once', async () => {
    const { page, requests: sent, truncated } = await visit('https://shop.test/old');
    expect([page.final_url, page.status_code, truncated]).toEqual(['https://shop.test/', 200, false]);
    const answered = sent.filter(({ status_code }) => status_code > 0);
    expect(answered.map(({ method, url }) => `${method} ${url.split('?')[0]!.replace('wss:', 'https:')}`).toSorted()).toEqual(heard());
    expect(
      Object.fromEntries(answered.map(({ url, method, resource_type }) => [`${method} ${url.split('?')[0]!}`, resource_type])),
    ).toEqual({
      'GET https://shop.test/old': 'document',
      'GET https://shop.test/': 'document',
      'GET https://shop.test/style.css': 'stylesheet',
      'GET https://shop.test/own.woff2': 'font',
      'GET https://shop.test/paper.gif': 'image',
      'GET https://shop.test/logo.gif': 'image',
      'GET https://shop.test/missing.gif': 'image',
      'GET https://shop.test/next.html': 'other',
      'GET https://shop.test/app.js': 'script',
      'GET https://shop.test/late.json': 'fetch',
      'GET https://shop.test/worker.js': 'script',
      'GET https://shop.test/from-worker.json': 'fetch',
      'GET https://shop.test/shared.js': 'script',
      'GET https://shop.test/from-shared.json': 'fetch',
      'GET https://shop.test/sw.js': 'script',
      'GET https://shop.test/from-sw.json': 'fetch',
      'GET https://ads.other.test/frame': 'document',
      'GET https://ads.other.test/tracker.js': 'script',
      'GET https://ads.other.test/agent': 'fetch',
      'GET https://ads.other.test/pixel.gif': 'image',
      'GET https://pixel.third.test/pixel.gif': 'image',
      'OPTIONS https://api.other.test/data': 'preflight',
      'PUT https://api.other.test/data': 'fetch',
      'GET wss://socket.other.test/live': 'websocket',
      'POST https://beacon.other.test/collect': 'ping',
    });
    expect(new Set(answered.map(({ ip_address }) => ip_address))).toEqual(new Set([server.address]));
    expect(sent.filter(({ status_code }) => status_code === 0).map(({ url, error }) => [url, error !== ''])).toEqual([
      ['https://absent.invalid/x.gif', true],
    ]);
  });

  it('has the times of each, on one clock', async () => {
    const { requests: sent } = await visit('https://shop.test/old');
    const of = (path: string) => sent.find(({ url }) => url.split('?')[0]!.endsWith(path))!;
    const ended = (path: string): number => of(path).started_ms! + of(path).elapsed_ms;
    expect(sent[0]).toMatchObject({ url: 'https://shop.test/old', started_ms: 0 });
    // Each is a whole number, so that a millisecond is lost at most.
    for (const [before, after] of [
      ['/old', 'shop.test/'],
      ['/app.js', '/late.json'],
      ['/worker.js', '/from-worker.json'],
      ['ads.other.test/frame', '/tracker.js'],
    ] as const)
      expect([before, of(after).started_ms! - of(before).started_ms! - of(before).ttfb_ms! >= -1]).toEqual([before, true]);
    expect(of('shop.test/').started_ms).toBeGreaterThanOrEqual(ended('/old') - 1);
    expect(sent.filter(({ ttfb_ms, elapsed_ms }) => ttfb_ms! > elapsed_ms)).toEqual([]);
    expect(of('/x.gif').ttfb_ms).toBe(0);
  });
});

/** What a head takes on the wire, at most. */
const HEAD_BYTES = 400;

it('counts the octets of the wire as the server sent them', async () => {
  const { requests: sent } = await visit('http://plain.test/');
  const [document, sheet, script] = sent;
  expect(sent.map(({ url }) => url)).toEqual(['http://plain.test/', 'http://plain.test/big.css', 'http://plain.test/a.js']);
  const page = TRACKER_SITES['plain.test']!['/'] as string;
  for (const [request, body] of [
    [document, page.length],
    [sheet, 300_000],
    [script, 1],
  ] as const) {
    expect(request!.content_length).toBeGreaterThan(body);
    expect(request!.content_length).toBeLessThan(body + HEAD_BYTES);
  }
});

it('is one browser in all that it says, in frames and workers too', async () => {
  for (const [kind, platform, token] of [
    ['desktop', /Windows|macOS|Linux/, 'Safari/537.36 Vedette/test'],
    ['mobile', /Android/, 'Mobile Safari/537.36 Vedette/test'],
  ] as const) {
    await visit('https://shop.test/', kind);
    for (const { headers } of server.requests) {
      expect(headers['user-agent']).toMatch(/ Safari\/537\.36 Vedette\/test$/);
      expect(JSON.stringify(headers)).not.toContain('Headless');
    }
    expect(server.requests.map(({ path }) => path)).toContain('/sw.js');
    // A service worker's script is fetched by the browser itself, which is the same desktop to all jobs.
    const asked = server.requests.filter(({ path }) => path !== '/sw.js');
    const agents = new Set(asked.map(({ headers }) => headers['user-agent']));
    expect([...agents].map((agent) => agent?.endsWith(token))).toEqual([true]);
    const [told, hint] = decodeURIComponent(
      server.requests.find(({ path }) => path.startsWith('/agent?'))!.path.slice('/agent?'.length),
    ).split('|');
    expect([told, platform.test(hint!)]).toEqual([[...agents][0], true]);
    // Preflights have no language.
    const worded = asked.filter(({ method }) => method !== 'OPTIONS');
    expect(new Set(worded.map(({ headers }) => headers['accept-language']))).toEqual(new Set(['de-DE,de;q=0.9']));
    const brands = server.requests.find(({ path }) => path === '/')!.headers['sec-ch-ua'];
    expect(String(brands)).toContain(`"Chromium";v="${/Chrome\/(\d+)/.exec(told!)![1]}"`);
  }
});

it('ends with its time where a page never rests, and says what had no answer', async () => {
  const [restless, slow] = [
    await visit('http://plain.test/endless', 'desktop', 4_000),
    await visit('http://plain.test/slow', 'desktop', 4_000),
  ];
  expect(restless.requests.length).toBeGreaterThan(5);
  expect(slow.requests.map(({ url, status_code, error }) => [url, status_code, error])).toEqual([
    ['http://plain.test/slow', 200, ''],
    ['http://plain.test/never.gif', 0, 'no answer before the visit ended, or the page gave it up'],
  ]);
});

it('tells of a download, and keeps nothing of it', async () => {
  const { page, requests: sent } = await visit('http://plain.test/download');
  expect(page.failure?.reason).toBe('no_page');
  expect(sent.map(({ url, status_code, content_type }) => [url, status_code, content_type])).toEqual([
    ['http://plain.test/download', 200, 'application/zip'],
  ]);
});

it('tells why a page that is not there did not come', async () => {
  const { page, requests: sent } = await visit('http://absent.invalid-tld/');
  expect([page.failure?.reason, sent.map(({ url, status_code, error }) => [url, status_code, error !== ''])]).toEqual([
    'dns_nxdomain',
    [['http://absent.invalid-tld/', 0, true]],
  ]);
});
