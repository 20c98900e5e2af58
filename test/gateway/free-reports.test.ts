import type { AskOptions, LocationReply } from '@vedette/bus';
import { createAddressPolicy } from '@vedette/probes/host';
import { failure, type Reason } from '@vedette/contract';
import type { Ledger } from '@vedette/ledger';
import { operations } from '@vedette/operations';
import { ping } from '@vedette/probes/ping';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { blank } from '../../packages/operations/src/kit/blank.ts';
import { describeOnEveryEngine } from '../ledger/engines.ts';
import { createAccount, openLedger, OPERATOR } from '../ledger/servers.ts';
import { type AppServer, openApp } from './app-server.ts';

/** Location → why it has no measurement; absent where it has one. */
let found: Record<string, Reason | undefined> = {};
const PLACES = ['eu-fra', 'us-ash'];
const INNER: typeof found = { 'eu-fra': 'blocked_private_address', 'us-ash': 'blocked_private_address' };

async function ask({ locations, onReply }: AskOptions): Promise<LocationReply[]> {
  return locations.map((location, index) => {
    const reason = found[location];
    const head = { location, agent: 'a', simulated: false, agent_state: 'ready' as const };
    const reply = { ...head, ...(reason ? { failure: failure(reason) } : {}), result: blank(ping.result) };
    onReply?.(reply, index);
    return reply;
  });
}

describeOnEveryEngine('ping-test of a name that leads inwards', (database) => {
  let ledger: Ledger;
  let server: AppServer;
  let account: { id: string };
  let key: string;
  beforeAll(async () => {
    ledger = await openLedger(await database());
    server = await openApp({
      operations,
      ledger,
      policy: createAddressPolicy({ allowNets: ['192.0.2.0/24'] }),
      presence: { agents: () => [], isSimulated: () => false, route: () => ({ how: 'any' }) },
      known: { ids: PLACES },
      asker: { ask },
    });
  });
  beforeEach(async () => {
    found = INNER;
    account = await createAccount(ledger, 100);
    ({ key } = await ledger.admin.createKey(OPERATOR, { account: account.id, name: 'test' }));
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await ledger.close();
  });

  const call = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${server.port}/${path}`, init);
  const post = (headers: Record<string, string> = {}) =>
    call('v2/ping-test', {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ host: '192.0.2.1' }),
    });
  const costOf = ({ headers }: Response) => headers.get('x-service-quota');
  /** What is left to spend, once nothing is held any more. */
  const remaining = async () => {
    const { remaining: left, daily } = await ledger.usage(account);
    return { left, days: [...daily.values()] };
  };

  it('is a report that costs nothing', async () => {
    const response = await post();
    expect([response.status, costOf(response)]).toEqual([200, expect.stringMatching(/limit=100, remaining=100, .*cost=0$/)]);
    expect(await response.json()).toMatchObject({ locations: [{ reason: 'blocked_private_address' }, {}] });
    expect(await remaining()).toEqual({ left: 100, days: [] });
    expect(ledger.held()).toEqual({ credits: 0, holds: 0 });
    expect(await ledger.audit()).toEqual([]);
  });

  it('is charged where one location found something else', async () => {
    for (const reason of ['icmp_timeout', undefined] as const) {
      found = { ...INNER, 'us-ash': reason };
      expect(costOf(await post())).toMatch(/cost=5$/);
    }
    expect(await remaining()).toEqual({ left: 90, days: [10] });
  });

  it('costs nothing as a stream, over v1 and for /probe', async () => {
    const stream = await post({ accept: 'text/event-stream' });
    expect(await stream.text()).toContain('event: report\n');
    const v1 = await call(`v1/ping-test/v1/pay-as-you-go/?key=${key}&host=192.0.2.1`);
    expect([v1.status, costOf(v1)]).toEqual([200, expect.stringMatching(/cost=0$/)]);
    const scrape = await call('probe?target=192.0.2.1&module=icmp', { headers: { 'x-api-key': key } });
    expect([scrape.status, costOf(scrape)]).toEqual([200, expect.stringMatching(/cost=0$/)]);
    expect(await scrape.text()).toContain('probe_success');
    expect(await remaining()).toEqual({ left: 100, days: [] });
  });

  it('wants the price held before, as any other', async () => {
    const poor = await createAccount(ledger, 4);
    ({ key } = await ledger.admin.createKey(OPERATOR, { account: poor.id, name: 'test' }));
    expect((await post()).status).toBe(402);
  });

  it('leaves an Idempotency-Key as it was: the next request with it is the first that is paid', async () => {
    const headers = { 'idempotency-key': 'k' };
    for (let i = 0; i < 2; i++) expect(costOf(await post(headers))).toMatch(/cost=0$/);
    found = {};
    expect(costOf(await post(headers))).toMatch(/cost=5$/);
    const again = await post(headers);
    expect([again.headers.get('idempotency-replayed'), costOf(again)]).toEqual(['true', expect.stringMatching(/cost=0$/)]);
    expect(await remaining()).toEqual({ left: 95, days: [5] });
  });
});
