import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BrowserEgress, openEgress } from '../../../packages/renderer/src/egress/index.ts';
import { reaching, serveSites, type SiteServer } from '../sites/serve.ts';
import { connectTo, get, say } from './raw-proxy.ts';

let sites: SiteServer;
let egress: BrowserEgress;
const { signal } = new AbortController();
beforeAll(async () => {
  sites = await serveSites({ 'shop.test': { '/': '<h1>Shoes</h1>' } });
  egress = await openEgress(reaching(sites));
});
afterAll(async () => {
  await egress.close();
  await sites.close();
});

it('lets nothing through before its job begins, nor after it ended', async () => {
  const proxy = await egress.open();
  expect(await say(proxy.port, get('http://shop.test/'))).toBe('');
  proxy.begin({ signal });
  expect(await say(proxy.port, get('http://shop.test/'), '</h1>')).toContain('HTTP/1.1 200 OK');
  const { port } = proxy;
  await proxy.close();
  await expect(say(port, get('http://shop.test/'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(sites.requests).toHaveLength(1);
});

it('says what left, where to, and what came', async () => {
  const proxy = await egress.open();
  proxy.begin({ signal });
  await say(proxy.port, get('http://shop.test/'), '</h1>');
  await say(proxy.port, connectTo('shop.test:443'), '\r\n\r\n');
  expect(proxy.records).toMatchObject([
    { target: 'http://shop.test/', host: 'shop.test', port: 80, address: sites.address, refused: '' },
    { target: 'shop.test:443', host: 'shop.test', port: 443, address: sites.address, refused: '' },
  ]);
  expect(proxy.addressOf('shop.test', 443)).toBe(sites.address);
  expect(proxy.records[0]!.sent_bytes).toBe('GET / HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n'.length);
  expect(proxy.records[0]!.received_bytes).toBeGreaterThan('<h1>Shoes</h1>'.length);
  await proxy.close();
});

it('serves the input of its job to that job alone', async () => {
  const [one, other] = [await egress.open(), await egress.open()];
  one.begin({ input: Buffer.from('<p>mine: ä'), signal });
  other.begin({ input: Buffer.from('<p>theirs'), signal });
  const url = one.inputUrl!;
  expect(url).toMatch(/^http:\/\/[0-9a-f]{32}\.invalid\/$/);
  const mine = await say(one.port, get(url), 'mine');
  expect(mine).toContain('content-type: text/html; charset=utf-8');
  expect(await say(one.port, get(`${url}logo.png`), '\r\n\r\n')).toContain('404');
  await say(other.port, get(url));
  expect(other.failureOf(new URL(url).hostname, 80)).toMatchObject({ reason: 'blocked_policy' });
  await Promise.all([one.close(), other.close()]);
});
