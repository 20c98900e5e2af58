import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RedirectZoo, startRedirectZoo, ZOO_HOSTS } from '../operations/url-status/redirect-zoo.ts';
import { startHostileDns } from './hostile-dns.ts';
import { NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';

/** Where every host of the zoo is. */
const ZOO = '127.0.0.10';
const TTL = 300;

let zoo: RedirectZoo;
let machine: OneMachine;
const opened = new AsyncDisposableStack();
beforeAll(async () => {
  if (process.getuid?.() !== 0) return;
  const dns = await startHostileDns((name, type) => {
    if (name === '' || name === '.') return type === 'NS' ? [{ type: 'NS', name: '.', data: 'a.root-servers.net', ttl: TTL }] : [];
    if (name === 'private.test') return type === 'A' ? [{ type: 'A', name, data: '10.0.0.7', ttl: TTL }] : [];
    if (!ZOO_HOSTS.includes(name)) return 'NXDOMAIN';
    return type === 'A' ? [{ type: 'A', name, data: ZOO, ttl: TTL }] : [];
  });
  opened.defer(() => dns.close());
  zoo = opened.use(await startRedirectZoo({ address: ZOO, httpPort: 80, httpsPort: 443 }));
  const folder = mkdtempSync(join(tmpdir(), 'url-status-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'ca.pem'), zoo.root);
  machine = await startOneMachine({
    ...NO_BROWSER,
    VEDETTE_RESOLVERS: `127.0.0.1:${dns.port}`,
    VEDETTE_CA_FILE: join(folder, 'ca.pem'),
    VEDETTE_ALLOW_NETS: '127.0.0.0/8',
    VEDETTE_CONTACT: 'https://vedette.example/contact',
  });
  opened.defer(async () => void (await machine.stop()));
});
afterAll(() => opened.disposeAsync());

async function ask(body: object): Promise<{ status: number; cost: number; report: any }> {
  const response = await machine.post('url-status', body);
  const [, cost] = /cost=(\d+)/.exec(response.headers.get('x-service-quota') ?? '') ?? [];
  return { status: response.status, cost: Number(cost), report: await response.json() };
}

// The zoo is at ports 80 and 443.
describe.skipIf(process.getuid?.() !== 0)('a machine with the redirect zoo around it', () => {
  it('follows a chain with cookies, and says who asks', async () => {
    const { status, cost, report } = await ask({
      url: 'http://bank.test/',
      use_http2: true,
      check_ssl_revocation: true,
      include_favicon_details: true,
    });
    expect({ status, cost }).toEqual({ status: 200, cost: 1 });
    expect(report).toMatchObject({
      chain_status: 'complete',
      debug_message: '',
      redirect_stats: { followed_redirects: 3, duplicate_redirects: 0, http_to_https_redirects: 1 },
      final_url: { url: 'https://bank.test/', protocol: 'HTTP/2', status: 'ok' },
    });
    expect(report.chain.at(-1)).toMatchObject({ valid_ssl: true, html_info: { title: 'Account' }, ip: ZOO });
    expect(report.elapsed_ms).toBeGreaterThanOrEqual(report.request_stats.max_elapsed_ms);
    const echoed = await ask({ url: 'http://zoo.test/echo', include_response_body_text: true });
    expect(JSON.parse(echoed.report.chain[0].body_text)['user-agent']).toMatch(/ Vedette\/\S+ \(\+https:\/\/vedette\.example\/contact\)$/);
  });

  it('stops before what it may not contact, and never asks it', async () => {
    for (const [path, to] of [
      ['/to-government', 'https://www.irs.gov/'],
      ['/to-private', 'http://10.0.0.7/'],
      ['/to-inner-name', 'http://private.test/'],
      ['/to-us', 'http://127.0.0.1:9/'],
    ] as const) {
      const { status, cost, report } = await ask({ url: `http://zoo.test${path}` });
      expect({ status, cost, hops: report.chain.length, to: report.chain[0].redirect_to }).toEqual({ status: 200, cost: 1, hops: 1, to });
      expect(report).toMatchObject({ chain_status: 'partial', debug_message: expect.stringContaining('which is not requested') });
    }
    const wrapped = await ask({ url: `https://www.google.com/url?q=${encodeURIComponent('https://www.irs.gov/')}` });
    expect(wrapped).toMatchObject({ status: 400, cost: 0, report: { code: 'blocked_target', param: 'url' } });
  });

  it('logs no credentials', async () => {
    const secrets = { basic_auth_username: 'agent', basic_auth_password: 'tiger-striped' };
    const custom_proxy = 'http://me:zebra-striped@zoo.test:81';
    expect((await ask({ url: 'http://zoo.test/echo', ...secrets })).status).toBe(200);
    expect(await ask({ url: 'http://zoo.test/echo', custom_proxy })).toMatchObject({
      status: 200,
      report: { chain: [{ reason: 'proxy_failed' }] },
    });
    expect((await ask({ url: 'http://zoo.test/echo', authorization_bearer: 'lion-striped' })).status).toBe(200);
    expect(machine.stderr() + machine.stdout()).not.toContain('-striped');
  });
});
