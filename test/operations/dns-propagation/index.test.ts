import { presentRecords } from '@vedette/probes/dns';
import { expect, it } from 'vitest';
import { dnsPropagation } from '../../../packages/operations/src/dns-propagation/index.ts';
import { read } from '../answer.ts';

it('says when records were left out', () => {
  const answer = { dns_type: 'TXT' as const, rcode: 'NOERROR', records: ['a'], ttl: 60, server: '192.0.2.53:53', tries: 1 };
  const location = { id: 'eu-fra', continent_code: '', continent_name: '', country_code: '', country_name: '', city_name: '' };
  const entry = (truncated: object) =>
    dnsPropagation.entry(read(dnsPropagation, { host: 'example.org', dns_types: 'TXT' }), {
      location,
      agent_state: 'ready',
      simulated: false,
      result: { answers: [{ ...answer, ...truncated }] },
    });
  const shown = { dns_type: 'TXT', records: ['a'], status: 'NOERROR', error: '', ttl: 60, server: '192.0.2.53:53' };
  expect(entry({})).toMatchObject({ response: [shown] });
  expect(entry({ truncated: true })).toMatchObject({ response: [{ ...shown, truncated: true }] });
});

it('tells the failure of one type with that type, not as the failure of the location', () => {
  const failure = { reason: 'dns_servfail' as const, error: 'The resolver could not answer for this name: SERVFAIL' };
  const entry = dnsPropagation.entry(read(dnsPropagation, { host: 'example.org', dns_types: 'A,MX' }), {
    location: { id: 'eu-fra', continent_code: '', continent_name: '', country_code: '', country_name: '', city_name: '' },
    agent_state: 'ready',
    simulated: false,
    result: {
      answers: [
        { dns_type: 'A', rcode: 'NOERROR', records: ['192.0.2.1'], ttl: 60, server: '192.0.2.53:53', tries: 1 },
        { dns_type: 'MX', rcode: 'SERVFAIL', records: [], ttl: 0, server: '192.0.2.53:53', tries: 1, failure },
      ],
    },
  });
  expect(entry).toEqual({
    continent_code: '',
    continent_name: '',
    country_code: '',
    country_name: '',
    city_name: '',
    location: 'eu-fra',
    response: [
      { dns_type: 'A', records: ['192.0.2.1'], status: 'NOERROR', error: '', ttl: 60, server: '192.0.2.53:53' },
      { dns_type: 'MX', records: [], status: 'SERVFAIL', error: failure.error, ttl: 0, server: '192.0.2.53:53' },
    ],
    error: '',
  });
});

it.each([
  ['192.0.2.1', '1.2.0.192.in-addr.arpa'],
  ['2001:db8::1', `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`],
])('asks for PTR by the address %s, and for nothing else', (host, name) => {
  expect(dnsPropagation.job(read(dnsPropagation, { host, dns_types: 'PTR' }))).toEqual({ host: name, types: ['PTR'] });
  expect(() => read(dnsPropagation, { host, dns_types: 'PTR,A' })).toThrow(expect.objectContaining({ code: 'invalid_parameter' }));
});

it('shows octet 255 and the text \\255 as different records', () => {
  const record = (octets: Uint8Array) => ({ name: 'a.test', type: 'TXT' as const, ttl: 60, rdata: octets, data: [octets] });
  const [octet, text] = [Uint8Array.of(255), Buffer.from(String.raw`\255`)].map((octets) => presentRecords([record(octets)]));
  expect([octet, text]).toEqual([[String.raw`\255`], [String.raw`\\255`]]);
});
