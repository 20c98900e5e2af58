import { ApiError, type DnsRecord, ProbeFailure, type Resolver } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { dnsLookup } from '../../../packages/operations/src/dns-lookup/index.ts';
import { type FakeZone, fakeResolver } from '../../intel/fake-resolver.ts';
import { dnsContext } from '../dnssec-status/context.ts';
import { answer, read } from '../answer.ts';

const run = (zone: FakeZone, dns_types?: string) =>
  answer(dnsLookup, { host: 'example.org', ...(dns_types !== undefined && { dns_types }) }, dnsContext(fakeResolver(zone)));
const utf8 = (text: string) => new TextEncoder().encode(text);

describe('dns-lookup', () => {
  it('shows every item with exactly its fields', async () => {
    const octets = Uint8Array.from([1, 171]);
    const zone: FakeZone = {
      'example.org': {
        A: ['192.0.2.1'],
        AAAA: ['2001:db8::1'],
        MX: [{ preference: 0, exchange: '.' }],
        NS: ['ns.example.org'],
        TXT: [['one ', 'two']],
        SOA: [{ mname: 'ns.example.org', rname: 'h.example.org', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 }],
        HTTPS: [{ priority: 1, target: '.', params: 'alpn="h3,h2"' }],
        TLSA: [{ usage: 3, selector: 1, matchingType: 1, certificate: octets }],
        CAA: [{ flags: 128, tag: 'issue', value: 'ca.example.net' }],
        SRV: [{ priority: 1, weight: 2, port: 3, target: 'www.example.org' }],
        DNSKEY: [{ flags: 257, protocol: 3, algorithm: 13, publicKey: octets }],
        DS: [{ keyTag: 7, algorithm: 13, digestType: 2, digest: octets }],
        PTR: ['host.example.org'],
        NAPTR: [{ order: 1, preference: 2, flags: 'U', services: 'E2U+sip', regexp: '!^.*$!sip:x@example.org!', replacement: '.' }],
        SSHFP: [{ algorithm: 4, fingerprintType: 2, fingerprint: octets }],
        SVCB: [{ priority: 1, target: 'dns.example.org', params: 'alpn="dot"' }],
        URI: [{ priority: 1, weight: 2, target: 'https://example.org/' }],
        LOC: [
          {
            latitude: 151_200_000,
            longitude: -1,
            altitude: -10_025,
            size: 100,
            horizontalPrecision: 1_000_000,
            verticalPrecision: 1000,
          },
        ],
      },
      'alias.example.org': { CNAME: ['example.org'] },
      '_dmarc.example.org': { TXT: ['v=DMARC1; p=none'] },
      'default._bimi.example.org': { TXT: ['v=BIMI1'] },
      '_mta-sts.example.org': { TXT: ['v=STSv1'] },
      '_smtp._tls.example.org': { TXT: ['v=TLSRPTv1'] },
      '_acme-challenge.example.org': { TXT: ['token'] },
    };
    const types = 'A,AAAA,MX,NS,TXT,SOA,DMARC,BIMI,MTA-STS,TLS-RPT,ACME,HTTPS,TLSA,CAA,SRV,DNSKEY,DS,RRSIG,PTR,NAPTR,SSHFP,SVCB,URI,LOC';
    expect(await run(zone, types)).toEqual({
      host: 'example.org',
      records: {
        a: [{ target: '192.0.2.1', ttl: 300 }],
        aaaa: [{ target: '2001:db8::1', ttl: 300 }],
        mx: [{ pref: 0, target: '.', ttl: 300 }],
        ns: [{ target: 'ns.example.org', ttl: 300 }],
        txt: [{ target: 'one two', ttl: 300 }],
        soa: [{ mname: 'ns.example.org', rname: 'h.example.org', serial: 1, refresh: 2, retry: 3, expire: 4, minttl: 5, ttl: 300 }],
        dmarc: [{ target: 'v=DMARC1; p=none', ttl: 300 }],
        bimi: [{ target: 'v=BIMI1', ttl: 300 }],
        'mta-sts': [{ target: 'v=STSv1', ttl: 300 }],
        'tls-rpt': [{ target: 'v=TLSRPTv1', ttl: 300 }],
        acme: [{ target: 'token', ttl: 300 }],
        https: [{ priority: 1, target: '.', params: 'alpn="h3,h2"', ttl: 300 }],
        tlsa: [{ usage: 3, selector: 1, matching_type: 1, certificate: '01ab', ttl: 300 }],
        caa: [{ flag: 128, tag: 'issue', value: 'ca.example.net', ttl: 300 }],
        srv: [{ port: 3, priority: 1, weight: 2, target: 'www.example.org', ttl: 300 }],
        dnskey: [{ flags: 257, protocol: 3, algorithm: 13, public_key: 'Aas=' }],
        ds: [{ key_tag: 7, algorithm: 13, digest_type: 2, digest: '01ab' }],
        rrsig: [],
        ptr: [{ target: 'host.example.org', ttl: 300 }],
        naptr: [
          { order: 1, preference: 2, flags: 'U', services: 'E2U+sip', regexp: '!^.*$!sip:x@example.org!', replacement: '.', ttl: 300 },
        ],
        sshfp: [{ algorithm: 4, fingerprint_type: 2, fingerprint: '01ab', ttl: 300 }],
        svcb: [{ priority: 1, target: 'dns.example.org', params: 'alpn="dot"', ttl: 300 }],
        uri: [{ priority: 1, weight: 2, target: 'https://example.org/', ttl: 300 }],
        loc: [
          {
            latitude: 42,
            longitude: -0.0000003,
            altitude_m: -100.25,
            size_m: 1,
            horizontal_precision_m: 10_000,
            vertical_precision_m: 10,
            ttl: 300,
          },
        ],
      },
      statuses: {
        ...Object.fromEntries(
          types
            .toLowerCase()
            .split(',')
            .map((key) => [key, 'noerror']),
        ),
        rrsig: 'nodata',
      },
    });
  });

  it('asks seven types when none are named', async () => {
    const { records } = await run({ 'example.org': { A: ['192.0.2.1'] } });
    expect(Object.keys(records)).toEqual(['a', 'aaaa', 'mx', 'ns', 'txt', 'soa', 'caa']);
  });

  it('tells an absent record from a look-up that failed', async () => {
    const zone: FakeZone = {
      'example.org': { A: ['192.0.2.1'], AAAA: 'SERVFAIL', MX: 'REFUSED', TXT: 'TIMEOUT', CAA: [] },
    };
    expect(await run(zone, 'A,AAAA,MX,TXT,CAA,DMARC')).toEqual({
      host: 'example.org',
      records: { a: [{ target: '192.0.2.1', ttl: 300 }], aaaa: [], mx: [], txt: [], caa: [], dmarc: [] },
      statuses: { a: 'noerror', aaaa: 'servfail', mx: 'refused', txt: 'timeout', caa: 'nodata', dmarc: 'nxdomain' },
    });
  });

  it('keeps text beyond ASCII, octets that are no UTF-8 as \\DDD, and tells octet 255 from the text \\255', async () => {
    const zone: FakeZone = {
      'example.org': { TXT: [[utf8('caf\u00e9 '), utf8('\u2603')], [Uint8Array.from([0x61, 0xff])], String.raw`a\255`] },
    };
    const { records } = await run(zone, 'TXT');
    expect(records).toEqual({
      txt: [
        { target: 'caf\u00e9 \u2603', ttl: 300 },
        { target: String.raw`a\255`, ttl: 300 },
        { target: String.raw`a\\255`, ttl: 300 },
      ],
    });
  });

  it('joins a UTF-8 character that two strings share', async () => {
    const zone = { 'example.org': { TXT: [[Uint8Array.from([0xc3]), Uint8Array.from([0xa9])]] } } as FakeZone;
    expect((await run(zone, 'TXT')).records).toEqual({ txt: [{ target: '\u00e9', ttl: 300 }] });
  });

  it('sends all questions in one round trip', async () => {
    const resolver = fakeResolver({ 'example.org': {} });
    await answer(
      dnsLookup,
      { host: 'example.org', dns_types: 'A,AAAA,MX,NS,TXT,SOA,DMARC,BIMI,MTA-STS,TLS-RPT,ACME,HTTPS,TLSA,CAA,SRV,DNSKEY,DS' },
      dnsContext(resolver),
    );
    expect([resolver.rounds, resolver.widest]).toEqual([1, 17]);
  });

  it('asks each type once, in the order given', async () => {
    const { records } = await run({}, 'TXT,A,TXT,A');
    expect(Object.keys(records)).toEqual(['txt', 'a']);
  });

  it('shows a CNAME where it is asked for', async () => {
    const zone: FakeZone = { 'www.example.org': { CNAME: ['example.org'] }, 'example.org': { A: ['192.0.2.1'] } };
    const { records } = await answer(dnsLookup, { host: 'www.example.org', dns_types: 'CNAME' }, dnsContext(fakeResolver(zone)));
    expect(records).toEqual({ cname: [{ target: 'example.org', ttl: 300 }] });
  });

  it.each([
    ['192.0.2.1', '1.2.0.192.in-addr.arpa'],
    ['[2001:db8::1]', `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`],
  ])('asks for PTR by the address %s', async (host, owner) => {
    const resolver = fakeResolver({ [owner]: { PTR: ['host.example.org'] } });
    const report = await answer(dnsLookup, { host, dns_types: 'PTR' }, dnsContext(resolver));
    expect(report).toEqual({
      host: host.replaceAll(/[[\]]/g, ''),
      records: { ptr: [{ target: 'host.example.org', ttl: 300 }] },
      statuses: { ptr: 'noerror' },
    });
  });

  it.each(['*.example.org', '-a.example.org', 'a-.example.org', '.'])('asks for the records of %s (RFC 2181 §11)', async (host) => {
    const resolver = fakeResolver({ [host]: { NS: ['ns.example.org'] } });
    const { records } = await answer(dnsLookup, { host, dns_types: 'NS' }, dnsContext(resolver));
    expect([records, resolver.queries[0]]).toEqual([{ ns: [{ target: 'ns.example.org', ttl: 300 }] }, `${host} NS`]);
  });

  it.each(['ANY', 'a', 'A, MX', 'A,', ''])('refuses dns_types %j', (dns_types) => {
    expect(() => read(dnsLookup, { host: 'example.org', dns_types })).toThrowError(expect.objectContaining({ code: 'invalid_parameter' }));
  });

  it.each(['192.0.2.1', '2001:db8::1', '[2001:db8::1]'])('refuses the address %s', (host) => {
    expect(() => read(dnsLookup, { host })).toThrowError(expect.objectContaining({ code: 'invalid_parameter' }));
  });
});

