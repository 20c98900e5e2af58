import { withQueryBudget } from '@vedette/intel/dns';
import { describe, expect, it } from 'vitest';
import { fakeResolver } from '../fake-resolver.ts';
import { mailContext } from '../mail-context.ts';

describe('withQueryBudget', () => {
  it('asks the same question once', async () => {
    const dns = fakeResolver({ 'a.test': { A: ['192.0.2.1'] } });
    using budgeted = withQueryBudget(dns, 10);
    const [first, again] = await Promise.all([budgeted.query('a.test', 'A'), budgeted.query('A.TEST', 'A')]);
    expect(again).toBe(first);
    await budgeted.query('a.test', 'A', { dnssec: true });
    await budgeted.query('a.test', 'A', { server: '192.0.2.53' });
    expect(await budgeted.addresses('a.test', 4)).toEqual(['192.0.2.1']);
    expect(budgeted.spent).toBe(4);
  });

  it('refuses what goes beyond it, and still answers what was asked before', async () => {
    const dns = fakeResolver({});
    using budgeted = withQueryBudget(dns, 2);
    await Promise.all([budgeted.query('a.test', 'A'), budgeted.query('b.test', 'A')]);
    await expect(budgeted.query('c.test', 'A')).rejects.toMatchObject({
      name: 'QueryBudgetExceeded',
      message: expect.stringContaining('More than 2 DNS queries'),
    });
    expect(await budgeted.query('a.test', 'A')).toMatchObject({ rcode: 'NXDOMAIN' });
    expect(dns.queries).toHaveLength(2);
  });

  it('nests: an inner budget spends from the outer one', async () => {
    using outer = withQueryBudget(fakeResolver({}), 3);
    using inner = withQueryBudget(outer, 2);
    await Promise.all(['a.test', 'b.test'].map((name) => inner.query(name, 'A')));
    await expect(inner.query('c.test', 'A')).rejects.toMatchObject({ name: 'QueryBudgetExceeded' });
    expect(outer.spent).toBe(2);
  });

  it('gives up what is under way when its time is over, and asks no more', async () => {
    const { context, dns, outOfPatience } = mailContext({});
    using budgeted = withQueryBudget(dns, 10, { clock: context.clock, ms: 1 });
    const slow = budgeted.query('a.test', 'A');
    outOfPatience();
    await expect(slow).rejects.toMatchObject({ name: 'QueryBudgetExceeded' });
    await expect(budgeted.query('b.test', 'A')).rejects.toMatchObject({ name: 'QueryBudgetExceeded' });
    expect(dns.queries).toEqual(['a.test A']);
  });
});
