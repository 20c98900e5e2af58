import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeOnEveryEngine } from '../ledger/engines.ts';
import { type MoneyWorld, startMoneyWorld } from './money/world.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Items that a gateway works on at a time for one request. */
const AT_ONCE = 32;

interface Line {
  index: number;
  status: number;
  cost: number;
  replayed?: boolean;
  code?: string;
}

/** One bulk request, and its whole lines as they come; an answer that breaks off ends them. */
class Bulk {
  readonly lines: Line[] = [];
  status = 0;
  readonly ended: Promise<void>;
  readonly #leaving = new AbortController();

  constructor(url: string, apiKey: string, items: readonly string[], key?: string) {
    this.ended = this.#read(url, apiKey, items, key).catch(() => undefined);
  }

  /** Hangs up. */
  leave(): void {
    this.#leaving.abort();
  }

  async #read(url: string, apiKey: string, items: readonly string[], key?: string): Promise<void> {
    const response = await fetch(`${url}/v2/email-verify/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...(key !== undefined && { 'idempotency-key': key }) },
      body: JSON.stringify({ items }),
      signal: this.#leaving.signal,
    });
    this.status = response.status;
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (text + chunk).split('\n');
      text = lines.pop()!;
      this.lines.push(...lines.map((line) => JSON.parse(line) as Line));
    }
  }
}

/** Mailboxes at as many domains, whose server takes its time. */
const slow = (count: number, of: string): string[] => Array.from({ length: count }, (_, i) => `user@0-${of}-${i}.example.org`);

describeOnEveryEngine('bulk requests', (database) => {
  let world: MoneyWorld;
  /** Of a gateway that no test ends. */
  let url: string;
  beforeAll(async () => {
    world = await startMoneyWorld(await database());
    url = (await world.startGateway()).url;
  });
  afterAll(() => world?.stop());

  it('of a gateway that is killed: what was done is charged once, the rest given back, and a repetition pays for that alone', async () => {
    const gateway = await world.startGateway();
    const { accountId, apiKey } = await world.payer(1_000);
    const items = slow(300, 'killed');
    const first = new Bulk(gateway.url, apiKey, items, 'mine');
    await vi.waitFor(() => expect(first.lines.length).toBeGreaterThan(40), { timeout: 60_000 });
    expect((await world.balanceOf(accountId)).held).toBeGreaterThan(100);
    await gateway.kill();
    await first.ended;
    expect(first.lines.length).toBeLessThan(items.length);
    const { held, spent, entries } = await world.settledBalance(accountId, (balance) => balance.held === 0);
    expect([held, spent]).toEqual([0, entries]);
    expect(entries).toBeGreaterThanOrEqual(first.lines.length);
    expect(entries).toBeLessThanOrEqual(first.lines.length + AT_ONCE);

    const again = new Bulk(url, apiKey, items, 'mine');
    await again.ended;
    expect(again.lines.map(({ status }) => status)).toEqual(items.map(() => 200));
    expect(new Set(again.lines.map(({ index }) => index)).size).toBe(items.length);
    expect(again.lines.filter(({ cost }) => cost === 0)).toHaveLength(entries);
    expect(await world.settledBalance(accountId, (balance) => balance.held === 0)).toEqual({ held: 0, spent: 300, entries: 300 });
    expect(await world.ledger.audit()).toEqual([]);
  });

  it('are refused whole where credits do not suffice, and so is a repetition while the first runs', async () => {
    const { accountId, apiKey } = await world.payer(100);
    const tooMany = new Bulk(url, apiKey, slow(101, 'poor'));
    await tooMany.ended;
    expect(tooMany.status).toBe(402);
    expect(await world.balanceOf(accountId)).toEqual({ held: 0, spent: 0, entries: 0 });

    const first = new Bulk(url, apiKey, slow(100, 'twice'), 'twice');
    await vi.waitFor(() => expect(first.status).toBe(200), { timeout: 30_000 });
    const second = new Bulk(url, apiKey, slow(100, 'twice'), 'twice');
    await second.ended;
    expect(second.status).toBe(409);
    await first.ended;
    expect(first.lines.map(({ status, cost }) => [status, cost])).toEqual(first.lines.map(() => [200, 1]));
    expect(await world.settledBalance(accountId, ({ held }) => held === 0)).toEqual({ held: 0, spent: 100, entries: 100 });
  });

  it('of one account do not keep another waiting until they have ended', async () => {
    const [flooding, other] = [await world.payer(10_000), await world.payer(10_000)];
    const flood = Array.from({ length: 4 }, (_, i) => new Bulk(url, flooding.apiKey, slow(500, `flood-${i}`)));
    await vi.waitFor(() => expect(flood.every(({ lines }) => lines.length > 0)).toBe(true), { timeout: 60_000 });
    const beside = new Bulk(url, other.apiKey, slow(60, 'beside'));
    await beside.ended;
    expect(beside.lines.map(({ status }) => status)).toEqual(Array.from({ length: 60 }, () => 200));
    expect(flood.reduce((sum, { lines }) => sum + lines.length, 0)).toBeLessThan(1_500);

    for (const bulk of flood) bulk.leave();
    const { entries, spent } = await world.settledBalance(flooding.accountId, ({ held }) => held === 0);
    expect(spent).toBe(entries);
    expect(entries).toBeLessThan(1_500);
    await expect.poll(() => world.witness.answered.size, { timeout: 20_000 }).toBe(world.witness.asked.size);
  });
});
