import { expect, it } from 'vitest';
import { zoneServers } from '../../packages/operations/src/zone-servers.ts';
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

it('never asks for an inner name that a stranger made a name server', async () => {
  const { servers, queries } = await find('example.org', {
    'example.org': { NS: ['db.internal'] },
    'db.internal': { A: ['192.0.2.53'] },
  });
  expect({ servers, queries }).toEqual({ servers: [], queries: ['example.org NS'] });
});

it('takes no more than four servers and six labels', async () => {
  const names = Array.from({ length: 9 }, (_, i) => `ns${i}.example.org`);
  const zone = Object.fromEntries(names.map((name) => [name, { A: ['192.0.2.53'] }]));
  const { queries } = await find('b.c.d.e.f.example.org', { ...zone, 'example.org': { NS: names } });
  expect(queries.filter((query) => query.startsWith('ns')).length).toBe(4);
  expect((await find('a.b.c.d.e.f.example.org', { 'example.org': { NS: names } })).queries.length).toBe(6);
});

it('does not take a defect for a missing server', async () => {
  const resolver = { ...fakeResolver({}), query: () => Promise.reject(new TypeError('a defect')) };
  await expect(zoneServers('example.org', { resolver: unlimited(resolver), signal: new AbortController().signal })).rejects.toThrow(
    'a defect',
  );
});
