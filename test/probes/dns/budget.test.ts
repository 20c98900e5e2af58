import { type DnsBudget, ProbeFailure, type Resolver } from '@vedette/contract';
import { budgeted } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { type FakeZone, fakeResolver } from '../../intel/fake-resolver.ts';
import { mailContext } from '../../intel/mail-context.ts';
import { handClock } from './hand-clock.ts';

const SPENT = { name: 'ProbeFailure', code: 'dns_timeout' };
const open = (resolver: Resolver, questions: number) => budgeted(resolver, { questions }, systemClock);

describe('a budget of the DNS', () => {
  it('asks the same question once', async () => {
    const dns = fakeResolver({ 'a.test': { A: ['192.0.2.1'] } });
    using resolver = open(dns, 4);
    const [first, again] = await Promise.all([resolver.query('a.test', 'A'), resolver.query('A.TEST', 'A')]);
    expect(again).toBe(first);
    await resolver.query('a.test', 'A', { dnssec: true });
    await resolver.query('a.test', 'A', { server: '192.0.2.53' });
    expect(await resolver.addresses('a.test', 4)).toEqual(['192.0.2.1']);
    expect(dns.queries).toHaveLength(4);
  });

  it('refuses what goes beyond it, and still answers what was asked before', async () => {
    const dns = fakeResolver({});
    using resolver = open(dns, 2);
    await Promise.all([resolver.query('a.test', 'A'), resolver.query('b.test', 'A')]);
    const message = 'More than 2 DNS queries are needed; the rest was not asked';
    await expect(resolver.query('c.test', 'A')).rejects.toMatchObject({ ...SPENT, message });
    await expect(resolver.addresses('c.test', 4)).rejects.toMatchObject({ ...SPENT, message });
    expect(await resolver.query('a.test', 'A')).toMatchObject({ rcode: 'NXDOMAIN' });
    expect(dns.queries).toHaveLength(2);
  });

  it('gives up what is under way when its time is over, and asks no more', async () => {
    const { context, dns, outOfPatience } = mailContext({});
    using resolver = budgeted(dns, { ms: 1 }, context.clock);
    const slow = resolver.query('a.test', 'A');
    outOfPatience();
    const message = 'The DNS was too slow; the rest was not asked';
    await expect(slow).rejects.toMatchObject({ ...SPENT, message });
    await expect(resolver.query('b.test', 'A')).rejects.toMatchObject({ ...SPENT, message });
    expect(dns.queries).toEqual(['a.test A']);
  });

  it.each([
    ['its own', { ms: 1_000 }, {}],
    ["a part's", {}, { ms: 1_000 }],
    ["the whole's, in a part", { ms: 1_000 }, { ms: 2_000 }],
  ])('counts %s time from its opening, not from its first question', async (_, limits, part) => {
    const hand = handClock();
    const dns = fakeResolver({});
    using whole = budgeted(dns, limits, hand.clock);
    using resolver = whole.share(part);
    await hand.advance(999);
    expect(await resolver.ask('a.test', 'A')).toMatchObject({ rcode: 'NXDOMAIN' });
    using late = budgeted(dns, limits, hand.clock).share(part);
    await hand.advance(1_000);
    for (const over of [resolver, late]) expect(await over.ask('b.test', 'A')).toMatchObject({ code: 'budget_spent' });
    expect(dns.queries).toEqual(['a.test A']);
  });

  it('has no timer where nothing is asked, one for its questions, and none after its end', async () => {
    const { clock, sleeping } = handClock();
    const dns = fakeResolver({});
    using whole = budgeted(dns, { ms: 1_000 }, clock);
    const part = whole.share({ ms: 500 });
    expect(sleeping()).toBe(0);
    await Promise.all(['a.test', 'b.test'].map((name) => part.ask(name, 'A')));
    expect(sleeping()).toBe(2);
    part[Symbol.dispose]();
    expect(sleeping()).toBe(1);
    whole[Symbol.dispose]();
    await Promise.all([whole, part].map((ended, index) => ended.ask(`${index}.test`, 'A')));
    expect(sleeping()).toBe(0);
    const unasked = budgeted(dns, { ms: 1_000 }, clock);
    unasked[Symbol.dispose]();
    await unasked.ask('c.test', 'A');
    expect(sleeping()).toBe(0);
  });
});

