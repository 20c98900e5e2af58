import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pages, startPages } from '../operations/url-reputation/pages.ts';
import { askPriced, startMachineWithSites } from './machine-with-sites.ts';
import { ONE_AGENT, type OneMachine } from './one-machine.ts';

const CLI = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url));
/** Where every host is. */
const SITE = '127.0.0.11';
const HOSTS = ['bakery.test', 'sites.test', 'evil.test', 'other.test'];

let pages: Pages;
let machine: OneMachine;
const opened = new AsyncDisposableStack();
beforeAll(async () => {
  if (process.getuid?.() !== 0) return;
  pages = opened.use(await startPages({ address: SITE, port: 80 }));
  const feed = { dataset: 'malicious_urls', url: 'http://feeds.test/urls.txt', licence: 'test', attribution: 'test', format: 'lines' };
  const engine = { name: 'OpenPhish URLs', subject: 'url', list: 'listed', lists: 'x', terms: 'x', meaning: 'phishing', weight: 0.9 };
  const settings = (file: (name: string, content: string) => string) => ({
    ...ONE_AGENT,
    VEDETTE_LOG_LEVEL: 'trace',
    VEDETTE_FEEDS_FILE: file('feeds.json', JSON.stringify({ built_in: false, fetch: false, feeds: { listed: feed } })),
    VEDETTE_ENGINES_FILE: file('engines.json', JSON.stringify({ built_in: false, engines: { listed: engine } })),
  });
  machine = await startMachineWithSites({ address: SITE, hosts: HOSTS, settings }, opened);
});
afterAll(() => opened.disposeAsync());

const ask = (operation: string, body: object) => askPriced(machine, operation, body);

// The pages are at port 80.
describe.skipIf(process.getuid?.() !== 0)('a machine with pages and a feed of URLs', () => {
  it('gives no report for nothing while it is blind, and says what is missing', async () => {
    expect(await ask('url-reputation', { url: 'http://nowhere.test/' })).toMatchObject({
      status: 502,
      cost: 0,
      report: { code: 'upstream_failed' },
    });
    const { report } = await ask('url-reputation', { url: 'http://bakery.test/' });
    expect(report.url_blacklist.unanswered).toEqual(['OpenPhish URLs']);
    expect(report.risk_score.coverage.missing).toContainEqual({ name: 'OpenPhish URLs', reason: 'its list is not loaded' });
    expect(report.verdict).not.toBe('clean');
  });

  it('finds what the feed has, at its own depth', async () => {
    const path = join(machine.dataDir, 'urls.txt');
    writeFileSync(path, '# a comment\nhttp://sites.test/view/kit-1/\nhttp://evil.test/a.php?id=7\nhttps://bit.ly/\n');
    const env = { ...process.env, VEDETTE_OPS_PORT: String(machine.opsPort), VEDETTE_DATA_DIR: machine.dataDir };
    await promisify(execFile)(process.execPath, [CLI, 'feeds', 'import', 'listed', path], { env });
    const kit = await ask('url-reputation', { url: 'http://sites.test/view/kit-1/step2?session=1' });
    expect(kit).toMatchObject({ status: 200, cost: 5, report: { verdict: 'dangerous', hops: [{ listed_by: ['OpenPhish URLs'] }] } });
    // All that speaks against them is that their hosts are on the loopback.
    for (const url of ['http://sites.test/view/kit-2/', 'http://evil.test/a.php?id=8', 'http://bakery.test/']) {
      const { url_blacklist, risk_score } = (await ask('url-reputation', { url })).report;
      expect([url, url_blacklist.detections, risk_score.result]).toEqual([url, 0, 30]);
    }
    const led = await ask('url-reputation', { url: 'http://bakery.test/to?u=http://evil.test/a.php?id=7' });
    expect(led.report).toMatchObject({ verdict: 'dangerous', hops: [{ listed_by: [] }, { listed_by: ['OpenPhish URLs'] }] });
    expect((await ask('domain-reputation', { host: 'sites.test' })).report.blacklists.detections).toBe(0);
  });

  it('takes what stands before the @ as browsers do, in every operation that opens URLs, and shows no password', async () => {
    pages.requests.length = 0;
    const url = 'http://www.bank.example:open-sesame@evil.test/members';
    for (const [operation, host] of [
      ['url-reputation', (report: any) => report.url_parts.host],
      ['url-status', (report: any) => report.chain[0].url_parts.host],
      ['geo-request', (report: any) => new URL(report.url).hostname],
      ['http3-status', () => 'evil.test'],
    ] as const) {
      const { status, report } = await ask(operation, { url });
      expect([operation, status, host(report)]).toEqual([operation, 200, 'evil.test']);
      expect(JSON.stringify(report)).not.toContain('open-sesame');
    }
    const there = pages.requests.filter((request) => request.includes('Basic'));
    expect(there.length).toBeGreaterThanOrEqual(2);
    expect(there.every((request) => request.startsWith('evil.test '))).toBe(true);
    const { report } = await ask('url-reputation', { url: `http://bakery.test/to?u=${encodeURIComponent(url)}` });
    expect(report).toMatchObject({ final_url: 'http://www.bank.example:***@evil.test/members', redirection: { external: true } });
    expect(machine.stderr()).not.toContain('open-sesame');
  });
});
