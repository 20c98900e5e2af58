import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNetworks, useEmbedded } from '@vedette/intel/networks';
import { WELL_KNOWN_SYSTEMS } from '../../../packages/intel/src/networks/well-known-systems.ts';

const folder = mkdtempSync(join(tmpdir(), 'vedette-networks-'));
const networks = createNetworks();
beforeAll(async () => {
  await useEmbedded(networks, folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

type Row = readonly [what: string, address: string, country: string, asn: number];

/** Where these are, and whose, anybody can look up: they are known for being there. */
const WELL_KNOWN: readonly Row[] = [
  ['Google Public DNS', '8.8.8.8', 'US', 15_169],
  ['Google Public DNS', '8.8.4.4', 'US', 15_169],
  ['Cloudflare, on APNIC’s research network', '1.1.1.1', 'AU', 13_335],
  ['Quad9', '9.9.9.9', 'US', 19_281],
  ['Quad9 over IPv6', '2620:fe::fe', 'US', 19_281],
  ['OpenDNS', '208.67.222.222', 'US', 36_692],
  ['OpenDNS over IPv6', '2620:119:35::35', 'US', 36_692],
  ['Level 3', '4.2.2.2', 'US', 3356],
  ['Yandex DNS', '77.88.8.8', 'RU', 13_238],
  ['AdGuard', '94.140.14.14', 'CY', 212_772],
  ['AliDNS', '223.5.5.5', 'CN', 45_102],
  ['Baidu', '180.76.76.76', 'CN', 55_967],
  ['HiNet', '168.95.1.1', 'TW', 3462],
  ['Comcast', '75.75.75.75', 'US', 7922],
  ['AT&T', '68.94.156.1', 'US', 7018],
  ['KT', '168.126.63.1', 'KR', 4766],
  ['a.root-servers.net', '198.41.0.4', 'US', 397_203],
  ['b.root-servers.net', '170.247.170.2', 'US', 394_353],
  ['c.root-servers.net', '192.33.4.12', 'US', 2149],
  ['c.root-servers.net over IPv6', '2001:500:2::c', 'US', 2149],
  ['d.root-servers.net', '199.7.91.13', 'US', 10_886],
  ['e.root-servers.net', '192.203.230.10', 'US', 21_556],
  ['f.root-servers.net', '192.5.5.241', 'US', 3557],
  ['g.root-servers.net', '192.112.36.4', 'US', 5927],
  ['h.root-servers.net', '198.97.190.53', 'US', 1508],
  ['i.root-servers.net', '192.36.148.17', 'SE', 29_216],
  ['i.root-servers.net over IPv6', '2001:7fe::53', 'SE', 29_216],
  ['k.root-servers.net', '193.0.14.129', 'NL', 25_152],
  ['l.root-servers.net', '199.7.83.42', 'US', 20_144],
  ['m.root-servers.net', '202.12.27.33', 'JP', 7500],
  ['m.root-servers.net over IPv6', '2001:dc3::35', 'JP', 7500],
  ['RIPE NCC', '193.0.6.139', 'NL', 3333],
  ['APNIC', '202.12.29.1', 'AU', 4608],
  ['AFRINIC', '196.216.2.1', 'ZA', 33_764],
  ['NIC.br', '200.160.2.3', 'BR', 22_548],
  ['ICANN', '192.0.32.8', 'US', 40_528],
  ['MIT', '18.9.22.169', 'US', 3],
  ['Berkeley', '128.32.0.1', 'US', 25],
  ['Stanford', '171.64.0.1', 'US', 32],
  ['Princeton', '128.112.128.1', 'US', 88],
  ['Cambridge, through Jisc', '131.111.8.42', 'GB', 786],
  ['Oxford, through Jisc', '129.67.1.1', 'GB', 786],
  ['Cambridge over IPv6', '2001:630:212::1', 'GB', 786],
  ['ETH Zürich, through SWITCH', '129.132.19.216', 'CH', 559],
  ['KTH, through SUNET', '130.237.28.40', 'SE', 1653],
  ['DFN', '2001:638:902::1', 'DE', 680],
  ['University of Tokyo', '133.11.0.1', 'JP', 2501],
  ['NUS', '137.132.0.1', 'SG', 7472],
  ['Amazon', '52.94.236.248', 'US', 16_509],
  ['Microsoft', '13.107.42.14', 'US', 8068],
  ['GitHub', '140.82.112.3', 'US', 36_459],
  ['Apple', '17.253.144.10', 'US', 714],
  ['Hetzner', '88.198.0.1', 'DE', 24_940],
  ['Hetzner over IPv6', '2a01:4f8::1', 'DE', 24_940],
  ['OVH', '51.38.0.1', 'FR', 16_276],
  ['OVH over IPv6', '2001:41d0::1', 'FR', 16_276],
  ['Free', '212.27.48.10', 'FR', 12_322],
  ['Deutsche Telekom', '217.0.43.1', 'DE', 3320],
  ['Telstra', '139.130.4.5', 'AU', 1221],
  ['Telkom', '196.25.1.1', 'ZA', 5713],
  ['China Telecom', '220.181.38.148', 'CN', 23_724],
];

/** Where the embedded tables are wrong, and what they say. Feeds bring better ones; a row that does not hold any more can go up. */
const KNOWN_WRONG: readonly (readonly [...Row, why: string])[] = [
  ['Cloudflare over IPv6', '2606:4700:4700::1111', 'CA', 13_335, 'anycast; DB-IP puts networks of several content networks in Montreal'],
  ['Google Public DNS over IPv6', '2001:4860:4860::8888', 'CA', 15_169, 'anycast; the same'],
  ['Cloudflare', '104.16.132.229', 'CA', 13_335, 'anycast; registered in the US'],
  ['Fastly', '151.101.1.140', 'CA', 54_113, 'anycast; registered in the US'],
  ['k.root-servers.net over IPv6', '2001:7fd::1', 'US', 25_152, 'anycast by RIPE NCC, NL'],
  ['Wikimedia, Amsterdam', '91.198.174.192', 'NL', 0, 'AS14907; the table leaves out 91.198.174.0/24'],
];

describe('the embedded tables', () => {
  it.each(WELL_KNOWN)('know where %s is (%s)', (_, address, country, asn) => {
    expect([networks.place(address).country_code, networks.origin(address)?.asn]).toEqual([country, asn]);
  });

  it.each(KNOWN_WRONG)('are known to be wrong about %s (%s)', (_, address, country, asn) => {
    expect([networks.place(address).country_code, networks.origin(address)?.asn ?? 0]).toEqual([country, asn]);
  });

  it('tell a place and an origin whole', () => {
    expect([networks.place('8.8.8.8'), networks.origin('8.8.8.8'), networks.autonomousSystem(15_169)?.org]).toEqual([
      {
        continent_code: 'NA',
        continent_name: 'North America',
        country_code: 'US',
        country_name: 'United States',
        region_name: 'California',
        city_name: 'Mountain View',
        latitude: 37.422,
        longitude: -122.085,
      },
      { asn: 15_169, org: 'Google LLC', route: '8.8.8.0/24' },
      'Google LLC',
    ]);
    expect(networks.place('::ffff:8.8.8.8')).toEqual(networks.place('8.8.8.8'));
    expect(networks.prefixes(3333)).toMatchObject({
      ipv4: expect.arrayContaining(['193.0.0.0/21']),
      ipv6: ['2001:67c:2e8::/48'],
      exact: false,
    });
  });

  it('have every system whose kind is known by its number, and none of these is a bank', () => {
    const unknown = [...WELL_KNOWN_SYSTEMS.keys()].filter((asn) => networks.autonomousSystem(asn) === undefined);
    expect(unknown).toEqual([]);
    const banks = [...WELL_KNOWN_SYSTEMS.keys()].filter((asn) => /(?<!soft|data)bank\b/i.test(networks.autonomousSystem(asn)!.org));
    expect(banks).toEqual([]);
  });

  it.each(['192.0.2.1', '10.0.0.1', '2001:db8::1', 'no address', ''])('know nothing of %j', (address) => {
    expect([networks.place(address).country_code, networks.origin(address)]).toEqual(['', undefined]);
  });

  it('are as old as they say, and read from their snapshot the second time, unless it is broken', async () => {
    const [snapshot, ...others] = readdirSync(folder);
    expect([snapshot, others]).toEqual([expect.stringMatching(/^origins-[\d.]+\.snapshot$/), []]);
    for (const breakIt of [() => {}, () => truncateSync(join(folder, snapshot!), 1000)]) {
      breakIt();
      const next = createNetworks();
      expect(await useEmbedded(next, folder)).toEqual({ places: '2026-06-05', origins: '2026-06-17' });
      expect(next.origin('193.0.6.139')).toEqual(networks.origin('193.0.6.139'));
    }
  });

  it('are read where nothing can be kept', async () => {
    const next = createNetworks();
    await useEmbedded(next, join(import.meta.filename, 'no-folder'));
    expect(next.origin('193.0.6.139')?.asn).toBe(3333);
  });
});
