import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RedirectZoo, startRedirectZoo, ZOO_HOSTS } from '../operations/url-status/redirect-zoo.ts';
import { askPriced, startMachineWithSites } from './machine-with-sites.ts';
import type { OneMachine } from './one-machine.ts';

/** Where every host of the zoo is. */
const ZOO = '127.0.0.10';

let zoo: RedirectZoo;
let machine: OneMachine;
const opened = new AsyncDisposableStack();
beforeAll(async () => {
  if (process.getuid?.() !== 0) return;
  zoo = opened.use(await startRedirectZoo({ address: ZOO, httpPort: 80, httpsPort: 443 }));
  machine = await startMachineWithSites({ address: ZOO, hosts: ZOO_HOSTS, root: zoo.root }, opened);
});
afterAll(() => opened.disposeAsync());

const ask = (body: object) => askPriced(machine, 'url-status', body);

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
