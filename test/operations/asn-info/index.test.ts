import type { AsRegistration, AutonomousSystem, Delegation, Networks, Registries } from '@vedette/intel/ports';
import { describe, expect, it } from 'vitest';
import { asnInfo } from '../../../packages/operations/src/asn-info/index.ts';
import { answer, type Opened, read } from '../answer.ts';
import { expectExample } from '../example.ts';
import { UNKNOWN_AUTNUM } from '../../registries/unknown.ts';
import { SHUT } from '../shut.ts';

const HEARD: AsRegistration = {
  state: 'registered',
  answered: true,
  problem: '',
  retry_after_s: 0,
  asname: 'EXAMPLE-AS',
  org: 'Example Networks B.V.',
  country_code: 'NL',
  status: 'active',
  created: '2003-05-12',
  updated: '2026-10-31',
  address: 'Voorbeeldstraat 1, Amsterdam',
  abuse_email: 'abuse@noc.example-networks.com',
  rir: 'RIPE',
};
const SILENT: AsRegistration = { ...UNKNOWN_AUTNUM, problem: 'rdap.example is silent' };
const KNOWN: AutonomousSystem = {
  asn: 60_001,
  asname: 'EXAMPLE',
  org: 'Example Networks',
  country_code: 'DE',
  type: 'hosting',
  domain: 'example-networks.net',
};
const DELEGATED: Delegation = { rir: 'RIPE', status: 'allocated', country_code: 'NL', date: '2003-05-01', block: '' };
const PREFIXES = {
  ipv4: ['198.51.100.0/24', '198.51.100.128/25', '203.0.113.0/24'],
  ipv6: ['2001:db8::/32', '2001:db8:1::/48'],
  exact: true,
};

interface Known {
  heard?: AsRegistration;
  known?: AutonomousSystem;
  delegated?: Delegation;
  prefixes?: ReturnType<Networks['prefixes']>;
}

function opened({ heard = HEARD, known, delegated, prefixes }: Known): Opened {
  const networks: Networks = { ...SHUT.networks, autonomousSystem: () => known, delegation: () => delegated, prefixes: () => prefixes };
  const registries: Registries = { domain: SHUT.registries.domain, autonomousSystem: async () => heard };
  return { ...SHUT, networks, registries, today: () => new Date('2026-11-21T12:00:00Z') };
}
const ask = (known: Known) => answer(asnInfo, { asn: 'as60001' }, opened(known));

