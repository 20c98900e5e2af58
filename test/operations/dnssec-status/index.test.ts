import { ApiError, type DnsAnswer, type DnsRecord, ProbeFailure, recordsOf, type Resolver } from '@vedette/contract';
import { createAddressPolicy } from '@vedette/probes/host';
import { parseTrustAnchors } from '@vedette/mail/dnssec';
import { createResolver } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DNSSEC_TYPES, dnssecStatus } from '../../../packages/operations/src/dnssec-status/index.ts';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { serveZones, type ZoneServers } from '../../mail/dnssec/zone-servers.ts';
import { ZONES } from '../../mail/dnssec/zoo.ts';
import { dnsContext, schemaErrors } from './context.ts';
import { answer, read } from '../answer.ts';

const WANTED = ['.', 'test', 'optout', 'good.test', 'unsigned.test', 'island.test', 'tampered.test', 'nodenial.test'];
let servers: ZoneServers;
let resolver: Resolver & { close(): void };
/** Asks the zones' own server, wherever it is said to be. */
let direct: Resolver & { close(): void };

beforeAll(async () => {
  servers = await serveZones(
    ZONES.filter(({ name }) => WANTED.includes(name)),
    { unbound: 'ede: yes' },
  );
  direct = createResolver({ servers: [servers.authoritative], policy: createAddressPolicy(), clock: systemClock, cache: false });
  resolver = createResolver({ servers: [servers.recursive], policy: createAddressPolicy(), clock: systemClock, cache: false });
});
afterAll(async () => {
  resolver?.close();
  direct?.close();
  await servers?.close();
});

const ask = (host: string, dns_type?: (typeof DNSSEC_TYPES)[number]) =>
  answer(dnssecStatus, { host, ...(dns_type && { dns_type }) }, dnsContext(resolver, { trustAnchors: parseTrustAnchors(servers.anchors) }));

const record = (name: string, type: string, data: RegExp) => ({ name, type, ttl: expect.any(Number), data: expect.stringMatching(data) });
const keysOf = (zone: string) =>
  expect.arrayContaining([record(zone, 'DNSKEY', /^257 3 13 [A-Za-z0-9+/]+=*$/), record(zone, 'DNSKEY', /^256 3 13 [A-Za-z0-9+/]+=*$/)]);
const dsOf = (zone: string) => [record(zone, 'DS', /^\d+ 13 2 [0-9a-f]{64}$/)];
const signature = (name: string, type: string, labels: number, zone: string) =>
  record(name, 'RRSIG', new RegExp(`^${type} 13 ${labels} 300 \\d{14} \\d{14} \\d+ ${zone.replaceAll('.', '\\.')} [A-Za-z0-9+/]+=*$`));
const secureChain = (...zones: string[]) => zones.map((zone) => ({ zone, status: 'secure' }));

const VALIDATED = { answered: 'NOERROR', authenticated: true, extended_errors: [] };
/** The zones' server is at a loopback address, which the policy refuses. */
const WITHOUT_SERVERS = { servers: [{ server: 'ns.test', address: '127.0.0.1', answered: 'NOT_ASKED' }], servers_disagree: '' };

