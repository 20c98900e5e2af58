import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HeaderSites, HOSTS, startHeaderSites } from '../operations/security-headers/sites.ts';
import { askPriced, startMachineWithSites } from './machine-with-sites.ts';
import type { OneMachine } from './one-machine.ts';

/** Where every host is. */
const SITE = '127.0.0.12';

let sites: HeaderSites;
let machine: OneMachine;
const opened = new AsyncDisposableStack();
beforeAll(async () => {
  if (process.getuid?.() !== 0) return;
  sites = opened.use(await startHeaderSites({ address: SITE, httpPort: 80, httpsPort: 443 }));
  machine = await startMachineWithSites({ address: SITE, hosts: HOSTS, root: sites.root }, opened);
});
beforeEach(() => {
  if (sites) sites.requests.length = 0;
});
afterAll(() => opened.disposeAsync());

const ask = (url: string) => askPriced(machine, 'security-headers', { url });

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
