import { ApiError, type Resolver } from '@vedette/contract';
import { budgeted } from '@vedette/probes/dns';
import { describe, expect, it } from 'vitest';
import { byHostname, serverDetails } from '../../packages/operations/src/shared/names/server-details.ts';
import { fakeResolver, type FakeZone } from '../intel/fake-resolver.ts';
import { SHUT } from './shut.ts';

const PLACE = {
  continent_code: 'EU',
  continent_name: 'Europe',
  country_code: 'NL',
  country_name: 'Netherlands',
  region_name: 'North Holland',
  city_name: 'Amsterdam',
  latitude: 52.37,
  longitude: 4.9,
};
const EMPTY = {
  ip: '',
  continent_code: '',
  continent_name: '',
  country_code: '',
  country_name: '',
  region_name: '',
  city_name: '',
  latitude: 0,
  longitude: 0,
  isp: '',
  asn: '',
  reverse_dns: '',
};

function ports(zone: FakeZone, resolver: Resolver = fakeResolver(zone)) {
  return {
    resolver: budgeted(resolver, { questions: 5, ms: 1000 }, SHUT.clock),
    signal: SHUT.signal,
    networks: { ...SHUT.networks, place: () => PLACE, origin: () => ({ asn: 64496, org: 'Example Networks', route: '192.0.2.0/24' }) },
  };
}

describe('server details', () => {
  it('say where an address is, whose network it is in and what it is called', async () => {
    const details = await serverDetails('192.0.2.1', ports({ '1.2.0.192.in-addr.arpa': { PTR: ['Host.example.org'] } }));
    const expected = { ip: '192.0.2.1', ...PLACE, isp: 'Example Networks', asn: 'AS64496' };
    expect(details).toEqual({ ...expected, reverse_dns: 'host.example.org' });
    expect(byHostname(details)).toEqual({ ...expected, hostname: 'host.example.org' });
  });

  it('do without a name where there is none, nobody answers, or it is no host name', async () => {
    for (const zone of [{}, { '1.2.0.192.in-addr.arpa': 'TIMEOUT' }, { '1.2.0.192.in-addr.arpa': { PTR: ['a b.example'] } }] as FakeZone[])
      expect(await serverDetails('192.0.2.1', ports(zone))).toMatchObject({ ip: '192.0.2.1', reverse_dns: '' });
  });

  it('do without a name that others have asked for too often, and end with what ends the request', async () => {
    const refused = async (error: Error): Promise<never> => {
      throw error;
    };
    const refusing = (error: Error) => ports({}, { ...SHUT.resolver, query: () => refused(error) });
    expect(await serverDetails('192.0.2.1', refusing(new ApiError('target_limited')))).toMatchObject({ asn: 'AS64496', reverse_dns: '' });
    await expect(serverDetails('192.0.2.1', refusing(new ApiError('deadline')))).rejects.toMatchObject({ code: 'deadline' });
  });

  it('are empty, and nobody is asked, where there is no address', async () => {
    expect(await serverDetails('', ports({}))).toEqual(EMPTY);
  });
});