describe('TTLs', () => {
  /** A cache that has counted down to 17, in front of a server that says 3600. */
  const counting = (authoritative: 'answers' | 'is silent'): Resolver => {
    const cache = fakeResolver({
      'example.org': { A: ['192.0.2.1'], NS: ['ns.example.org'] },
      'ns.example.org': { A: ['198.51.100.53'] },
      org: { NS: ['ns.org'] },
      'ns.org': { A: ['198.51.100.1'] },
    });
    return {
      ...cache,
      async query(name, type, options = {}) {
        const answer = await cache.query(name, type, options);
        if (options.server !== undefined && authoritative === 'is silent') throw new ProbeFailure('dns_timeout');
        const ttl = options.server === '198.51.100.53' ? 3600 : 17;
        return { ...answer, aa: options.server !== undefined, answers: answer.answers.map((record): DnsRecord => ({ ...record, ttl })) };
      },
    };
  };

  it("are the zone's own where a cache counts down", async () => {
    const { records } = await answer(dnsLookup, { host: 'example.org', dns_types: 'A' }, dnsContext(counting('answers')));
    expect(records).toEqual({ a: [{ target: '192.0.2.1', ttl: 3600 }] });
  });

  it.each(['NS', 'A'])("are the cache's where the zone has been asked enough, found by its %s: it ended the request", async (refused) => {
    const resolver = counting('answers');
    const query: Resolver['query'] = (name, type, options) =>
      type === refused && (type === 'NS' || options?.server !== undefined)
        ? Promise.reject(new ApiError('target_limited', 'example.org', { retryAfterS: 1 }))
        : resolver.query(name, type, options);
    const { records } = await answer(dnsLookup, { host: 'example.org', dns_types: 'A' }, dnsContext({ ...resolver, query }));
    expect(records).toEqual({ a: [{ target: '192.0.2.1', ttl: 17 }] });
  });

  /** Our own cache holds who serves the zone, and what its server said 5 s ago if it was asked before; or of the zone above alone. */
  const knowing = (said: 'said before' | 'not asked' | 'holds another zone') => {
    const world = counting('answers');
    const known = said === 'holds another zone' ? 'org' : 'example.org';
    const asked: string[] = [];
    const query: Resolver['query'] = async (name, type, { cachedOnly, ...options } = {}) => {
      const cached = name.startsWith('ns.') || (name === known && type === 'NS' && cachedOnly === true);
      if (!cached && cachedOnly) throw new ProbeFailure('dns_timeout');
      const kept = options.server !== undefined && said === 'said before';
      if (!cached && !kept) asked.push(`${name} ${type}${options.server === undefined ? '' : ` at ${options.server}`}`);
      const answer = await world.query(name, type, options);
      if (options.server === '198.51.100.1') return { ...answer, aa: false, answers: [] };
      return kept ? { ...answer, cached: true, age_s: 5, answers: answer.answers.map((each) => ({ ...each, ttl: 3595 })) } : answer;
    };
    return { resolver: { ...world, query }, asked };
  };

  it.each([
    ['not asked', ['example.org A', 'example.org A at 198.51.100.53']],
    ['said before', ['example.org A']],
    [
      'holds another zone',
      ['example.org A', 'example.org A at 198.51.100.1', 'example.org A at 198.51.100.53', 'example.org NS', 'example.org SOA'],
    ],
  ] as const)('are waited for beside the records where our cache knows the zone, whose server was %s', async (said, expected) => {
    const { resolver, asked } = knowing(said);
    const { records } = await answer(dnsLookup, { host: 'example.org', dns_types: 'A' }, dnsContext(resolver));
    expect(records).toEqual({ a: [{ target: '192.0.2.1', ttl: 3600 }] });
    expect(asked.toSorted()).toEqual(expected);
  });

  it("are the cache's where the zone's servers do not answer", async () => {
    const { records } = await answer(dnsLookup, { host: 'example.org', dns_types: 'A' }, dnsContext(counting('is silent')));
    expect(records).toEqual({ a: [{ target: '192.0.2.1', ttl: 17 }] });
  });
});
