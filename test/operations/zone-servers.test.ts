import type { DnsRecord, Resolver } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { zoneServers } from '../../packages/operations/src/shared/names/zone-servers.ts';
import { type FakeZone, fakeResolver, unlimited } from '../intel/fake-resolver.ts';

const find = async (host: string, zone: FakeZone) => {
  const resolver = fakeResolver(zone);
  const servers = await zoneServers(host, { resolver: unlimited(resolver), signal: new AbortController().signal });
  return { servers, queries: resolver.queries };
};

it('climbs to the apex and gives an address of each server, IPv4 where there is one', async () => {
  const { servers } = await find('a.www.example.org', {
    'a.www.example.org': { A: ['192.0.2.1'] },
    'example.org': { NS: ['ns1.example.org', 'ns2.example.org', 'ns3.example.org'] },
    'ns1.example.org': { A: ['192.0.2.53', '192.0.2.54'], AAAA: ['2001:db8::53'] },
    'ns2.example.org': { AAAA: ['2001:db8::54'] },
    'ns3.example.org': 'TIMEOUT',
  });
  expect(servers).toEqual([
    { name: 'ns1.example.org', address: '192.0.2.53' },
    { name: 'ns2.example.org', address: '2001:db8::54' },
  ]);
});

it('does not take the servers of the zone that a CNAME leads to', async () => {
  const { servers } = await find('www.example.org', {
    'www.example.org': { CNAME: ['example.net'] },
    'example.net': { NS: ['ns.example.net'] },
    'ns.example.net': { A: ['198.51.100.53'] },
    'example.org': { NS: ['ns.example.org'] },
    'ns.example.org': { A: ['192.0.2.53'] },
  });
  expect(servers).toEqual([{ name: 'ns.example.org', address: '192.0.2.53' }]);
});

it('climbs by whole labels, though there may be a dot in one', async () => {
  const { queries } = await find(String.raw`a\.b.www.example.org`, {
    [String.raw`a\.b.www.example.org`]: { CNAME: ['example.net'] },
    'example.net': { NS: ['ns.example.net'] },
    'example.org': { NS: [] },
  });
  expect(queries.slice(0, 2)).toEqual([String.raw`a\.b.www.example.org SOA`, 'www.example.org SOA']);
});

it('never asks for an inner name that a stranger made a name server', async () => {
  const { servers, queries } = await find('example.org', {
    'example.org': { NS: ['db.internal'] },
    'db.internal': { A: ['192.0.2.53'] },
  });
  expect({ servers, queries }).toEqual({ servers: [], queries: ['example.org SOA', 'example.org NS'] });
});

it('takes no more than four servers', async () => {
  const names = Array.from({ length: 9 }, (_, i) => `ns${i}.example.org`);
  const zone = Object.fromEntries(names.map((name) => [name, { A: ['192.0.2.53'] }]));
  const { queries } = await find('www.example.org', { ...zone, 'example.org': { NS: names } });
  expect(queries.filter((query) => query.startsWith('ns')).length).toBe(4);
});

const REVERSE = `${'0.'.repeat(16)}1.${'0.'.repeat(8)}8.b.d.0.1.0.0.2.ip6.arpa`;
it.each([
  ['a name of 40 labels', 'example.org', `${'a.'.repeat(38)}example.org`],
  ['an IPv6 address', '8.b.d.0.1.0.0.2.ip6.arpa', REVERSE],
  ['an IPv4 address', '2.0.192.in-addr.arpa', '1.2.0.192.in-addr.arpa'],
  ['the root', '.', '.'],
  ['a label with a dot in it', 'example.org', String.raw`a\.b.example.org`],
])('finds the zone of %s in two questions', async (_, apex, name) => {
  const { servers, queries } = await find(name, { [apex]: { NS: ['ns.example.net'] }, 'ns.example.net': { A: ['192.0.2.53'] } });
  expect(servers).toEqual([{ name: 'ns.example.net', address: '192.0.2.53' }]);
  expect(queries).toEqual([`${name} SOA`, `${apex} NS`, 'ns.example.net A']);
});

describe('a zone that no resolver gets an answer from', () => {
  const NSS = ['ns1.example.org', 'ns.example.net'];
  const world: FakeZone = {
    test: { NS: ['a.nic.test'] },
    'a.nic.test': { A: ['192.0.2.1'] },
    'ns.example.net': { A: ['192.0.2.54'] },
  };
  const record = (name: string, type: 'NS' | 'A', data: string): DnsRecord => ({ name, type, ttl: 300, rdata: new Uint8Array(), data });
  /** Below broken.test the resolver fails; the parent's server gives a referral with the address of one of its servers. */
  const broken = (referral = NSS.map((data) => record('broken.test', 'NS', data))) => {
    const resolver = fakeResolver(world);
    const query: Resolver['query'] = async (name, type, options) => {
      const answer = await resolver.query(name, type, options);
      if (!name.endsWith('broken.test')) return answer;
      if (options?.server === undefined) return { ...answer, rcode: 'SERVFAIL', authorities: [] };
      return { ...answer, rcode: 'NOERROR', aa: false, authorities: referral, additionals: [record('ns1.example.org', 'A', '192.0.2.53')] };
    };
    return { ...resolver, query };
  };
  const ports = (resolver: Resolver) => ({ resolver: unlimited(resolver), signal: new AbortController().signal });

  it('has the servers that its parent delegates it to, not those of the parent', async () => {
    expect(await zoneServers('www.broken.test', ports(broken()))).toEqual([
      { name: 'ns1.example.org', address: '192.0.2.53' },
      { name: 'ns.example.net', address: '192.0.2.54' },
    ]);
  });

  it('has none where the parent delegates it to nobody', async () => {
    expect(await zoneServers('www.broken.test', ports(broken([])))).toEqual([]);
  });

  it('is found in a few questions from forty labels below', async () => {
    const resolver = broken();
    await zoneServers(`${'a.'.repeat(38)}broken.test`, ports(resolver));
    expect(resolver.queries.filter((query) => query.endsWith('SOA')).length).toBeLessThanOrEqual(8);
  });
});

it('does not take a defect for a missing server', async () => {
  const resolver = { ...fakeResolver({}), query: () => Promise.reject(new TypeError('a defect')) };
  await expect(zoneServers('example.org', { resolver: unlimited(resolver), signal: new AbortController().signal })).rejects.toThrow(
    'a defect',
  );
});
