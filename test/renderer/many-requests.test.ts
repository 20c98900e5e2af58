import type { SentRequest } from '@vedette/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEgress } from '../../packages/renderer/src/egress/index.ts';
import { LOAD } from './pictures.ts';
import { openTestPool, type TestPool } from './pool.ts';
import { type Answer, reaching, serveSites, type SiteServer } from './sites/serve.ts';

const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const images = (count: number, origin: string) =>
  Array.from({ length: count }, (_, i) => `<img src="${origin}/${i}.gif" width=1 height=1>`).join('');
/** Code that asks a stranger 40 times. */
const FETCHES = `Promise.allSettled(Array.from({ length: 40 }, (_, i) => fetch('https://cdn.test/w' + i + '.gif', { mode: 'no-cors' })))`;
/** The same, each after the one before: what is cut off in a tunnel takes with it what is under way. */
const ONE_BY_ONE = `(async () => { for (let i = 0; i < 60; i++) await fetch('https://cdn.test/w' + i + '.gif', { mode: 'no-cors' }); })()`;

let sites: SiteServer;
/** The renderer's own limits. */
let usual: TestPool;
/** Small ones. */
let strict: TestPool;
beforeAll(async () => {
  const script =
    (code: string): Answer =>
    (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(code);
  const gif: Answer = (_request, response) => response.writeHead(200, { 'content-type': 'image/gif' }).end(GIF);
  sites = await serveSites({
    'cdn.test': { '*': gif },
    'www.cdn.test': { '*': gif },
    'list.test': {
      '/150': images(150, 'https://cdn.test'),
      '/25': images(25, 'https://cdn.test'),
      '/own': images(70, ''),
      '/leaves': `${images(70, '')}<script>onload = () => location = '/25?'</script>`,
      '/plain': images(25, 'http://cdn.test'),
      '/worker': `<script>new Worker('/worker.js').onmessage = () => document.title = 'done'</script>`,
      '/worker.js': script(`${FETCHES}.then(() => postMessage(0))`),
      '/service': `<script>navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready)</script>`,
      '/shared': `<script>new SharedWorker('/shared.js')</script>`,
      '/shared.js': script(ONE_BY_ONE),
      '/service.js': script(`addEventListener('install', (event) => event.waitUntil(${FETCHES}))`),
      '*': gif,
    },
  });
  const pool = async (jobLimits = {}) =>
    await openTestPool({
      egress: await openEgress({ ...reaching(sites), jobLimits }),
      switches: [`--ignore-certificate-errors-spki-list=${sites.spki}`],
    });
  usual = await pool();
  strict = await pool({ requests: 60, strangerRequests: 10, records: 200, strangerRecords: 30 });
});
afterAll(async () => {
  await Promise.all([usual.close(), strict.close()]);
  await sites.close();
});

const SCOPE = { budget_ms: 40_000 };
async function visit(pool: TestPool, path: string) {
  sites.requests.length = 0;
  const job = { url: `https://list.test${path}`, user_agent: 'desktop', accept_language: 'en' } as const;
  const { result } = await pool.run('requests', job, { ...SCOPE, signal: AbortSignal.timeout(50_000) });
  const of = (test: (sent: SentRequest) => boolean) => result.requests.filter((sent) => sent.url.includes('.gif') && test(sent)).length;
  return {
    refused: result.page.refused_requests,
    arrived: new Set(sites.requests.filter(({ host }) => host.endsWith('cdn.test')).map((request) => request.path)).size,
    came: of(({ status_code }) => status_code === 200),
    told: of(({ error, ip_address }) => error.startsWith('not sent: a page may send 500 requests') && ip_address === ''),
  };
}

it('a list with 150 pictures of one content network shows all of them', async () => {
  expect(await visit(usual, '/150')).toEqual({ refused: undefined, arrived: 150, came: 150, told: 0 });
  const load = { ...LOAD, url: 'https://list.test/150', disable_ads: false, disable_popups: false };
  const { html, result } = await usual.run(
    'screenshot',
    { page: load, image_type: 'png', full_page: true, auto_height: false, add_url_bar: false, omit_background: false, grayscale: false },
    { ...SCOPE, signal: AbortSignal.timeout(50_000) },
  );
  expect([html!.match(/<img/g)?.length, result.page.refused_requests]).toEqual([150, undefined]);
});

it.each(['/25', '/plain'])(
  'of more than a stranger gets the first come, the others are refused one by one, and told of: %s',
  async (path) => {
    expect(await visit(strict, path)).toEqual({ refused: 15, arrived: 10, came: 10, told: 15 });
  },
);

it('tells whom it has contacted, from the first request on', async () => {
  let tell: () => readonly { host: string; address: string }[] = () => [];
  const job = { url: 'https://list.test/25', user_agent: 'desktop', accept_language: 'en' } as const;
  await strict.run('requests', job, { ...SCOPE, signal: AbortSignal.timeout(50_000), dialled: (given) => void (tell = given) });
  expect(new Set(tell().map(({ host, address }) => `${host} ${address}`))).toEqual(new Set(['list.test 127.0.0.1', 'cdn.test 127.0.0.1']));
});

it('a page has its own limit for what its own site gives', async () => {
  const { refused, came, told } = await visit(strict, '/own');
  expect([came, told, refused]).toEqual([60, 10, 10]);
});

it('a document of the main frame is not refused, nor counted as refused', async () => {
  // 60 of the first page's 70 pictures, and none of the second's 25.
  const { refused, told } = await visit(strict, '/leaves');
  expect([refused, told]).toEqual([35, 35]);
});

it('what shared workers ask, of which the page is not told, ends at the way out', async () => {
  const { arrived } = await visit(strict, '/shared');
  expect(arrived).toBeGreaterThan(0);
  expect(arrived).toBeLessThan(60);
});

it.each(['/worker', '/service'])('what workers ask of a stranger has a limit too: %s', async (path) => {
  expect((await visit(strict, path)).arrived).toBe(10);
});
