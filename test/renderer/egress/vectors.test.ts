import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserEgress, openEgress } from '../../../packages/renderer/src/egress/index.ts';
import { openPage } from '../../../packages/renderer/src/page/index.ts';
import type { RenderPool } from '../../../packages/renderer/src/pool/pool.ts';
import { defineRender, type EgressRecord } from '../../../packages/renderer/src/jobs/render.ts';
import { PLAIN_PAGE, PLAIN_PICTURE } from '../../plain-page.ts';
import { type Canary, startCanary } from '../canary.ts';
import { openTestPool } from '../pool.ts';
import { reaching, serveSites, type SiteServer } from '../sites/serve.ts';
import { helpers, LEAVING_VECTORS, QUIET_VECTORS, quietPage, reachOf, silentPage } from '../sites/vectors.ts';

/** What a page did is a result's HTML here: the records of its way out. */
const opening = (afterwards_ms: number) =>
  defineRender({
    kind: 'screenshot',
    nothing: (page) => ({ page, image_width: 0, image_height: 0 }),
    async run({ page }, tools) {
      const opened = await openPage(page, tools);
      await tools.clock.sleep(afterwards_ms);
      return { result: { page: opened, image_width: 0, image_height: 0 }, html: JSON.stringify(tools.egress.records) };
    },
  });

let sites: SiteServer;
let canary: Canary;
let egress: BrowserEgress;
let pool: RenderPool;
beforeAll(async () => {
  sites = await serveSites(
    { 'shop.test': helpers, 'reach.test': { '*': (_request, response) => void response.end('') } },
    { address: '127.0.0.5' },
  );
  canary = await startCanary(['127.0.0.1', '::1']);
  egress = await openEgress(reaching(sites, { 'city.gov': { A: [sites.address] }, 'localhost.rebound.test': { A: ['127.0.0.1'] } }));
  pool = await openTestPool({ egress, slots: 6, renders: { screenshot: opening(500) } });
});
afterAll(async () => {
  await pool.close();
  await canary[Symbol.asyncDispose]();
  await sites.close();
});
afterEach(() => void (sites.requests.length = 0));

const OPENED = ['http', 'https', 'input'] as const;

let pages = 0;
async function open(html: string, how: (typeof OPENED)[number], on = pool) {
  const path = `/${pages++}`;
  sites.add({ 'shop.test': { [path]: html } });
  const job = { ...PLAIN_PICTURE, page: { ...PLAIN_PAGE, ...(how !== 'input' && { url: `${how}://shop.test${path}` }) } };
  const scope = { signal: AbortSignal.timeout(25_000), budget_ms: 25_000, ...(how === 'input' && { input: Buffer.from(html) }) };
  const { result, html: records = '' } = await on.run('screenshot', job, scope);
  return { ...result.page, records: JSON.parse(records) as EgressRecord[] };
}
const askedOf = (host: string) => new Set(sites.requests.filter((request) => request.host === host).map(({ path }) => path.slice(1)));

describe('what a page asks for while it stays', () => {
  it('[control] works in all these ways, where it may be asked for', async () => {
    const opened = await open(quietPage(reachOf(`reach.test:${sites.httpPort}`)), 'http');
    expect(opened).toMatchObject({ status_code: 200, page_content_empty: false });
    const asked = askedOf('reach.test');
    expect(Object.keys(QUIET_VECTORS).filter((name) => !asked.has(name))).toEqual([]);
  });

  it('does not get to this machine, and the page still comes: over http, over https, and from HTML', async () => {
    const to = reachOf(`127.0.0.1:${canary.port}`);
    const opened = await Promise.all(OPENED.flatMap((how) => [open(quietPage(to), how), open(silentPage(to), how)]));
    expect(canary.arrivals).toEqual([]);
    for (const page of opened) expect(page).toMatchObject({ status_code: 200, page_content_empty: false });
    const refused = opened.map(({ records }) => records.filter(({ port }) => port === canary.port).map((record) => record.refused));
    expect(refused.map(({ length }) => length > Object.keys(QUIET_VECTORS).length - 5)).toEqual([true, false, true, false, true, false]);
    expect(new Set(refused.flat())).toEqual(new Set(['blocked_private_address']));
  });

  it('does not get there by any other name of it', async () => {
    const hosts = `2130706433 0x7f000001 0177.0.0.1 127.1 0 localhost a.localhost localhost.rebound.test 127.0.0.1. [::1] [::ffff:127.0.0.1]
      [::ffff:7f00:1] [::127.0.0.1] [::] [64:ff9b::7f00:1] [2002:7f00:1::] 169.254.169.254 metadata.google.internal 100.100.100.200
      [fd00:ec2::254] 10.0.0.1 router printer.local x.invalid`.split(/\s+/);
    const html = hosts
      .map((host) => `<img src="http://${host}:${canary.port}/"><iframe src="https://${host}:${canary.port}/"></iframe>`)
      .join('');
    const opened = await open(`<h1>Names</h1>${html}`, 'http');
    expect(canary.arrivals).toEqual([]);
    expect(opened).toMatchObject({ status_code: 200 });
    const refused = opened.records.filter(({ port }) => port === canary.port);
    expect(refused.length).toBeGreaterThan(hosts.length);
    expect(new Set(refused.map((record) => record.refused))).toEqual(new Set(['blocked_private_address', 'blocked_policy']));
  });
});

describe('where a page leaves for', () => {
  const leaving = Object.entries(LEAVING_VECTORS);
  it('[control] works in all these ways', async () => {
    const opened = await Promise.all(leaving.map(([name, html]) => open(html(`http://reach.test:${sites.httpPort}/${name}`), 'http')));
    expect(opened.map(({ final_url, failure }) => failure ?? new URL(final_url).pathname.slice(1))).toEqual(leaving.map(([name]) => name));
  });

  it.each([
    ['this machine', 'http', 'blocked_private_address'],
    ['this machine', 'input', 'blocked_private_address'],
    ['a government', 'http', 'blocked_policy'],
    ['a name that the operator denies', 'http', 'blocked_policy'],
  ] as const)('does not lead to %s: %s', async (place, how, reason) => {
    const port = place === 'this machine' ? canary.port : sites.httpPort;
    const host = { 'this machine': '127.0.0.1', 'a government': 'city.gov', 'a name that the operator denies': 'www.denied.test' }[place];
    // There is no redirect where nothing but the page itself is.
    const ways = leaving.filter(([name]) => how === 'http' || name !== 'answered-redirect');
    const opened = await Promise.all(ways.map(([, html]) => open(html(`http://${host}:${port}/`), how)));
    expect(canary.arrivals).toEqual([]);
    expect(sites.requests.filter((request) => request.host === host)).toEqual([]);
    const seen = opened.map(({ failure, status_code, final_url }, i) => [ways[i]![0], failure?.reason, status_code, final_url]);
    expect(seen).toEqual(ways.map(([name]) => [name, reason, 0, '']));
  });

  it('does not lead out of the web', async () => {
    const urls = ['file:///etc/passwd', 'chrome://version', 'view-source:http://shop.test/', 'data:text/html,<h1>x', 'javascript:1'];
    const opened = await Promise.all(urls.map((url) => open(`<h1>Stays</h1>${LEAVING_VECTORS['location']!(url)}`, 'http')));
    for (const { final_url, records } of opened) {
      expect(final_url).toMatch(/^http:\/\/shop\.test\//);
      expect(new Set(records.map(({ host }) => host))).toEqual(new Set(['shop.test']));
    }
  });
});
