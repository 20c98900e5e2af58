import type { BudgetedResolver, Resolver } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import { budgeted, refusing } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { judgeDelivery } from '../../../packages/mail/src/email/delivery.ts';
import { type FakeZone, fakeResolver, unlimited } from '../../intel/fake-resolver.ts';

const policy = createAddressPolicy({ allowNets: ['192.0.2.0/24', '2001:db8::/32'] });
const mx = (...exchanges: string[]) => ({ MX: exchanges.map((exchange, i) => ({ preference: i, exchange })) });
const signal = new AbortController().signal;

/** As `readMailDns` does: the question for exchangers is asked once, by whoever needs them. */
const deliveryOf = async (resolver: BudgetedResolver, judging = policy) =>
  judgeDelivery('a.org', await resolver.ask('a.org', 'MX', { signal }), { resolver, signal, policy: judging });

async function judged(zone: FakeZone, wrap: (resolver: Resolver) => Resolver = (resolver) => resolver) {
  const dns = fakeResolver(zone);
  const delivery = await deliveryOf(unlimited(wrap(dns)));
  return { ...delivery, asked: dns.queries };
}

const HOST = { A: ['192.0.2.25'] };
const ROWS: [what: string, zone: FakeZone, state: string, detail: string][] = [
  ['a mail host with an address', { 'a.org': mx('mx.a.org'), 'mx.a.org': HOST }, 'possible', ''],
  ['one with IPv6 alone', { 'a.org': mx('mx.a.org'), 'mx.a.org': { AAAA: ['2001:db8::25'] } }, 'possible', ''],
  ['no exchangers, an address of its own', { 'a.org': HOST }, 'possible', ''],
  ['the second of two', { 'a.org': mx('gone.a.org', 'mx.a.org'), 'mx.a.org': HOST }, 'possible', ''],
  ['a null MX', { 'a.org': { ...mx('.'), ...HOST } }, 'impossible', 'a null MX (RFC 7505)'],
  ['nothing', {}, 'impossible', 'a.org has no address'],
  ['MX localhost', { 'a.org': { ...mx('localhost'), ...HOST } }, 'impossible', 'localhost is no name of the Internet'],
  ['an address instead of a name', { 'a.org': mx('192.0.2.1') }, 'impossible', '192.0.2.1 is no name of the Internet'],
  ['a name without a dot', { 'a.org': mx('mail') }, 'impossible', 'mail is no name of the Internet'],
  ['a name of special use', { 'a.org': mx('mail.corp') }, 'impossible', 'mail.corp is no name of the Internet'],
  ['names that do not exist', { 'a.org': mx('x.org', 'y.org') }, 'impossible', 'x.org has no address; y.org has no address'],
  ['a name without addresses', { 'a.org': mx('mx.a.org'), 'mx.a.org': { TXT: ['-'] } }, 'impossible', 'mx.a.org has no address'],
  ['loopback', { 'a.org': mx('mx.a.org'), 'mx.a.org': { A: ['127.0.0.1'] } }, 'impossible', 'mx.a.org has no public address'],
  [
    'private and link-local',
    { 'a.org': mx('mx.a.org'), 'mx.a.org': { A: ['10.0.0.1'], AAAA: ['fe80::1'] } },
    'impossible',
    'mx.a.org has no public address',
  ],
  ['no exchangers, a private address', { 'a.org': { A: ['192.168.1.1'] } }, 'impossible', 'a.org has no public address'],
  ['SERVFAIL for everything', { 'a.org': 'SERVFAIL' }, 'fails', 'a.org MX: SERVFAIL'],
  ['silence', { 'a.org': 'TIMEOUT' }, 'fails', 'a.org MX: The resolver did not answer in time: a.org'],
  ['SERVFAIL for MX alone: nobody falls back to the address then', { 'a.org': { MX: 'SERVFAIL', ...HOST } }, 'fails', 'a.org MX: SERVFAIL'],
  ['SERVFAIL for the only mail host', { 'a.org': mx('mx.a.org'), 'mx.a.org': 'SERVFAIL' }, 'fails', 'mx.a.org: SERVFAIL'],
  ['SERVFAIL for one of two', { 'a.org': mx('mx.a.org', 'b.a.org'), 'mx.a.org': 'SERVFAIL', 'b.a.org': HOST }, 'possible', ''],
  ['SERVFAIL for AAAA of a host that has an A', { 'a.org': mx('mx.a.org'), 'mx.a.org': { ...HOST, AAAA: 'SERVFAIL' } }, 'possible', ''],
];

describe('judgeDelivery', () => {
  it.each(ROWS)('%s', async (_what, zone, state, detail) => {
    expect(await judged(zone)).toMatchObject({ state, detail });
  });

  it('asks for no inner name, and does not know what is behind one', async () => {
    const inner = (resolver: Resolver) => refusing(resolver, (name) => name.endsWith('.inner.example'));
    const { state, asked } = await judged({ 'a.org': mx('mx.inner.example', 'localhost', 'printer.local') }, inner);
    expect({ state, asked }).toEqual({ state: 'unknown', asked: ['a.org MX'] });
  });

  it('asks one host in an ordinary case, and never more than five', async () => {
    const hosts = Array.from({ length: 40 }, (_, i) => `mx${i}.a.org`);
    const living = Object.fromEntries(hosts.map((host) => [host, HOST]));
    expect((await judged({ 'a.org': mx(...hosts), ...living })).asked).toEqual(['a.org MX', 'mx0.a.org A', 'mx0.a.org AAAA']);
    const dead = await judged({ 'a.org': mx(...hosts) });
    expect(dead).toMatchObject({ state: 'unknown' });
    expect(dead.asked.length).toBe(1 + 5 * 2);
    expect(new Set(dead.asked).size).toBe(dead.asked.length); // none twice
  });

  it('holds the end of its budget against nobody', async () => {
    using resolver = budgeted(fakeResolver({ 'a.org': mx('gone.a.org') }), { questions: 1 }, systemClock);
    expect(await deliveryOf(resolver)).toEqual({ state: 'unknown', detail: '' });
  });

  it('finds its own hosts where mail for this machine arrives, though they are no targets', async () => {
    const own = createAddressPolicy({ ownAddresses: () => ['93.184.216.34'] });
    const resolver = unlimited(fakeResolver({ 'a.org': { A: ['93.184.216.34'] } }));
    expect(await deliveryOf(resolver, own)).toMatchObject({ state: 'possible' });
  });
});
