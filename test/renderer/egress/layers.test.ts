import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LaunchedBrowser } from '../../../packages/renderer/src/browser/launch.ts';
import { type BrowserEgress, openEgress } from '../../../packages/renderer/src/egress/index.ts';
import { type Canary, startCanary } from '../canary.ts';
import { openTestBrowser, switchesOf } from '../pool.ts';
import { reaching, serveSites, type SiteServer } from '../sites/serve.ts';
import { helpers, quietPage, reachOf, silentPage } from '../sites/vectors.ts';
import { until } from '../until.ts';

let sites: SiteServer;
let canary: Canary;
let egress: BrowserEgress;
const job = new AbortController();
beforeAll(async () => {
  sites = await serveSites({ 'shop.test': helpers }, { address: '127.0.0.5' });
  canary = await startCanary(['127.0.0.1', '::1']);
  egress = await openEgress(reaching(sites));
  const to = reachOf(`127.0.0.1:${canary.port}`);
  sites.add({ 'shop.test': { '/': `${quietPage(to)}${silentPage(to)}` } });
});
afterAll(async () => {
  job.abort();
  await egress.close();
  await canary[Symbol.asyncDispose]();
  await sites.close();
});

const AFTERWARDS_MS = 600;
const afterwards = () => new Promise((resolve) => setTimeout(resolve, AFTERWARDS_MS));
type BrowserContext = Awaited<ReturnType<LaunchedBrowser['browser']['createBrowserContext']>>;
async function look(context: BrowserContext, url: string): Promise<string> {
  const page = await context.newPage();
  page.on('dialog', (dialog) => void dialog.dismiss());
  const said = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: 15_000 }).then(
    (answer) => String(answer?.status()),
    (error: Error) => error.message,
  );
  await afterwards();
  return said;
}
const BARE = ['--headless', '--remote-debugging-pipe', 'about:blank'];

describe('each wall alone', () => {
  it('the proxy, in a browser with no switch of ours: no connection, though datagrams leave', async () => {
    // One of its own: a datagram that is still on its way must not be taken for the next browser's.
    await using heard = await startCanary(['127.0.0.1']);
    const to = reachOf(`127.0.0.1:${heard.port}`);
    sites.add({ 'shop.test': { '/bare': `${quietPage(to)}${silentPage(to)}` } });
    const proxy = await egress.open();
    proxy.begin({ signal: job.signal });
    await using opened = await openTestBrowser(BARE);
    const proxyServer = `http://127.0.0.1:${proxy.port}`;
    const context = await opened.browser.createBrowserContext({ proxyServer, proxyBypassList: ['<-loopback>'] });
    expect(await look(context, 'http://shop.test/bare')).toBe('200');
    expect(heard.arrivals.filter((arrival) => arrival.startsWith('tcp'))).toEqual([]);
    // So the canary hears them, and it is the switches that keep them in.
    expect(heard.arrivals.some((arrival) => arrival.startsWith('udp'))).toBe(true);
    await proxy.close();
  });

  it('the switches, without a proxy of the job: neither', async () => {
    await using opened = await openTestBrowser(switchesOf(egress));
    const before = egress.deniedAttempts;
    const context = await opened.browser.createBrowserContext();
    expect(await look(context, 'http://shop.test/')).toContain('net::ERR_');
    const page = await context.newPage();
    const to = reachOf(`127.0.0.1:${canary.port}`);
    await page.setContent(`${quietPage(to)}${silentPage(to)}`, { waitUntil: 'domcontentloaded' });
    await afterwards();
    expect(canary.arrivals).toEqual([]);
    expect(egress.deniedAttempts).toBeGreaterThan(before);
  });

  it('names are not looked up, whatever the proxy says', async () => {
    await using opened = await openTestBrowser([
      '--headless',
      '--remote-debugging-pipe',
      ...switchesOf(egress).filter((s) => s.startsWith('--host-resolver-rules')),
    ]);
    const context = await opened.browser.createBrowserContext();
    const hosts = ['localhost', 'shop.test', '[::1]', '127.0.0.2'];
    const said = await Promise.all(hosts.map((host) => look(context, `http://${host}:${canary.port}/`)));
    for (const answer of said) expect(answer).toMatch(/ERR_NAME_NOT_RESOLVED/);
    expect(canary.arrivals).toEqual([]);
  });
});

describe('a browser with its switches', () => {
  it('asks for nothing of its own accord', async () => {
    const before = egress.deniedAttempts;
    await using opened = await openTestBrowser(switchesOf(egress));
    const proxy = await egress.open();
    proxy.begin({ signal: job.signal, input: Buffer.from('<h1>Still</h1>') });
    const context = await opened.browser.createBrowserContext({
      proxyServer: `http://127.0.0.1:${proxy.port}`,
      proxyBypassList: ['<-loopback>'],
    });
    expect(await look(context, proxy.inputUrl!)).toBe('200');
    await afterwards();
    expect(egress.deniedAttempts).toBe(before);
    expect(proxy.records).toEqual([]);
    await proxy.close();
  });

  it('gets nowhere once its way out is gone, and says so', async () => {
    await using opened = await openTestBrowser(switchesOf(egress));
    const proxy = await egress.open();
    proxy.begin({ signal: job.signal });
    const context = await opened.browser.createBrowserContext({
      proxyServer: `http://127.0.0.1:${proxy.port}`,
      proxyBypassList: ['<-loopback>'],
    });
    sites.add({
      'shop.test': {
        '/ticking': `<h1>Ticking</h1><script>
          setInterval(() => { fetch('/tick').catch(() => {}); fetch('http://127.0.0.1:${canary.port}/', { mode: 'no-cors' }).catch(() => {}) }, 20)
        </script>`,
      },
    });
    expect(await look(context, 'http://shop.test/ticking')).toBe('200');
    const ticks = () => sites.requests.filter(({ path }) => path === '/tick').length;
    await until(() => ticks() > 2);
    await proxy.close();
    // What was under way has arrived.
    await afterwards();
    const last = ticks();
    await afterwards();
    expect(ticks()).toBe(last);
    expect(await look(context, 'http://shop.test/')).toMatch(/ERR_PROXY_CONNECTION_FAILED/);
    expect(canary.arrivals).toEqual([]);
  });
});