describe('asn-info', () => {
  it('tells what the registry and the datasets know', async () => {
    expect(await ask({ known: KNOWN, delegated: DELEGATED, prefixes: PREFIXES })).toEqual({
      asn: 'AS60001',
      registered: 'yes',
      debug_message: '',
      asname: 'EXAMPLE-AS',
      status: 'active',
      org: 'Example Networks B.V.',
      country_code: 'NL',
      created: '2003-05-12',
      updated: '2026-10-31',
      address: 'Voorbeeldstraat 1, Amsterdam',
      abuse_email: 'abuse@noc.example-networks.com',
      domain: 'example-networks.net',
      type: 'hosting',
      rir: 'RIPE',
      days_since_created: 8_594,
      months_since_created: 282,
      years_since_created: 23,
      days_since_updated: 21,
      months_since_updated: 0,
      years_since_updated: 0,
      routes: {
        ipv4: { total_prefixes: 3, total_ips: 512, prefixes: PREFIXES.ipv4 },
        ipv6: { total_prefixes: 2, total_ips: '79228162514264337593543950336', prefixes: PREFIXES.ipv6 },
      },
    });
  });

  it('answers from datasets where the registry is silent, and says so', async () => {
    expect(await ask({ heard: SILENT, known: KNOWN, delegated: DELEGATED, prefixes: PREFIXES })).toMatchObject({
      registered: 'yes',
      debug_message:
        'rdap.example is silent; the registry was not heard: what is here is from datasets; created is when the number was last given out, by the statistics of the registries',
      asname: 'EXAMPLE',
      status: 'allocated',
      org: 'Example Networks',
      country_code: 'DE',
      created: '2003-05-01',
      updated: '',
      abuse_email: '',
      rir: 'RIPE',
      days_since_updated: 0,
    });
    expect(await ask({ heard: SILENT, known: KNOWN })).toMatchObject({
      registered: 'unknown',
      debug_message: expect.stringContaining('which networks it announces is not known here'),
      routes: { ipv4: { total_prefixes: 0, total_ips: 0, prefixes: [] }, ipv6: { total_prefixes: 0, total_ips: '0', prefixes: [] } },
    });
  });

  it('says where the networks are known by their addresses only', async () => {
    expect(await ask({ prefixes: { ...PREFIXES, exact: false } })).toMatchObject({
      debug_message: 'of its networks neighbours may stand as one',
    });
    expect(await ask({ prefixes: { ipv4: [], ipv6: [], exact: false } })).toMatchObject({ debug_message: '' });
  });

  it('is an error where nobody knows anything', async () => {
    await expect(ask({ heard: SILENT })).rejects.toMatchObject({ code: 'upstream_failed' });
    await expect(ask({ heard: SILENT, prefixes: { ipv4: [], ipv6: [], exact: false } })).rejects.toMatchObject({ code: 'upstream_failed' });
    await expect(ask({ heard: { ...SILENT, retry_after_s: 9 } })).rejects.toMatchObject({ code: 'target_limited', retryAfterS: 9 });
  });

  it('tells a number that nobody holds from one that nobody has told of', async () => {
    const unregistered: AsRegistration = { ...SILENT, state: 'unregistered', answered: true, problem: '' };
    expect(await ask({ heard: unregistered, prefixes: PREFIXES })).toMatchObject({
      registered: 'no',
      org: '',
      created: '',
      debug_message: '',
    });
    expect(await ask({ heard: unregistered, delegated: DELEGATED })).toMatchObject({ registered: 'no', created: '' });
    expect(await ask({ heard: SILENT, delegated: { ...DELEGATED, status: 'available' } })).toMatchObject({
      registered: 'no',
      status: 'available',
    });
  });

  it('takes the domain of the abuse contact where no dataset has one', async () => {
    expect(await ask({})).toMatchObject({ domain: 'example-networks.com', type: '', registered: 'yes' });
  });

  it.each([
    ['AS0', 'RFC 7607'],
    ['AS23456', 'RFC 6793'],
    ['AS64496', 'documentation'],
    ['AS64511', 'documentation'],
    ['AS64512', 'private'],
    ['AS65534', 'private'],
    ['AS65535', 'RFC 7300'],
    ['AS65551', 'documentation'],
    ['AS4200000000', 'private'],
    ['AS4294967295', 'RFC 7300'],
    ['AS4294967296', '32 bits'],
  ])('%s is refused: %s', (asn, why) => {
    const refused = expect.objectContaining({
      code: 'invalid_parameter',
      param: 'asn',
      message: expect.stringContaining(why) as string,
    }) as Error;
    expect(() => read(asnInfo, { asn })).toThrow(refused);
  });

  it.each([
    ['AS1', 1],
    ['as64495', 64_495],
    ['AS65552', 65_552],
    ['AS4199999999', 4_199_999_999],
  ])('%s may be held', (asn, number) => {
    expect(read(asnInfo, { asn })).toEqual({ asn: number });
  });

  const { pattern } = asnInfo.request.properties.asn as { pattern?: string };
  it.each(['3333', 'AS', 'AS-1', 'AS03333', 'AS3.3', 'ASN3333', 'AS3333 ', 'AS12345678901'])('%j is not the form', (asn) => {
    expect(asn).not.toMatch(new RegExp(pattern!));
  });
});

it('answers as the example shows', () =>
  expectExample('asn-info', { asn: 'AS60001' }, (request) =>
    answer(asnInfo, request, opened({ known: KNOWN, delegated: DELEGATED, prefixes: PREFIXES })),
  ));
