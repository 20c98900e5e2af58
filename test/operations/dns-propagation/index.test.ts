import { dns, presentRecords } from '@vedette/probes/dns';
import { describe, expect, it } from 'vitest';
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

describe('options', () => {
  const query = (options: object, dns_types = 'A') => read(dnsPropagation, { host: 'a.test', dns_types, options });
  const price = (options: object) => (dnsPropagation.cost as { of(query: unknown): number }).of(query(options));

  it('without a server change nothing', () => {
    expect(dnsPropagation.job(query({}))).toEqual({ host: 'a.test', types: ['A'] });
    expect([price({}), dnsPropagation.further!(query({}))]).toEqual([5, {}]);
  });
  it('name a server that is judged as a target, and asked for all types', () => {
    const asked = query(
      { server: 'NS.Test.', transport: 'https', path: '/q', nsid: true, client_subnet: '192.0.2.0/24', dnssec: true },
      'A,MX',
    );
    expect(dnsPropagation.further!(asked)).toMatchObject({ 'options.server': { host: 'ns.test' } });
    expect(dnsPropagation.job(asked)).toEqual({
      host: 'a.test',
      types: ['A', 'MX'],
      server: {
        host: 'ns.test',
        port: 443,
        transport: 'https',
        recursion: true,
        class: 1,
        family: 0,
        path: '/q',
        nsid: true,
        client_subnet: '192.0.2.0/24',
        dnssec: true,
        answers: true,
      },
    });
  });
  it.each([
    [{ server: '192.0.2.1' }, 53, 5],
    [{ server: '192.0.2.1', transport: 'tcp', dnssec: true, nsid: true }, 53, 5],
    [{ server: '192.0.2.1', transport: 'tls' }, 853, 6],
    [{ server: '2001:db8::1', transport: 'https' }, 443, 6],
  ])('%j asks port %i and costs %i', (options, port, credits) => {
    expect(dnsPropagation.job(query(options))).toMatchObject({ server: { port } });
    expect(price(options)).toBe(credits);
  });
  it.each([
    [{ transport: 'tls' }, 'options.transport requires options.server'],
    [{ nsid: true }, 'options.nsid requires options.server'],
    [{ server: 'a b' }, 'options.server is not a host name or an IP address'],
    [{ server: '192.0.2.1:53' }, 'options.server is not a host name or an IP address'],
    [{ server: 'https://dns.test/dns-query' }, 'options.server is not a host name'],
    [{ server: '192.0.2.1', path: '/q' }, 'path requires transport: https'],
    [{ server: '192.0.2.1', transport: 'https', path: '/q r' }, 'options.path must match pattern'],
    [{ server: '192.0.2.1', transport: 'https', path: '/q\r\nx: y' }, 'options.path must match pattern'],
    [{ server: '192.0.2.1', client_subnet: '192.0.2.0/33' }, 'client_subnet is not a network'],
    [{ server: '192.0.2.1', client_subnet: 'here' }, 'client_subnet is not a network'],
    [{ server: '192.0.2.1', transport: 'quic' }, 'options.transport must be one of udp, tcp, tls, https'],
    [{ server: '192.0.2.1', class: 'ANY' }, 'options.class must be one of IN, CH, HS'],
    [{ server: '192.0.2.1', port: 22 }, 'options: port; options takes server'],
  ])('refuses %j', (options, sentence) => {
    expect(() => query(options)).toThrow(sentence);
  });
  it('trace from the root for one type, for 10 credits', () => {
    const asked = query({ trace: true }, 'MX');
    expect(dnsPropagation.job(asked)).toEqual({ host: 'a.test', types: ['MX'], trace: true });
    expect([price({ trace: true }), price({ trace: false }), dnsPropagation.further!(asked)]).toEqual([10, 5, {}]);
    const conflict = 'options.trace requires one type in dns_types, and no other option';
    expect(() => query({ trace: true }, 'A,MX')).toThrow(conflict);
    expect(() => query({ trace: true, server: '192.0.2.1' })).toThrow(conflict);
    expect(dns.since!(dnsPropagation.job(asked))).toBe('1.3');
  });
  it('compare with the servers of the zone in the class IN alone', async () => {
    const asked = query({ server: '192.0.2.1', class: 'CH' });
    await expect(dnsPropagation.beside!(asked, undefined as never)).resolves.toEqual([]);
  });
});