describe('trouble', () => {
  const zone: FakeZone = {
    'a.test': { A: ['192.0.2.1'] },
    'nodata.test': {},
    'fails.test': 'SERVFAIL',
    'no.test': 'REFUSED',
    'silent.test': 'TIMEOUT',
  };

  it.each([
    ['a.test', false],
    ['nx.test', false],
    ['nodata.test', false],
    ['fails.test', true],
    ['no.test', true],
    ['silent.test', true],
  ])('with %s: %s', async (name, troubled) => {
    using resolver = open(fakeResolver(zone), 9);
    using part = resolver.share({ questions: 5 });
    await part.ask(name, 'A');
    expect(resolver.troubled).toBe(troubled);
    await resolver.addresses(name, 4).catch(() => undefined);
    expect(resolver.troubled).toBe(troubled);
  });

  it("is none of ours where a zone's own server is asked, or a question is not asked at all", async () => {
    const { context, dns, outOfPatience } = mailContext({});
    using resolver = budgeted(dns, { questions: 2 }, context.clock);
    using part = resolver.share({ ms: 1 });
    const slow = part.ask('a.test', 'A', { server: '192.0.2.53' });
    outOfPatience();
    await slow;
    await resolver.ask('c.test', 'A');
    using other = budgeted({ ...dns, query: () => Promise.reject(new ProbeFailure('dns_timeout', 'nobody was asked')) }, {}, context.clock);
    await other.ask('a.test', 'A', { cachedOnly: true });
    expect(other.troubled).toBe(false);
    expect(resolver.troubled).toBe(false);
  });

  it('tells whether our resolvers were asked at all', async () => {
    using resolver = open(fakeResolver(zone), 9);
    await resolver.ask('a.test', 'A', { server: '192.0.2.53' });
    await resolver.ask('a.test', 'A', { cachedOnly: true });
    expect(resolver.used).toBe(false);
    using part = resolver.share({ questions: 5 });
    await part.ask('nx.test', 'A');
    expect(resolver.used).toBe(true);
  });

  it.each<[string, Partial<DnsBudget>, Partial<DnsBudget> | undefined]>([
    ['all', { ms: 1 }, undefined],
    ['all, in a part', { ms: 1 }, { questions: 9 }],
    ['a part', {}, { ms: 1 }],
  ])('is when the time of %s is up', async (_, limits, part) => {
    const { context, dns, outOfPatience } = mailContext({});
    using resolver = budgeted(dns, limits, context.clock);
    using asking = resolver.share(part ?? {});
    const slow = (part ? asking : resolver).ask('a.test', 'A');
    outOfPatience();
    await slow;
    expect(resolver.troubled).toBe(true);
  });
});

describe('ask', () => {
  it('tells failures as data', async () => {
    using resolver = open(fakeResolver({ 'a.test': { A: ['192.0.2.1'] }, 'b.test': 'TIMEOUT' }), 2);
    expect(await resolver.ask('a.test', 'A')).toMatchObject({ rcode: 'NOERROR' });
    expect(await resolver.ask('b.test', 'A')).toEqual({ code: 'dns_timeout', error: 'The resolver did not answer in time: b.test' });
    expect(await resolver.ask('c.test', 'A')).toEqual({
      code: 'budget_spent',
      error: 'More than 2 DNS queries are needed; the rest was not asked',
    });
  });

  it('rejects when its caller has gone', async () => {
    using resolver = open(fakeResolver({}), 2);
    await expect(resolver.ask('a.test', 'A', { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  });

  it('passes defects on', async () => {
    using resolver = open({ ...fakeResolver({}), query: () => Promise.reject(new TypeError('a defect')) }, 2);
    await expect(resolver.ask('a.test', 'A')).rejects.toThrow('a defect');
  });
});

describe('a share of a budget', () => {
  it('counts in both, and has the answers in common', async () => {
    const dns = fakeResolver({});
    using whole = open(dns, 3);
    using share = whole.share({ questions: 2 });
    await Promise.all(['a.test', 'b.test'].map((name) => share.query(name, 'A')));
    await expect(share.query('c.test', 'A')).rejects.toMatchObject({ ...SPENT, message: expect.stringContaining('More than 2') });
    await Promise.all(['a.test', 'b.test', 'c.test'].map((name) => whole.query(name, 'A')));
    await expect(whole.query('d.test', 'A')).rejects.toMatchObject({ ...SPENT, message: expect.stringContaining('More than 3') });
    expect(dns.queries).toEqual(['a.test A', 'b.test A', 'c.test A']);
  });

  it('ends with its own time, and with that of the whole', async () => {
    const { context, dns, outOfPatience } = mailContext({});
    using whole = budgeted(dns, {}, context.clock);
    using share = whole.share({ ms: 1 });
    using part = share.share({ questions: 5 });
    const slow = part.ask('a.test', 'A');
    outOfPatience();
    expect(await slow).toMatchObject({ code: 'budget_spent' });
    expect(await share.ask('b.test', 'A')).toMatchObject({ code: 'budget_spent' });
    expect(await whole.ask('b.test', 'A')).toMatchObject({ rcode: 'NXDOMAIN' });
  });

  it('leaves no answer behind of a question that its own end cut short', async () => {
    const { context, dns, outOfPatience } = mailContext({});
    using whole = budgeted(dns, { questions: 1 }, context.clock);
    using share = whole.share({ ms: 1 });
    const slow = share.ask('a.test', 'A');
    outOfPatience();
    expect(await slow).toMatchObject({ code: 'budget_spent' });
    expect(await whole.ask('a.test', 'A')).toMatchObject({ rcode: 'NXDOMAIN' });
    expect(await share.ask('a.test', 'A')).toMatchObject({ rcode: 'NXDOMAIN' });
    expect(dns.queries).toEqual(['a.test A', 'a.test A']);
  });
});
