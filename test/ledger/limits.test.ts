import { once } from 'node:events';
import { type Ledger, networkOf } from '@vedette/ledger';
import { afterEach, describe, expect, it } from 'vitest';
import { describeOnEveryEngine } from './engines.ts';
import { openLedger, sql, OPERATOR } from './servers.ts';

describe('the network that a client is counted by', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['::1', '::/64'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describeOnEveryEngine('limits', (database) => {
  const open: Ledger[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((ledger) => ledger.close()));
  });
  const ledgersOn = async (url: string): Promise<[Ledger, Ledger]> => {
    const both: [Ledger, Ledger] = [await openLedger(url), await openLedger(url)];
    open.push(...both);
    return both;
  };
  const record = async (ledger: Ledger, address: string, times: number): Promise<void> => {
    for (let i = 0; i < times; i++) await ledger.recordInvalidKey(address, 'header');
  };

  it('block an address for an hour after ten invalid keys, at every gateway', async () => {
    const [one, two] = await ledgersOn(await database());
    await record(one, '192.0.2.7', 5);
    await record(two, '192.0.2.7', 4);
    expect(two.blockedFor('192.0.2.7', 'header')).toBe(0);
    await record(two, '192.0.2.7', 1);
    expect(two.blockedFor('192.0.2.7', 'header')).toBe(3600);
    await expect.poll(() => one.blockedFor('192.0.2.7', 'header'), { timeout: 5_000 }).toBeGreaterThan(3590);
    expect(one.blockedFor('192.0.2.8', 'header')).toBe(0);
    expect(await one.admin.listLockouts()).toEqual([{ network: '192.0.2.7', failures: 10, blocked_until: expect.stringMatching(/Z$/) }]);
  });

  it('count keys that come at once, and all addresses of one /64 together', async () => {
    const [one] = await ledgersOn(await database());
    await Promise.all(Array.from({ length: 10 }, (_, i) => one.recordInvalidKey(`2001:db8:0:1::${i}`, 'header')));
    expect(one.blockedFor('2001:db8:0:1:ffff::', 'header')).toBe(3600);
    expect(one.blockedFor('2001:db8:0:2::', 'header')).toBe(0);
  });

  it('do not add up what lies ten minutes back', async () => {
    const url = await database();
    const [one] = await ledgersOn(url);
    await record(one, '192.0.2.7', 9);
    await sql(url, `UPDATE lockouts SET window_started = window_started - interval '10 minutes'`);
    await record(one, '192.0.2.7', 9);
    expect(one.blockedFor('192.0.2.7', 'header')).toBe(0);
    expect(await sql(url, 'SELECT failures FROM lockouts')).toEqual([{ failures: 9 }]);
  });

  it('end a block after one hour of the gateway’s clock, not before, whether it blocked or was told', async () => {
    let now = 0;
    const clock = { now: () => now, sleep: async (_ms: number, signal?: AbortSignal) => void (await once(signal!, 'abort')) };
    const url = await database();
    open.push(await openLedger(url, { clock }), await openLedger(url, { clock }));
    const [one, two] = open as [Ledger, Ledger];
    await record(one, '192.0.2.7', 10);
    await two.invalidations.apply({ kind: 'lockouts' });
    await expect.poll(() => two.blockedFor('192.0.2.7', 'header'), { timeout: 5_000 }).toBeGreaterThan(0);
    now = 3_599_999;
    expect(one.blockedFor('192.0.2.7', 'header')).toBe(1);
    now = 3_600_000;
    expect([one.blockedFor('192.0.2.7', 'header'), two.blockedFor('192.0.2.7', 'header')]).toEqual([0, 0]);
  });

  it('let a blocked address in again after the hour, with a clean slate, or when an operator clears it', async () => {
    const url = await database();
    const [one, two] = await ledgersOn(url);
    await record(one, '192.0.2.7', 10);
    await sql(url, `UPDATE lockouts SET blocked_until = now(), window_started = window_started - interval '1 hour'`);
    await expect.poll(() => one.blockedFor('192.0.2.7', 'header'), { timeout: 5_000 }).toBe(0);
    await record(one, '192.0.2.7', 1);
    expect(one.blockedFor('192.0.2.7', 'header')).toBe(0);
    await record(one, '192.0.2.7', 9);
    expect(one.blockedFor('192.0.2.7', 'header')).toBe(3600);
    expect(await one.admin.clearLockout(OPERATOR, '192.0.2.7')).toEqual({ cleared: true });
    expect(one.blockedFor('192.0.2.7', 'header')).toBe(0);
    await expect.poll(() => two.blockedFor('192.0.2.7', 'header'), { timeout: 5_000 }).toBe(0);
    expect(await one.admin.clearLockout(OPERATOR, '192.0.2.7')).toEqual({ cleared: false });
  });

  it('allow one request a second over all gateways', async () => {
    const [one, two] = await ledgersOn(await database());
    const rate = { rate: 1, burst: 1 };
    const decisions = await Promise.all([one.take('a', rate), two.take('a', rate), one.take('a', rate), two.take('a', rate)]);
    expect(decisions.filter(({ allowed }) => allowed)).toHaveLength(1);
    expect(await two.take('b', rate)).toEqual({ allowed: true, retryAfterS: 0 });
    const refused = await two.take('a', rate);
    expect(refused.allowed).toBe(false);
    expect(refused.retryAfterS).toBeLessThanOrEqual(1);
    await expect.poll(async () => (await two.take('a', rate)).allowed, { interval: 200, timeout: 5_000 }).toBe(true);
  });

  it('cool a target down over all gateways, by any of its keys, until that is over or ended', async () => {
    const url = await database();
    const [one, two] = await ledgersOn(url);
    const both = (keys: readonly string[]) => Promise.all([one, two, one, two].map(({ coolDowns }) => coolDowns.begin(keys, 600)));
    const first = await both(['a.test', '192.0.2.1']);
    expect(first.filter((leftS) => leftS === 0)).toHaveLength(1);
    for (const leftS of first.filter((left) => left > 0)) expect(leftS > 500 && leftS <= 600).toBe(true);
    // Another name of the address waits, and has not begun itself.
    expect(await two.coolDowns.begin(['b.test', '192.0.2.1'], 600)).toBeGreaterThan(500);
    expect(await two.coolDowns.begin(['b.test', '192.0.2.2'], 600)).toBe(0);
    await two.coolDowns.end(['a.test', '192.0.2.1']);
    expect(await one.coolDowns.begin(['a.test'], 600)).toBe(0);
    await sql(url, `UPDATE rate_limits SET arrival = now() - interval '1 second' WHERE bucket = 'a.test'`);
    expect(await two.coolDowns.begin(['a.test', 'a.test'], 600)).toBe(0);
  });

  it('allow a burst, then the rate', async () => {
    const url = await database();
    const [one] = await ledgersOn(url);
    const rate = { rate: 0.001, burst: 3 };
    const take = async (): Promise<boolean> => (await one.take('a', rate)).allowed;
    expect([await take(), await take(), await take(), await take()]).toEqual([true, true, true, false]);
    await sql(url, `UPDATE rate_limits SET arrival = arrival - interval '1000 seconds'`);
    expect([await take(), await take()]).toEqual([true, false]);
  });

  it('keep the deny-list of targets: names with what is below them, and networks', async () => {
    const [one, two] = await ledgersOn(await database());
    await one.admin.deny(OPERATOR, { target: 'Example.ORG.', reason: 'asked to be left alone' });
    await one.admin.deny(OPERATOR, { target: '192.0.2.0/24', reason: 'ours' });
    expect(['example.org', 'a.b.example.org', 'notexample.org', 'org', '192.0.2.9', '192.0.3.9'].map(one.isDenied)).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
    ]);
    await two.invalidations.apply({ kind: 'deny_list' });
    await expect.poll(() => two.isDenied('example.org'), { timeout: 5_000 }).toBe(true);
    expect((await one.admin.listDenied()).map(({ target }) => target)).toEqual(['192.0.2.0/24', 'example.org']);
    await expect(one.admin.deny(OPERATOR, { target: 'no target', reason: 'x' })).rejects.toMatchObject({ code: 'invalid_parameter' });
    expect(await one.admin.allow(OPERATOR, 'example.org')).toEqual({ removed: true });
    expect(one.isDenied('example.org')).toBe(false);
  });

  it('take another reason for a listed target where the list is full: it was refused as one more', async () => {
    const url = await database();
    const [one] = await ledgersOn(url);
    await sql(url, `INSERT INTO deny_list SELECT 'h' || i || '.example.org', 'full' FROM generate_series(1, 5000) AS i`);
    await expect(one.admin.deny(OPERATOR, { target: 'one-more.example.org', reason: 'x' })).rejects.toMatchObject({
      code: 'invalid_parameter',
    });
    expect(await one.admin.deny(OPERATOR, { target: 'H7.example.org', reason: 'another' })).toMatchObject({ reason: 'another' });
  });
});
