import { afterAll, beforeAll, expect, it } from 'vitest';
import { openEgress } from '../../../packages/renderer/src/egress/index.ts';
import type { RenderPool } from '../../../packages/renderer/src/pool/pool.ts';
import { defineRender } from '../../../packages/renderer/src/jobs/render.ts';
import { openTestPool } from '../pool.ts';
import { reaching, serveSites, type SiteServer } from '../sites/serve.ts';

/** Leaves something in every place that a page can, and then says what it found there before. */
const MARKING = `<!doctype html><title>marking</title><script>
const found = [];
const note = (place, was) => { if (was) found.push(place) };
const work = async () => {
  note('cookie', document.cookie); document.cookie = 'mark=1; max-age=9999';
  note('localStorage', localStorage.mark); localStorage.mark = 1;
  note('sessionStorage', sessionStorage.mark); sessionStorage.mark = 1;
  note('window.name', name); name = 'mark';
  note('caches', await caches.has('mark')); await (await caches.open('mark')).put('/marked', new Response('1'));
  note('indexedDB', (await indexedDB.databases()).length);
  await new Promise((done) => { const r = indexedDB.open('mark'); r.onsuccess = done; r.onerror = done });
  note('service worker', (await navigator.serviceWorker.getRegistrations()).length || navigator.serviceWorker.controller);
  await navigator.serviceWorker.register('/sw.js'); await navigator.serviceWorker.ready;
  const root = await navigator.storage.getDirectory();
  let files = 0; for await (const _ of root.keys()) files++;
  note('files', files); await root.getFileHandle('mark', { create: true });
  const number = () => fetch('/cached').then((r) => r.text());
  note('http cache', (await number()) !== '__FRESH__');
  note('authorization', (await fetch('/secret')).ok);
  const own = Math.random();
  const others = new Set();
  new BroadcastChannel('mark').onmessage = ({ data }) => { if (data !== own) others.add(data) };
  setInterval(() => new BroadcastChannel('mark').postMessage(own), 20);
  const shared = new SharedWorker('/shared.js'); shared.port.start();
  note('shared worker', await new Promise((done) => { shared.port.onmessage = ({ data }) => done(data > 1) }));
  await new Promise((done) => setTimeout(done, 150));
  note('broadcast', others.size);
};
window.done = work().then(() => 'found: ' + found.join(), (error) => 'failed: ' + error);
</script>`;

let sites: SiteServer;
let pool: RenderPool;
let cached = 0;
beforeAll(async () => {
  const type = (content: string) => ({ 'content-type': content });
  sites = await serveSites({
    'shop.test': {
      '/': (request, response) => {
        const seen = [request.headers.cookie, request.headers.authorization].filter(Boolean).join();
        response.writeHead(200, type('text/html')).end(`${MARKING.replace('__FRESH__', String(cached + 1))}<p id="seen">${seen}</p>`);
      },
      '/cached': (_request, response) =>
        void response.writeHead(200, { ...type('text/plain'), 'cache-control': 'max-age=9999' }).end(String(++cached)),
      '/sw.js': (_request, response) =>
        void response
          .writeHead(200, type('text/javascript'))
          .end('self.onfetch = () => {}; self.onactivate = (e) => e.waitUntil(clients.claim())'),
      '/shared.js': (_request, response) =>
        void response.writeHead(200, type('text/javascript')).end('let n = 0; onconnect = ({ ports }) => ports[0].postMessage(++n)'),
      '/secret': (request, response) =>
        void response.writeHead(request.headers.authorization ? 200 : 401, { 'www-authenticate': 'Basic realm="x"' }).end(),
    },
  });
  const marking = defineRender({
    kind: 'requests',
    nothing: (page) => ({ page, requests: [], truncated: false }),
    async run(_job, { page }) {
      await page.goto('https://shop.test/');
      const found = await page.evaluate(() => (globalThis as unknown as { done: Promise<string> }).done);
      const seen = await page.$eval('#seen', (element) => element.textContent);
      const empty = { final_url: '', content_type: '', ip: '', status_code: 0, page_content_empty: false };
      return { result: { page: empty, requests: [], truncated: false }, html: `${found} seen: ${seen}` };
    },
  });
  pool = await openTestPool({
    egress: await openEgress(reaching(sites)),
    switches: [`--ignore-certificate-errors-spki-list=${sites.spki}`],
    renders: { requests: marking },
    slots: 2,
  });
});
afterAll(async () => {
  await pool.close();
  await sites.close();
});

it('finds nothing of another job, before it or beside it', async () => {
  const run = () =>
    pool.run(
      'requests',
      { url: 'https://shop.test/', user_agent: 'desktop', accept_language: 'en' },
      { signal: AbortSignal.timeout(20_000), budget_ms: 20_000 },
    );
  const first = await run();
  expect(first.html).toBe('found:  seen: ');
  const pair = await Promise.all([run(), run()]);
  // Beside each other they cannot both have the fresh number of the cache that their page was told.
  expect(pair.map(({ html }) => html!.replace('http cache', ''))).toEqual(['found:  seen: ', 'found:  seen: ']);
  expect((await run()).html).toBe('found:  seen: ');
});

it('[control] finds all of it where the context is the same', async () => {
  const twice = defineRender({
    kind: 'requests',
    nothing: (page) => ({ page, requests: [], truncated: false }),
    async run(_job, { page, context }) {
      const ask = async (on: typeof page) => {
        await on.goto('https://shop.test/');
        return await on.evaluate(() => (globalThis as unknown as { done: Promise<string> }).done);
      };
      await ask(page);
      const html = await ask(await context.newPage());
      const empty = { final_url: '', content_type: '', ip: '', status_code: 0, page_content_empty: false };
      return { result: { page: empty, requests: [], truncated: false }, html };
    },
  });
  const own = await openTestPool({
    egress: await openEgress(reaching(sites)),
    switches: [`--ignore-certificate-errors-spki-list=${sites.spki}`],
    renders: { requests: twice },
  });
  const { html } = await own.run(
    'requests',
    { url: 'https://shop.test/', user_agent: 'desktop', accept_language: 'en' },
    { signal: AbortSignal.timeout(20_000), budget_ms: 20_000 },
  );
  await own.close();
  expect(html).toBe('found: cookie,localStorage,caches,indexedDB,service worker,files,http cache,shared worker,broadcast');
});