describe('dnssec-status over real servers', () => {
  it('shows a signed and verified record set with its keys, DS and signatures', async () => {
    expect(await ask('www.good.test')).toEqual({
      host: 'www.good.test',
      dns_type: 'A',
      dnssec_enabled: true,
      dnssec_signed: true,
      status: 'secure',
      reason: '',
      chain: secureChain('.', 'test', 'good.test'),
      rrsig_records: [signature('www.good.test', 'A', 3, 'good.test')],
      dnskey_records: keysOf('good.test'),
      ds_records: dsOf('good.test'),
      answer: [record('www.good.test', 'A', /^192\.0\.2\.2$/)],
      ...WITHOUT_SERVERS,
      resolver: VALIDATED,
    });
  });

  it('reports what its schema says', async () => {
    const reports = [await ask('www.good.test'), await ask('www.tampered.test'), await ask('nothing.good.test', 'MX')];
    expect(reports.flatMap((report) => schemaErrors(dnssecStatus, report))).toEqual([]);
  });

  it('follows a CNAME out of the signed zone and says where the signatures end', async () => {
    expect(await ask('tounsigned.good.test')).toEqual({
      host: 'tounsigned.good.test',
      dns_type: 'A',
      dnssec_enabled: true,
      dnssec_signed: false,
      status: 'insecure',
      reason: 'unsigned.test DS: test proves that it delegates this zone without a DS',
      reason_code: 'unsigned_delegation',
      chain: [...secureChain('.', 'test', 'good.test'), { zone: 'unsigned.test', status: 'insecure', reason_code: 'unsigned_delegation' }],
      rrsig_records: [signature('tounsigned.good.test', 'CNAME', 3, 'good.test')],
      dnskey_records: keysOf('good.test'),
      ds_records: dsOf('good.test'),
      answer: [record('tounsigned.good.test', 'CNAME', /^www\.unsigned\.test$/), record('www.unsigned.test', 'A', /^192\.0\.2\.2$/)],
      ...WITHOUT_SERVERS,
      resolver: { ...VALIDATED, authenticated: false },
    });
  });

  it('names the record set whose signature does not fit', async () => {
    expect(await ask('www.tampered.test')).toMatchObject({
      dnssec_enabled: true,
      dnssec_signed: false,
      status: 'bogus',
      reason: expect.stringMatching(/^www\.tampered\.test A: the signature by key \d+ does not fit the data$/),
      reason_code: 'signature_invalid',
      chain: secureChain('.', 'test', 'tampered.test'),
    });
  });

  it("shows the resolver's own extended error (RFC 8914)", async () => {
    expect((await ask('www.tampered.test')).resolver).toEqual({
      answered: 'SERVFAIL',
      authenticated: false,
      extended_errors: [{ code: 6, name: 'DNSSEC Bogus', text: expect.any(String) }],
    });
  });

  it('names the name and type whose absence is not proven, and lists zones only', async () => {
    expect(await ask('nothing.nodenial.test', 'MX')).toMatchObject({
      status: 'bogus',
      reason: expect.stringMatching(/^nothing\.nodenial\.test (MX|DS): /),
      reason_code: 'missing_denial',
      chain: secureChain('.', 'test', 'nodenial.test'),
    });
  });

  it('lists no name as a zone that may only be one (NSEC3 opt-out)', async () => {
    expect(await ask('nothing.optout')).toMatchObject({ reason_code: 'opt_out', chain: secureChain('.', 'optout') });
  });

  describe('asks the own servers of a zone', () => {
    /** Three of them, all the same but for what `change` makes of the answers of the second; the third is not of this zone. */
    const among = (change: (answer: DnsAnswer) => DnsAnswer): Resolver => ({
      ...resolver,
      async query(name, type, { server, ...options } = {}) {
        if (type === 'NS' && name === 'good.test') {
          const answer = await resolver.query(name, type, options);
          const [ns] = recordsOf(answer, 'NS');
          return { ...answer, answers: ['ns1.test', 'ns2.test', 'ns3.test'].map((data) => ({ ...ns!, data })) };
        }
        if (/^ns\d\.test$/.test(name)) {
          const answer = await resolver.query('www.good.test', 'A', options);
          return { ...answer, answers: recordsOf(answer, 'A').map((record) => ({ ...record, name, data: `192.0.2.5${name[2]}` })) };
        }
        if (server === undefined) return await resolver.query(name, type, options);
        const answer = await direct.query(name, type, options);
        if (server === '192.0.2.53') return { ...answer, aa: false, answers: [], rcode: 'REFUSED' };
        return server === '192.0.2.52' ? change(answer) : answer;
      },
    });
    const report = (change: (answer: DnsAnswer) => DnsAnswer) =>
      answer(dnssecStatus, { host: 'www.good.test' }, dnsContext(among(change), { trustAnchors: parseTrustAnchors(servers.anchors) }));
    const first = { server: 'ns1.test', address: '192.0.2.51', answered: 'NOERROR', serial: 1, status: 'secure' };
    const second = { ...first, server: 'ns2.test', address: '192.0.2.52' };
    const third = { server: 'ns3.test', address: '192.0.2.53', answered: 'REFUSED' };
    const serialTo = (serial: number) => (answer: DnsAnswer) => ({
      ...answer,
      answers: answer.answers.map((each): DnsRecord => (each.type === 'SOA' ? { ...each, data: { ...each.data, serial } } : each)),
    });

    it('and says nothing where they agree', async () => {
      expect(await report((answer) => answer)).toMatchObject({ status: 'secure', servers: [first, second, third], servers_disagree: '' });
    });

    it('and says which one is stale, its signatures gone, where the resolver happened to ask another', async () => {
      const unsigned = (answer: DnsAnswer) => ({ ...answer, answers: answer.answers.filter(({ type }) => type !== 'RRSIG') });
      expect(await report(unsigned)).toMatchObject({
        status: 'secure',
        servers: [first, { ...second, status: 'bogus', reason_code: 'missing_signature' }, third],
        servers_disagree: 'secure at ns1.test; bogus (missing_signature) at ns2.test',
      });
    });

    it('and says which one has another serial', async () => {
      expect(await report(serialTo(7))).toMatchObject({
        status: 'secure',
        servers: [first, { ...second, serial: 7 }, third],
        servers_disagree: 'serial 1 at ns1.test; serial 7 at ns2.test',
      });
    });

    it('without fear that they have been asked enough', async () => {
      const limited = among((answer) => answer);
      const query: Resolver['query'] = (name, type, options) =>
        options?.server === undefined
          ? limited.query(name, type, options)
          : Promise.reject(new ApiError('target_limited', name, { retryAfterS: 1 }));
      const context = dnsContext({ ...limited, query }, { trustAnchors: parseTrustAnchors(servers.anchors) });
      expect(await answer(dnssecStatus, { host: 'www.good.test' }, context)).toMatchObject({ status: 'secure', servers_disagree: '' });
    });
  });

  it('calls an island signed by itself neither enabled nor signed', async () => {
    expect(await ask('www.island.test')).toMatchObject({
      dnssec_enabled: false,
      dnssec_signed: false,
      status: 'insecure',
      reason_code: 'unsigned_delegation',
      rrsig_records: [signature('www.island.test', 'A', 3, 'island.test')],
      dnskey_records: keysOf('island.test'),
      ds_records: [],
    });
  });

  it('reports a zone without DNSSEC', async () => {
    expect(await ask('www.unsigned.test')).toMatchObject({
      dnssec_enabled: false,
      dnssec_signed: false,
      status: 'insecure',
      rrsig_records: [],
      dnskey_records: [],
      ds_records: [],
      answer: [record('www.unsigned.test', 'A', /^192\.0\.2\.2$/)],
    });
  });

  it('is secure without being signed where the absence of the records is proven', async () => {
    expect(await ask('www.good.test', 'MX')).toMatchObject({
      dnssec_enabled: true,
      dnssec_signed: false,
      status: 'secure',
      reason: '',
      answer: [],
    });
    expect(await ask('nothing.good.test', 'MX')).toMatchObject({
      dnssec_enabled: true,
      dnssec_signed: false,
      status: 'secure',
      answer: [],
    });
  });

  it('finds the zone of an alias although the alias leads elsewhere', async () => {
    expect(await ask('tounsigned.good.test', 'CNAME')).toMatchObject({
      dnssec_enabled: true,
      dnssec_signed: true,
      status: 'secure',
      ds_records: dsOf('good.test'),
    });
  });

  it.each([
    ['SOA', 'ns.test hostmaster.test 1 3600 600 86400 300'],
    ['MX', '10 mail.good.test'],
    ['TXT', 'one two'],
    ['CAA', '0 issue "ca.example.net"'],
    ['NS', 'ns.test'],
  ] as const)('presents %s as one line', async (type, data) => {
    const { answer } = await ask('good.test', type);
    expect(answer).toEqual([{ name: 'good.test', type, ttl: expect.any(Number), data }]);
  });

  it('presents SRV in the order of a zone file', async () => {
    const { answer } = await ask('_sip._tcp.good.test', 'SRV');
    expect(answer).toEqual([{ name: '_sip._tcp.good.test', type: 'SRV', ttl: expect.any(Number), data: '1 2 5060 www.good.test' }]);
  });

  it('knows the zone from the way to it where nobody says its apex', async () => {
    const query: Resolver['query'] = (name, type, options) =>
      type === 'SOA' ? Promise.reject(new ProbeFailure('dns_timeout', name)) : resolver.query(name, type, options);
    const context = dnsContext({ ...resolver, query }, { trustAnchors: parseTrustAnchors(servers.anchors) });
    expect(await answer(dnssecStatus, { host: 'www.good.test' }, context)).toMatchObject({
      dnssec_enabled: true,
      dnssec_signed: true,
      dnskey_records: keysOf('good.test'),
      ds_records: dsOf('good.test'),
    });
  });

  it('trusts nothing under the anchors of another root', async () => {
    const report = await answer(dnssecStatus, { host: 'www.good.test' }, dnsContext(resolver));
    expect(report).toMatchObject({
      dnssec_signed: false,
      status: 'bogus',
      reason: ". DNSKEY: none of the zone's keys is the one that a trust anchor names",
      reason_code: 'no_trusted_key',
      chain: [{ zone: '.', status: 'bogus', reason_code: 'no_trusted_key' }],
    });
  });

  it('judges time by the clock it is given', async () => {
    const trustAnchors = parseTrustAnchors(servers.anchors);
    const report = await answer(
      dnssecStatus,
      { host: 'www.good.test' },
      dnsContext(resolver, { trustAnchors, now: new Date('2060-01-01') }),
    );
    expect(report).toMatchObject({
      status: 'bogus',
      reason_code: 'signature_expired',
      reason: expect.stringContaining('. DNSKEY: the signature expired at 20'),
    });
  });
});

