import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HeaderSites, HOSTS, startHeaderSites } from '../operations/security-headers/sites.ts';
import { startHostileDns } from './hostile-dns.ts';
import { NO_BROWSER, type OneMachine, startOneMachine } from './one-machine.ts';

/** Where every host is. */
const SITE = '127.0.0.12';
const TTL = 300;

let sites: HeaderSites;
let machine: OneMachine;
const opened = new AsyncDisposableStack();
beforeAll(async () => {
  if (process.getuid?.() !== 0) return;
  const dns = await startHostileDns((name, type) => {
    if (name === '' || name === '.') return type === 'NS' ? [{ type: 'NS', name: '.', data: 'a.root-servers.net', ttl: TTL }] : [];
    if (!HOSTS.includes(name)) return 'NXDOMAIN';
    return type === 'A' ? [{ type: 'A', name, data: SITE, ttl: TTL }] : [];
  });
  opened.defer(() => dns.close());
  sites = opened.use(await startHeaderSites({ address: SITE, httpPort: 80, httpsPort: 443 }));
  const folder = mkdtempSync(join(tmpdir(), 'security-headers-'));
  opened.defer(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'roots.pem'), sites.root);
  machine = await startOneMachine({
    ...NO_BROWSER,
    VEDETTE_RESOLVERS: `127.0.0.1:${dns.port}`,
    VEDETTE_ALLOW_NETS: '127.0.0.0/8',
    VEDETTE_CA_FILE: join(folder, 'roots.pem'),
  });
  opened.defer(async () => void (await machine.stop()));
});
beforeEach(() => {
  if (sites) sites.requests.length = 0;
});
afterAll(() => opened.disposeAsync());

async function ask(url: string): Promise<{ status: number; cost: number; report: any }> {
  const response = await machine.post('security-headers', { url });
  const [, cost] = /cost=(\d+)/.exec(response.headers.get('x-service-quota') ?? '') ?? [];
  return { status: response.status, cost: Number(cost), report: await response.json() };
}

// The sites are at ports 80 and 443.
describe.skipIf(process.getuid?.() !== 0)('a machine and sites with headers of all kinds', () => {
  it('scores them, for the price of the operation', async () => {
    expect(await ask('https://strict.test/')).toMatchObject({
      status: 200,
      cost: 5,
      report: { scored: true, score: 155, grade: 'A+', issues_found: [] },
    });
    expect(await ask('https://bare.test/')).toMatchObject({ status: 200, cost: 5, report: { score: 10, grade: 'F' } });
    expect(await ask('https://guarded.test/')).toMatchObject({ status: 200, cost: 5, report: { scored: false, grade: '' } });
  });

  it('asks a government nothing, and charges nothing for it', async () => {
    expect(await ask('https://www.irs.gov/')).toMatchObject({ status: 400, cost: 0, report: { code: 'blocked_target' } });
    expect(sites.requests).toEqual([]);
  });
});