describe('dnssec-status where the DNS fails', () => {
  it('is indeterminate when nobody answers', async () => {
    expect(await answer(dnssecStatus, { host: 'www.example.org' }, dnsContext(fakeResolver({ 'www.example.org': 'TIMEOUT' })))).toEqual({
      host: 'www.example.org',
      dns_type: 'A',
      dnssec_enabled: false,
      dnssec_signed: false,
      status: 'indeterminate',
      reason: 'www.example.org A: no resolver answered',
      reason_code: 'unanswered',
      chain: [],
      rrsig_records: [],
      dnskey_records: [],
      ds_records: [],
      answer: [],
      servers: [],
      servers_disagree: '',
      resolver: { answered: 'TIMEOUT', authenticated: false, extended_errors: [] },
    });
  });

  it('is indeterminate when the resolver fails, even with checking disabled', async () => {
    const report = await answer(dnssecStatus, { host: 'www.example.org' }, dnsContext(fakeResolver({ 'www.example.org': 'SERVFAIL' })));
    expect(report).toMatchObject({
      status: 'indeterminate',
      reason_code: 'unanswered',
      reason: 'www.example.org A: the resolver answered SERVFAIL',
    });
  });

  it('sees when the resolver passes on no signatures at all', async () => {
    const key = { flags: 257, protocol: 3, algorithm: 8, publicKey: new Uint8Array(4) };
    const stripped = fakeResolver({ 'www.example.org': { A: ['192.0.2.1'] }, '.': { DNSKEY: [key] } });
    const report = await answer(dnssecStatus, { host: 'www.example.org' }, dnsContext(stripped));
    expect(report).toMatchObject({ status: 'indeterminate', reason_code: 'resolver_without_dnssec' });
  });

  it.each(['*.wild.good.test', '.'])('judges %s too (RFC 2181 §11)', async (host) => {
    expect(await ask(host, host === '.' ? 'SOA' : 'A')).toMatchObject({
      host,
      status: 'secure',
      dnssec_signed: true,
      dnssec_enabled: true,
    });
  });

  it('refuses an address', () => {
    expect(() => read(dnssecStatus, { host: '192.0.2.1' })).toThrowError(expect.objectContaining({ code: 'invalid_parameter' }));
  });
});
